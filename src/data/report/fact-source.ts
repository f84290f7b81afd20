import { DAY } from '../../base/time/units.js';
import { offsetsWithin, type Zone } from '../../base/time/zones.js';
import { bookingDays, DAYS } from '../mirror/kept-facts.js';
import { MIRROR_VIEWS } from '../mirror/views.js';
import { DIMENSIONS, LOCAL } from './dimensions.js';
import type { ReportPeriod } from './period.js';
import type { FactCondition, GroupedReport } from './types.js';

/** The view with the shares in which a payment is split over gateways and cards. */
export const SPLITS = 'report_splits';

/** The part of a fact that a query reads. */
export interface FactAsked {
  readonly period: ReportPeriod;
  readonly currency: string | undefined;
  readonly where?: readonly FactCondition[] | undefined;
  /** The dimensions that group the rows. */
  readonly groups: readonly string[];
  /** Expressions over `v` in the rest of the query. */
  readonly texts: readonly string[];
  /** The moments at which the query divides time; set if the mirror keeps daily sums. */
  readonly cuts?: readonly number[] | undefined;
  /** True if the query returns each row of the fact. */
  readonly isRows?: boolean;
}

/** Between these moments a zone's clocks are looked up: no account has rows outside. */
const [EARLIEST, LATEST] = [0, 2_208_988_800];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** SQL for a moment as local time in seconds; divided by the length of a day, it gives the day in that zone. */
export function localClock(column: string, zone: Zone): string {
  const whens = offsetsWithin(EARLIEST, LATEST, zone).reverse();
  return `${column} + CASE ${whens.map(({ since, ahead }) => `WHEN ${column} >= ${since} THEN ${ahead}`).join(' ')} END`;
}

/** The report with the dimensions that a zone gives it: parts of the time of its rows. */
export function inZone(report: GroupedReport, zone: Zone): GroupedReport {
  const columns = columnsOf(report.view);
  const sqlOf = (form: string, column: string): string => {
    const part = `strftime('${form}', ${localClock(`v.${column}`, zone)}, 'unixepoch')`;
    const names = WEEKDAYS.map((name, at) => `WHEN '${at}' THEN '${name}'`).join(' ');
    return form === '%w' ? `CASE ${part} ${names} END COLLATE NOCASE` : part;
  };
  // The clocks of a zone are looked up only for a line that asks.
  const groups = Object.entries(LOCAL).flatMap(([word, { form, column = report.at }]) =>
    columns.includes(column) ? [[word, { enumerable: true, get: () => sqlOf(form, column) }]] : [],
  );
  return { ...report, groups: Object.defineProperties({ ...report.groups }, Object.fromEntries(groups)) };
}

/** The conditions on the rows of a fact, over `v`. */
export function factsWhere(report: GroupedReport, { period, currency, where = [] }: FactAsked): string {
  return [
    ...inPeriod(report, period, currency),
    ...(report.filter === undefined ? [] : [report.filter]),
    ...where.map(({ sql }) => sql),
  ].join(' AND ');
}

/** The rows of a fact in a period without further conditions, as `FROM` takes them, up to a condition. */
export const factsIn = (report: GroupedReport, asked: FactAsked): string =>
  `${factSource(report, asked)} WHERE ${factsWhere(report, { ...asked, where: [] })}`;

const inPeriod = ({ at }: GroupedReport, { begins, ends }: ReportPeriod, currency: string | undefined): string[] => [
  // Without a start, the time index would visit every row one by one; the plus keeps it from being used.
  begins > 0 ? `v.${at} >= ${begins} AND v.${at} < ${ends}` : `+v.${at} >= ${begins} AND +v.${at} < ${ends}`,
  ...(currency === undefined ? [] : [`v.currency = '${currency}'`]),
];

/** True if the question involves gateway or card, so that payments are split first. */
export const isSplit = ({ splits }: GroupedReport, { groups, where = [] }: FactAsked): boolean =>
  splits === true && [...groups, ...where.flatMap((one) => one.groups)].some((word) => DIMENSIONS[word]?.splits);

/** The source that a query reads as `v`: the view, or its rows split over gateways and cards. */
export function factSource(report: GroupedReport, asked: FactAsked): string {
  if (!isSplit(report, asked)) return dailySource(report, asked) ?? `${report.view} AS v`;
  const known = columnsOf(report.view);
  const texts = [...asked.texts, report.filter ?? '', ...(asked.where ?? []).map(({ sql }) => sql)];
  const named = new Set(texts.flatMap((text) => [...text.matchAll(/\bv\.(\w+)/g)].map(([, name]) => name)));
  const wanted = known.filter(
    (name) => asked.isRows || named.has(name) || [report.at, 'currency', 'paid_by'].includes(name),
  );
  const isSum = (name: string): boolean => name.endsWith('_minor');
  // A payment covers several rows of a sale. It is split as a whole, by the shares of its transactions.
  const isOne = (name: string): boolean => !asked.isRows && name === 'payment_id';
  const keys = wanted.filter((name) => !isSum(name) && !isOne(name));
  const inner = wanted.map((name) => {
    if (asked.isRows || keys.includes(name)) return `v.${name} AS ${name}`;
    return isOne(name) ? `max(v.${name}) AS ${name}` : `sum(v.${name}) AS ${name}`;
  });
  const outer = wanted.map((name) => (isSum(name) ? `${share(name)} AS ${name}` : `g.${name} AS ${name}`));
  const paidWith = (column: string): string =>
    `coalesce(s.${column}, CASE WHEN g.paid_by IS NULL THEN 'not a card' ELSE 'unknown' END) AS ${column}`;
  const conditions = [
    ...inPeriod(report, asked.period, asked.currency),
    ...(report.filter === undefined ? [] : [report.filter]),
  ];
  return [
    '(',
    `  SELECT ${[...outer, paidWith('gateway'), paidWith('card_brand')].join(', ')}`,
    '  FROM (',
    `    SELECT ${inner.join(', ')}`,
    `    FROM ${report.view} AS v`,
    `    WHERE ${conditions.join(' AND ')}`,
    ...(asked.isRows ? [] : [`    GROUP BY ${keys.map((name) => `v.${name}`).join(', ')}`]),
    '  ) AS g',
    `  LEFT JOIN ${SPLITS} AS s ON s.paid_by = g.paid_by`,
    ') AS v',
  ].join('\n');
}

const columnsOf = (view: string): string[] =>
  (MIRROR_VIEWS.find(({ name }) => name === view)?.columns ?? []).map(([name]) => name);

/** Only a question about single days divides more days than this; it is answered from the rows. */
const MOST_CUTS = 40;

/** The kept sums of whole UTC days plus the rows of the days that the question divides; undefined if it needs more. */
function dailySource(report: GroupedReport, { cuts, where, groups, texts }: FactAsked): string | undefined {
  const days = [...new Set(cuts?.filter((at) => at % DAY !== 0).map((at) => Math.floor(at / DAY)))];
  const known = columnsOf(DAYS);
  const named = [...texts, report.filter ?? ''].flatMap((text) => [...text.matchAll(/\bv\.(\w+)/g)]);
  const isKnown = named.every(([, name = '']) => known.includes(name)) && !groups.some((word) => word in LOCAL);
  if (report.view !== 'report_bookings' || !cuts || where || !isKnown || days.length > MOST_CUTS) return undefined;
  const whole = `SELECT ${known.join(', ')} FROM ${DAYS} WHERE at_unix / ${DAY} NOT IN (${days.join(', ')})`;
  const cut = bookingDays(`SELECT column1 AS day FROM (VALUES (${days.join('), (')}))`, report.view, true);
  return `(\n${days.length === 0 ? `SELECT * FROM ${DAYS}` : `${whole}\nUNION ALL\n${cut}`}\n) AS v`;
}

function share(name: string): string {
  const of = name === 'fees_minor' ? 'fees_' : '';
  const part = (edge: string): string => `g.${name} * s.${of}${edge} / s.${of}whole`;
  return `CASE WHEN s.paid_by IS NULL THEN g.${name} ELSE ${part('until')} - ${part('since')} END`;
}

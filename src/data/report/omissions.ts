import type { Database } from '../../base/database/types.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { dayIn } from '../../base/time/periods.js';
import { rangeArguments } from '../../base/time/range.js';
import { counted, someOf } from '../../items/text/numbered.js';
import { lineWithout } from '../../session/context/lines.js';
import { namelessNotes } from './customer-names.js';
import { DIMENSIONS, MOST_GROUPS } from './dimensions.js';
import { currencySums, disabledNote, untriedNotes } from './disabled-customers.js';
import { conditionedBy, rateNotes, unseenValues } from './fact-conditions.js';
import { factsIn } from './fact-source.js';
import { type Figures, partOf, rowsOf, wholeUnits } from './figures.js';
import { rankingFigure } from './grouped-statement.js';
import type { ReportOptions } from './report-options.js';
import type { ReportQuestion } from './report-question.js';
import type { AnyReport } from './sectioned-report.js';
import { statementOf } from './statement.js';
import { goneOverdueSql, inTrialSql, reachedEnd, unpaidEndsSql } from './subscription-months.js';
import type { FactCondition, ReportValue } from './types.js';

/** The kinds of payment, in everyday words, and the moment at which each counts. */
const PAID_FOR = [
  ['sale', 'raw_sales', 'created_date_unix'],
  ['renewal', 'raw_subscription_renewals', 'created_date_unix'],
  ['trial', 'raw_trials', 'coalesce(expiration_date_unix, created_date_unix)'],
] as const;

export type PaidFor = (typeof PAID_FOR)[number][0];

/** The items that took no money in the period: lists show them, payments leave them out. */
export function unpaidNotes(
  database: Database,
  { period, currency }: Pick<ReportQuestion, 'period' | 'currency'>,
  kinds: readonly PaidFor[],
): string[] {
  const only = currency === undefined ? '' : ` AND iso_currency = '${currency}'`;
  const found = PAID_FOR.filter(([word]) => kinds.includes(word)).flatMap(([word, table, at]) => {
    const sql = `SELECT count(*) FROM ${table} WHERE ${at} >= ${period.begins} AND ${at} < ${period.ends} AND amount_captured = 0${only}`;
    const count = Number(database.query(sql).get()?.[0] ?? 0);
    return count === 0 ? [] : [counted(count, word)];
  });
  if (found.length === 0) return [];
  const last = found.pop();
  return [`not counted: ${found.length > 0 ? `${found.join(', ')} and ` : ''}${last} without any payment`];
}

/** Options on how to read the mirror, which a suggested line does not need. */
const READING: ReadonlySet<string> = new Set(['--sync', '--no-sync', '--no-input']);

/** What the figures leave out although somebody may look for it. */
export function leftOutNotes(
  database: Database,
  report: AnyReport,
  question: ReportQuestion,
  figures: Figures,
  { options, argv }: { readonly options: ReportOptions; readonly argv: readonly string[] } = { options: {}, argv: [] },
): Text[] {
  const range = rangeArguments(options);
  const asked = argv.filter((word) => !READING.has(word));
  const { leavesOut = [] } = report;
  const isOfPayments = leavesOut.includes('unpaid');
  // The conditions of the line are not theirs.
  const isOfSubscriptions = leavesOut.includes('not-counted-subscriptions') && question.where === undefined;
  // States say nothing about months that are rebuilt from payments.
  const isObserved = figures.rows.some(({ method }) => method !== 'rebuilt');
  const { currency } = question;
  const isNone = currency !== undefined && !figures.rows.some((row) => row.currency === currency);
  return [
    ...rankedNotes(report, question),
    ...(isOfPayments ? sharedNotes(question, figures) : []),
    ...splitNotes(question, figures),
    ...(isOfPayments ? unpaidNotes(database, question, ['sale', 'renewal', 'trial']) : []),
    ...severalNotes(report, figures),
    ...(isOfSubscriptions ? trialNotes(database, question) : []),
    ...(isOfSubscriptions && 'ended' in (figures.rows[0] ?? {}) ? unpaidEndNotes(database, question) : []),
    ...(isOfSubscriptions && isObserved ? overdueNotes(database, question) : []),
    ...(isOfSubscriptions ? [disabledNote(database, currency) ?? []].flat() : []),
    ...(leavesOut.includes('untried') ? untriedNotes(database, question) : []),
    ...unseenNotes(database, report, question),
    ...reasonNotes(database, report, question, figures),
    ...namelessNotes(database, figures),
    ...(leavesOut.includes('number-sold') && question.where === undefined
      ? [say`for the number of payments: ${cops`report revenue ${range} ${byWords(question)}`}`]
      : []),
    ...(leavesOut.includes('untaxed') ? untaxedNotes(database, question, range) : []),
    ...(leavesOut.includes('again-within') ? againNotes(question, figures) : []),
    ...(leavesOut.includes('begun') && question.where === undefined
      ? [say`subscriptions begun in the period: ${cops`subscriptions list ${range} --count`}`]
      : []),
    ...(leavesOut.includes('one-day') ? pairNotes(question, figures) : []),
    ...(leavesOut.includes('days-of-payments') ? dayNotes(question, figures) : []),
    ...(leavesOut.includes('kinds-of-failure')
      ? [...failureNotes(database, report, question, asked), ...ratesOverCurrencies(question, figures)]
      : []),
    ...(leavesOut.includes('fees-refunded') && figures.rows.some(({ rate = null }) => rate !== null)
      ? ['rate divides fees as they are after refunds by gross before refunds: refunds lower it']
      : []),
    ...rateNotes(report, question, figures.statement, { typed: options.where, argv: asked }),
    ...(leavesOut.includes('debtors')
      ? [...debtorNotes(database, report, question), ...stoppedNotes(database, question)]
      : []),
    ...(isNone ? [`nothing of it is in ${currency}; the mirror has ${currenciesOf(database)}`] : []),
  ];
}

/** Whose payments these are and what they were for, and the lines that tell each. */
function debtorNotes(database: Database, report: AnyReport, question: ReportQuestion): Text[] {
  const { by } = question;
  if (report.kind !== 'own' || by.some((word) => OWED_BY.includes(word))) return [];
  const rows = rowsOf(database, statementOf(report, { ...question, by: [...OWED_BY.slice(0, 2), 'method'] }));
  const of = (word: string): number => new Set(rows.flatMap((row) => row[word] ?? [])).size;
  const kinds = new Map<string, number>();
  for (const { method, payments } of rows)
    kinds.set(String(method), (kinds.get(String(method)) ?? 0) + Number(payments));
  const told = [...kinds].map(([method, count]) => `${count} ${method}`).join(', ');
  return [
    ...(kinds.size > 1 && !by.includes('method')
      ? [say`by what was to be paid: ${told}; each apart: ${cops`report ${report.name} --by method`}`]
      : []),
    say`payments are counted, not subscriptions: they are of ${counted(of('subscription'), 'subscription')} and ${counted(of('customer'), 'customer')}; who owes it: ${cops`report ${report.name} --by customer`}; each subscription: ${cops`report ${report.name} --by subscription`}`,
  ];
}

/** A renewal is owed even if its subscription no longer runs; says how many of today's do not. */
function stoppedNotes(database: Database, { currency, where = [], isPast }: ReportQuestion): Text[] {
  if (isPast) return [];
  const owed = ['until_unix IS NULL', ...where.map(({ sql }) => sql)];
  if (currency !== undefined) owed.push(`v.currency = '${currency}'`);
  const from = `FROM subscriptions AS s WHERE s.status NOT IN ('active', 'overdue') AND s.id IN (SELECT v.subscription FROM report_open_payments AS v WHERE ${owed.join(' AND ')})`;
  const which = cops`sql ${`SELECT s.status, s.id, s.customer_email, s.product ${from} ORDER BY 1`}`;
  const isKnown = database.query("SELECT 1 FROM _families WHERE family = 'subscriptions' AND state = 'synced'").get();
  if (!isKnown) return [say`some of these subscriptions may have been suspended or have ended: ${which}`];
  const states = database.query(`SELECT s.status, count(*) ${from} GROUP BY 1 ORDER BY 1`).all();
  const count = states.reduce((sum, [, some]) => sum + Number(some), 0);
  if (count === 0) return [];
  const told = states.map(([status, some]) => `${some} ${status}`).join(', ');
  return [say`${count} of these subscriptions no longer ${count === 1 ? 'runs' : 'run'} (${told}): ${which}`];
}

const OWED_BY: readonly string[] = ['customer', 'subscription', 'payment'];

/** The kinds of failure that one figure adds up. */
function failureNotes(
  database: Database,
  report: AnyReport,
  { by, where = [], ...question }: ReportQuestion,
  argv: readonly string[],
): Text[] {
  const across = question.across?.across ?? [];
  const groups = [...by, across].flat();
  if (report.kind !== 'grouped' || [...groups, ...where.flatMap((one) => one.groups)].includes('status')) return [];
  const source = factsIn(report, { ...question, groups: [], texts: [] });
  const only = where.map(({ sql }) => ` AND ${sql}`).join('');
  const kinds = database
    .query(`SELECT v.status, count(*) FROM ${source}${only} AND v.failed GROUP BY 1 ORDER BY 2 DESC`)
    .all();
  if (kinds.length === 0) return [];
  const told = kinds.map(([status, count]) => `${count} ${status}`).join(', ');
  const says = `failed includes every kind: ${told}`;
  const apart = lineWithout(argv, ['--by', '--having', '--top'], '--by', [...by, 'status'].join(','));
  return [groups.length < MOST_GROUPS ? say`${says}; each apart: ${apart}` : says];
}

const byWords = ({ by }: ReportQuestion): string[] => (by.length === 0 ? [] : ['--by', by.join(',')]);

/** A tax return also needs net and gross, and the places with untaxed sales. */
function untaxedNotes(database: Database, question: ReportQuestion, range: readonly string[]): Text[] {
  const { period, by, where, currency } = question;
  // A condition or a currency selects tax lines; an untaxed payment has none to select.
  if (where !== undefined || currency !== undefined) return [];
  const word = by.includes('country') ? 'country' : 'state';
  const within = (at: string): string => `${at} >= ${period.begins} AND ${at} < ${period.ends}`;
  const sold = database
    .query(
      `SELECT coalesce(${word}, 'unknown') FROM payments WHERE ${within('paid_unix')} AND paid_minor > 0
EXCEPT SELECT coalesce(${word}, 'unknown') FROM report_tax WHERE ${within('at_unix')} AND collected_minor > 0`,
    )
    .all()
    .map(([name]) => String(name));
  return [
    ...(sold.length > 0 ? [`sold without any tax: ${someOf(sold, MOST_NAMED)}`] : []),
    say`net and gross: ${cops`report revenue ${range} --by ${word}`}`,
  ];
}

/** The most countries or states that one note names. */
const MOST_NAMED = 20;

/** What counts as a pair, and how many pairs fall on one day. */
function pairNotes({ zone }: ReportQuestion, { rows }: Figures): Text[] {
  if (rows.length === 0) return [];
  const dayOf = (at: ReportValue | undefined): string => dayIn(Date.parse(String(at)) / 1000, zone);
  const same = rows.filter(({ first_at, second_at }) => dayOf(first_at) === dayOf(second_at)).length;
  return [
    `the charges of a row are within 24 hours; ${same} of ${rows.length} pairs fall on one day (first_at, second_at)`,
  ];
}

/** Who came back within so many days, which months do not tell. */
function againNotes({ period: { begins, ends }, currency }: ReportQuestion, { rows }: Figures): Text[] {
  if (rows.length === 0) return [];
  const within = [
    ...(begins > 0 ? [`first_unix >= ${begins}`, `first_unix < ${ends}`] : []),
    ...(currency === undefined ? [] : [`currency = '${currency}'`]),
  ].join(' and ');
  const again =
    'count(distinct case when at_unix > first_unix and at_unix <= first_unix + 90 * 86400 then customer_id end)';
  const query = `select currency, count(distinct customer_id) as customers, ${again} as again, round(100.0 * ${again} / count(distinct customer_id), 2) as percent from report_customer_payments${within && ` where ${within}`} group by currency`;
  return [
    say`each column is one calendar month, not everything up to it. Who paid again within 90 days of the first payment: ${cops`sql ${query}`}`,
  ];
}

/** Moments are no figures: a query has them. */
function dayNotes({ period: { begins, ends } }: ReportQuestion, { statement, rows }: Figures): Text[] {
  if (rows.length === 0 || !statement.columns.some(({ name }) => name === 'customer')) return [];
  const within = begins > 0 ? ` where paid_unix >= ${begins} and paid_unix < ${ends}` : '';
  const query = `select customer_email, currency, min(day) as first, max(day) as latest from payments${within} group by customer_id, currency`;
  return [say`the days of their first and latest payment: ${cops`sql ${query}`}`];
}

/** The most rates that one note tells. */
const MOST_RATES = 6;

/** Attempts are counted whatever their currency: the rates of groups that have rows of several. */
function ratesOverCurrencies(
  { by, having }: ReportQuestion,
  { rows, statement: { columns, keys } }: Figures,
): string[] {
  const [word, other] = columns.slice(0, keys).flatMap(({ name }) => (name === 'currency' ? [] : [name]));
  if (word === undefined || other !== undefined || having !== undefined || !by.includes(word)) return [];
  const groups = new Map<string, { attempts: number; failed: number; rows: number }>();
  for (const row of rows) {
    const name = String(row[word] ?? `without ${word}`);
    const sum = groups.get(name) ?? { attempts: 0, failed: 0, rows: 0 };
    sum.attempts += Number(row.attempts);
    sum.failed += Number(row.failed);
    sum.rows += 1;
    groups.set(name, sum);
  }
  const several = [...groups].filter(([, sum]) => sum.rows > 1);
  if (several.length === 0 || several.length > MOST_RATES) return [];
  const said = several.map(
    ([name, { attempts, failed }]) =>
      `${name}: ${failed} of ${attempts} attempts failed, ${((100 * failed) / attempts).toFixed(2)} %`,
  );
  return [`over all currencies: ${said.join('; ')}`];
}

/** Conditions whose words no row has, or that several customers share. */
function unseenNotes(database: Database, report: AnyReport, question: ReportQuestion): string[] {
  const { where = [], by } = question;
  const conditioned = where.length > 0 ? conditionedBy(report) : undefined;
  if (!conditioned) return [];
  const source =
    report.kind === 'grouped'
      ? factsIn(report, { ...question, groups: by, texts: [] })
      : `${conditioned.view} AS v WHERE 1`;
  return [
    ...unseenValues(database, source, where),
    ...(by.includes('customer') ? [] : sharedBy(database, source, where)),
  ];
}

/** An e-mail address may be that of several customers, whom an id tells apart. */
const sharedBy = (database: Database, source: string, where: readonly FactCondition[]): string[] =>
  where
    .filter(({ groups }) => groups.includes('customer'))
    .flatMap(({ values }) => values)
    .flatMap(({ text, sql }) => {
      const query = `SELECT DISTINCT v.customer_id FROM ${source} AND ${sql} AND v.customer_id <> '' LIMIT 6`;
      const ids = database.query(query).all().map(String);
      if (ids.length < 2 || !/^[^~]*=.*@/.test(text)) return [];
      return [`${text}: several customers have this address, and are added up: ${someOf(ids, 5)}`];
    });

/** A dimension of which the service shows nothing says so, and not a row of dashes alone. */
function reasonNotes(
  database: Database,
  report: AnyReport,
  { by, where = [] }: ReportQuestion,
  { rows }: Figures,
): string[] {
  const isAsked = [...by, ...where.flatMap(({ groups }) => groups)].includes('reason');
  if (!isAsked || report.kind !== 'grouped' || rows.some(({ reason }) => (reason ?? null) !== null)) return [];
  const isShown = database.query(`SELECT 1 FROM ${report.view} AS v WHERE v.reason <> '' LIMIT 1`).get() !== undefined;
  if (rows.length > 0) return [`the service shows no reason with any of them${isShown ? '; with others it does' : ''}`];
  return isShown ? [] : ['the service shows no reason with any of those in the mirror'];
}

/** Which figure `--top` ranks by, and which others it can use. */
function rankedNotes(report: AnyReport, { top, sort }: ReportQuestion): string[] {
  if (top === undefined || report.kind !== 'grouped') return [];
  const figure = rankingFigure(report, sort);
  const other = report.measures.find(({ name, unit }) => unit === 'money' && name !== figure);
  return [`the ${top} largest by ${figure}${other ? `; to rank by another figure: --sort ${other.name}` : ''}`];
}

/** Why the rows' payments add up to more than those of the total. */
function sharedNotes({ by }: ReportQuestion, { rows, totals = [], statement }: Figures): string[] {
  const isByProduct = by.includes('product');
  const isShared = isByProduct || by.some((word) => DIMENSIONS[word]?.splits);
  if (!isShared || !statement.columns.some(({ name }) => name === 'payments')) return [];
  const shared = totals.flatMap(({ currency, payments }) => {
    const own = rows.filter((row) => row.currency === currency);
    const sum = own.reduce((all, row) => all + Number(row.payments ?? 0), 0);
    return sum === Number(payments) ? [] : [`${currency} ${sum} in the rows, ${payments} in all`];
  });
  if (shared.length === 0) return [];
  const why = isByProduct
    ? 'an order of several products is in the row of each, and averages are what was paid for that product'
    : 'a payment by several cards or gateways is in the row of each';
  return [`payments do not add up to the total (${shared.join('; ')}): ${why}`];
}

/** Rows of payments that are less than a payment: a sale has one for each product line. */
function splitNotes(question: ReportQuestion, { rows }: Figures): Text[] {
  const ids = rows.flatMap(({ payment_id: id }) => id ?? []);
  const payments = new Set(ids).size;
  if (ids.length === payments) return [];
  return [
    say`${ids.length} of the rows are of ${counted(payments, 'payment')}: a sale has one for each product line and one for the rest (payment_id). ${largestPayments(question, 1)}`,
  ];
}

/** The line with the largest payments of a period, each as a whole. */
export function largestPayments(
  { period: { begins, ends }, currency }: Pick<ReportQuestion, 'period' | 'currency'>,
  top: number,
): Text {
  const within = [
    ...(begins > 0 ? [`paid_unix >= ${begins}`] : []),
    `paid_unix < ${ends}`,
    ...(currency === undefined ? [] : [`currency = '${currency}'`]),
  ].join(' and ');
  const query = `select day, customer_email, kind, id, currency, paid_minor from (select *, row_number() over (partition by currency order by paid_minor desc) as place from payments where ${within}) where place <= ${top} order by currency, place`;
  return say`The largest payments of each currency: ${cops`sql ${query}`}`;
}

/** Why the customers of the rows add up to more than those of the total. */
function severalNotes(report: AnyReport, { rows, totals = [] }: Figures): string[] {
  const name = report.kind === 'own' ? report.counted : undefined;
  if (name === undefined) return [];
  const several = totals.flatMap((total) => {
    if (total[name] === undefined) return [];
    const own = rows.filter((row) => partOf(row, total));
    const sum = own.reduce((all, row) => all + Number(row[name] ?? 0), 0);
    return sum === Number(total[name] ?? 0)
      ? []
      : [`${[total.month ?? [], total.currency].flat().join(' ')} ${sum} in the rows, ${total[name]} in all`];
  });
  if (several.length === 0) return [];
  return [
    `customers do not add up to the total (${several.join('; ')}): one with several is in the row of each, and who changes has left the one and joined the other`,
  ];
}

/** The line that lists the subscriptions a note is about. */
const whichLine = (sql: string): Text => say`; which: ${cops`sql ${sql}`}`;

/** Other tools count a trial from its start. */
function trialNotes(database: Database, { period, currency, withTrials }: ReportQuestion): Text[] {
  const sql = inTrialSql(reachedEnd(database, period), currency);
  const rows = database
    .query(`SELECT currency, count(*), sum(monthly_minor) FROM (${sql}) GROUP BY 1 ORDER BY 1`)
    .all();
  const count = rows.reduce((sum, [, some]) => sum + Number(some), 0);
  if (count === 0) return [];
  const verb = `${count === 1 ? 'is' : 'are'} ${withTrials ? '' : 'not '}in it`;
  const way = withTrials ? '' : ' (--with-trials counts them)';
  return [
    say`${counted(count, 'running subscription')} whose trial nobody paid ${verb}${way}: ${currencySums(rows)}${whichLine(sql)}`,
  ];
}

const rowCount = (database: Database, sql: string): number =>
  Number(database.query(`SELECT count(*) FROM (${sql})`).get()?.[0] ?? 0);

function unpaidEndNotes(database: Database, { period, currency, withTrials }: ReportQuestion): Text[] {
  const sql = unpaidEndsSql({ ...period, currency });
  const count = withTrials ? 0 : rowCount(database, sql);
  return count === 0
    ? []
    : [
        say`${counted(count, 'subscription')} ended without ever being paid, and ended leaves them out (--with-trials counts them)${whichLine(sql)}`,
      ];
}

/** Tells the last `end` of each currency. */
export function endNotes(
  report: AnyReport,
  { rows, totals = rows }: Figures,
  { ends }: ReportQuestion['period'],
  asOf: string | null,
): string[] {
  const { carries, columns } = report.kind === 'own' ? report : { columns: [] };
  const end = columns.find(({ name }) => name === carries?.end);
  if (end === undefined || rows.length === 0) return [];
  const last = [...new Map(totals.map((row) => [row.currency, row])).values()];
  const isKnown = last.every(({ currency, [end.name]: figure }) => currency !== null && typeof figure === 'bigint');
  const sums = last.map(
    ({ currency, [end.name]: figure }) => `${wholeUnits(figure as bigint, String(currency))} ${currency}`,
  );
  const isNow = asOf !== null && Date.parse(asOf) / 1000 < ends;
  return isNow && isKnown ? [`"${end.title}" of each currency as of ${asOf}: ${sums.join(', ')}`] : [];
}

function overdueNotes(database: Database, question: ReportQuestion): Text[] {
  const sql = goneOverdueSql(reachedEnd(database, question.period), question);
  const count = rowCount(database, sql);
  if (count === 0) return [];
  const days = counted(question.overdueDays, 'day');
  const verb = count === 1 ? 'counts' : 'count';
  return [
    say`${counted(count, 'subscription')} overdue for more than ${days} ${verb} as gone (--overdue-days)${whichLine(sql)}`,
  ];
}

/** The currencies of all sales and renewals. */
function currenciesOf(database: Database): string {
  const sql = PAID_FOR.map(([, table]) => `SELECT iso_currency AS code FROM ${table}`).join(' UNION ');
  const codes = database
    .query(`${sql} ORDER BY 1`)
    .all()
    .flatMap(([code]) => (code === null ? [] : [String(code)]));
  return codes.join(', ') || 'none at all';
}

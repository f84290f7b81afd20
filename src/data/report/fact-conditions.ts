import type { Database } from '../../base/database/types.js';
import { usage } from '../../base/errors/errors.js';
import { say, type Text } from '../../base/text/command-line.js';
import { isCalendarUnit } from '../../base/time/periods.js';
import { countryCode, severalCountries } from '../../catalogue/value-formats.js';
import { UNUSUAL_DIGITS } from '../../items/schema/types.js';
import { spokenSum } from '../../items/select/amounts.js';
import { commaConditions, listedValues, splitAtWord, withoutQuotes } from '../../items/select/value-list.js';
import { lineWithout } from '../../session/context/lines.js';
import { MIRROR_VIEWS } from '../mirror/views.js';
import { DIMENSIONS, dimensionMeant, NOT_SHOWN } from './dimensions.js';
import type { ReportQuestion, ReportStatement } from './report-question.js';
import type { AnyReport } from './sectioned-report.js';
import type { ConditionedView, FactCondition, FactValue } from './types.js';

const FORM = /^([^=!<>~]+?)\s*(!=|>=|<=|==|=|>|<|~)([\s\S]*)$/;
/** Most decimals in the amount of a condition: those of the finest currency. */
const FINEST = 4;
/** Most values of a field that a note lists. */
const MOST_TOLD = 12;

interface Typed {
  readonly says: string;
  readonly sql: string;
  readonly operator: string;
  readonly operand: string;
}

/** What conditions of `--where` are about: the rows of a view, and expressions over it by their words. */
export interface Conditioned extends Pick<AnyReport, 'name'>, ConditionedView {
  readonly refused?: Readonly<Record<string, string>> | undefined;
}

/** What `--where` of a report is about; undefined for one that takes none. */
export function conditionedBy(report: AnyReport): Conditioned | undefined {
  if (report.kind === 'grouped') return report;
  const view = 'conditions' in report ? report.conditions : undefined;
  return view && { name: report.name, refused: 'refused' in report ? report.refused : undefined, ...view };
}

/**
 * Conditions of `--where` on the rows behind a report: on its dimensions, and on the columns of its view. Commas stand
 * between values or conditions, `or` and `and` between conditions.
 * @param figures the figures of the report's rows; an error names them, because `--having` takes them
 * @throws CopsError `usage`
 */
export function factConditions(report: Conditioned, text: string, figures: readonly string[] = []): FactCondition[] {
  const isName = (name: string): boolean => isField(report, wordOf(name));
  return commaConditions(text, isName).map((one) => {
    const any = splitAtWord(one, 'or').map((each) =>
      joined(
        'AND',
        splitAtWord(each, 'and').map((part) => comparison(report, part, figures)),
      ),
    );
    return joined('OR', any);
  });
}

const wordOf = (name: string): string => dimensionMeant(name.trim().toLowerCase());

function joined(word: 'AND' | 'OR', conditions: readonly FactCondition[]): FactCondition {
  const [only, other] = conditions;
  if (only && !other) return only;
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(` ${word} `)})`,
    groups: conditions.flatMap(({ groups }) => groups),
    values: conditions.flatMap(({ values }) => values),
  };
}

const columnsOf = ({ view, columns }: Conditioned): readonly string[] =>
  columns ?? (MIRROR_VIEWS.find(({ name }) => name === view)?.columns ?? []).map(([column]) => column);

function isField(report: Conditioned, word: string): boolean {
  const columns = columnsOf(report);
  return Object.hasOwn(report.groups, word) || columns.includes(word) || columns.includes(`${word}_minor`);
}

function comparison(report: Conditioned, text: string, figures: readonly string[]): FactCondition {
  const says = `--where "${text}"`;
  const [, name = '', sign = '=', value = ''] =
    FORM.exec(text.trim()) ??
    refuse(
      `${says} is not a condition.`,
      "Write a field, one of = != > < >= <= ~ (contains), and a value: 'amount>20'.",
    );
  const word = wordOf(name);
  const typed = { says, operator: sign === '==' ? '=' : sign, operand: value.trim() };
  const columns = columnsOf(report);
  if (Object.hasOwn(report.groups, word)) {
    if (word === 'rate')
      return { ...anyOf(numberCondition, 'count', { ...typed, sql: `v.${DIMENSIONS[word]?.column}` }), groups: [word] };
    const also = DIMENSIONS[word]?.beside;
    // A customer goes by the id and by the e-mail address.
    const names = also && !also.apart && columns.includes(also.column) ? [`v.${also.column}`] : [];
    const make =
      word === 'country' ? countryCondition : Object.hasOwn(ORDERED, word) ? orderedCondition : textCondition;
    const sql = report.groups[word] as string;
    const of = (each: Typed): string =>
      [sql, ...names].map((one) => make({ ...each, sql: one, word })).join(each.operator === '!=' ? ' AND ' : ' OR ');
    const { sql: made, values } = anyOf((each) => `(${of(each)})`, 'text', { ...typed, sql });
    const shown = names.at(-1) ?? sql;
    return { sql: made, groups: [word], values: values.map((one) => ({ ...one, of: shown })) };
  }
  if (columns.includes(`${word}_minor`))
    return { ...anyOf(moneyCondition, 'money', { ...typed, sql: `v.${word}_minor` }), groups: [] };
  if (columns.includes(word) && !/_(?:unix|minor)$/.test(word))
    return { ...anyOf(textCondition, 'text', { ...typed, sql: `v.${word}` }), groups: [] };
  const reason = report.refused?.[word] ?? NOT_SHOWN[word];
  if (reason !== undefined) return refuse(`${says}: cops report ${report.name} has no ${word}: ${reason}.`);
  if (isCalendarUnit(word) || word === 'created' || word === 'at')
    return refuse(`${says}: choose a time with --from and --to.`);
  const amounts = columns.flatMap((column) => (column.endsWith('_minor') ? [column.slice(0, -'_minor'.length)] : []));
  const fields = [...Object.keys(report.groups), ...amounts, 'currency'];
  const others = figures.filter((one) => !fields.includes(one));
  const having = figures.includes(word)
    ? ` Of the figures of its rows: --having '${text}'.`
    : others.length > 0
      ? ` Figures of its rows, for --having: ${others.join(', ')}.`
      : '';
  return refuse(`${says}: cops report ${report.name} has no field ${word}.`, `It has: ${fields.join(', ')}.${having}`);
}

/** What is said of each value that no row has, with those that there are. */
export function unseenValues(database: Database, source: string, where: readonly FactCondition[]): string[] {
  return where
    .flatMap(({ values }) =>
      values.map((value) => ({ ...value, beside: where.filter((one) => !one.values.includes(value)) })),
    )
    .flatMap(({ text, of, sql, beside }) => {
      // The values seen are those of rows that meet the other conditions.
      const others = beside.map((one) => ` AND ${one.sql}`).join('');
      if (database.query(`SELECT 1 FROM ${source} AND ${sql} LIMIT 1`).get()) return [];
      const rows = database
        .query(
          `SELECT ${of}, count(*) FROM ${source}${others} AND ${of} <> '' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MOST_TOLD + 1}`,
        )
        .all();
      const seen = rows
        .slice(0, MOST_TOLD)
        .map(([value, count]) => `${value} ${count}`)
        .join(', ');
      const told = seen === '' ? '' : `; seen: ${seen}${rows.length > MOST_TOLD ? ', ...' : ''}`;
      return [`no row has ${text}${told}`];
    });
}

/**
 * Says what a rate divides if conditions, or groups such as status, take out part of either side, and names the line
 * that shows each part as a share of the whole.
 * @param typed the conditions as typed
 */
export function rateNotes(
  report: AnyReport,
  { by, where = [] }: Pick<ReportQuestion, 'by' | 'where'>,
  { columns }: ReportStatement,
  { typed = [], argv }: { readonly typed?: readonly string[] | undefined; readonly argv: readonly string[] },
): Text[] {
  const rates = columns.filter(({ name, unit }) => unit === 'percent' && !/_(?:before|change|percent)$/.test(name));
  const asked = [...by, ...where.flatMap(({ groups }) => groups)];
  const outcome = report.kind === 'grouped' ? report.outcomes?.find((word) => asked.includes(word)) : undefined;
  if (rates.length === 0 || (where.length === 0 && outcome === undefined)) return [];
  const each = rates.map(({ name, about }) => `${name} = ${about.replace(/, percent$/, '')}`).join('; ');
  const rows = where.length > 0 ? 'the rows that meet --where alone' : `the rows of one ${outcome} alone`;
  const says = `both sides of a rate are of ${rows}: ${each}`;
  const whole = report.kind === 'grouped' && report.measures.find(({ unit }) => unit === 'count');
  if (outcome === undefined || !whole) return [says];
  const conditioned = report as Conditioned;
  const others = typed.filter((text) =>
    factConditions(conditioned, text).every(({ groups }) => !groups.includes(outcome)),
  );
  const kept = others.flatMap((text) => ['--where', text]);
  const parts = ['--by', outcome, '--sort', whole.name, '--share'];
  const line = lineWithout(argv, ['--where', '--by', '--sort', '--share', '--having'], ...kept, ...parts);
  return [say`${says}; each ${outcome} as a share of all ${whole.name}: ${line}`];
}

function refuse(message: string, hint?: string): never {
  throw usage(message, hint);
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A condition, and the single values that a row may have of it. */
type Made = Pick<FactCondition, 'sql' | 'values'>;

/** A condition whose operand may be several values with commas between: any of them, with `!=` none. */
function anyOf(make: (typed: Typed) => string, type: 'count' | 'text' | 'money', typed: Typed): Made {
  const { operator, operand, says, sql } = typed;
  const isText = type === 'text';
  const word = /^--where "\s*([^=!<>~]*?)\s*[=!<>~]/.exec(says)?.[1] ?? '';
  const valueIn = (one: string): FactValue[] =>
    isText && operator !== '!=' && one !== ''
      ? [{ text: `${word}${operator}${one}`, of: sql, sql: make({ ...typed, operand: one }) }]
      : [];
  const isListed = operand.includes(',') && ['=', '!=', '~'].includes(operator);
  if (!isListed) {
    const one = withoutQuotes(operand);
    return { sql: make({ ...typed, operand: one }), values: valueIn(one) };
  }
  const listed = listedValues(operand, {
    type,
    isMoney: type === 'money',
    hasFraction: type === 'count',
    isOne: () => false,
  });
  const { unclear } = listed;
  if (unclear) return refuse(`${says} reads two ways, as ${unclear[0]} and as ${unclear[1]}: write one of these.`);
  if (listed.said !== undefined)
    return { sql: make({ ...typed, operand: spokenSum(operand)?.text ?? operand }), values: [] };
  const whole = listed.mayBeOne && operator !== '~' ? make({ ...typed, operand }) : undefined;
  const each = [
    ...listed.values.map((one) => make({ ...typed, operand: withoutQuotes(one) })),
    ...(whole === undefined ? [] : [whole]),
  ];
  return {
    sql: `(${each.join(operator === '!=' ? ' AND ' : ' OR ')})`,
    values: listed.values.flatMap((one) => valueIn(withoutQuotes(one))).map((one) => ({ ...one, whole })),
  };
}

function textCondition({ says, sql, operator, operand }: Typed): string {
  const text = `lower(coalesce(${sql}, ''))`;
  const value = `lower(${literal(operand)})`;
  if (operator === '=') return `${text} = ${value}`;
  if (operator === '!=') return `${text} <> ${value}`;
  if (operator === '~') return `instr(${text}, ${value}) > 0`;
  return refuse(`${says}: a text only takes =, != and ~ (contains).`);
}

/** Words whose texts are in order of time: the form of a value, and an example. */
const ORDERED: Readonly<Record<string, readonly [form: RegExp, example: string]>> = {
  paid_month: [/^(\d{4})-(\d\d?)$/, '2026-09'],
  hour: [/^(\d\d?)(?::00)?$/, '09:00'],
};

/** Values in order of time also take <, <=, > and >=. */
function orderedCondition(typed: Typed & { readonly word: string }): string {
  const { says, sql, operator, operand, word } = typed;
  if (!/[<>]/.test(operator)) return textCondition(typed);
  const [form, example] = ORDERED[word] ?? [/$^/, ''];
  const [, first = '', second = '00'] =
    form.exec(operand) ??
    refuse(`${says}: "${operand}" has no place in their order.`, `For example: ${word}${operator}${example}`);
  const value = word === 'hour' ? `${first.padStart(2, '0')}:00` : `${first}-${second.padStart(2, '0')}`;
  return `${sql} ${operator} ${literal(value)}`;
}

/** A country goes by its name as well as by its code. */
function countryCondition(typed: Typed): string {
  const several = severalCountries(typed.operand, 'country');
  if (several !== undefined && typed.operator !== '~') return refuse(`${typed.says}: that is no country.`, several);
  const code = typed.operator === '~' ? undefined : countryCode(typed.operand);
  const operands = [typed.operand, ...(code === undefined || code === typed.operand ? [] : [code])];
  return operands
    .map((operand) => textCondition({ ...typed, operand }))
    .join(typed.operator === '!=' ? ' AND ' : ' OR ');
}

function numberCondition({ says, sql, operator, operand }: Typed): string {
  if (operator === '~') return refuse(`${says}: a number takes =, !=, >, <, >= and <=.`);
  if (!/^-?\d{1,12}(?:\.\d{1,6})?$/.test(operand)) return refuse(`${says}: "${operand}" is not a number.`);
  return `CAST(${sql} AS REAL) ${operator} ${operand}`;
}

/** Exact: compares the view's amount, in minor units of its row's currency, in ten-thousandths. */
function moneyCondition({ says, sql, operator, operand }: Typed): string {
  const [, sign = '', whole = '', decimals = ''] =
    /^(-?)(\d{1,12})(?:\.(\d{1,4}))?$/.exec(operand) ??
    refuse(`${says}: "${operand}" is not an amount such as 20 or 19.99.`);
  if (operator === '~') return refuse(`${says}: an amount takes =, !=, >, <, >= and <=.`);
  const cases = UNUSUAL_DIGITS.map(
    ([digits, codes]) => `WHEN v.currency IN (${codes.map(literal).join(', ')}) THEN ${10 ** (FINEST - digits)}`,
  );
  const value = BigInt(`${sign}${whole}${decimals.padEnd(FINEST, '0')}`);
  return `${sql} * CASE ${cases.join(' ')} ELSE ${10 ** (FINEST - 2)} END ${operator} ${value}`;
}

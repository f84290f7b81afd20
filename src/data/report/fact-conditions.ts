import { usage } from '../../base/errors/errors.js';
import { UNITS } from '../../base/time/periods.js';
import { UNUSUAL_DIGITS } from '../../items/schema/types.js';
import { spokenSum } from '../../items/select/amounts.js';
import { listedValues, splitAtWord, withoutQuotes } from '../../items/select/value-list.js';
import { MIRROR_VIEWS } from '../mirror/views.js';
import { DIMENSIONS, dimensionMeant, NOT_SHOWN } from './dimensions.js';
import type { FactCondition } from './report-question.js';
import type { GroupedReport } from './types.js';

const FORM = /^([^=!<>~]+?)\s*(!=|>=|<=|==|=|>|<|~)([\s\S]*)$/;
/** Most decimals in the amount of a condition: those of the finest currency. */
const FINEST = 4;

interface Typed {
  readonly says: string;
  readonly sql: string;
  readonly operator: string;
  readonly operand: string;
}

/**
 * A condition of `--where` on the fields of a report's fact: its dimensions, and the columns of its view.
 * @throws CopsError `usage`
 */
export function factCondition(report: GroupedReport, text: string): FactCondition {
  const says = `--where "${text}"`;
  const [, name = '', sign = '=', value = ''] =
    FORM.exec(text.trim()) ??
    refuse(
      `${says} is not a condition.`,
      "Write a field, one of = != > < >= <= ~ (contains), and a value: 'amount>20'.",
    );
  const word = dimensionMeant(name.trim().toLowerCase());
  const several = splitAtWord(text, 'or').length + splitAtWord(text, 'and').length > 2;
  if (several)
    return refuse(
      `${says}: each --where takes one condition.`,
      'Repeat --where for "and"; separate values of one field with commas: country=USA,CAN.',
    );
  const typed = { says, operator: sign === '==' ? '=' : sign, operand: value.trim() };
  if (Object.hasOwn(report.groups, word)) {
    const sql = report.groups[word] as string;
    const isNumber = word === 'rate';
    const made = isNumber
      ? anyOf(numberCondition, 'count', { ...typed, sql: `v.${DIMENSIONS[word]?.column}` })
      : anyOf(textCondition, 'text', { ...typed, sql });
    return { sql: made, group: word };
  }
  const columns = (MIRROR_VIEWS.find((view) => view.name === report.view)?.columns ?? []).map(([column]) => column);
  if (columns.includes(`${word}_minor`))
    return { sql: anyOf(moneyCondition, 'money', { ...typed, sql: `v.${word}_minor` }), group: undefined };
  if (columns.includes(word) && !/_(?:unix|minor)$/.test(word)) {
    return { sql: anyOf(textCondition, 'text', { ...typed, sql: `v.${word}` }), group: undefined };
  }
  const reason = report.refused?.[word] ?? NOT_SHOWN[word];
  if (reason !== undefined) return refuse(`${says}: cops report ${report.name} has no ${word}: ${reason}.`);
  if ((UNITS as readonly string[]).includes(word) || word === 'created' || word === 'at')
    return refuse(`${says}: choose a time with --from and --to.`);
  const amounts = columns.flatMap((column) => (column.endsWith('_minor') ? [column.slice(0, -'_minor'.length)] : []));
  const fields = [...Object.keys(report.groups), ...amounts, 'currency'];
  return refuse(`${says}: cops report ${report.name} has no field ${word}.`, `It has: ${fields.join(', ')}.`);
}

function refuse(message: string, hint?: string): never {
  throw usage(message, hint);
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A condition whose operand may list several values with commas: any of them, or with `!=` none. */
function anyOf(make: (typed: Typed) => string, type: 'count' | 'text' | 'money', typed: Typed): string {
  const { operator, operand, says } = typed;
  if (!operand.includes(',') || !['=', '!=', '~'].includes(operator)) return make(typed);
  const isMoney = type === 'money';
  const listed = listedValues(operand, { type, isMoney, hasFraction: type === 'count', isOne: () => false });
  const { unclear } = listed;
  if (unclear) return refuse(`${says} can mean ${unclear[0]} or ${unclear[1]}: write one of these.`);
  if (listed.said !== undefined) return make({ ...typed, operand: spokenSum(operand)?.text ?? operand });
  const whole = listed.mayBeOne && operator !== '~' ? [operand] : [];
  const each = [...listed.values, ...whole].map((one) => make({ ...typed, operand: withoutQuotes(one) }));
  return `(${each.join(operator === '!=' ? ' AND ' : ' OR ')})`;
}

function textCondition({ says, sql, operator, operand }: Typed): string {
  const text = `lower(coalesce(${sql}, ''))`;
  const value = `lower(${literal(operand)})`;
  if (operator === '=') return `${text} = ${value}`;
  if (operator === '!=') return `${text} <> ${value}`;
  if (operator === '~') return `instr(${text}, ${value}) > 0`;
  return refuse(`${says}: a text only takes =, != and ~ (contains).`);
}

function numberCondition({ says, sql, operator, operand }: Typed): string {
  if (operator === '~') return refuse(`${says}: a number takes =, !=, >, <, >= and <=.`);
  if (!/^-?\d{1,12}(?:\.\d{1,6})?$/.test(operand)) return refuse(`${says}: "${operand}" is no number.`);
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

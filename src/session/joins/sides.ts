import { stopped, usage } from '../../base/errors/errors.js';
import { didYouMean } from '../../base/errors/nearest.js';
import { parseWhen } from '../../base/time/when.js';
import { loadFamily } from '../../catalogue/index.js';
import type { FamilyRelation } from '../../catalogue/relations.js';
import type { Family } from '../../catalogue/types.js';
import type { Lossless } from '../../items/json/lossless.js';
import type { ReadingClock } from '../../items/select/condition.js';
import {
  type Condition,
  conditionNames,
  conditionsIn,
  type Fulfilled,
  fulfils,
  parseCondition,
} from '../../items/select/condition.js';
import { CREATED } from '../../items/select/groups.js';
import { isKnown, knownNames, mayHave, type Vocabulary } from '../../items/select/names.js';
import { carriesAt } from '../../items/select/values.js';
import type { Joiner, Step } from './joiner.js';
import {
  allRelations,
  familiesBy,
  type Road,
  relatedFields,
  relationCalled,
  relationWords,
  vocabularyOfRows,
} from './roads.js';

/** How many related rows there must be. */
interface Counted {
  readonly operator: string;
  readonly number: number;
}

/** `--with 'sales status=paid, count>3'`: what is asked of the rows that belong to an item. */
export interface SideAsked {
  readonly option: 'with' | 'without';
  readonly text: string;
  /** To-one steps on the way there: `customer` of `customer.subscriptions`. */
  readonly via: readonly Step[];
  readonly family: Family;
  readonly relation: FamilyRelation;
  /** One related row must meet all of them. */
  readonly conditions: readonly Condition[];
  readonly roads: ReadonlyMap<string, Road>;
  readonly vocabulary: Vocabulary;
  readonly counted: Counted | undefined;
  /** Rows that were made before this do not count, unix seconds. */
  readonly from: number | undefined;
}

/** @throws CopsError usage */
export async function parseSide(
  ofItems: Family,
  isOwnList: boolean,
  option: SideAsked['option'],
  text: string,
  { moment, reaches }: { readonly moment: ReadingClock; readonly reaches?: ReadonlySet<string> | undefined },
): Promise<SideAsked> {
  const [, word = '', rest = ''] = /^\s*([^\s,=<>!~]+)\s*([\s\S]*)$/.exec(text) ?? [];
  const via: Step[] = [];
  const steps = word.split('.');
  for (const step of isOwnList ? steps.slice(0, -1) : []) {
    const from = via.at(-1) ? await loadFamily(via.at(-1)?.relation.to ?? '') : ofItems;
    const on = relationCalled(await allRelations(from), step);
    if (!on || on.many) break;
    via.push({ family: from, relation: on });
  }
  const isThrough = via.length === steps.length - 1;
  const family = isThrough && via.length > 0 ? await loadFamily(via.at(-1)?.relation.to ?? '') : ofItems;
  const relations = isOwnList ? await allRelations(family) : [];
  const relation = isThrough ? relationCalled(relations, steps.at(-1) ?? '') : undefined;
  if (!relation) {
    const known = relations.map((one) => one.word.replaceAll('_', '-'));
    const [example = 'subscriptions'] = known;
    throw usage(
      `--${option}: nothing of ${family.name.replaceAll('_', '-')} is called "${word}".${didYouMean(word, known)}`,
      `There are: ${relationWords(relations)}. For example: --${option} '${example} created>-30d'`,
    );
  }
  if ([...via.map((step) => step.relation), relation].flatMap(familiesBy).some((one) => reaches?.has(one) === false))
    throw stopped(`--${option}: ${relation.to.replaceAll('_', '-')} are not to be read here`);
  const far = await loadFamily(relation.to);
  const vocabulary = vocabularyOfRows(far);
  const texts = parts(rest);
  const counts = texts.flatMap((one) => countIn(one) ?? []);
  if (counts.length > 1) throw usage(`--${option} "${text}": count is asked for twice.`);
  if (counts.length > 0 && isKnown(vocabulary, 'count'))
    throw usage(`--${option} "${text}": count is a field of its own here.`);
  const asked = texts.filter((one) => countIn(one) === undefined).flatMap(conditionsIn);
  if (counts.length < texts.filter((one) => conditionNames(one)[0]?.toLowerCase() === 'count').length)
    throw usage(
      `--${option} "${text}": count is compared with a number.`,
      `For example: --${option} '${word} count>3'`,
    );
  const { related, roads } = await relatedFields(far, vocabulary, asked.flatMap(conditionNames), reaches);
  const known = { ...vocabulary, related };
  const conditions = asked.map((one) => parseCondition(one, known, moment, `--${option}`));
  const from = relation.by.kind === 'back' ? beginning(conditions, moment) : undefined;
  return { option, text, via, family, relation, conditions, roads, vocabulary: known, counted: counts[0], from };
}

/** Conditions with commas between, but for those within quotes. */
function parts(text: string): string[] {
  const found = text.match(/(?:"[^"]*"|'[^']*'|[^,"']|["'])+/g) ?? [];
  return found.map((one) => one.trim().replace(/(["'])(.*)\1$/, '$2')).filter((one) => one !== '');
}

function countIn(text: string): Counted | undefined {
  const [, sign, number] = /^count\s*(!=|>=|<=|==?|>|<)\s*(\d{1,9})$/i.exec(text) ?? [];
  return sign === undefined ? undefined : { operator: sign === '==' ? '=' : sign, number: Number(number) };
}

/** The moment before which no row can meet the conditions. */
function beginning(conditions: readonly Condition[], moment: ReadingClock): number | undefined {
  const starts = conditions.flatMap(({ path, operator, operand, field, text }) =>
    path === CREATED &&
    field === undefined &&
    ['>', '>=', '='].includes(operator) &&
    operand !== '' &&
    operand !== 'null'
      ? [parseWhen(operand, { ...moment, edge: 'start', option: text, look: 'back' }) - 1]
      : [],
  );
  return starts.length === 0 ? undefined : Math.max(...starts);
}

/** Whether items meet what is asked of the rows that belong to them. */
export async function meetsSide(joiner: Joiner, asked: SideAsked, items: readonly Lossless[]): Promise<Fulfilled[]> {
  const { family, relation, conditions, from, counted, option } = asked;
  const isBare = conditions.length === 0;
  const many = await joiner.belongingBeyond(items, asked.via, { family, relation }, { from, isBare });
  const rows = new Set(many.flatMap((one) => [...one.rows, ...one.adrift]));
  const met = await meetAll(joiner, [...rows], asked);
  return many.map(({ rows: own, isSure, adrift }) => {
    const found = own.map((row) => met.get(row) ?? 'unknown');
    const sure = found.filter((one) => one === true).length;
    const perhaps = [...found.filter((one) => one === 'unknown'), ...adrift.filter((row) => met.get(row) !== false)];
    const most = isSure ? sure + perhaps.length : Number.POSITIVE_INFINITY;
    const fits = holds(counted ?? { operator: '>', number: 0 }, sure, most);
    return option === 'with' || fits === 'unknown' ? fits : !fits;
  });
}

/** Whether a number between two others, both inside, is as asked. */
function holds({ operator, number }: Counted, least: number, most: number): Fulfilled {
  const bounds: Readonly<Record<string, readonly [number, number]>> = {
    '>': [number + 1, Number.POSITIVE_INFINITY],
    '>=': [number, Number.POSITIVE_INFINITY],
    '<': [0, number - 1],
    '<=': [0, number],
  };
  const [low, high] = bounds[operator] ?? [number, number];
  const inside = least >= low && most <= high;
  const outside = most < low || least > high;
  if (operator === '!=') return inside ? false : outside ? true : 'unknown';
  return inside ? true : outside ? false : 'unknown';
}

/** How related rows stand to all conditions together. */
async function meetAll(
  joiner: Joiner,
  rows: readonly Lossless[],
  asked: SideAsked,
): Promise<ReadonlyMap<Lossless, Fulfilled>> {
  const { conditions, roads } = asked;
  const met = new Map<Lossless, Fulfilled>(rows.map((row) => [row, true]));
  for (const condition of conditions) {
    const open = rows.filter((row) => met.get(row) !== false);
    const far = [condition.path, condition.field?.path].flatMap((path) => roads.get(path ?? '') ?? []);
    for (const road of far) await joiner.put(open, road);
    refuseNowhere(asked, condition, rows);
    for (const row of open) {
      const one = fulfilsKnown(row, condition);
      if (one !== true) met.set(row, one);
    }
  }
  return met;
}

/** @throws CopsError usage for a name that neither the catalogue nor any related row knows */
function refuseNowhere(
  { option, relation, vocabulary }: SideAsked,
  { path }: Condition,
  rows: readonly Lossless[],
): void {
  if (rows.length === 0 ? mayHave(vocabulary, path) : isKnown(vocabulary, path)) return;
  if (rows.some((row) => carriesAt(row, path))) return;
  throw usage(
    `--${option}: no item of ${relation.to.replaceAll('_', '-')} has a field "${path}".`,
    `Known are: ${knownNames(vocabulary).join(', ')}.`,
  );
}

/** Of a related row a leaf that is absent is not known, never none. */
function fulfilsKnown(row: Lossless, condition: Condition): Fulfilled {
  return carriesAt(row, condition.path) ? fulfils(row, condition) : 'unknown';
}

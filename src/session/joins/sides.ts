import { stopped, usage } from '../../base/errors/errors.js';
import { didYouMean } from '../../base/errors/nearest.js';
import { parseWhen } from '../../base/time/when.js';
import { neverShown } from '../../catalogue/field-words.js';
import { familyByCommand, loadFamily } from '../../catalogue/index.js';
import type { FamilyRelation } from '../../catalogue/relations.js';
import type { Family } from '../../catalogue/types.js';
import { get, type Lossless, plain } from '../../items/json/lossless.js';
import type { ReadingClock } from '../../items/select/condition.js';
import {
  type Condition,
  comparisons,
  conditionNames,
  conditionsIn,
  leftNames,
  parseCondition,
  type RightSide,
  rightNames,
} from '../../items/select/condition.js';
import { combined, type Fulfilled, fulfils } from '../../items/select/fulfils.js';
import { CREATED } from '../../items/select/groups.js';
import { asSaid, fieldsNear, isKnown, knownNames, mayHave, type Vocabulary } from '../../items/select/names.js';
import { SeenValues } from '../../items/select/seen-values.js';
import { blankConditions, commaConditions, conditionStarts } from '../../items/select/value-list.js';
import { carriesAt } from '../../items/select/values.js';
import { group } from '../../items/text/width.js';
import type { Joiner, Step } from './joiner.js';
import {
  allRelations,
  familiesBy,
  type Road,
  relatedFields,
  relationCalled,
  relationWords,
  vocabularyOfRows,
  wordsOver,
} from './roads.js';

/** How many related rows are required. */
type Counted = NonNullable<ReturnType<typeof countIn>>;

/** `--with 'sales status=paid, count>3'`: a requirement on the rows that belong to an item. */
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
  /** Fields of the listed item in the conditions, in braces. */
  readonly listed: ListedFields;
  readonly counted: Counted | undefined;
  /** Rows created before this do not count, unix seconds. */
  readonly from: number | undefined;
}

/** Fields of the listed item that related rows are compared with. */
interface ListedFields {
  readonly family: Family;
  readonly vocabulary: Vocabulary;
  readonly roads: ReadonlyMap<string, Road>;
  /** Errors for names that do not lead to a single value, by name. */
  readonly many: ReadonlyMap<string, Error>;
}

/** What the text of a side is read by. */
interface SideReading {
  readonly moment: ReadingClock;
  readonly reaches?: ReadonlySet<string> | undefined;
  /** Names of the listed items. */
  readonly listed: Vocabulary;
}

/**
 * A name in braces is a field of the listed item; behind the word of the related rows (`{sales.amount}`) it is theirs.
 *
 * @throws CopsError usage
 */
export async function parseSide(
  ofItems: Family,
  isOwnList: boolean,
  option: SideAsked['option'],
  text: string,
  reading: SideReading,
): Promise<SideAsked> {
  const { moment, reaches } = reading;
  const [, word = '', rest = ''] = /^\s*([^\s,=<>!~]+)\s*([\s\S]*)$/.exec(text) ?? [];
  const { via, family, relation, relations } = await wayTo(ofItems, isOwnList, word);
  if (!relation) {
    const known = relations.map((one) => one.word.replaceAll('_', '-'));
    const [example = 'subscriptions'] = known;
    const end = word.split('.').at(-1) ?? '';
    const other = familyByCommand(end);
    const before = word.slice(0, -end.length);
    const over = await wordsOver(relations, end);
    const ways = over.map((one) => `--${option} '${[before + one, rest].join(' ').trim()}'`);
    const hint = ways.length > 0 ? `Related rows have them: ${ways.join(' or ')}.` : undefined;
    if (other)
      throw usage(
        `--${option}: ${other.command} and ${family.name.replaceAll('_', '-')} do not name each other, so it is unknown which belong together.`,
        family.instead?.[other.name] ??
          hint ??
          `Those of ${family.name.replaceAll('_', '-')}: ${relationWords(relations)}.`,
      );
    throw usage(
      `--${option}: ${family.name.replaceAll('_', '-')} have no relation "${word}".${didYouMean(word, known)}`,
      hint ?? `There are: ${relationWords(relations)}. For example: --${option} '${example} created>-30d'`,
    );
  }
  if ([...via.map((step) => step.relation), relation].flatMap(familiesBy).some((one) => reaches?.has(one) === false))
    throw stopped(`--${option}: ${relation.to.replaceAll('_', '-')} may not be read here`);
  const far = await loadFamily(relation.to);
  const vocabulary = vocabularyOfRows(far);
  const onward = await allRelations(far);
  const starts = conditionStarts(vocabulary, (head) => relationCalled(onward, head) !== undefined);
  const isName: typeof starts = (name, before) => name.toLowerCase() === 'count' || starts(name, before);
  const texts = commaConditions(rest).flatMap((one) => blankConditions(one, isName));
  const counts = texts.flatMap((one) => countIn(one) ?? []);
  if (counts.length > 1) throw usage(`--${option} "${text}": count occurs twice.`);
  if (counts.length > 0 && isKnown(vocabulary, 'count'))
    throw usage(`--${option} "${text}": count is an ordinary field here.`);
  const asked = texts.filter((one) => countIn(one) === undefined).flatMap(conditionsIn);
  if (counts.length < texts.filter((one) => conditionNames(one)[0]?.toLowerCase() === 'count').length)
    throw usage(`--${option} "${text}": compare count with a number.`, `For example: --${option} '${word} count>3'`);
  const words = [word, word.split('.').at(-1) ?? '', relation.word, relation.to];
  const found = await sideConditions(`--${option}`, asked, { family: far, vocabulary, words }, ofItems, reading);
  const from = relation.by.kind === 'back' ? beginning(found.conditions, moment) : undefined;
  return { option, text, via, family, relation, ...found, counted: counts[0], from };
}

/** The way that a word with its to-one steps (`customer.subscriptions`) leads, with the relations at its end. */
export async function wayTo(ofItems: Family, isOwnList: boolean, word: string) {
  const via: Step[] = [];
  const steps = word.split('.');
  let end = ofItems;
  for (const step of isOwnList ? steps.slice(0, -1) : []) {
    const on = relationCalled(await allRelations(end), step);
    if (!on || on.many) break;
    via.push({ family: end, relation: on });
    end = await loadFamily(on.to);
  }
  const isThrough = via.length === steps.length - 1;
  const family = isThrough ? end : ofItems;
  const relations = isOwnList ? await allRelations(family) : [];
  const called = isThrough ? relationCalled(relations, steps.at(-1) ?? '') : undefined;
  // A side looks at all rows of a list, even where the word means its only one.
  const relation = called?.oneOf ?? called ?? (isThrough ? onlyMany(relations, steps.at(-1)) : undefined);
  return { via, family, relation, relations };
}

/** The one relation to many rows that a word can mean by itself, such as its singular. */
function onlyMany(relations: readonly FamilyRelation[], word = ''): FamilyRelation | undefined {
  const family = familyByCommand(word)?.name;
  const [only, other] = relations.filter(({ to, many }) => many && to === family);
  return other ? undefined : only;
}

/** The conditions on related rows, with the ways of their fields and of the listed item's. */
async function sideConditions(
  option: string,
  asked: readonly string[],
  { words, ...theirs }: Pick<SideAsked, 'family' | 'vocabulary'> & { readonly words: readonly string[] },
  ofItems: Family,
  { moment, reaches, listed }: SideReading,
): Promise<Pick<SideAsked, 'conditions' | 'roads' | 'vocabulary' | 'listed'>> {
  const rights = asked.flatMap(rightNames);
  const own = [...asked.flatMap(leftNames), ...rights.flatMap((name) => nameBehind(words, name) ?? [])];
  const { related, roads } = await relatedFields(theirs.family, theirs.vocabulary, own, reaches);
  const vocabulary = { ...theirs.vocabulary, related };
  const bare = rights.filter((name) => nameBehind(words, name) === undefined);
  const { many, ...fromItems } = await relatedFields(ofItems, listed, bare, reaches);
  const ofListed = { ...listed, related: fromItems.related };
  const [word] = words;
  const rightSide = (one: string, name: string): RightSide => {
    const behind = nameBehind(words, name);
    if (behind === undefined) return { name, vocabulary: ofListed, isListed: true };
    const line = `${option} '${word} ${one.replace(name, behind)}'`;
    return { name: behind, vocabulary, isListed: false, instead: `For the listed item's, write {${behind}}: ${line}` };
  };
  return {
    conditions: asked.map((one) => parseCondition(one, vocabulary, moment, option, rightSide)),
    roads,
    vocabulary,
    listed: { family: ofItems, vocabulary: ofListed, roads: fromItems.roads, many },
  };
}

/** `amount` of `sales.amount`, if the word leads to the related rows; undefined for any other name. */
function nameBehind(words: readonly string[], name: string): string | undefined {
  const word = words.find((one) => asSaid(name).startsWith(`${asSaid(one)}.`));
  return word && name.slice(word.length + 1).trim();
}

function countIn(text: string) {
  const [, sign, number] = /^count\s*(!=|>=|<=|==?|>|<)\s*(\d{1,9})$/i.exec(text) ?? [];
  return sign === undefined ? undefined : { operator: sign === '==' ? '=' : sign, number: Number(number) };
}

/** The time before which no row can meet the conditions. */
function beginning(conditions: readonly Condition[], moment: ReadingClock): number | undefined {
  const starts = conditions.flatMap((one) => {
    const each = comparisons(one).map(({ path, operator, operand, field, text }) =>
      path === CREATED &&
      field === undefined &&
      ['>', '>=', '='].includes(operator) &&
      operand !== '' &&
      operand !== 'null'
        ? parseWhen(operand, { ...moment, edge: 'start', option: text, look: 'back' }) - 1
        : Number.NEGATIVE_INFINITY,
    );
    // Several alternatives start with the earliest.
    return [Math.min(...each)];
  });
  const latest = Math.max(Number.NEGATIVE_INFINITY, ...starts);
  return Number.isFinite(latest) ? latest : undefined;
}

/** Whether items meet the requirement on the rows that belong to them. */
export async function meetsSide(joiner: Joiner, asked: SideAsked, items: readonly Lossless[]): Promise<Fulfilled[]> {
  const { counted = { operator: '>', number: 0 }, option } = asked;
  const found = await rowsMeeting(joiner, asked, items, asked.conditions.length === 0);
  if (option === 'with' && asked.conditions.length > 0) {
    const rows = found.flatMap((one) => one.rows);
    tellUnused(joiner, asked, await loadFamily(asked.relation.to), rows);
  }
  return found.map(({ rows, perhaps }) => {
    const fits = holds(counted, rows.length, rows.length + perhaps);
    return option === 'with' || fits === 'unknown' ? fits : !fits;
  });
}

/** Says it where every row that meets the conditions is in a state in which it is used no more, and none asks for that. */
function tellUnused(joiner: Joiner, { text, conditions }: SideAsked, family: Family, rows: readonly Lossless[]): void {
  const named = new Set(conditions.flatMap(comparisons).map(({ path }) => path));
  const { path = '', values = [] } = family.due?.while ?? {};
  const all = (is: (row: Lossless) => boolean): boolean => rows.length > 0 && rows.every(is);
  const what = `${rows.length === 1 ? 'The one' : `All ${group(rows.length)}`} of --with '${text}'`;
  if (!named.has('enabled') && all((row) => get(row, 'enabled') === false))
    joiner.say(`${what} ${rows.length === 1 ? 'is' : 'are'} disabled. For those in use add to it: enabled=true`);
  const isOver = (row: Lossless): boolean => ![undefined, ...values].includes(plain(get(row, path)));
  if (values.length > 0 && !named.has(path) && all(isOver)) {
    const states = [...new Set(rows.map((row) => plain(get(row, path))))].join(', ');
    joiner.say(
      `${what} ${rows.length === 1 ? 'is' : 'are'} ${states}. For those that go on add to it: ${path}=${values.join(',')}`,
    );
  }
}

/** How many related rows of each item meet all conditions: a known number, or the bounds it lies between. */
export async function countsOfRows(joiner: Joiner, asked: SideAsked, items: readonly Lossless[]) {
  const found = await rowsMeeting(joiner, asked, items, asked.conditions.length === 0);
  return found.map(({ rows, perhaps }) => ({ least: rows.length, most: rows.length + perhaps }));
}

/** The related rows of each item that meet all conditions, and how many others may meet them. */
export async function rowsMeeting(joiner: Joiner, asked: SideAsked, items: readonly Lossless[], isBare = false) {
  const { family, relation, conditions, from } = asked;
  await bringListed(joiner, asked, items);
  if (items.length > 0) await refuseUnlikely(joiner, asked);
  const many = await joiner.belongingBeyond(items, asked.via, { family, relation }, { from, isBare });
  const rows = new Set(many.flatMap((one) => [...one.rows, ...one.adrift]));
  const met = await meetAll(joiner, [...rows], asked);
  const besides = conditions.filter(comparesListed);
  return many.map(({ rows: own, isSure, adrift }, at) => {
    const meets = (row: Lossless): Fulfilled => {
      const all = [met.get(row) ?? 'unknown', ...besides.map((one) => fulfilsKnown(row, one, items[at]))];
      return all.includes(false) ? false : all.includes('unknown') ? 'unknown' : true;
    };
    const found = [...own, ...adrift].map((row, index) => ({ row, isOwn: index < own.length, meets: meets(row) }));
    const sure = found.filter(({ isOwn, meets: fits }) => isOwn && fits === true);
    const open = found.filter(({ meets: fits }) => fits !== false).length - sure.length;
    return { rows: sure.map(({ row }) => row), perhaps: isSure ? open : Number.POSITIVE_INFINITY };
  });
}

/** True for a condition that names a field of the listed item. */
const comparesListed = (condition: Condition): boolean =>
  comparisons(condition).some(({ field }) => field?.isListed === true);

/**
 * Puts into items the fields that the related rows are compared with, and says whose fields these are.
 *
 * @throws CopsError usage for a name that neither the catalogue nor any item knows
 */
async function bringListed(joiner: Joiner, asked: SideAsked, items: readonly Lossless[]): Promise<void> {
  const { conditions, listed, relation, option, vocabulary } = asked;
  for (const { field } of conditions.flatMap(comparisons)) {
    if (field?.isListed !== true) continue;
    const { path } = field;
    const road = listed.roads.get(path);
    if (road) await joiner.put(items, road);
    if (items.length === 0) continue;
    const isThere = isKnown(listed.vocabulary, path) || items.some((item) => carriesAt(item, path));
    const own = relation.word.replaceAll('_', '-');
    const hers = `{${own}.${path}}`;
    const here = `listed ${listed.family.name.replaceAll('_', ' ')}`;
    const away = listed.many.get(path);
    if (!isThere && away) throw away;
    if (!isThere)
      throw usage(
        `--${option}: no item of ${listed.family.name.replaceAll('_', '-')} has a field "${path}".`,
        mayHave(vocabulary, path)
          ? `{${path}} is a field of the ${here}; for that of ${own}, write ${hers}.`
          : `{${path}} is a field of the ${here}: ${`it has ${knownNames(listed.vocabulary).slice(0, 12).join(', ')}`}.`,
      );
    // Where both sides are of one kind, comparing a row with itself is never meant.
    const other = relation.to === listed.family.name ? '' : `; for that of ${own}, write ${hers}`;
    joiner.say(`{${path}} in --${option} is a field of the ${here}${other}.`);
  }
}

/** Whether a number between two bounds, inclusive, meets the comparison. */
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

/** How related rows meet all conditions together. */
async function meetAll(
  joiner: Joiner,
  rows: readonly Lossless[],
  asked: SideAsked,
): Promise<ReadonlyMap<Lossless, Fulfilled>> {
  const { conditions, roads } = asked;
  const met = new Map<Lossless, Fulfilled>(rows.map((row) => [row, true]));
  for (const condition of conditions) {
    const isOwn = !comparesListed(condition);
    const open = rows.filter((row) => met.get(row) !== false);
    const named = ownPaths(condition);
    const ways = [...new Set(named)].flatMap((path) => roads.get(path) ?? []);
    for (const road of ways) await joiner.put(open, road);
    for (const path of named) refuseNowhere(joiner, asked, path, rows);
    for (const { said } of comparisons(condition)) if (said !== undefined) joiner.say(said);
    // Only the rows that are left were followed.
    if (isOwn)
      sayUnseen(
        joiner,
        asked,
        condition,
        ways.length === 0 ? rows : open,
        ways.length > 0 && open.length < rows.length,
      );
    for (const row of isOwn ? open : []) {
      const one = fulfilsKnown(row, condition);
      if (one !== true) met.set(row, one);
    }
  }
  return met;
}

/** Names a value that no related row has: a count of none, or of all, would not show the mistake. */
function sayUnseen(
  joiner: Joiner,
  { option, relation }: SideAsked,
  condition: Condition,
  rows: readonly Lossless[],
  isRest: boolean,
): void {
  if (rows.length === 0) return;
  const values = new SeenValues([condition], isRest ? 'none that meets its other conditions has' : 'none has');
  for (const row of rows) values.saw(row);
  for (const remark of [...values.remarks(), ...values.listRemarks(), ...values.twoWays()])
    joiner.quote(`--${option} ${relation.word.replaceAll('_', '-')}: ${remark}`);
}

/**
 * Where no related row is there to show a field that the catalogue does not name, a note says so.
 *
 * @throws CopsError usage for a name that neither the catalogue nor any related row knows
 */
function refuseNowhere(joiner: Joiner, asked: SideAsked, path: string, rows: readonly Lossless[]): void {
  const { relation, vocabulary } = asked;
  if (isKnown(vocabulary, path) || rows.some((row) => carriesAt(row, path))) return;
  if (rows.length > 0) throw noField(asked, path);
  if (!mayHave(vocabulary, path)) joiner.doubt(`${relation.word.replaceAll('_', '-')}.${path}`);
}

const noField = ({ option, relation, vocabulary }: SideAsked, path: string): Error =>
  usage(
    `--${option}: no item of ${relation.to.replaceAll('_', '-')} has a field "${path}".`,
    neverShown(path, knownNames(vocabulary)) ?? fieldsNear(path, knownNames(vocabulary)),
  );

/** A wrong name costs only the first rows of their list, not all of it. @throws CopsError usage */
async function refuseUnlikely(joiner: Joiner, asked: SideAsked): Promise<void> {
  const far = await loadFamily(asked.relation.to);
  for (const name of asked.conditions.flatMap(ownPaths))
    if (!asked.roads.has(name) && (await joiner.isUnlikely(far, name))) throw noField(asked, name);
}

/** A field that a related row lacks is unknown, never empty. */
function fulfilsKnown(row: Lossless, condition: Condition, listed?: Lossless): Fulfilled {
  const { parts, path } = condition;
  if (parts)
    return combined(
      parts.kind,
      parts.of.map((one) => fulfilsKnown(row, one, listed)),
    );
  return carriesAt(row, path) ? fulfils(row, condition, listed) : 'unknown';
}

/** The fields of related rows that a condition names. */
const ownPaths = (condition: Condition): string[] =>
  comparisons(condition).flatMap(({ path, field }) => [path, ...(field && !field.isListed ? [field.path] : [])]);

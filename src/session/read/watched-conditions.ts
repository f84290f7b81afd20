import { copsLine, say, type Text } from '../../base/text/command-line.js';
import type { Family } from '../../catalogue/types.js';
import type { Item } from '../../items/json/item-json.js';
import { parseLossless } from '../../items/json/lossless.js';
import { type Condition, comparisons, parseCondition, type ReadingClock } from '../../items/select/condition.js';
import { fulfils } from '../../items/select/fulfils.js';
import { fieldAt, type Vocabulary } from '../../items/select/names.js';
import type { OtherMeant } from '../../items/select/select.js';
import { group } from '../../items/text/width.js';
import { lineInstead as lineWith, lineWithout } from '../context/lines.js';

/** Items that pass a line's conditions although its reader may not expect it, counted while shown. */
type Watched = ReturnType<typeof noLongerDue>[number];

const AHEAD = /^\s*\+/;
const TIMES: ReadonlySet<string | undefined> = new Set(['instant', 'day', 'month']);

/** Typed conditions of a line, and what they are about. */
export interface TypedConditions {
  readonly family: Family;
  readonly where: readonly Condition[];
  readonly anyOf: readonly (readonly Condition[])[];
  readonly vocabulary: Vocabulary;
  readonly moment: ReadingClock;
}

/** What to watch in a line: items already past although the end lies ahead, and items that no longer fall due. */
export const watchedBy = (typed: TypedConditions): readonly Watched[] => [...overAlready(typed), ...noLongerDue(typed)];

function overAlready({ where, vocabulary, moment }: TypedConditions): Watched[] {
  const ends = where.filter(({ operator, type, field }) => operator.startsWith('<') && TIMES.has(type) && !field);
  return ends.map(({ path, text, operand }) => ({
    wanted: parseCondition(`${path}>=today`, vocabulary, moment),
    says: (past, shown) =>
      past > 0 && (past < shown || AHEAD.test(operand))
        ? `${past} of these ${shown} are in the past, because "${text}" has no start. For future ones only, add --where '${path}>=today'.`
        : undefined,
  }));
}

function noLongerDue({ family: { due }, where, anyOf, vocabulary, moment }: TypedConditions) {
  const { path, values } = due?.while ?? {};
  const asksDue = where.some((one) => one.path === due?.path && /[<>]/.test(one.operator));
  const asksState = [...where, ...anyOf.flat()].some((one) => one.path === path);
  if (!due || !path || !values || !asksDue || asksState) return [];
  return [
    {
      /** Counts the items for which this is not true. */
      wanted: parseCondition(`${path}=${values.join(',')}`, vocabulary, moment),
      /** The note about this many; undefined if none is needed. */
      says: (ended: number, shown: number) =>
        ended > 0
          ? `${ended} of these ${shown} are neither ${values.join(' nor ')}: their ${due.says} will not happen. To leave them out, add --where ${path}=${values.join(',')}.`
          : undefined,
    },
  ];
}

/** The same items, followed by the notes. */
export async function* watching(
  items: AsyncIterable<Item>,
  watched: readonly Watched[],
  tell: (remark: string) => void,
): AsyncGenerator<Item> {
  const counts = watched.map(() => 0);
  let shown = 0;
  for await (const item of items) {
    shown += 1;
    const tree = parseLossless(item.raw);
    for (const [at, { wanted }] of watched.entries())
      if (fulfils(tree, wanted) === false) counts[at] = (counts[at] ?? 0) + 1;
    yield item;
  }
  for (const [at, one] of watched.entries()) {
    const said = one.says(counts[at] ?? 0, shown);
    if (said !== undefined) tell(said);
  }
}

/** What a condition on related rows lets pass: they are not shown, so they cannot be counted. */
export function saidOfSides(along: readonly string[], without: readonly string[]): string[] {
  const open = along.flatMap((text) => /([\w.-]+)\s*<=?\s*\+\s*\w+/.exec(text)?.slice(0, 2) ?? []);
  const [condition, name] = open;
  const isClosed = name !== undefined && along.some((text) => text.includes(`${name}>`));
  return [
    ...(condition !== undefined && !isClosed
      ? [`"${condition}" includes the past: for future ones only, add ${name}>=today to it.`]
      : []),
    ...without
      .filter((text) => /^[\w-]+$/.test(text.trim()))
      .map((text) => `Without ${text.trim()} means none at all, even for items that never have any.`),
  ];
}

/** The typed line, for conditions whose word covers more items than their values do. */
interface BesideTyped extends Pick<TypedConditions, 'vocabulary' | 'moment'> {
  readonly argv: readonly string[];
  /** True if the condition comes from `--status`. */
  readonly isOption: boolean;
  /** True if conditions on related rows follow, so that nobody knows how many items are left out. */
  readonly isJoined: boolean;
}

/** What else people may mean by the word of these alternatives: other kinds of failure, or another sign of a state. */
export function besideOf(alternatives: readonly Condition[], line: BesideTyped): OtherMeant | undefined {
  const { vocabulary, moment, argv, isOption, isJoined } = line;
  const each = alternatives.flatMap(comparisons);
  const [of, first] = [alternatives[0], each[0]];
  if (!of || !first || each.some(({ path, operator }) => path !== first.path || operator !== '=')) return undefined;
  const { path } = first;
  const { besides = {}, spoken = {} } = fieldAt(vocabulary, path) ?? {};
  const asked = each.map(({ operand }) => operand.toLowerCase());
  const kind = Object.entries(spoken).find(
    ([, text]) => text.startsWith('=') && asked.every((value) => text.slice(1).split(',').includes(value)),
  );
  const others =
    kind?.[1]
      .slice(1)
      .split(',')
      .filter((value) => !asked.includes(value)) ?? [];
  const text = others.length > 0 ? `${path}=${others.join(',')}` : asked.flatMap((value) => besides[value] ?? [])[0];
  if (text === undefined) return undefined;
  const whole = kind ? `${path}=${kind[0]}` : `${of.path === path ? `${path}=${asked.join(',')}` : of.text} or ${text}`;
  const instead = !isOption
    ? lineWith(argv, ['--where', of.text], ['--where', whole])
    : lineWithout(argv, ['--status'], ...(kind ? ['--status', kind[0]] : ['--where', whole]));
  return {
    of,
    other: parseCondition(text, vocabulary, moment),
    says: (count) =>
      say`Left out: ${isJoined || count === undefined ? 'those' : group(count)} with ${text}. All together: ${instead}`,
  };
}

/** When anything in an item last changed. */
const CHANGED = /(?:^|\.)updated_date(?:_unix)?$/;

/** Conditions that apply together: those of a list, or those on related rows. */
export interface Beside extends Pick<TypedConditions, 'family' | 'vocabulary'> {
  readonly conditions: readonly Condition[];
  /** The state that an option of the list names. */
  readonly status?: unknown;
}

/**
 * The remark on a last-change time next to a state: a retry moves that time, so it does not show when the state began.
 * @param all the comparisons of the whole line; one on related rows may name this item's time in braces
 */
export function saidOfLastChange(
  { family, vocabulary, conditions, status }: Beside,
  argv: readonly string[],
  all: readonly Condition[],
): Text[] {
  const each = conditions.flatMap(comparisons);
  const right = (one: Condition): Condition[] => {
    const { path = '', isListed } = one.field ?? {};
    return CHANGED.test(path) && (isListed || each.includes(one)) ? [{ ...one, path }] : [];
  };
  const changed = each.find(({ path }) => CHANGED.test(path)) ?? all.flatMap(right)[0];
  const asked = status === undefined ? undefined : { path: 'status', operand: String([status].flat()[0]) };
  const state = each.find(({ path }) => isState(vocabulary, path)) ?? asked;
  if (!changed || !state) return [];
  const what = say`${changed.path} is when an item last changed in any way, a retry too, not since when ${state.path} is ${state.operand}.`;
  const list = family.name.replaceAll('_', '-');
  const began = family.since?.[state.operand];
  const compared = `${changed.operator}${changed.operand}`;
  const line = began
    ? lineInstead(argv, changed.text, ['--with', `${began}${compared}`])
    : family.open?.some((one) => one.toLowerCase() === state.operand.toLowerCase())
      ? lineInstead(argv, changed.text, ['--where', `created${compared}`])
      : undefined;
  if (line) return [say`${what} Since when: ${copsLine(line)}`];
  return [
    say`${what} A mirror knows since when, for as long as it has watched: ${copsLine(['changes', list, '--since', '30d'])}`,
  ];
}

/** A value that an item has for a while: one of several words, or yes or no. */
function isState(vocabulary: Vocabulary, path: string): boolean {
  const field = fieldAt(vocabulary, path);
  return /(?:^|\.)status$/.test(path) || field?.enum !== undefined || field?.type === 'boolean';
}

/** The words of a line with a condition replaced by another option; undefined if the line has no such condition. */
function lineInstead(argv: readonly string[], text: string, words: readonly string[]): string[] | undefined {
  const at = argv.findIndex(
    (word, i) => word.includes(text) && (argv[i - 1] === '--where' || word.startsWith('--where=')),
  );
  if (at < 0) return undefined;
  const [word = '', before = ''] = [argv[at], argv[at - 1]];
  const rest = word.replace(text, '').replace(/^(--where=)?[\s,]+|[\s,]+$/g, '$1');
  if (/(?:^|\s)(?:or|and)(?:\s|$)/i.test(rest)) return undefined;
  const isAlone = rest === '' || rest === '--where=';
  const from = isAlone && before === '--where' ? at - 1 : at;
  return [...argv.slice(0, from), ...(isAlone ? [] : [rest]), ...words, ...argv.slice(at + 1)];
}

import { refundAmounts } from '../../account/safety/question.js';
import { usage } from '../../base/errors/errors.js';
import { type CommandLine, joinedTexts, say, type Text } from '../../base/text/command-line.js';
import { isoDay } from '../../base/time/units.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { get, type Lossless, plain } from '../../items/json/lossless.js';
import { stateOf } from '../../items/select/states.js';
import { labelOf } from './natural-keys.js';
import { ownerOf } from './people.js';

/** An item that a word may mean. */
export interface Candidate {
  readonly id: string;
  /** How a person recognises it. */
  readonly label: string;
  /** When it was made, unix seconds. */
  readonly made?: number | undefined;
  /** False if the wanted action is no longer possible. */
  readonly fits?: boolean | undefined;
  /** True if it never was possible: nothing was taken for it. */
  readonly never?: boolean | undefined;
  /** Id of the order whose number found it. */
  readonly order?: string | undefined;
  /** Id of its customer. */
  readonly customer?: string | undefined;
  /** Id of its subscription. */
  readonly subscription?: string | undefined;
}

/** Whether the wanted action on an item is possible, no longer possible, or never was; `raw` is its text. */
export type Fits = (item: Lossless, raw: string) => 'yes' | 'no more' | 'never';

/** Families of payments without a card, and the fields in which items name these. */
export const OTHER_PAYMENTS = ['wallet_transactions', 'check_directs', 'offline_payments'] as const;

/** What tells whether an operation can be done to items of its family. */
export function fitsOf({ columns }: Family, { notWhile, preview }: Operation): Fits {
  const state = (item: Lossless): string => plain(get(item, 'status'))?.toLowerCase() ?? '';
  const left = (item: Lossless): string | undefined => refundAmounts((path) => plain(get(item, path))).left;
  const states = columns.flatMap((column) => column.state ?? []);
  // What was paid otherwise than by card shows nothing captured.
  const paidOtherwise = (item: Lossless): boolean => OTHER_PAYMENTS.some((path) => [get(item, path)].flat()[0]);
  const nothingTaken = (item: Lossless, raw: string): boolean =>
    !['', 'approved'].includes(plain(get(item, 'result'))?.toLowerCase() ?? '') ||
    (!paidOtherwise(item) && states.some((one) => ['failed', 'due'].includes(stateOf(one, raw))));
  const nothingLeft = (item: Lossless): boolean => preview?.refund === true && /^0+(\.0+)?$/.test(left(item) ?? '');
  return (item, raw) => {
    if (preview?.refund === true && nothingTaken(item, raw)) return 'never';
    return notWhile?.includes(state(item)) === true || nothingLeft(item) ? 'no more' : 'yes';
  };
}

/** Candidates that an error lists. */
export const MOST_LISTED = 10;

/** An item as a candidate: with its label, the values that its family's table computes, and its due date. */
export function candidateOf(family: Family, id: string, item: Lossless, raw: string, fits?: Fits): Candidate {
  const made = Number(plain(get(item, 'created_date_unix')));
  const states = family.columns.flatMap(({ state }) => (state === undefined ? [] : [stateOf(state, raw)]));
  const due = dueOf(family, item);
  const stand = fits?.(item, raw);
  return {
    id,
    label: [labelOf(item), ...(get(item, 'amount') === undefined ? [] : states), due].filter(Boolean).join(', '),
    made: made > 0 ? made : undefined,
    fits: stand && stand === 'yes',
    never: stand === 'never',
    customer: family.name === 'customers' ? undefined : ownerOf(item),
    subscription: plain(get(item, 'subscription_id')) ?? plain(get(item, 'subscriptions.0')) ?? undefined,
  };
}

function dueOf({ due }: Family, item: Lossless): string {
  const at = Number(due && plain(get(item, due.path)));
  const state = due?.while && plain(get(item, due.while.path))?.toLowerCase();
  const isStill = due?.while === undefined || due.while.values.includes(state ?? '');
  return due !== undefined && at > 0 && isStill ? `${due.says} ${isoDay(at)}` : '';
}

/**
 * The candidate made last, those left out to which what is wanted never could be done; its label says which they were.
 * One to which it has been done is not left out: the same line once more would do it to another item.
 * @throws CopsError `usage` where it can be done to none, two are as new, or it is not known when one was made
 */
export function newestOf(family: Family, word: string, candidates: readonly Candidate[], line?: Ready): Candidate {
  const found = newestAmong(family, candidates, line);
  if ('why' in found) throw usage(`"${word}" ${found.why}: nothing was sent.`, found.hint);
  return found;
}

/** As `newestOf`; if there is none, why, and what to do instead. */
export function newestAmong(
  family: Family,
  candidates: readonly Candidate[],
  line?: Ready,
): Candidate | { readonly why: string; readonly hint: Text } {
  const all = `means ${candidates.length} items of ${family.name.replaceAll('_', '-')}`;
  const open = candidates.filter(({ never }) => never !== true).sort(byAge);
  const [first, second] = open;
  if (first === undefined || open.every(({ fits }) => fits === false))
    return { why: `${all}, and nothing is left to be done to any of them`, hint: inLines(candidates) };
  if (first.made === second?.made || open.some(({ made }) => made === undefined))
    return {
      why: `${all}, and which is the latest is not plain`,
      hint: say`Give the id of the one that is meant:\n${inLines(candidates, line)}`,
    };
  const day = first.made === undefined ? '' : isoDay(first.made);
  if (first.fits === false)
    return {
      why: `${all}, and the latest of them, ${first.id} of ${day}, has nothing left`,
      hint: say`If another is meant, give its id:\n${inLines(candidates, line)}`,
    };
  const passed = candidates.filter((one) => !open.includes(one) && (one.made ?? 0) >= (first.made ?? 0)).sort(byAge);
  const subscriptions = new Set(candidates.flatMap(({ subscription }) => subscription ?? [])).size;
  const among =
    subscriptions > 1 ? `, of ${subscriptions} subscriptions; this one belongs to ${first.subscription ?? 'none'}` : '';
  const latest = `the latest of ${candidates.length}${among}`;
  const label = [first.label, day && `made ${day}`, latest].filter(Boolean).join(', ');
  return {
    ...first,
    label: passed.length === 0 ? label : `${label} for which anything was paid; passed over: ${shortly(passed)}`,
  };
}

/**
 * True where the candidates are, or may be, of more than one person: which person is meant is then told by no date.
 * @param count people who are known to be called by the word
 */
export function areOfSeveral(candidates: readonly Candidate[], count: number): boolean {
  const owners = new Set(candidates.map(({ customer }) => customer));
  return candidates.length > 1 && (owners.size > 1 || (count > 1 && owners.has(undefined)));
}

/** Candidates with the customers that tell them apart. */
export const withOwners = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.map((one) => ({ ...one, label: `${one.label}, customer ${one.customer ?? 'not shown'}` }));

/** A few of the passed-over items, newest first. */
function shortly(passed: readonly Candidate[]): string {
  const told = passed.slice(0, 3).map(({ id, made, label }) => {
    const about = [label, made === undefined ? '' : isoDay(made)].filter(Boolean).join(', ');
    return about === '' ? id : `${id} (${about})`;
  });
  return [...told, ...(passed.length > 3 ? [`${passed.length - 3} more`] : [])].join(', ');
}

const byAge = (a: Candidate, b: Candidate): number => (b.made ?? 0) - (a.made ?? 0);

/**
 * Items that are called nearly so, one a line.
 * @param line what is to be pasted for the id of one whose name differs in capitals alone
 */
export function nearLines(candidates: readonly Candidate[], word: string, line: Ready = () => undefined): Text {
  const wanted = word.trim().toLowerCase();
  const isSame = ({ label }: Candidate): boolean => label.split(', ').some((part) => part.toLowerCase() === wanted);
  const rows = [...candidates].sort((a, b) => Number(isSame(b)) - Number(isSame(a)));
  const shown = rows.slice(0, MOST_LISTED).map((one) => {
    const ready = isSame(one) ? line(one.id) : undefined;
    const { id, label } = one;
    return say`  ${ready === undefined ? (label ? `${id} (${label})` : id) : say`${ready}\n      ${label}`}`;
  });
  return withRest(shown, candidates.length);
}

/** Lines, and how many there are besides. */
const withRest = (shown: readonly Text[], all: number): Text =>
  joinedTexts([...shown, all > shown.length && `  and ${all - shown.length} more`], '\n');

/** The line that does the wanted action to the item of an id, ready to paste. */
export type Ready = (id: string) => CommandLine | undefined;

/** What tells candidates apart, each in its line: drops words that all of them share, keeps each one's day. */
export function ownParts(candidates: readonly Candidate[]): readonly string[] {
  const parts = candidates.map(({ label }) => label.split(', '));
  // If the action is possible for none, what they share says why.
  const isNone = candidates.every(({ fits }) => fits === false);
  const isShared = (part: string): boolean =>
    candidates.length > 1 && !isNone && parts.every((others) => others.includes(part));
  return candidates.map(({ made }, at) => {
    const own = (parts[at] ?? []).filter((part) => part !== '' && !isShared(part));
    return [...own, made === undefined ? '' : `made ${isoDay(made)}`].filter((part) => part !== '').join(', ');
  });
}

/**
 * Candidates one a line, newest first where that is known, without the words that all of them share; what nothing can be
 * done to any more comes last.
 * @param line what is to be pasted for an id
 */
export function inLines(candidates: readonly Candidate[], line: Ready = () => undefined): Text {
  const own = ownParts(candidates);
  const rows = candidates.map(({ id, made, fits = true }, at) => {
    const about = [own[at], fits ? undefined : 'not possible in its state'].filter(Boolean).join(', ');
    return { id, fits, made: made ?? 0, about };
  });
  rows.sort((a, b) => Number(b.fits) - Number(a.fits) || b.made - a.made);
  const shown = rows.slice(0, MOST_LISTED).map(({ id, fits, about }) => {
    const ready = fits ? line(id) : undefined;
    return say`  ${joinedTexts([ready ?? id, about], '\n      ')}`;
  });
  return withRest(shown, candidates.length);
}

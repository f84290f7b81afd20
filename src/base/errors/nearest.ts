import type { Text } from '../text/command-line.js';

const LONGEST = 80;

/**
 * The known words that a mistyped one may mean, nearest first; empty when none is close enough. Swapped neighbours
 * count as one slip, and so does a word that was cut short.
 * @param most how many words to return at most
 */
export function nearest(word: string, known: Iterable<string>, most = 1): string[] {
  const typed = word.slice(0, LONGEST).toLowerCase();
  let limit = Math.max(1, Math.floor(typed.length / 3));
  const near: { readonly choice: string; readonly slips: number }[] = [];
  for (const choice of known) {
    const spelled = choice.slice(0, LONGEST).toLowerCase();
    const brokenOff = typed.length > 2 && spelled.startsWith(typed);
    if (!brokenOff && Math.abs(spelled.length - typed.length) > limit) continue;
    const slips = brokenOff ? 1 : slipsBetween(typed, spelled, limit);
    if (slips > limit) continue;
    near.push({ choice, slips });
    // For a single word, only a nearer one can replace it.
    if (most === 1) limit = slips - 1;
  }
  return near
    .sort((a, b) => a.slips - b.slips)
    .slice(0, most)
    .map((one) => one.choice);
}

/** ` Did you mean x?`, or an empty string: the end of a sentence about an unknown word. */
export function didYouMean(word: string, known: Iterable<string>, asked = ' Did you mean'): string {
  const [near] = nearest(word, known);
  return near === undefined ? '' : `${asked} ${near}?`;
}

/** `; did you mean x?`, or an empty string: the end of a clause. */
export const orRather = (word: string, known: Iterable<string>): string => didYouMean(word, known, '; did you mean');

/** `Did you mean x?`, or another hint when nothing is near. */
export const meantOr = (word: string, known: Iterable<string>, otherwise: Text): Text =>
  didYouMean(word, known).trim() || otherwise;

/** ` (did you mean x?)`, or an empty string: for a line that reports other faults too. */
export function orMeant(word: string, known: Iterable<string>): string {
  const [near] = nearest(word, known);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

/** Levenshtein distance with swapped neighbours as one step; any number above `limit` when the distance exceeds it. */
export function slipsBetween(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  let leastBefore = 0;
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    let least = row;
    for (let at = 1; at <= b.length; at++) {
      const same = a[row - 1] === b[at - 1];
      let cost = Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + (same ? 0 : 1));
      if (row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1])
        cost = Math.min(cost, (before[at - 2] ?? 0) + 1);
      next.push(cost);
      if (cost < least) least = cost;
    }
    // Costs only grow from row to row, except for a swap, which builds on the row before last.
    if (least > limit && leastBefore >= limit) return least;
    [before, last, leastBefore] = [last, next, least];
  }
  return last[b.length] ?? a.length;
}

/** Words as alternatives: `a, b or c`. */
export const oneOf = (words: readonly string[]): string => words.join(', ').replace(/, ([^,]+)$/, ' or $1');

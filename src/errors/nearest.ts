const LONGEST = 80;

/**
 * The known words that a mistyped one may stand for, nearest first; empty when none is near enough to be meant. A
 * swap of two neighbours counts as one slip, and so does a word that was broken off.
 * @param most how many are wanted
 */
export function nearest(word: string, known: Iterable<string>, most = 1): string[] {
  const typed = word.slice(0, LONGEST).toLowerCase();
  const limit = Math.max(1, Math.floor(typed.length / 3));
  const near: { readonly choice: string; readonly slips: number }[] = [];
  for (const choice of known) {
    const spelled = choice.slice(0, LONGEST).toLowerCase();
    const brokenOff = typed.length > 2 && spelled.startsWith(typed);
    if (!brokenOff && Math.abs(spelled.length - typed.length) > limit) continue;
    const slips = brokenOff ? 1 : slipsBetween(typed, spelled);
    if (slips <= limit) near.push({ choice, slips });
  }
  return near
    .sort((a, b) => a.slips - b.slips)
    .slice(0, most)
    .map((one) => one.choice);
}

/** ` Did you mean x?`, or nothing: the end of a sentence about a word that is not known. */
export function didYouMean(word: string, known: Iterable<string>, asked = ' Did you mean'): string {
  const [near] = nearest(word, known);
  return near === undefined ? '' : `${asked} ${near}?`;
}

/** `; did you mean x?`, or nothing: the end of a part of a sentence. */
export function orRather(word: string, known: Iterable<string>): string {
  return didYouMean(word, known, '; did you mean');
}

/** `Did you mean x?`, or another hint where nothing is near. */
export function meantOr(word: string, known: Iterable<string>, otherwise: string): string {
  return didYouMean(word, known).trim() || otherwise;
}

/** ` (did you mean x?)`, or nothing: within a line that tells more faults than this one. */
export function orMeant(word: string, known: Iterable<string>): string {
  const [near] = nearest(word, known);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

/** Levenshtein's distance with swapped neighbours as one step. */
function slipsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let at = 1; at <= b.length; at++) {
      const same = a[row - 1] === b[at - 1];
      let cost = Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + (same ? 0 : 1));
      if (row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1])
        cost = Math.min(cost, (before[at - 2] ?? 0) + 1);
      next.push(cost);
    }
    [before, last] = [last, next];
  }
  return last[b.length] ?? a.length;
}

/** Words as a choice: `a, b or c`. */
export function oneOf(words: readonly string[]): string {
  return words.join(', ').replace(/, ([^,]+)$/, ' or $1');
}

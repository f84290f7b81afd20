import { usage } from '../errors/errors.js';

/** The built-in profile on the embedded service. */
export const SANDBOX = 'sandbox';
/** The name shown when key and base URL come from the environment and there is no profile. */
export const FROM_ENVIRONMENT = 'env';

/** @throws CopsError `usage` unless `name` can name a stored profile. */
export function checkProfileName(name: string): string {
  if (name === SANDBOX || name === FROM_ENVIRONMENT)
    throw usage(`The name ${name} is taken: ${name === SANDBOX ? 'that profile is built in' : 'it means no profile'}.`);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) || name === '__proto__')
    throw usage(
      'A profile name begins with a letter or digit and has up to 64 letters, digits, dots, dashes and underscores.',
    );
  return name;
}

/** An unknown profile, with the nearest known one (exit code 2). */
export function unknownProfile(name: string, known: readonly string[], source: string) {
  const near = closest(name, known);
  const shown = JSON.stringify(name.slice(0, 64));
  return usage(
    `There is no profile ${shown} (${source}).${near === undefined ? '' : ` Did you mean ${near}?`}`,
    `Profiles here: ${[...known, SANDBOX].filter((each, at, all) => all.indexOf(each) === at).join(', ')}.`,
  );
}

/** The known word nearest to `word`, if one is near enough to be meant. */
export function closest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const each of known) {
    const apart = distance(word.slice(0, 64).toLowerCase(), each.toLowerCase());
    if (apart < least) [best, least] = [each, apart];
  }
  return best;
}

/** Levenshtein's distance with swapped neighbours as one step. */
function distance(a: string, b: string): number {
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

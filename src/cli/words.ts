import { globalValueFlags } from './globals.js';

/** Positions of the words of a line that are no option and no option's value, up to `--`. */
export function wordPositions(argv: readonly string[], valueFlags: ReadonlySet<string> = globalValueFlags()): number[] {
  const positions: number[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') break;
    if (word === '-' || !word.startsWith('-')) positions.push(index);
    else if (valueFlags.has(word)) index++;
  }
  return positions;
}

/** The dashed form of a word that was typed: underscores and capitals are forgiven. */
export function dashed(word: string): string {
  return word.toLowerCase().replaceAll('_', '-');
}

/** The nearest of `choices` to a mistyped word, or undefined when none is near. */
export function nearest(word: string, choices: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const choice of choices) {
    if (Math.abs(choice.length - word.length) >= bestDistance && !choice.startsWith(word)) continue;
    const distance = choice.startsWith(word) ? 1 : editDistance(word, choice);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = choice;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = a[i - 1] === b[j - 1] ? 0 : 1;
      row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + swap));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}

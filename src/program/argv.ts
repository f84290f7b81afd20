import { globalValueFlags } from '../command/global-options.js';

/** Positions of the words of a line that are no option and no option's value, up to `--`. */
export function wordPositions(argv: readonly string[], valueFlags: ReadonlySet<string> = globalValueFlags()): number[] {
  const positions: number[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') break;
    if (word === '-' || !word.startsWith('-')) positions.push(index);
    else if (takesNext(word, valueFlags)) index++;
  }
  return positions;
}

/** True for an option whose value is the next word: `--output`, `-o`, or a cluster that ends so (`-qo`). */
function takesNext(word: string, valueFlags: ReadonlySet<string>): boolean {
  const cluster = SHORT_CLUSTER.exec(word);
  return valueFlags.has(cluster ? `-${cluster[1]}` : word);
}

/** Short options without a value, run together in front of one more: `-qvo`. */
const SHORT_CLUSTER = /^-[qvyhV]+([A-Za-z])$/;

/** The dashed form of a word that was typed: underscores and capitals are forgiven. */
export function dashed(word: string): string {
  return word.toLowerCase().replaceAll('_', '-');
}

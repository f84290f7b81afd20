import { GLOBAL_OPTIONS, globalValueFlags } from '../command/global-options.js';

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

/**
 * What a line says of a global option that takes a value, found without parsing it; the last one counts. `long` is its
 * long name: `--output`.
 */
export function saidOnLine(argv: readonly string[], long: string): string | undefined {
  const flags = GLOBAL_OPTIONS.find((option) => option.flags.includes(`${long} `))?.flags ?? '';
  const short = /^-(\w),/.exec(flags)?.[1];
  const joined = short === undefined ? undefined : new RegExp(`^-[qvyhV]*${short}(.*)$`, 's');
  let said: string | undefined;
  for (const [index, word] of argv.entries()) {
    if (word === '--') break;
    if (word.startsWith(`${long}=`)) said = word.slice(long.length + 1);
    else if (word === long) said = argv[index + 1];
    else {
      const found = joined?.exec(word);
      if (found) said = found[1] || argv[index + 1];
    }
  }
  return said;
}

/** Short options without a value, run together in front of one more: `-qvo`. */
const SHORT_CLUSTER = /^-[qvyhV]+([A-Za-z])$/;

/** The dashed form of a word that was typed: underscores and capitals are forgiven. */
export function dashed(word: string): string {
  return word.toLowerCase().replaceAll('_', '-');
}

import type { Text } from '../../base/text/command-line.js';
import { GLOBAL_OPTIONS } from '../../session/context/global-options.js';

/** Long and short names of global options that take a value. */
const VALUE_FLAGS: ReadonlySet<string> = new Set(
  GLOBAL_OPTIONS.flatMap(({ flags }) => (flags.includes('<') ? flags.replace(/ <.*/, '').split(', ') : [])),
);

/** A line in our words, and the note that says so. */
export interface Reworded {
  readonly argv: readonly string[];
  readonly note: Text;
  /** The option that the typed one was read as: errors name the typed one. */
  readonly option?: { readonly typed: string; readonly means: string };
}

/** Positions of the arguments that are neither an option nor an option's value, up to `--`. */
export function wordPositions(argv: readonly string[]): number[] {
  const positions: number[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') break;
    if (word === '-' || !word.startsWith('-')) positions.push(index);
    else if (takesNext(word)) index++;
  }
  return positions;
}

/** Those arguments themselves. */
export const wordsOf = (argv: readonly string[]): string[] => wordPositions(argv).map((at) => argv[at] ?? '');

/** Quoted text that begins like an option: `"-p shop sales list"`. */
const DASHED_TEXT = /^-\w?\s/;

/** The line with such texts moved behind `--`, except those that an option takes as its value. */
export function withDashedLast(argv: readonly string[]): readonly string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const isText = (word: string, at: number): boolean => {
    const before = argv[at - 1] ?? '';
    return at < end && DASHED_TEXT.test(word) && !takesNext(before) && !takesWord(before);
  };
  if (!argv.some(isText)) return argv;
  const rest = argv.slice(0, end).filter((word, at) => !isText(word, at));
  return [...rest, '--', ...argv.filter(isText), ...argv.slice(end + 1)];
}

/** True for an option whose value is the next argument: `--output`, `-o`, or a cluster that ends so (`-qo`). */
function takesNext(word: string): boolean {
  const cluster = SHORT_CLUSTER.exec(word);
  return VALUE_FLAGS.has(cluster ? `-${cluster[1]}` : word);
}

/** True for an option that may take the next argument: the command's options are not known yet. */
export function takesWord(option: string): boolean {
  const isSwitch = GLOBAL_OPTIONS.some(({ flags }) => !flags.includes('<') && flags.split(', ').includes(option));
  return /^--[^=]+$|^-d$/.test(option) && !isSwitch && !/^--(?:no-.*|again)$/.test(option);
}

/** The value a line gives a global option by its long name (`--output`), found without parsing the line. */
export function saidOnLine(argv: readonly string[], long: string): string | undefined {
  const flags = GLOBAL_OPTIONS.find((option) => option.flags.includes(`${long} `))?.flags ?? '';
  return saidBy(argv, { long, short: /^-\w/.exec(flags)?.[0] }).at(-1);
}

/** Every value that a line gives one option, in order; '' where the option is its last word. */
export function saidBy(
  argv: readonly string[],
  names: { long?: string | undefined; short?: string | undefined },
): string[] {
  const { long, short } = names;
  const joined = short === undefined ? undefined : new RegExp(`^-[qvyhV]*${short[1]}(.*)$`, 's');
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.slice(0, end).flatMap((word, at) => {
    const next = argv[at + 1] ?? '';
    // In `--sort -paid`, the minus sign is a direction, not an option.
    if (DASHED_TEXT.test(word) || argv[at - 1] === '--sort') return [];
    if (word === long) return [next];
    if (long !== undefined && word.startsWith(`${long}=`)) return [word.slice(long.length + 1)];
    const found = joined?.exec(word);
    return found ? [found[1] || next] : [];
  });
}

/** Short options without a value, clustered in front of one more: `-qvo`. */
const SHORT_CLUSTER = /^-[qvyhV]+([A-Za-z])$/;

/** The dashed form of a typed word: underscores and capitals are accepted. */
export const dashed = (word: string): string => word.toLowerCase().replaceAll('_', '-');

/** The words of a line that set its range. */
export function rangeIn(words: readonly string[]): string[] {
  const isRange = (word = ''): boolean => /^--(?:from|to|last|week|month|quarter|year)\b/.test(word);
  return words.filter((word, at) => isRange(word) || (isRange(words[at - 1]) && !words[at - 1]?.includes('=')));
}

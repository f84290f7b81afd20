import { type CommandLine, cops, copsLine, say, shellWord, type Text } from '../../base/text/command-line.js';

/** Options of an export that say where it goes and in what form. */
const TARGET = ['--out', '--format', '-o', '--output'];
/** Options of an export that mean nothing to a list: those with a value, and those without. */
const OF_RUNS = ['--concurrency', '--shard', '--schema', '--refresh'];
const OF_RUNS_ALONE = ['--gzip', '--restart', '--since-last', 'export'];

/** The words of a line without the options in `without` and their values. */
export const withoutOptions = (argv: readonly string[], without: readonly string[]): string[] =>
  argv.flatMap((word, at) => {
    const isValue = without.includes(argv[at - 1] ?? '') && !/^-./.test(word);
    return isValue || without.includes(word.replace(/=.*/s, '')) ? [] : [word];
  });

/** The typed line, with other options instead of those in `without` and their values. */
export const lineWithout = (
  argv: readonly string[],
  without: readonly string[],
  ...instead: readonly string[]
): CommandLine => cops`${withoutOptions(argv, without)} ${instead}`;

/** The typed line with an option and its value replaced; the new words alone if the line spells the old differently. */
export function lineInstead(argv: readonly string[], [option, value]: Words, words: Words): Text {
  const at = argv.findIndex((word, index) => word === value && argv[index - 1] === option);
  return at < 0 ? `${words[0]} ${shellWord(words[1])}` : copsLine(argv.toSpliced(at - 1, 2, ...words));
}

type Words = readonly [option: string, value: string];

/** For rows that were given a file name: the same line into that file, in the format of its ending. */
export function rowsAsFile(argv: readonly string[], out: string): Text {
  const form = /\.(csv|tsv|json|jsonl|yaml)$/i.exec(out)?.[1]?.toLowerCase();
  const line = (...words: readonly string[]) => lineWithout(argv, TARGET, ...words);
  return form === undefined ? into(line(...asCsv(argv, out)), csvName(out)) : into(line('-o', form), out);
}

/** A line whose rows the shell redirects into a file. */
export const into = (line: Text, file: string): Text => say`${line} > ${shellWord(file)}`;

/** The form of rows for such a file: made for spreadsheet programs only if the name or the line asks for it. */
const asCsv = (words: readonly string[], out = ''): string[] => [
  '-o',
  'csv',
  ...(/\.xlsx?$/i.test(out) && !words.includes('--excel') ? ['--excel'] : []),
];

/** A csv name for the file that `out` was meant for: csv is the only list format for spreadsheets. */
function csvName(out: string): string {
  const name = out.replace(/\/+$/, '').replace(/(\.(xlsx|csv|tsv|jsonl|json|parquet|sqlite|gz))+$/i, '');
  return `${name === '' || name === '-' ? 'items' : name}.csv`;
}

/**
 * The list that does what an export cannot, into a file: in the format of its name if lists have that format, otherwise
 * for spreadsheets; compressed where the export is.
 * @param family the word of the line that names the family, and the words of its sub-list behind it
 * @param through a program to pipe its lines through, one line per item
 */
export function listInto(
  argv: readonly string[],
  family: readonly string[],
  out: string | undefined,
  through?: string,
): Text {
  const words = withoutOptions(argv, [...TARGET, ...OF_RUNS]).filter((word) => !OF_RUNS_ALONE.includes(word));
  const last = words.indexOf(family.at(-1) ?? '');
  if (words[last + 1] !== 'list') words.splice(last + 1, 0, 'list');
  const [plain, gz = argv.includes('--gzip') ? '.gz' : ''] = (out ?? '').split(/(\.gz)$/i) as [string, string?];
  const form = /\.(tsv|json|jsonl|yaml)$/i.exec(plain)?.[1]?.toLowerCase();
  const name = form === undefined ? csvName(plain) : plain;
  const packed = (line: Text): Text => (gz === '' ? line : say`${line} | gzip`);
  if (through !== undefined)
    return into(
      packed(say`${cops`${words} -o jsonl`} | ${through}`),
      `${csvName(plain).slice(0, -'.csv'.length)}.jsonl${gz}`,
    );
  return into(packed(cops`${words} ${form === undefined ? asCsv(words, plain) : ['-o', form]}`), `${name}${gz}`);
}

/**
 * The line for a list with a file name: its export, or the list itself if it selects items, which no export does.
 * @param option where the option stands that names the file
 */
export function listAsFile(argv: readonly string[], option: number, out: string, chooses: boolean): Text {
  const [name = ''] = (argv[option] ?? '').split('=');
  const words = withoutOptions(argv, [name, ...TARGET]);
  if (chooses) return into(cops`${words} ${asCsv(words, out)}`, csvName(out));
  const list = words.indexOf('list');
  return cops`export ${words.filter((_, at) => at !== list)} --out ${out}`;
}

/** Options and fields whose values no line may repeat. */
export const HIDDEN = /key|token|secret|password|card|cvv|iban/i;

/** The line with an id instead of a name; undefined if the name occurs elsewhere too, or may be a secret. */
export function lineWith(argv: readonly string[], word: string, id: string): CommandLine | undefined {
  const words = withId(argv, word, id);
  return words && copsLine(words);
}

/** A name on a line, and what it means. */
interface NamedWord {
  readonly typed: string;
  readonly id: string | readonly string[];
  /** The word and the options that name it together, which an id does not need. */
  readonly told?: { readonly word: string; readonly options: readonly string[] } | undefined;
}

/** The line with the id of each name; undefined if one of them occurs elsewhere too, or may be a secret. */
export function lineWithIds(
  argv: readonly string[],
  named: readonly NamedWord[],
  ...more: readonly string[]
): CommandLine | undefined {
  let words: readonly string[] | undefined = argv;
  for (const { typed, id, told } of named)
    words = words && withId(withoutOptions(words, told?.options ?? []), told?.word ?? typed, id);
  return words && copsLine([...words, ...more.filter((one) => !words.includes(one))]);
}

function withId(argv: readonly string[], word: string, id: string | readonly string[]): string[] | undefined {
  // In `--group=VIP` the name follows the option.
  const isIt = (one: string): boolean => one === word || (/^[-\w.[\]]+=/.test(one) && one.endsWith(`=${word}`));
  if (
    argv.filter(isIt).length !== 1 ||
    argv.some((one) => !isIt(one) && /^-|=/.test(one) && HIDDEN.test(one.replace(/=.*/s, '')))
  )
    return undefined;
  const instead = (one: string): string[] =>
    [id].flat().map((each) => `${one.slice(0, one.length - word.length)}${each}`);
  // An id means one item: it has no latest.
  return argv.filter((one) => one !== '--latest').flatMap((one) => (isIt(one) ? instead(one) : one));
}

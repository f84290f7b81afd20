import { type CopsError, usage } from '../../base/errors/errors.js';
import { cops, copsLine, say, type Text } from '../../base/text/command-line.js';
import { filterOptions, operationMeant } from '../../catalogue/index.js';
import type { Operation } from '../../catalogue/types.js';
import { lineWithout, listAsFile, rowsAsFile } from '../../session/context/lines.js';
import { wordPositions, wordsOf } from '../parser/argv.js';

/** What people call the option that names an export's file. */
const FILE_OPTION = /^--(?:out|outfile|out-file|output-file|save|save-as|save-to|to-file|export|xlsx|parquet)$/;

/** What people call the target of a mirror, which is an argument. */
const MIRROR_OPTION = /^--(?:to|out|output-file|file|mirror|db|database|into|target|sqlite)$/;
/** A moment rather than a file name. */
const MOMENT = /^(?:\d{4}(?:-\d|$)|\d+ ?[a-z]+$|now$|today$|yesterday$)/i;

/** `sync --to FILE` is `sync FILE`. */
function mirrorHint(argv: readonly string[], at: number, value: string | undefined): Text | undefined {
  const [name = '', joined] = (argv[at] ?? '').split(/=(.*)/s, 2);
  const [head = 0] = wordPositions(argv);
  if (argv[head] !== 'sync' || !MIRROR_OPTION.test(name) || value === undefined || /^-./.test(value)) return undefined;
  const rest = argv.toSpliced(at, joined === undefined ? 2 : 1);
  const isMoment = MOMENT.test(value);
  const place = rest.indexOf('sync') + 1;
  const words = isMoment ? rest : rest.toSpliced(place, 0, value);
  const line = say`Did you mean "${copsLine(words)}"?`;
  return isMoment ? say`${line} A mirror always continues up to now.` : line;
}

/** Formats that only an export's file can have, not the output. */
const FILE_FORMAT = /^(?:xlsx|excel|parquet|sqlite)$/i;

/**
 * The refusal of `-o xlsx` and the like, with the line that makes such a file; undefined for formats that files lack
 * too.
 */
export async function fileFormatRefusal(argv: readonly string[], format: string): Promise<CopsError | undefined> {
  if (!FILE_FORMAT.test(format)) return undefined;
  const operation = (await operationMeant(wordsOf(argv)))?.operation;
  const ending = /^excel$/i.test(format) ? 'xlsx' : format.toLowerCase();
  const [head = '', word = ''] = wordPositions(argv).map((at) => argv[at] ?? '');
  const at = argv.findIndex((one) => /^(?:-o|--output)(?:=|$)/.test(one));
  const isList = operation?.list !== undefined && operation.list.style !== 'search';
  const name = `${head === 'report' || head === 'export' ? word : head}.${ending}`;
  const line = isList
    ? listAsFile(argv, at, name, choosesAmong(argv, operation))
    : head === 'export' || (head === 'report' && ending === 'xlsx')
      ? lineWithout(argv, ['-o', '--output'], '--out', name)
      : ending === 'xlsx'
        ? rowsAsFile(argv, name)
        : cops`export <list> --out <file>`;
  return usage(
    `"${format}" is not an output format, but one of files.`,
    say`Such a file, or what opens as one: ${line}`,
  );
}

/** Options of a bulk run. */
const OF_BULK = /^--(?:input|ids)$/;

const ROWS_OPTION = /^--(?:csv|tsv|jsonl|file|from|from-file|from-csv|rows|input-file|in|data-file)$/;
const ROWS_FILE = /\.(?:csv|tsv|jsonl|ndjson)$/i;

/** True for an option that can only mean the rows of a bulk run: both its name and its value say so. */
export const namesRows = (option: string, value = ''): boolean => ROWS_OPTION.test(option) && ROWS_FILE.test(value);

/** Options by which a list selects among items, besides the filters applied on this side. */
const CHOOSES = new Set(['where', 'sort', 'group-by', 'sum', 'count', 'limit', 'next', 'columns', 'query']);
const MADE = new Set(['customer', 'status', 'email', 'campaign', 'product']);

/** The line that reads or writes a file, for a line that names one; undefined for other lines. */
export function fileHint(
  argv: readonly string[],
  at: number,
  value: string | undefined,
  operation: Operation | undefined,
): Text | undefined {
  const [name = ''] = (argv[at] ?? '').split('=');
  const mirror = mirrorHint(argv, at, value);
  if (mirror !== undefined) return mirror;
  if ((OF_BULK.test(name) || namesRows(name, value)) && operation?.path.includes('{') && operation.method === 'POST')
    return say`Did you mean "${copsLine(argv.toSpliced(wordPositions(argv)[0] ?? 0, 0, 'bulk'))}"?`;
  if (!FILE_OPTION.test(name) || operation?.list === undefined || operation.list.style === 'search') return undefined;
  if (value === undefined || value === '' || value.startsWith('-')) return undefined;
  return say`Did you mean "${listAsFile(argv, at, value, choosesAmong(argv, operation))}"?`;
}

/** True if a list selects among its items, which no export does. */
function choosesAmong(argv: readonly string[], operation: Operation): boolean {
  const served = new Set(filterOptions(operation).map(({ option }) => option));
  return argv.some((word) => {
    const option = /^--([a-z-]+)/.exec(word)?.[1] ?? '';
    return CHOOSES.has(option) || (MADE.has(option) && !served.has(option));
  });
}

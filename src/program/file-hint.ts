import type { Operation } from '../catalogue/types.js';
import { listAsFile } from '../command/file-lines.js';
import { shellWord } from '../command/shell-word.js';
import { filterOptions } from '../request/plan.js';
import { wordPositions } from './argv.js';

/** What people call the option of an export that names its file. */
const FILE_OPTION = /^--(?:out|outfile|out-file|output-file|save|save-as|save-to|to-file|export|xlsx|parquet)$/;

/** Options of a run over many. */
const OF_BULK = /^--(?:input|ids)$/;

/** What a list chooses among items by, beside the filters that are made here. */
const CHOOSES = new Set(['where', 'sort', 'group-by', 'sum', 'count', 'limit', 'next', 'columns', 'query']);
const MADE = new Set(['customer', 'status', 'email', 'campaign', 'product']);

/** The line that takes or writes a file, for a line that was given the name of one; undefined for other lines. */
export function fileHint(
  argv: readonly string[],
  at: number,
  value: string | undefined,
  operation: Operation | undefined,
): string | undefined {
  const [name = ''] = (argv[at] ?? '').split('=');
  if (OF_BULK.test(name) && operation?.path.includes('{') && operation.method === 'POST')
    return `Did you mean "${['cops', ...argv.toSpliced(wordPositions(argv)[0] ?? 0, 0, 'bulk')].map(shellWord).join(' ')}"?`;
  if (!FILE_OPTION.test(name) || operation?.list === undefined || operation.list.style === 'search') return undefined;
  if (value === undefined || value === '' || value.startsWith('-')) return undefined;
  const served = new Set(filterOptions(operation).map(({ option }) => option));
  const chooses = argv.some((word) => {
    const option = /^--([a-z-]+)/.exec(word)?.[1] ?? '';
    return CHOOSES.has(option) || (MADE.has(option) && !served.has(option));
  });
  return `Did you mean "${listAsFile(argv, at, value, chooses)}"?`;
}

import { cops, say, type Text } from '../../base/text/command-line.js';
import type { UnixSpan } from '../../base/time/periods.js';
import { type RangeOptions, rangeArguments, rangeWords, resolveRange } from '../../base/time/range.js';
import { RANGE_OPTIONS } from '../../base/time/range-options.js';
import { isoTime } from '../../base/time/units.js';
import type { Family } from '../../catalogue/types.js';
import { comparisons, type ReadingClock } from '../../items/select/condition.js';
import {
  columnMeant,
  fieldPath,
  isMoney,
  spelledOut,
  type Vocabulary,
  vocabularyOf,
} from '../../items/select/names.js';
import type { Context } from '../context/context.js';
import { into, lineWithout } from '../context/lines.js';
import type { SelectingOptions } from '../operation/spec.js';
import type { Beside } from './watched-conditions.js';

/** Names that a line has typed. */
interface NamesTyped extends RangeOptions, Pick<SelectingOptions, 'where' | 'sort' | 'groupBy' | 'sum'> {
  readonly status?: unknown;
}

/** Item columns and a sum are two answers: each needs its own line. */
export const linesBeside =
  ({ world: { argv } }: Context, columns: readonly string[] = []) =>
  (option: string): Text | undefined =>
    option === '--columns'
      ? say`The items: ${lineWithout(argv, ['--sum', '--group-by', '--having', '--sort', '--columns'], ...ofItems(columns))}; what is added up: ${lineWithout(argv, ['--columns'])}`
      : undefined;

/** Columns without those that only groups have. */
function ofItems(columns: readonly string[]): string[] {
  const own = columns.filter((name) => !/^(?:count|ids)$|[:(]|\.count$/.test(name));
  return own.length === 0 ? [] : ['--columns', own.join(',')];
}

/** Explains a last-change time next to a state. */
export async function tellLastChange({ notes, world }: Context, lists: readonly Beside[]): Promise<void> {
  const isLastChange = (path = ''): boolean => path.includes('updated_date');
  const all = lists.flatMap(({ conditions }) => conditions.flatMap(comparisons));
  if (!all.some(({ path, field }) => isLastChange(path) || isLastChange(field?.path))) return;
  const { saidOfLastChange } = await import('./watched-conditions.js');
  for (const [at, list] of lists.entries())
    for (const said of saidOfLastChange(list, world.argv, at === 0 ? all : [])) notes.warn(said);
}

/** Says that a range goes by creation if the line also asks for a state that items reach later. */
export function tellRange(
  { notes, world: { argv } }: Context,
  { family, conditions, status }: Beside,
  options: NamesTyped,
  { now, zone }: ReadingClock,
): void {
  const words = rangeWords(options);
  const typed = conditions.find(({ path, operator }) => path === 'status' && operator === '=')?.operand;
  const state = typed ?? [status ?? []].flat().map(String)[0];
  const isOther = conditions.some(({ path }) => /(?:updated|created)_date/.test(path));
  if (family.nature !== 'people' || words.length === 0 || isOther || state === undefined || state === 'active') return;
  const range = resolveRange(options, now, zone);
  const [from, to] = [range.from, range.to].map(isoTime);
  const line = lineWithout(argv, RANGED, '--where', `updated>=${from}`, '--where', `updated<=${to}`);
  notes.warn(
    say`${words.join(' ')} selects by when they were created, not by since when they are ${state}. By their last change of any kind: ${line}`,
  );
}

/** The range options, under other names too. */
const RANGED = [...RANGE_OPTIONS.map(({ flags }) => flags.replace(/ .*/, '')), '--since', '--until'];

/** The report that tells a sum whole, by the field that is added up. */
const WHOLE: readonly (readonly [field: RegExp, report: string])[] = [
  [/fees/, 'fees'],
  [/refunded/, 'refunds'],
  [/amount|total|gross|net/, 'revenue'],
];

const FAILED = /\bfailed\b/i;

/** Notes on lists easily taken for all payments or all failures: what they leave out, and which report has it. */
export function tellApart({ notes }: Context, family: Family, options: NamesTyped): void {
  const sums = options.sum?.join(',') ?? '';
  const reports = new Set(sums.split(',').flatMap((sum) => WHOLE.find(([field]) => field.test(sum))?.[1] ?? []));
  // For several sums, the report that shows them side by side.
  const isFailed =
    FAILED.test(String(options.status)) ||
    options.where?.some((text) => /^\s*status\b/.test(text) && FAILED.test(text));
  const report = isFailed ? 'failures' : reports.size > 1 ? 'revenue' : [...reports][0];
  if (family.apart === undefined || report === undefined) return;
  notes.note(
    say`${family.apart} All of it: ${cops`report ${report} ${rangeArguments(options)} ${isFailed ? ['--by', 'method'] : []}`}`,
  );
}

/** The same of rows with amounts, with the line that writes the payments of all kinds into a file. */
export function tellRowsApart(
  { notes }: Context,
  family: Family,
  columns: readonly string[] | undefined,
  { begins, ends }: UnixSpan,
): void {
  if (family.apart === undefined || (columns && !columns.some((name) => WHOLE.some(([field]) => field.test(name)))))
    return;
  const query = `select * from attempts where created_unix >= ${begins} and created_unix < ${ends} order by created_unix`;
  notes.note(
    say`${family.apart} All kinds in one file, failed ones too: ${into(cops`sql ${query} -o csv`, 'payments.csv')}`,
  );
}

/** Says what a column holds if its name promises more: ids instead of amounts, or a sum with something taken off. */
export async function tellColumns({ notes }: Context, family: Family, typed: readonly string[]): Promise<void> {
  const list = family.operations.find(({ action }) => action === 'list');
  if (!list) return;
  const vocabulary = vocabularyOf(family, list);
  for (const name of typed) {
    const path = columnMeant(vocabulary, name) ?? name;
    const own = family.item?.[name] ?? family.assumed?.[name];
    if (own?.type === 'array' && (await hasAmounts(family, name)))
      notes.note(`${name} holds ids; a list shows their amounts with --columns ${name}.amount.`);
    if (path === name || !isMoney(vocabulary, path)) continue;
    const { meaningsOf } = await import('../lookup/meanings.js');
    const field = (await meaningsOf(path)).find(({ kind }) => kind === 'field');
    if (field) notes.note(`${name} is ${path}: ${field.meaning}`);
  }
}

/** True if a relation of that name leads to many rows with amounts of their own. */
async function hasAmounts(family: Family, name: string): Promise<boolean> {
  const [{ relationsOf }, { loadFamily }] = await Promise.all([
    import('../../catalogue/relations.js'),
    import('../../catalogue/index.js'),
  ]);
  const relation = relationsOf(family).find(({ by, word, many }) => many && by.kind === 'field' && word === name);
  return relation !== undefined && (await loadFamily(relation.to))?.item?.amount !== undefined;
}

/**
 * Says whose rows `count` counts, where groups are easily taken to count those that the rows belong to: customers.
 */
export async function tellCounted(
  { notes }: Context,
  family: Family,
  { groupBy = [] }: NamesTyped,
  columns: readonly string[],
): Promise<void> {
  const { relationCalled } = await import('../joins/roads.js');
  const { relationsOf } = await import('../../catalogue/relations.js');
  const relation = relationCalled(relationsOf(family), 'customer');
  const keys = groupBy.flatMap((text) => text.split(',')).map((name) => name.trim());
  const isByCustomer = keys.some((key) => /^customer(?:\.(?:id|email|name))?$/.test(key));
  if (!relation || relation.many || isByCustomer || columns.length > 0) return;
  const rows = family.name.replaceAll('_', ' ');
  notes.note(
    `count is the number of ${rows}. To count different customers: --columns ${[...keys, 'count', 'customers'].join(',')}`,
  );
}

/** Says what is meant by `date`, and by a part of a field's name, where items have no field of this name. */
export function tellDate({ notes }: Context, vocabulary: Vocabulary, options: NamesTyped): void {
  const { where, sort, groupBy } = options;
  const path = fieldPath(vocabulary, 'date', 'heading');
  const named = [where, sort, groupBy].flat().some((text) => /(?:^|,)\s*[-+]?date\b(?!_)/i.test(text ?? ''));
  if (named && path !== 'date') notes.note(`date is read as ${path}.`);
  for (const word of plainNames([where ?? [], sort ?? [], groupBy ?? [], options.sum ?? []].flat())) {
    const meant = spelledOut(Object.keys(vocabulary.fields), word);
    if (meant !== undefined && fieldPath(vocabulary, word, 'heading') === meant)
      notes.note(`${word} is read as ${meant}.`);
  }
}

/** Names without dots that conditions and lists of names begin with. */
export function plainNames(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.split(','));
  const found = words.flatMap((one) => /^\s*[-+]?([a-z][\w-]*)\s*(?:[=!<>~:]|$)/i.exec(one)?.[1] ?? []);
  return [...new Set(found)];
}

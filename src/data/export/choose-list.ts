import { type CopsError, usage } from '../../base/errors/errors.js';
import { type CommandLine, cops, copsLine, say, type Text } from '../../base/text/command-line.js';
import {
  canonicalAction,
  FAMILY_INDEX,
  type FamilyIndexEntry,
  familyByCommand,
  filterOptions,
  loadFamily,
  pathParameters,
} from '../../catalogue/index.js';
import { synonymOf } from '../../catalogue/synonyms.js';
import type { FamilyOperation } from '../../catalogue/types.js';
import type { FilterValues } from '../../service/request/request-plan.js';
import { listInto, withoutOptions } from '../../session/context/lines.js';
import { familyOfWord, meantFamily } from '../../session/context/typed-words.js';
import { ownFilters, SELECTING_FLAGS } from '../../session/operation/spec.js';

export interface ChosenList extends FamilyOperation {
  readonly ids: readonly string[];
  readonly filters: FilterValues;
  /** The same line as a list into a spreadsheet file, with these columns if given. */
  readonly asList: (columns?: readonly string[]) => Text;
  /** The report whose rows are this list with their products and customers. */
  readonly asRows?: CommandLine | undefined;
}

/** The complete export command line for the hint that leads to a list, and its target. */
interface ExportLine {
  readonly argv: readonly string[];
  readonly out: string | undefined;
  readonly range: readonly string[];
  readonly note: (text: string) => void;
}

/**
 * The list that the arguments name: `sales`, `sales pending`, `customers payment-methods <id>`; then the typed filters.
 */
export async function chooseList(words: readonly string[], line: ExportLine): Promise<ChosenList> {
  const firstOption = words.findIndex((word) => word.startsWith('--'));
  const plain = firstOption < 0 ? words : words.slice(0, firstOption);
  const [word, ...rest] = plain;
  if (word === undefined)
    throw usage(
      'Which list do you want to export?',
      say`For example: ${cops`export sales --from 90d --out sales.jsonl`}`,
    );
  if (['all', 'everything'].includes(word)) throw severalLists([], line.out);
  const entry = familyByCommand(word) ?? (await familyRead(word, line));
  const spoken = rest[rest.length - 1] === 'list' ? rest.slice(0, -1) : rest;
  const named = spoken.length > 0 ? canonicalAction(entry, [spoken[0] as string, 'list']) : undefined;
  const action = named?.used === 2 ? named.action : 'list';
  const ids = spoken.slice(named?.used === 2 ? 1 : 0);
  const family = await loadFamily(entry.name);
  const operation = family.operations.find((one) => one.action === action);
  if (!operation?.list || operation.list.style === 'search')
    throw usage(`${entry.command} has no list to export.`, listsHint());
  if (ids.length > 0 && pathParameters(operation).length === 0) {
    const others = ids.flatMap((id) => familyByCommand(id)?.command ?? []);
    if (others.length === ids.length) throw severalLists([entry.command, ...others], line.out);
  }
  const options = firstOption < 0 ? [] : words.slice(firstOption);
  // An export without a range takes everything, a list of events only its last days.
  const isWhole = line.range.length === 0 && operation.list.style === 'windowed' && !line.argv.includes('--all-time');
  const instead = (columns?: readonly string[], sample?: Sample) => {
    const typed = [...line.argv, ...(isWhole ? ['--all-time'] : [])];
    const without = [...(columns ? ['--columns'] : []), ...(sample ? SAMPLE : [])];
    const argv = [...withoutOptions(typed, without), ...(columns ? ['--columns', columns.join(',')] : [])];
    return listInto(argv, named?.used === 2 ? spoken.slice(0, 1) : [word], line.out, sample && drawn(sample));
  };
  const filters = parseFilters({ family, operation }, options, instead);
  const report = action === 'list' && options.length === 0 ? ROWS[family.name] : undefined;
  const file = `${(line.out ?? '').replace(/(\.\w+)+$|[/\\-]+$/, '') || report}.xlsx`;
  const asRows = report === undefined ? undefined : cops`report ${report} ${line.range} --rows --out ${file}`;
  return { family, operation, ids, filters, asList: instead, asRows };
}

/** Reports with a row for each item of a list. */
const ROWS: Readonly<Record<string, string>> = { pending_refunds: 'refunds' };

/** What a list lacks, compared with an export. */
const LOST = ', which have no manifest and start again after a stop.';

/** The family that a word stands for. @throws CopsError `usage`, with the corrected line if it is only a guess */
async function familyRead(word: string, { argv, note }: ExportLine): Promise<FamilyIndexEntry> {
  const spoken = synonymOf('command', word);
  const same = spoken?.same ? familyByCommand(spoken.means ?? '') : undefined;
  if (same) {
    note(`${word} is read as ${same.command}.`);
    return same;
  }
  const meant = await meantFamily(word);
  if (meant === undefined) return familyOfWord(word);
  throw usage(
    `There is no family "${word}".`,
    say`Did you mean "${copsLine(argv.toSpliced(argv.indexOf(word), 1, meant))}"?`,
  );
}

/** Only a sync takes several lists. */
function severalLists(families: readonly string[], out = 'copies/'): CopsError {
  return usage(
    'An export takes only one list.',
    say`To read several into a folder or a .sqlite file: ${cops`sync ${out} ${families}`}`,
  );
}

function listsHint(): string {
  return `Families with lists: ${FAMILY_INDEX.filter((entry) => entry.actions.some(({ action }) => action === 'list'))
    .map((entry) => entry.command)
    .join(', ')}.`;
}

/**
 * Reads filters such as `--campaign ID --campaign ID2 --metadata a=b`. @throws CopsError usage (2) for an option that
 * is not a filter of the list
 * @param instead the command line for a list whose options do something that no export does
 */
function parseFilters(
  { family, operation }: FamilyOperation,
  words: readonly string[],
  instead: (columns?: readonly string[], sample?: Sample) => Text,
): FilterValues {
  const sample = sampleIn(words);
  if (sample !== undefined)
    throw usage(
      `An export writes every item, not a sample; that is for lists${LOST}`,
      say`A list does: ${instead(undefined, sample)}`,
    );
  const known = new Map(filterOptions(operation).map((filter) => [`--${filter.option}`, filter]));
  const values: Record<string, string[]> = {};
  for (let i = 0; i < words.length; i++) {
    const [flag = '', attached] = split(words[i] as string);
    const filter = known.get(flag);
    if (!filter && (CHOOSES.has(flag) || ownFilters(family, operation).some(({ option }) => `--${option}` === flag)))
      throw usage(`An export writes every item: ${flag} is only for lists${LOST}`, say`Did you mean "${instead()}"?`);
    if (!filter) {
      const filters =
        known.size > 0 ? `Filters of this list: ${[...known.keys()].join(', ')}.` : 'This list has no filters.';
      throw usage(`Unknown option ${flag}.`, synonymOf('option', flag)?.says ?? filters);
    }
    const value = attached ?? (filter.field.type === 'boolean' ? 'true' : words[++i]);
    if (value === undefined) throw usage(`${flag} needs a value.`);
    values[filter.name] = [...(values[filter.name] ?? []), value];
  }
  return values;
}

/** Options with which a list picks items; an export has none of them. */
const CHOOSES: ReadonlySet<string> = new Set([...SELECTING_FLAGS, '--limit', '--all', '--next']);

/** Options that other tools have for random samples. */
const SAMPLE = ['--sample', '--seed'] as const;
interface Sample {
  readonly size: string;
  readonly seed: string | undefined;
}

/** The sample a line asks for: a number of items or a percentage of them. */
function sampleIn(words: readonly string[]): Sample | undefined {
  const [size, seed] = SAMPLE.map((name) => {
    const at = words.findIndex((word) => split(word)[0] === name);
    return at < 0 ? undefined : (split(words[at] ?? '')[1] ?? words[at + 1] ?? '').replaceAll(/[^\d.%]/g, '');
  });
  return size === undefined && seed === undefined ? undefined : { size: size || '100', seed: seed || undefined };
}

/** A program that picks lines at random, and the same ones each time if it has a seed. */
const drawn = ({ size, seed }: Sample): string =>
  size.endsWith('%')
    ? `awk 'BEGIN { srand(${seed ?? ''}) } rand() < ${Number.parseFloat(size) / 100}'`
    : `shuf -n ${size}${seed === undefined ? '' : ` --random-source=<(yes ${seed})`}`;

function split(word: string): [string, string | undefined] {
  const at = word.indexOf('=');
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

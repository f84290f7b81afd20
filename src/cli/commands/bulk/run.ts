import type { RowCondition } from '../../../account/journal/journal-lines.js';
import { operationOfRows } from '../../../account/safety/as-sent.js';
import { stopped, usage } from '../../../base/errors/errors.js';
import { typedPath } from '../../../base/files/typed-path.js';
import { cops, copsLine, joinedTexts, say, shellWord, type Text } from '../../../base/text/command-line.js';
import { WHOLE_RANGE_OPTIONS } from '../../../base/time/range-options.js';
import type { BulkInput } from '../../../bulk/binding.js';
import { fileSource, isRegular, kindByName } from '../../../bulk/input.js';
import { bulkGoOn, bulkReport, bulkRun, bulkStatus } from '../../../bulk/journals.js';
import { bulkList, journalNamed, openJournals } from '../../../bulk/list-journals.js';
import { bulkReconcile } from '../../../bulk/reconcile-journal.js';
import type { BulkGoOn } from '../../../bulk/run-journal.js';
import { runOptions } from '../../../bulk/several-ids.js';
import { typedFields } from '../../../catalogue/body-fields.js';
import {
  familyByCommand,
  findOperation,
  loadFamily,
  operationMeant,
  pathParameters,
} from '../../../catalogue/index.js';
import { actionOfCommand } from '../../../catalogue/synonyms.js';
import type { Family, FamilyOperation } from '../../../catalogue/types.js';
import { looksLikeId } from '../../../catalogue/value-formats.js';
import { literalMark } from '../../../items/select/literal-marks.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { lineWithout } from '../../../session/context/lines.js';
import type { OptionsOf } from '../../../session/context/spec.js';
import { wholeNumber } from '../../../session/context/typed-words.js';
import { takesLatest } from '../../../session/operation/spec.js';
import { wholeWords } from '../../../session/read/range-of.js';
import { openReader } from '../../../session/read/reading.js';
import { refuseReadOnly } from '../../../session/write/write.js';
import { familyAction } from '../../actions/index.js';
import type { spec } from './spec.js';

/** Options of `cops bulk`, as typed. */
type BulkOptions = OptionsOf<typeof spec>;

type OnJournal = (
  context: Context,
  journal: string,
  options: BulkGoOn & { apply?: boolean; input?: string | undefined },
) => Promise<Done>;

const GO_ON = ['input', 'concurrency', 'maxFailures', 'stopOnFraud', 'expect', 'again', 'empty', 'reason'];

const lacking: BulkGoOn['lacking'] = async (of, body) =>
  (await import('../../guess/wrong-line.js')).lackingFaults(of, body);

/** The actions on a journal, and the options each takes. */
const ON_JOURNALS: Readonly<Record<string, readonly [run: OnJournal, takes: readonly string[]]>> = {
  status: [bulkStatus, []],
  resume: [(context, journal, options) => bulkGoOn(context, journal, 'run', options), GO_ON],
  reconcile: [bulkReconcile, ['apply']],
  'retry-failed': [(context, journal, options) => bulkGoOn(context, journal, 'retry', options), GO_ON],
  report: [bulkReport, []],
};

/** @throws CopsError usage (2) for an option that would be silently ignored */
function refuseStrangers(options: BulkOptions, of: string, takes: readonly string[]): void {
  const strange = Object.entries(options).filter(
    ([name, value]) => !takes.includes(name) && value !== undefined && value !== ON_BY_DEFAULT[name],
  );
  if (strange.length === 0) return;
  const words = strange.map(
    ([name, value]) =>
      `--${value === false ? 'no-' : ''}${name.replace(/[A-Z]/g, (upper) => `-${upper.toLowerCase()}`)}`,
  );
  throw usage(`cops bulk ${of} does not take ${words.join(', ')}.`);
}

/** Options that are true unless `--no-…` turns them off. */
const ON_BY_DEFAULT: Readonly<Record<string, unknown>> = { idempotencyKey: true, validate: true, strictIds: true };

/**
 * `cops bulk <family> <action> …` and `cops bulk list`, `cops bulk status|resume|… <journal>` (command-line.md#bulk).
 */
export async function run(
  context: Context,
  { words: [head = '', ...words], options }: CommandInput<BulkOptions>,
): Promise<Done> {
  if (options.asOf !== undefined)
    throw stopped(
      'stopped: --as-of selects rows by a past state, and a write uses the current state: nothing was sent',
      'Leave out --as-of; a list shows past states.',
    );
  if (head === 'list') {
    if (words.length > 0) throw usage('cops bulk list takes no arguments: it lists the journals of this machine.');
    refuseStrangers(options, head, ['limit']);
    return bulkList(context, wholeNumber(options.limit, '--limit', 1));
  }
  const onJournal = Object.hasOwn(ON_JOURNALS, head) ? ON_JOURNALS[head] : undefined;
  if (onJournal) {
    const [act, takes] = onJournal;
    refuseStrangers(options, head, takes);
    const [journal = await onlyOpen(context), ...rest] = words;
    if (journal === undefined || rest.length > 0)
      throw usage(`cops bulk ${head}: name one journal.`, await journalHint(context, head));
    return act(context, journalNamed(context, journal), {
      ...runOptions(options, context.notes),
      lacking,
      apply: options.apply === true,
      input: options.input,
    });
  }
  const spoken = [head, ...words];
  const meant: RowsMeant | undefined = (await operationMeant(spoken)) ?? (await ownActionMeant(spoken));
  if (!meant)
    throw usage(`cops bulk: "${spoken.join(' ')}" is not an operation.`, await meantHint(context, head, words));
  if (options.limit !== undefined) throw usage('--limit is for cops bulk list: --ids or --input name the rows.');
  if (options.apply === true) throw usage('--apply is for cops bulk reconcile <journal>.');
  // Rows of SQL are not inspected one by one: none of them counts as a read.
  const operation = operationOfRows(meant.operation);
  const { ids, ...file } = filed(context, spoken.slice(meant.used), options);
  if (options.idColumn !== undefined && file.inputFile === undefined)
    throw usage('--id-column needs --input: bare ids have no columns.');
  const names = (options.data ?? []).map((one) => one.replace(/[.[:=].*/s, ''));
  if (options.validate !== false && names.some((name) => !Object.hasOwn(typedFields(operation), name)))
    await (await import('../../guess/wrong-line.js')).refuseStrange(context, operation);
  const given = {
    family: meant.family,
    operation,
    risk: operation.risk,
    templates: options.data,
    subject: meant.subject,
    base: meant.base,
    ...runOptions(options, context.notes),
    lacking,
  };
  refuseLatest(context, meant, options);
  const condition = conditionOf(options);
  const isFiled = [ids, file.idsFile, file.inputFile].some((one) => one !== undefined);
  if (condition === undefined || isFiled) {
    if (condition)
      throw usage(
        '--where, --with and --without choose rows of the list; ids or a file name rows directly: give one or the other.',
        await narrowedHint(context, meant.family, options, { ids, ...file }),
      );
    const [word] = wholeWords(options);
    if (word !== undefined) throw usage(`${word} needs --where, --with or --without, which choose rows of the list.`);
    return bulkRun(context, { ...given, ids, ...file });
  }
  return runChosen(context, given, condition, options);
}

/** Options that choose rows of a list, with those of its range. */
const CHOICE = ['--where', '--with', '--without', ...WHOLE_RANGE_OPTIONS.map(({ flags }) => flags.split(' ')[0] ?? '')];
/** The most ids that somebody would paste in a condition. */
const FEW_IDS = 20;

type Rows = Pick<BulkInput, 'ids' | 'idsFile' | 'inputFile'>;

/** Lines to use instead of rows with a condition: the rows that meet it, all items that meet it, or all the rows. */
async function narrowedHint(context: Context, { name }: Family, options: BulkOptions, rows: Rows): Promise<Text> {
  const file = rows.idsFile ?? rows.inputFile;
  const words = rows.ids ?? (options.ids === undefined && options.input === undefined ? [file] : []);
  const argv = context.world.argv.filter((word) => !words.includes(word));
  const rest = (...more: readonly string[]) => lineWithout(argv, ['--ids', '--input'], ...more);
  // The run itself reports a file that cannot be read.
  const few = rows.ids ?? (await fewIds(context, rows.idsFile).catch(() => undefined));
  const isList = rows.idsFile !== undefined && rows.idsFile !== '-';
  const choice = context.world.argv.filter((word, at, all) =>
    CHOICE.some((one) => isOption(word, one) || all[at - 1] === one),
  );
  const both = few?.every(looksLikeId)
    ? say`Those of them that meet it: ${rest('--where', `id=${few.join(',')}`)}\n`
    : isList &&
      say`Those of ${file} that meet it: ${cops`${name.replaceAll('_', '-')} list ${choice} -o ids`} | grep -Fxf ${shellWord(file ?? '')} | ${lineWithout(argv, [...CHOICE, '--ids'], '--ids', '-')}\n`;
  return joinedTexts(
    [both, say`All that meet it: ${rest()}\nAll of them: ${lineWithout(context.world.argv, CHOICE)}`],
    '',
  );
}

const isOption = (word: string, name: string): boolean => word === name || word.startsWith(`${name}=`);

/** The ids of a file that has only a few. */
async function fewIds(context: Context, file: string | undefined): Promise<readonly string[] | undefined> {
  if (file === undefined || file === '-' || !(await isRegular(typedPath(context.world, file)))) return undefined;
  const ids: string[] = [];
  for await (const records of fileSource(typedPath(context.world, file), 'ids', file).rows()) {
    ids.push(...records.flatMap(({ id }) => id ?? []));
    if (ids.length > FEW_IDS) return undefined;
  }
  return ids.length > 0 ? ids : undefined;
}

/** @throws CopsError usage (2) where there is no newest row to choose */
function refuseLatest({ world }: Context, { family, operation }: FamilyOperation, options: BulkOptions): void {
  if (options.latest !== true) return;
  const without = lineWithout(world.argv, ['--latest']);
  if (conditionOf(options))
    throw usage(
      '--latest needs rows that name people: each row of a list is already one item.',
      say`Without it: ${without}`,
    );
  if (takesLatest(operation)) return;
  throw usage(
    `${family.name.replaceAll('_', '-')} ${operation.action} takes no --latest: that is for items a person has several of, as in refunds.`,
    say`Rows may name an item by anything unique to it: ${without}`,
  );
}

/** The operation that the rows mean, and the initial input of each row. */
type RowsMeant = FamilyOperation & Partial<Pick<BulkInput, 'subject' | 'base'>> & { readonly used: number };

/** A family action that is not an operation, as the operation its rows mean: `customers note`. */
async function ownActionMeant([first = '', second = '']: readonly string[]): Promise<RowsMeant | undefined> {
  const entry = familyByCommand(first);
  const rows = entry && familyAction(entry.name, second)?.rows;
  if (!entry || !rows) return undefined;
  const [family, subject] = await Promise.all([loadFamily(rows.family), loadFamily(entry.name)]);
  const operation = findOperation(family, rows.action);
  return (
    operation && {
      family,
      operation,
      used: 2,
      base: { ...rows.base },
      subject: { field: rows.subject, family: subject },
    }
  );
}

function conditionOf({ where, with: along, without }: BulkOptions): RowCondition | undefined {
  const isAsked = [where, along, without].some((one) => one !== undefined);
  return isAsked ? { where, with: along, without } : undefined;
}

/** Runs on the matching rows of a list; rows whose match is unknown are left out, with a note. */
async function runChosen(
  context: Context,
  given: BulkInput,
  condition: RowCondition,
  options: BulkOptions,
): Promise<Done> {
  const { family, operation } = given;
  if (pathParameters(operation).length !== 1)
    throw usage('--where and --with choose items, but this action takes several ids, or none: give --input.');
  await refuseReadOnly(context, operation, operation.risk);
  const { chosenIds } = await import('../../../session/read/still-fits.js');
  const { ids, doubt } = await chosenIds(context, await openReader(context), family, {
    ...options,
    ...condition,
  });
  if (doubt) context.notes.warn(doubt.message);
  if (ids.length === 0) {
    const mark = literalMark(condition.where);
    if (mark !== undefined) context.notes.warn(mark);
    context.notes.note('No items match: there is nothing to do.');
    return { result: { shape: 'nothing' }, finish: () => doubt };
  }
  const done = await bulkRun(context, { ...given, chosen: { ids, condition } });
  return { ...done, finish: async () => (await done.finish?.()) ?? doubt };
}

/** The line with the two words swapped, or with our word for the journal action. */
async function meantHint(context: Context, head: string, [second = '', ...rest]: readonly string[]): Promise<Text> {
  const many = (await import('../../guess/wrong-line.js')).postponedTogether(context.world.argv);
  if (many) return many;
  const own = actionOfCommand('bulk', head);
  const turned = second !== '' && (await operationMeant([second, head])) !== undefined;
  const { argv } = context.world;
  const at = argv.indexOf(head);
  const words = own !== undefined ? argv.with(at, own) : argv.with(at, second).with(argv.indexOf(second), head);
  if (own !== undefined || (turned && at < argv.indexOf(second))) return say`Did you mean "${copsLine(words)}"?`;
  const file = [second, ...rest].find((word) => kindByName(word)) ?? 'rows.csv';
  const example = cops`bulk subscriptions suspend --input ${file}`;
  return say`Give a family and an action, as in ${example}, or one of ${Object.keys(ON_JOURNALS).join(', ')} and a journal.`;
}

/** The source of the rows; a lone word that is a file name stands for the option that reads it. */
function filed(context: Context, words: readonly string[], { ids, input }: BulkOptions) {
  const [word = '', ...others] = words;
  const option = others.length > 0 ? undefined : /\.txt$/i.test(word) ? '--ids' : kindByName(word) && '--input';
  if (option === undefined || ids !== undefined || input !== undefined)
    return { ids: words.length > 0 ? words : undefined, idsFile: ids, inputFile: input };
  context.notes.note(`${word} is read as ${option} ${shellWord(word)}.`);
  return option === '--ids' ? { idsFile: word } : { inputFile: word };
}

/** The only unfinished journal, if there is exactly one and a person can see which one it is. */
async function onlyOpen(context: Context): Promise<string | undefined> {
  if (!(await context.prompter()).canPrompt()) return undefined;
  const [only, ...others] = await openJournals(context);
  if (only === undefined || only.account.mode !== undefined || others.length > 0) return undefined;
  context.notes.note(`The only unfinished journal: ${only.path}`);
  return only.path;
}

/** The line with the newest unfinished journal, ready to paste. */
async function journalHint(context: Context, head: string): Promise<Text> {
  const open = await openJournals(context);
  const all = say`${cops`bulk list`} lists this machine's journals, with the rows left in each.`;
  const [newest] = open;
  if (newest === undefined) return all;
  const more = open.length - 1;
  const others = more === 0 ? '' : say` ${more} more ${more === 1 ? 'is' : 'are'} unfinished: ${cops`bulk list`}.`;
  const plain = cops`bulk ${head} ${newest.path}`.in(newest.account.profile, newest.account.mode);
  const line = newest.next.find(({ words }) => words[1] === head) ?? plain;
  return say`Did you mean "${line}"?${others}`;
}

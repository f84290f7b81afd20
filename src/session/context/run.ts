import { type CopsError, usage, type Would } from '../../base/errors/errors.js';
import { Item, itemsOf } from '../../items/json/item-json.js';
import { atOnce } from '../../screen/notes.js';
import type { Result } from '../../screen/types.js';
import type { CommandInput, Context, Done } from './context.js';
import type { CommandSpec, SubcommandSpec } from './spec.js';

/** A run that returns only data. */
export function shownAs<Options extends object>(
  act: (context: Context, input: CommandInput<Options>) => Promise<Result>,
): Run<Options> {
  return async (context, input) => ({ result: await act(context, input) });
}

type Run<Options extends object> = (context: Context, input: CommandInput<Options>) => Promise<Done>;

/** A context for long work: its notes are printed as they come. */
export const tellingAtOnce = (context: Context): Context =>
  Object.create(Object.getPrototypeOf(context), {
    ...Object.getOwnPropertyDescriptors(context),
    notes: { value: atOnce(context.notes), enumerable: true },
  });

/** A run that chooses by the subcommand. */
export function bySubcommand<Options extends object>(runs: Readonly<Record<string, Run<Options>>>): Run<Options> {
  return (context, input) => {
    const run = Object.hasOwn(runs, input.subcommand) ? runs[input.subcommand] : undefined;
    if (!run) throw new Error(`nothing runs ${input.subcommand}`);
    return run(context, input);
  };
}

/** A local record as a result. */
export function one(value: object): Extract<Result, { shape: 'one' }> {
  return { shape: 'one', item: Item.of(value) };
}

/** A local record, shown with all its members in order. */
export function record(value: object): Result {
  return { shape: 'one', item: Item.of(value), columns: Object.keys(value).map((path) => ({ path })) };
}

/** A schema or a document as indented JSON, which no format changes. */
export const jsonText = (value: object): Extract<Result, { shape: 'text' }> => ({
  shape: 'text',
  text: `${JSON.stringify(value, undefined, 2)}\n`,
});

/** Local records as a result; by default the first column names a row. */
export function listOf(rows: Iterable<object>, columns: readonly string[], idField = columns[0] ?? ''): Result {
  return { shape: 'list', items: itemsOf(rows), columns: columns.map((path) => ({ path })), idField };
}

/** How a command handles `--dry-run`, according to its spec; undefined if it refuses it. */
export function dryRunOf(
  { commands, dryRun }: Pick<CommandSpec, 'commands' | 'dryRun'>,
  subcommand: string,
): SubcommandSpec['dryRun'] {
  if (subcommand === '') return dryRun;
  return commands?.find(({ name }) => name === subcommand)?.dryRun;
}

/** The refusal (2) of a dry run that could only act, or say nothing. */
export function noDryRun(command: string): CopsError {
  return usage(`cops ${command} has no dry run: it cannot show what it would do.`, 'Nothing was done.');
}

/** The refusal (2) of `--curl` if there is no request to the service to show. */
export function noCurl(command: string, why?: string): CopsError {
  return usage(
    why === undefined
      ? `cops ${command} sends no request that --curl could show.`
      : `cops ${command} takes no --curl: ${why}.`,
    'It shows the requests of families, `api`, exports, tails, bulk runs and commands that look one thing up.',
  );
}

/** A dry run that reached its first effect: says what it would do, and has done none of it. */
export function wouldBeDone({ notes }: Pick<Context, 'notes'>, { what }: Would): Done {
  notes.note('Dry run: nothing was changed.');
  return { result: record({ would: what }) };
}

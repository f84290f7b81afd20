import { Item, itemsOf } from '../../items/json/item-json.js';
import type { Result } from '../../screen/types.js';
import type { CommandInput, Context, Done } from './context.js';

/** A run that leaves nothing but its data. */
export function shownAs<Options extends object>(
  act: (context: Context, input: CommandInput<Options>) => Promise<Result>,
): Run<Options> {
  return async (context, input) => ({ result: await act(context, input) });
}

type Run<Options extends object> = (context: Context, input: CommandInput<Options>) => Promise<Done>;

/** A run that chooses by the command below the command. */
export function bySubcommand<Options extends object>(runs: Readonly<Record<string, Run<Options>>>): Run<Options> {
  return (context, input) => {
    const run = Object.hasOwn(runs, input.subcommand) ? runs[input.subcommand] : undefined;
    if (!run) throw new Error(`nothing runs ${input.subcommand}`);
    return run(context, input);
  };
}

/** A local record as a result. */
export function one(value: object): Result {
  return { shape: 'one', item: Item.of(value) };
}

/** A local record that is shown by all its members, in their order. */
export function record(value: object): Result {
  return { shape: 'one', item: Item.of(value), columns: Object.keys(value).map((path) => ({ path })) };
}

/** Local records as a result; the first column names a row unless told otherwise. */
export function listOf(rows: Iterable<object>, columns: readonly string[], idField = columns[0] ?? ''): Result {
  return { shape: 'list', items: itemsOf(rows), columns: columns.map((path) => ({ path })), idField };
}

import type { CopsError } from '../errors/errors.js';
import type { Result } from '../output/types.js';
import type { Context } from './context.js';

/** What a command line asks for, ready to run: parsed, nothing done yet. */
export type Job = (context: Context) => Promise<Done>;

/** What a job leaves: data to be shown, and what is to be said once it is shown. */
export interface Done {
  readonly result: Result;
  /** True when writes were made: what became of them counts also when the reader of the data went away. */
  readonly wrote?: true;
  /**
   * Runs after the data is out whole: says what remains to be said, and returns the error that decides the exit
   * code, if one does (a list that could not be proven complete).
   */
  readonly finish?: () => Promise<CopsError | undefined> | CopsError | undefined;
}

/** What stood on the line for a command. */
export interface CommandInput<Options extends object = object> {
  /** The command below the command: `add` of `profiles add`; empty where there is none. */
  readonly subcommand: string;
  /** The words behind it, in their order. */
  readonly words: readonly string[];
  /** Options that were given, by the parser's camel-case name (`--no-check` is `check: false`). */
  readonly options: Options;
  /** The family of a family's action, by the name of its path; empty for a command. */
  readonly family: string;
}

/** What `src/commands/<name>/run.ts` exports. */
export interface CommandModule {
  run(context: Context, input: CommandInput): Promise<Done>;
}

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

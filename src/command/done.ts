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

import type { Glance } from '../../account/profiles/glance.js';
import type { SeenId } from '../../account/seen-ids/ids.js';
import type { CompletionAnswer } from './answer.js';
import type { KnownOption } from './complete-options.js';

/** What completion knows of this user; each part is read when it is asked for. */
export interface Facts {
  configuration(): Glance;
  /** Ids seen of a family in the profile and mode that the line means. */
  seen(family: string, said: { readonly profile?: string | undefined; readonly mode?: string | undefined }): SeenId[];
}

/** What the words so far lead to: the options that are possible there, and the words that may follow. */
export interface CompletionScene {
  readonly options: readonly KnownOption[];
  /** How many positional words name the place itself. */
  readonly used: number;
  positional(given: readonly string[], typed: string): CompletionAnswer | Promise<CompletionAnswer>;
}

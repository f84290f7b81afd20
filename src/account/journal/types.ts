import type { IntentLine, JournalHeader, JournalLine, RunLimits } from './journal-lines.js';
import type { JournalState } from './state.js';

/** A journal that this process works on, and no other. */
export interface Journal {
  /** The state of its lines when it was opened; code that appends a line also applies it. */
  readonly state: JournalState;
  /** True if its end was damaged and cut off. */
  readonly healed: boolean;
  /** The clock used for the times in its lines, if it is not this machine's, milliseconds. */
  now?(): number;
  /** How many rows to record before it is their turn to be sent, if a record takes its time; none by default. */
  readonly ahead?: number;
  /** How long from now to leave rows alone that another process began and may still be sending, milliseconds. */
  othersMs?(): number;
  /** The time for a line: never earlier than that of any line before it. */
  stamp(): string;
  /** Appends; resolves when the line survives the end of this process, or of the machine with `durable`. */
  append(line: Exclude<JournalLine, JournalHeader>, durable: boolean): Promise<void>;
  /** Appends an intent: `written` when it survives this process, `synced` when it survives the machine. */
  intend(line: IntentLine): { readonly written: Promise<void>; readonly synced: Promise<void> };
  close(): Promise<void>;
}

/** The content read from a journal. */
export interface JournalScan {
  readonly state: JournalState;
  /** True if its end is damaged: the damaged part is left out. */
  readonly torn: boolean;
}

/** One journal by its name; it need not exist yet. */
export interface JournalPlace {
  readonly name: string;
  /** True if it belongs to a team: other profiles and machines can continue it. */
  readonly isShared?: true;
  /** Begins it. @throws CopsError usage (2) when it already exists, local (11) while another process holds the run */
  create(header: JournalHeader): Promise<Journal>;
  /**
   * Opens the journal of the run `id` to continue it.
   * @throws CopsError local (11) when it is another run's, damaged, or held by another process
   */
  open(id: string, credential: string, limits?: RunLimits): Promise<Journal>;
  /**
   * Reads it, while others work on it too.
   * @param see called with every line
   * @throws CopsError local (11) when there is none, or it is damaged before its end: a lost intent would be sent anew
   */
  scan(see?: (line: JournalLine) => void): Promise<JournalScan>;
  /** Lines by the offsets from `JournalState.offset`, in their order. */
  lines(offsets: Iterable<number>): AsyncIterable<JournalLine | undefined>;
}

/** The existing runs, and the name of each one's journal. */
export interface Runs {
  /** True if a team shares them: journals then have names and are not files. */
  readonly isShared?: true;
  /** A new journal name, for a command that needs one. */
  newName(command: string): Promise<string>;
  /** The journal of the unfinished run recorded under this digest of everything that makes two runs equal. */
  begun(equal: string): Promise<string | undefined>;
  /**
   * Notes which journal a run has, before its first row leaves.
   * @throws CopsError stopped (12) where a team was given the same before, and not `again`
   */
  note(equal: string, journal: string, again?: boolean): Promise<void>;
  /** Forgets a run that has ended. */
  forget(equal: string): Promise<void>;
  /** The journals of runs that may have begun rows with these marks (16 digits of a tag) and not ended. */
  unfinished(marks: Iterable<string>): Promise<readonly string[]>;
  /** Unfinished journals kept elsewhere, then our own, newest first. */
  journals(): Promise<readonly string[]>;
}

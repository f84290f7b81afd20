import type { Worker } from 'node:worker_threads';
import type { Transport } from './transport.js';

/** The outside world as one record that is passed in, so that every effect can be faked. */
export interface World {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /**
   * Writes a short answer to standard output, whole when it returns; a reader that went away is no fault. The stream
   * is not opened for it: that takes longer than all else a short answer needs. `aside` is for a person only: it
   * follows on standard error where both streams are a terminal.
   * @throws the system's error when the text cannot be written (full disk).
   */
  print(text: string, aside?: string): void;
  /** The clock, milliseconds since the epoch. */
  now(): number;
  /** When the process began, by the same clock; absent where that tells nothing. */
  readonly started?: number;
  /** IANA name of the zone of this machine. */
  readonly zone: string;
  /** Version of this program. */
  readonly version: string;
  /** Version of Node: `20.18.0`. */
  readonly nodeVersion: string;
  /** A version 4 UUID. */
  uuid(): string;
  /** A number in [0, 1), for jitter. */
  random(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Aborted on the first Ctrl-C or SIGTERM; its reason is an `Interrupted` error. */
  readonly interrupted: AbortSignal;
  /**
   * A command that has something to finish (a write in flight, a checkpoint) takes over the meaning of the
   * first signal; without a taker the program stops by `interrupted`. Returns the undo.
   */
  onSignal(handler: (signal: 'SIGINT' | 'SIGTERM', count: number) => void): () => void;
  /**
   * Says that a write has left: from here on nothing but the third signal ends the process before the command has told
   * its outcome, and then these words and this exit code are told. Undefined ends it.
   */
  readonly holdUntilTold?: (lastWords: (() => LastWords) | undefined) => void;
  /**
   * Starts a pager on this terminal, given as a shell takes it, with variables beside those of the environment.
   * Undefined when its program is not there.
   */
  readonly openPager?: (command: string, env: Readonly<Record<string, string>>) => Promise<PagerProcess | undefined>;
  /** Runs these words by this program in a process of its own; absent where there is none to run. */
  readonly runAgain?: ((words: readonly string[], signal: AbortSignal) => Promise<ProgramEnd>) | undefined;
  /** Starts another program on the streams of this one, and gives its exit code; 128 and its number where a signal ended it. */
  readonly runProgram?: (
    file: string,
    args: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
  ) => Promise<number>;
  /** Is told of each line that an error proposes, and what is wrong with it: tests let none pass. */
  readonly onProposal?: (line: string, fault: string | undefined) => void;
  /** What each way to the service goes through, once it is opened. */
  readonly through?: ((way: Transport) => Transport) | undefined;
  /**
   * Of a line that somebody else wrote: it reaches files of these folders and the embedded service, no other file, no
   * network and no other program.
   */
  readonly confined?: Confinement | undefined;
  /** A thread for functions of the sandbox that stays when a line ends: it takes longer to start than most lines. */
  readonly functionThread?: KeptThread | undefined;
  /** Sets flags of the JavaScript engine for the rest of this process; absent where others share it. */
  readonly tuneEngine?: (...flags: readonly string[]) => void;
}

/** A thread that several lines use one after the other; whoever made the place ends it. */
export interface KeptThread {
  worker: Worker | undefined;
  /** What it was given last: nobody gives it more before that has ended. */
  last?: Promise<unknown>;
}

/** How a run of the program in a process of its own ended. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The walls around a line that somebody else wrote. */
export interface Confinement {
  readonly folders: readonly string[];
  /** Whether a command, or an action of a family, may run; operations of the service always may. */
  allows(command: string, subcommand: string): boolean;
}

/** A program that shows long answers a screen at a time. */
export interface PagerProcess {
  /** What it reads. */
  readonly input: NodeJS.WritableStream;
  /** Resolves when it has ended, however that came. */
  readonly ended: Promise<void>;
  /** Ends it. */
  kill(): void;
}

/** What is told when the process is made to end before the command could tell the outcome of a write. */
export interface LastWords {
  readonly text: string;
  readonly exitCode: number;
}

/**
 * The home of a user who has none: nothing is in it, and nobody can make anything in it, not even root. So what only reads
 * goes on without it, and what must keep something fails where it does.
 */
export const NO_HOME = '/proc/no-home';

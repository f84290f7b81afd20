import type { Worker } from 'node:worker_threads';
import type { Transport } from './transport.js';

/** The outside world as one record, passed in so that every effect can be faked. */
export interface World {
  /** Arguments after the program name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /**
   * Writes a short answer to standard output, synchronously and in full; a closed reader is not an error. Does not open
   * the stream, which takes longer than the rest of a short answer. `aside` is for a person only: it follows on
   * standard error where both streams are a terminal.
   * @throws the system's error when the text cannot be written (full disk).
   */
  print(text: string, aside?: string): void;
  /** The clock, in milliseconds since the epoch. */
  now(): number;
  /** When the process began, by the same clock; absent where that means nothing. */
  readonly started?: number;
  /** IANA name of this machine's time zone. */
  readonly zone: string;
  /** Version of this program. */
  readonly version: string;
  /** Version of Node: `20.18.0`. */
  readonly nodeVersion: string;
  /** The file this program was started from, with links resolved; absent if there is none. */
  readonly program?: ProgramFile | undefined;
  /** A version 4 UUID. */
  uuid(): string;
  /** A number in [0, 1), for jitter. */
  random(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Aborted on the first Ctrl-C or SIGTERM, with an `Interrupted` error as its reason. */
  readonly interrupted: AbortSignal;
  /**
   * Lets a command that must finish something (a write in flight, a checkpoint) handle the first signal itself; without
   * a handler the program stops by `interrupted`. Returns a function that removes the handler.
   */
  onSignal(handler: (signal: 'SIGINT' | 'SIGTERM', count: number) => void): () => void;
  /**
   * Marks that a write has been sent: until the command has reported its outcome, only the third signal ends the
   * process, and then it prints these words and exits with this code. Undefined lifts the hold.
   */
  readonly holdUntilTold?: (lastWords: (() => LastWords) | undefined) => void;
  /**
   * Starts a pager on this terminal. `command` is a shell command; `env` adds to the environment. Resolves to undefined
   * when its program does not exist.
   */
  readonly openPager?: (command: string, env: Readonly<Record<string, string>>) => Promise<PagerProcess | undefined>;
  /** Runs this program again with these arguments in its own process; absent where that is impossible. */
  readonly runAgain?: ((words: readonly string[], signal: AbortSignal) => Promise<ProgramEnd>) | undefined;
  /**
   * Runs another program on our own streams and returns its exit code, or 128 plus the number of the signal that ended
   * it.
   */
  readonly runProgram?: (
    file: string,
    args: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
  ) => Promise<number>;
  /** Called with each command line that an error proposes, and what is wrong with it: tests refuse any fault. */
  readonly onProposal?: (line: string, fault: string | undefined) => void;
  /** Wraps each transport to the service once it is open. */
  readonly through?: ((way: Transport) => Transport) | undefined;
  /**
   * Set for a command line that somebody else wrote: it may reach files in these folders and the embedded service, but
   * no other files, no network and no other programs.
   */
  readonly confined?: Confinement | undefined;
  /** A thread for sandbox functions that outlives a command line: starting one takes longer than most commands. */
  readonly functionThread?: KeptThread | undefined;
  /** Sets flags of the JavaScript engine for the rest of this process; absent where the process is shared. */
  readonly tuneEngine?: (...flags: readonly string[]) => void;
}

/** The file of this program. */
export interface ProgramFile {
  readonly path: string;
  /** The program and Node in one file, instead of a script that Node runs. */
  readonly isExecutable: boolean;
}

/** A thread that several command lines use in turn; the creator of this holder ends it. */
export interface KeptThread {
  worker: Worker | undefined;
  /** The thread's latest job: it gets no other before this one ends. */
  last?: Promise<unknown>;
  /** The answers to requests that functions make; without them, functions cannot make any. */
  stubs?: readonly FunctionStub[] | undefined;
}

/** The answer to requests of functions; nothing is sent. */
export interface FunctionStub {
  /** `*` stands for any text. */
  readonly url: string;
  readonly method?: string | undefined;
  readonly status?: number | undefined;
  /** A text, or a value to send as JSON. */
  readonly body?: unknown;
}

/** How a run of the program in a separate process ended. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The limits on a command line that somebody else wrote. */
export interface Confinement {
  readonly folders: readonly string[];
  /** Whether a command, or an action of a family, may run; operations of the service always may. */
  allows(command: string, subcommand: string): boolean;
}

/** A program that shows a long answer one screen at a time. */
export interface PagerProcess {
  /** What the pager reads. */
  readonly input: NodeJS.WritableStream;
  /** Resolves when the pager has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends the pager. */
  kill(): void;
}

/** The words to print when the process is forced to end before the command could report the outcome of a write. */
export interface LastWords {
  readonly text: string;
  readonly exitCode: number;
}

/**
 * The home of a user who has none: it is empty, and nobody can create anything in it, not even root. So reads continue
 * without it, and writes fail where they happen.
 */
export const NO_HOME = '/proc/no-home';

/**
 * Grows the heap in small steps: by default, V8 lets garbage of several times the live size build up before it
 * collects.
 */
export const SMALL_HEAP = ['--heap-growing-percent=30', '--max-semi-space-size=4', '--semi-space-growth-factor=1'];
/**
 * Optimising a function takes a thread about as long as reading thousands of items: only code that stays hot benefits.
 */
export const HOT_ONLY = '--interrupt-budget=600000';

import type { Profile } from '../../account/profiles/types.js';
import type { Team } from '../../account/team/team.js';
import type { CopsError } from '../../base/errors/errors.js';
import type { Text } from '../../base/text/command-line.js';
import type { Transport } from '../../base/transport.js';
import type { World } from '../../base/world.js';
import type { Notes, Result, ScreenSettings } from '../../screen/types.js';
import type { GlobalOptions } from './global-options.js';

export type { GlobalOptions };

/** Questions to the person at the terminal; only if `canPrompt` says that there is one. */
export interface Prompter {
  canPrompt(): boolean;
  confirm(question?: string): Promise<boolean>;
  /** True when exactly `expected` is typed. */
  typed(question: string, expected: string): Promise<boolean>;
  secret(question: string): Promise<string>;
  text(question: string, initial?: string): Promise<string>;
  /** One choice from a list that narrows as the user types; undefined if none is chosen. */
  pick(question: string, choices: readonly PickedLine[]): Promise<string | undefined>;
}

/** One line of a list to pick from: typed text is searched for in `name`. */
export interface PickedLine {
  readonly value: string;
  readonly name: string;
}

/** What a command receives: parsed options, and functions that do their work on first call. */
export interface Context {
  readonly world: World;
  readonly options: GlobalOptions;
  readonly notes: Notes;
  /** The command in words, for history and messages: `subscriptions cancel`. */
  readonly command: string;
  /** The resolved profile, made once. */
  profile(): Promise<Profile>;
  settings(): Promise<ScreenSettings>;
  /**
   * The way to the service of the resolved profile, created once and closed by the caller of the command. The first
   * call decides how many connections it may have; a call with a number will send many requests.
   */
  transport(connections?: number): Promise<Transport>;
  prompter(): Promise<Prompter>;
  /** The team's ledger, created once and closed by the caller of the command; undefined if none is in use. */
  team?(): Promise<Team | undefined>;
  /** The current time, fixed once for this command by `clock`, in milliseconds. */
  now(): Promise<number>;
  /** What the clock of the profile in use shows at each call, milliseconds: for the sandbox, its own clock. */
  clock(): Promise<number>;
  /**
   * Does the work once the answer is out, or right away if no command follows. A write recorded as done only then
   * counts as unknown if the process is killed before anybody saw the result, and is not sent again.
   */
  whenTold(work: () => Promise<void>): Promise<void>;
  /**
   * A text as it is shown: the parser has checked its lines, and they name this profile and mode. Undefined if nothing
   * remains without the lines that would not run.
   */
  shown(text: Text): Promise<string | undefined>;
  /** The same command for another profile and mode, with a separate connection; by default in its own mode. */
  inEnvironment(profile: string, mode: 'test' | 'live' | undefined): Context;
  /** Runs another command line in its own world and returns its exit code. */
  runLine(world: World): Promise<number>;
  /** Headers given on the command line itself. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Folder of the configuration (proofs, history) and of data (sandbox database, caches). */
  readonly configDir: string;
  readonly dataDir: string;
}

/** A command line ready to run: parsed, nothing done yet. */
export type Job = (context: Context) => Promise<Done>;

/** The result of a job: data to show, and what to say afterwards. */
export interface Done {
  readonly result: Result;
  /** True if it made writes: their outcome counts even if the reader of the data went away. */
  readonly wrote?: true;
  /** The exit code of another program that the line ran. */
  readonly exitCode?: number;
  /** True for an answer to `--curl`. */
  readonly isCurl?: true;
  /** Called once the data is out: says what is left to say, and returns the error that sets the exit code. */
  readonly finish?: () => Promise<CopsError | undefined> | CopsError | undefined;
}

/** The arguments and options given to a command. */
export interface CommandInput<Options extends object = object> {
  /** The command below the command: `add` of `profiles add`; empty if there is none. */
  readonly subcommand: string;
  /** The arguments after it, in order. */
  readonly words: readonly string[];
  /** Options that were given, by the parser's camel-case name (`--no-check` is `check: false`). */
  readonly options: Options;
  /** The family of a family's action, by the name of its path; empty for a command. */
  readonly family: string;
}

/** What `src/cli/commands/<name>/run.ts` exports. */
export interface CommandModule {
  run(context: Context, input: CommandInput): Promise<Done>;
}

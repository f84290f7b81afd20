import { rowsBy } from '../../base/text/rows.js';

/** A choice with a few words about it, for shells that show them. */
export type Choice = string | readonly [value: string, about: string];

/** What completion offers for a value: one of the kinds of `cli/completion/complete-values.ts`, or fixed words. */
export type OfferedValues = ValueKind | readonly Choice[];

export type ValueKind =
  | 'profile'
  | 'setting'
  | 'setting value'
  | 'file'
  | 'file or input'
  | 'family'
  | 'listed family'
  | 'written family'
  | 'written action'
  | 'operation'
  | 'path'
  | 'clock value'
  | 'event'
  | 'help';

/** An option in the parser's notation. */
export interface OptionSpec {
  /** `-d, --data <path=value>`. */
  readonly flags: string;
  readonly about: string;
  /** May be repeated. */
  readonly many?: boolean | undefined;
  readonly required?: boolean | undefined;
  /** It consents to something dangerous, or says that a repetition is meant: typed with each use, never in an alias. */
  readonly consents?: boolean | undefined;
  /** The option of which this is another name. */
  readonly sameAs?: string | undefined;
  /** True if help and hints leave it out. */
  readonly isHidden?: boolean | undefined;
  /** What completion offers; by default the option's name decides (`--from`, `--output`, ...). */
  readonly values?: readonly Choice[] | 'body field' | undefined;
}

/** An argument of a command. */
export interface ArgumentSpec {
  /** `<file>`, `[shell]`, `<words...>`. */
  readonly name: string;
  readonly about?: string | undefined;
  readonly values?: OfferedValues | undefined;
  /** Words allowed here instead, for an action on the files that follow. */
  readonly instead?: readonly Choice[] | undefined;
}

/** A subcommand: `profiles add`. */
export interface SubcommandSpec {
  readonly name: string;
  /** One sentence for its help and for completion. */
  readonly about: string;
  readonly arguments?: readonly ArgumentSpec[] | undefined;
  readonly options?: readonly OptionSpec[] | undefined;
  /** Replaces the parser's text after `Usage: cops <name>`. */
  readonly usage?: string | undefined;
  /** Values of `--output` besides the common ones, which the command writes itself as text. */
  readonly formats?: readonly string[] | undefined;
  /** Runnable lines without the leading `cops`, for its help. */
  readonly examples?: readonly string[] | undefined;
  /** True if a command line follows: options unknown to the command belong to that line. */
  readonly lineFollows?: true | undefined;
  /**
   * How it handles `--dry-run`. `reads`: it only reads anyway. `shows`: it says what it would send or change. A command
   * that states neither refuses a dry run; a group of commands states it for each.
   */
  readonly dryRun?: 'reads' | 'shows' | undefined;
  /** `reads`: each of its reads depends on the one before, so `--curl` sends and shows them instead of the answer. */
  readonly curl?: 'reads' | undefined;
  /** Why `--curl` shows nothing, if the reason is not that it sends nothing. */
  readonly noCurl?: string | undefined;
}

/** The name and parameters of a command: plain data, so that help and completion load nothing heavy. */
export interface CommandSpec extends SubcommandSpec {
  /** A few words for the list of commands; `description` is the sentence of its own help. */
  readonly about: string;
  readonly description: string;
  /** Its position in the list of commands, smallest first. */
  readonly place: number;
  readonly commands?: readonly SubcommandSpec[] | undefined;
  /** Text after the options in its help. */
  readonly notes?: string | undefined;
  /**
   * Also takes options of the family that the line names: `read` by the command itself, or `parsed` with all that the
   * family's list takes.
   */
  readonly familyOptions?: 'read' | 'parsed' | undefined;
}

/** The operation behind a family's action; the field `subject` of its body says whose each row is. */
export interface RowsOfAction {
  readonly family: string;
  readonly action: string;
  readonly base: Readonly<Record<string, string>>;
  readonly subject: string;
}

/** An action of families that is not an operation of the service: `check` of a file, `tail` of a list. */
export interface FamilyActionSpec extends SubcommandSpec {
  /** The families that have it, by path name. */
  readonly families: readonly string[];
  /** Other words for it. */
  readonly aliases?: readonly string[] | undefined;
  /** True if it takes the filters of the family's list as options. */
  readonly listFilters?: boolean | undefined;
  /** The operation that `cops bulk` runs for its rows. */
  readonly rows?: RowsOfAction | undefined;
  /** The operations it writes with, which a policy judges; of its own family if none is named. */
  readonly writes?: readonly string[] | undefined;
}

/** Rows by the name of each: what it is about, or all that is said of it. */
export const optionRows = rowsBy<'flags', Omit<OptionSpec, 'flags'>>('flags');
export const argumentRows = rowsBy<'name', Omit<ArgumentSpec, 'name'>>('name');
export const subcommandRows = rowsBy<'name', Omit<SubcommandSpec, 'name'>>('name');

type OptionsIn<Spec> = Spec extends { readonly options: readonly (infer Option)[] } ? Option : never;
type EveryOption<Spec> =
  | OptionsIn<Spec>
  | (Spec extends { readonly commands: readonly (infer Subcommand)[] } ? OptionsIn<Subcommand> : never);
type LongName<Flags> = Flags extends `${string}--no-${infer Name}`
  ? Name
  : Flags extends `${string}--${infer Name}`
    ? Name
    : never;
type CamelCase<Text> = Text extends `${infer Name} ${string}`
  ? CamelCase<Name>
  : Text extends `${infer Word}-${infer Rest}`
    ? `${Word}${Capitalize<CamelCase<Rest>>}`
    : Text;
type ValueOf<Option> = Option extends { readonly flags: `${string}--no-${string}` }
  ? false
  : Option extends { readonly flags: `${string} <${string}` }
    ? Option extends { readonly many: true }
      ? readonly string[]
      : string
    : Option extends { readonly flags: `${string} [${string}` }
      ? string | true
      : boolean;

/** The name under which the parser gives an option: `idempotencyKey` for `--no-idempotency-key`. */
export type OptionName<Option> = CamelCase<LongName<Option['flags' & keyof Option]>> & string;

/** The options of a command and its subcommands as typed, by the parser's camel-case names. */
export type OptionsOf<Spec> = {
  readonly [Option in EveryOption<Spec> as OptionName<Option>]?: ValueOf<Option>;
};

/** Defaults: each number is defined once, for the code that uses it and for the help that states it. */
export const DEFAULTS = {
  /** `--next` of a forecast. */
  forecast: '90d',
  /** `--timeout`, seconds. */
  timeout: 60,
  /** `--max-wait`, seconds. */
  maxWait: 60,
  maxRetries: 4,
  /** `--limit` of a list on a terminal; no limit elsewhere. */
  terminalItems: 100,
  /** `--limit` of `sql` on a terminal. */
  terminalRows: 100,
  /** `--concurrency`: requests at once. */
  bulkConcurrency: 4,
  exportConcurrency: 32,
  setupConcurrency: 8,
  /** `tail --interval`, seconds. */
  tailInterval: 5,
  /** `report --overdue-days`. */
  overdueDays: 30,
  /** A mirror older than this is updated before it answers. */
  mirrorAge: '1h',
  /** `mcp --max-bytes`. */
  answerBytes: 16_384,
} as const;

/** The mirror that a command reads. */
export const MIRROR_PLACE = {
  flags: '--mirror <place>',
  about: "the file or postgres:// address to read (default: the profile's own, else the one synced last)",
} as const satisfies OptionSpec;
/** How a query of the mirror keeps it up to date. */
export const KEEPING = [
  MIRROR_PLACE,
  { flags: '--max-age <span>', about: `first update data that is older (default ${DEFAULTS.mirrorAge})` },
  { flags: '--sync', about: 'update the mirror first, using as many requests as needed' },
  { flags: '--no-sync', about: 'answer from the mirror as it is, without requests' },
] as const satisfies readonly OptionSpec[];

export const REASON_OPTION = {
  flags: '--reason <text>',
  about: 'reason, kept in the history here and not sent to the service; a policy may require it',
} as const satisfies OptionSpec;

export const STRICT_IDS_OPTION = {
  flags: '--no-strict-ids',
  about: 'with --yes: a name confirms a live write just as an id does',
  consents: true,
} as const satisfies OptionSpec;

/** Options that distinguish a write from its repetition. */
export const REPEAT_OPTIONS = [
  { flags: '--idempotency-key <key>', about: 'use this key instead of a new one', consents: true },
  { flags: '--no-idempotency-key', about: 'send without a key; then nothing is ever retried' },
  { flags: '--again', about: 'repeat a write whose outcome is unknown', consents: true },
] as const satisfies readonly OptionSpec[];

/** Options that say where keys are, for the commands that store them. */
export const KEY_OPTIONS = [
  { flags: '--test-key <ref>', about: 'where the test key is: env:NAME, @file, - (standard input), cmd:<command>' },
  { flags: '--live-key <ref>', about: 'where the live key is, in the same forms' },
  { flags: '--store <place>', about: 'file (default) or keychain: where to store the keys given here' },
] as const satisfies readonly OptionSpec[];

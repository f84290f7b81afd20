import { oneOf } from '../../base/errors/nearest.js';
import { FORMATS } from '../../screen/output-formats.js';
import { DEFAULTS, type OptionName, type OptionSpec, REPEAT_OPTIONS, STRICT_IDS_OPTION } from './spec.js';

/** One global option as commander and help want it (command-line.md#global-options). */
export interface GlobalOption {
  /** As `OptionSpec` has it. */
  readonly consents?: boolean;
  readonly flags: string;
  readonly about: string;
  /** For an option that takes a number: the allowed values. */
  readonly number?: {
    readonly low: number;
    readonly high: number;
    readonly whole?: true;
    /** The value if the option is not given. */
    readonly usual?: number;
  };
  /** For an option that takes one of a few words. */
  readonly choices?: readonly string[];
}

/** Seconds that make sense. */
const LONGEST = 86_400;

/** The global options, accepted anywhere on the line. */
export const GLOBAL_OPTIONS = [
  { flags: '-p, --profile <name>', about: 'profile to use (default: the current one)' },
  { flags: '--live', about: 'use the live key for this command' },
  { flags: '--test', about: 'use the test key for this command' },
  { flags: '--base-url <url>', about: 'address of the service, version 2 root' },
  {
    flags: '-o, --output <format>',
    get about() {
      return oneOf(FORMATS);
    },
  },
  { flags: '--columns <list>', about: 'columns to show, comma-separated dotted paths (id,customer.email)' },
  { flags: '--query <expression>', about: 'JMESPath expression over the whole result' },
  { flags: '--template <text>', about: 'a text for each item: {{id}} {{customer.email}}, \\n and \\t' },
  { flags: '--wide', about: 'do not cut columns to the terminal width' },
  { flags: '--raw', about: "print the service's answers unchanged" },
  { flags: '--csv-safe', about: 'guard csv and tsv cells against being read as formulas' },
  {
    flags: '--times <form>',
    about: 'times in csv, tsv and xlsx: iso (default), or unix (as received)',
    choices: ['iso', 'unix'],
  },
  { flags: '--excel', about: 'csv and tsv that a spreadsheet program in your locale opens directly' },
  { flags: '--tz <zone>', about: 'time zone for dates in and out (IANA name)' },
  {
    flags: '--timeout <seconds>',
    about: `longest wait for one answer (default ${DEFAULTS.timeout})`,
    number: { low: 0.05, high: LONGEST, usual: DEFAULTS.timeout },
  },
  {
    flags: '--max-wait <seconds>',
    about: `longest wait that the service may request (default ${DEFAULTS.maxWait})`,
    number: { low: 0, high: LONGEST, usual: DEFAULTS.maxWait },
  },
  {
    flags: '--max-retries <n>',
    about: `how often to send a failed request again (default ${DEFAULTS.maxRetries})`,
    number: { low: 0, high: 100, whole: true, usual: DEFAULTS.maxRetries },
  },
  {
    flags: '--rate <n>',
    about: 'at most this many requests per second, for all processes that use the key',
    number: { low: 0.01, high: 100_000 },
  },
  { flags: '--dry-run', about: 'show what would be sent or changed, without doing it' },
  {
    flags: '--curl',
    about: 'show the requests as curl commands, the key as $COPS_API_KEY, and send only the reads this needs',
  },
  { flags: '-y, --yes', about: 'answer yes to every question', consents: true },
  {
    flags: '--mode-unproven',
    about: 'with --yes: allow irreversible writes with a test key that no item proves',
    consents: true,
  },
  {
    flags: '--send-key-to <host>',
    about: 'allow a stored key to be sent to this host, which is not the one it was stored for',
    consents: true,
  },
  { flags: '--no-input', about: 'never ask; fail if a question would be needed' },
  { flags: '--no-color', about: 'no colours' },
  { flags: '--no-pager', about: 'write long answers straight to the terminal' },
  { flags: '-q, --quiet', about: 'no notes on standard error, only warnings and errors' },
  { flags: '-v, --verbose', about: 'show more on standard error' },
  { flags: '--debug', about: 'trace requests on standard error, secrets masked' },
  {
    flags: '--log-format <form>',
    about: 'json: one line for each request on standard error, without bodies; text (default)',
    choices: ['text', 'json'],
  },
] as const satisfies readonly GlobalOption[];

const CONSENTS = ([...GLOBAL_OPTIONS, STRICT_IDS_OPTION, ...REPEAT_OPTIONS] as readonly OptionSpec[])
  .filter(({ consents }) => consents)
  .map(({ flags }) => /--[\w-]+/.exec(flags)?.[0]);

/** True for an option that consents, and for `-y` alone or among other letters (`-qy`). */
export function confirms(word: string): boolean {
  // Anything after -p, -o or -d is their value.
  return CONSENTS.includes(word.split('=', 1)[0]) || /^-[a-ce-nq-zA-Z]*y/.test(word);
}

type Typed = (typeof GLOBAL_OPTIONS)[number];
type ValueOf<Option> = Option extends { readonly number: object }
  ? number
  : Option extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Option extends { readonly flags: `${string} <${string}` }
      ? string
      : boolean;
type Always = Exclude<Typed, { flags: `${string} <${string}` }> | Extract<Typed, { number: { usual: number } }>;
type Values<Option extends Typed> = { readonly [One in Option as OptionName<One>]: ValueOf<One> };

/** The global options of one run, parsed and checked; `--no-pager` is `pager: false`. */
export type GlobalOptions = Omit<Values<Always>, 'live' | 'test'> &
  Omit<Partial<Values<Exclude<Typed, Always>>>, 'columns'> & {
    readonly mode?: 'test' | 'live';
    readonly columns?: readonly string[];
  };

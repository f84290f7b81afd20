import { type CommandLine, cops, say, type Text } from '../../base/text/command-line.js';
import { rowsBy } from '../../base/text/rows.js';
import { FORMATS } from '../../screen/output-formats.js';

/** What is known about a profile's setting that is not a key. All that shows or reads settings uses this. */
interface SettingTraits {
  /** Its name in the file. */
  readonly name: string;
  readonly about: string;
  /** What it holds; a list is a choice, `by family` a text for each family. How they are checked: `values.ts`. */
  readonly holds: 'text' | 'number' | 'flag' | 'by family' | readonly string[];
  readonly default?: string | boolean;
  /** What completion offers for a text, each with an explanation. */
  readonly examples?: readonly (readonly [value: string, about: string])[];
  /** The option of `profiles add` and `edit` that sets it. */
  readonly option?: string;
  /** For an option that is a flag: what `--no-…` does. */
  readonly off?: string;
  /** True if any line may give it as a global option, and `profiles add` and `edit` store it. */
  readonly onLine?: true;
  /** The variable that overrides the profile. */
  readonly variable?: string;
  /** Not part of the resolved profile: only the stored value is read. */
  readonly storedOnly?: true;
}

/** In listing order. */
const TABLE = rowsBy<'name', Omit<SettingTraits, 'name'>>('name')({
  base_url: { about: 'address of the service, version 2 root', holds: 'text', onLine: true, variable: 'COPS_BASE_URL' },
  mode: {
    about: 'test or live, if the line does not say',
    holds: ['test', 'live'],
    default: 'test',
    option: '--mode <mode>',
    variable: 'COPS_MODE',
  },
  output: {
    about: 'output format, if the line does not say',
    // The list of formats is checked where it is used: another version's file stays valid.
    holds: FORMATS as readonly string[],
    option: '--default-output <format>',
    variable: 'COPS_OUTPUT',
  },
  columns: {
    about: "columns of a family's list as a table, csv or tsv, when the line does not say: columns.customers",
    holds: 'by family',
    storedOnly: true,
  },
  tz: { about: 'time zone for dates in and out', holds: 'text', onLine: true, variable: 'COPS_TZ' },
  rate: {
    about: 'most requests per second, for all processes that use the key',
    holds: 'number',
    onLine: true,
    variable: 'COPS_RATE',
  },
  read_only: {
    about: 'refuse everything that is not a read',
    holds: 'flag',
    default: false,
    option: '--read-only',
    off: 'allow writes again',
  },
  wallet_word: {
    about: "the service's word for what the documentation calls wallet",
    holds: 'text',
    default: 'wallet',
    option: '--wallet-word <word>',
  },
  idempotency_key: {
    about: 'auto, always or never send an idempotency key',
    holds: ['auto', 'always', 'never'],
    default: 'auto',
    option: '--idempotency-key <auto|always|never>',
  },
  range_ends: {
    about:
      'which ends of a date range the service includes: both (in), neither (out), or only one; doctor --online finds out',
    holds: ['in', 'out', 'start', 'end'],
    default: 'in',
    option: '--range-ends <in|out|start|end>',
  },
  mirror: {
    about:
      'ask before a question reads much into the mirror, just read it (auto), keep no mirror (never), or the address of a team mirror',
    holds: 'text',
    default: 'ask',
    examples: [
      ['ask', 'before a question reads much into the mirror'],
      ['auto', 'read whatever the question needs'],
      ['never', 'keep no mirror'],
    ],
    option: '--mirror <ask|auto|never|address>',
    variable: 'COPS_MIRROR',
  },
  ledger: {
    about: "address of the team's ledger, as team join stores it",
    holds: 'text',
    variable: 'COPS_LEDGER',
    storedOnly: true,
  },
  ca_file: {
    about: "certificates of the authorities that may sign the service's certificate, in PEM, instead of the usual ones",
    holds: 'text',
    option: '--ca-file <file>',
  },
  client_cert: {
    about: 'certificate that this machine shows the service, in PEM',
    holds: 'text',
    option: '--client-cert <file>',
  },
  client_key: {
    about: "where the client certificate's private key is: env:NAME, @file, cmd:<command>",
    holds: 'text',
    option: '--client-key <ref>',
  },
  web_url: {
    about: 'address of an item in the web application, with {family} and {id}',
    holds: 'text',
    storedOnly: true,
  },
  pager: {
    about: 'program that shows long answers (less -FRX), or off',
    holds: 'text',
    examples: [
      ['off', 'no pager'],
      ['less -FRX', 'the default'],
    ],
    storedOnly: true,
  },
  update_url: {
    about: 'address that returns the newest version, for a daily notice; no notice without it',
    holds: 'text',
    storedOnly: true,
  },
  id_cache: { about: 'false stores no ids for completion', holds: 'flag', default: true },
});

/** Where to set a proxy, with the typed address and profile. An address that may contain a password is not repeated. */
export function proxyTold(typed = '', profile?: string, without?: CommandLine): Text {
  const address = /^[\w.:/-]+$/.test(typed) ? typed : 'http://proxy.example:3128';
  const line = `HTTPS_PROXY=${address}`;
  const name = profile ?? 'NAME';
  return say`A proxy applies to a command or a shell, never to one profile. ${without && say`Without it: ${without}\n`}In front of a command, in cron and scripts too: ${line} ${cops`whoami`.in(profile, undefined)}. In a shell that you type in, an alias does that for one profile: alias cops-${name}='${line} cops -p ${name}'; in cron, a line ${line} above the others. NO_PROXY lists hosts to reach without it. To see what is set: ${cops`doctor`}; more: ${cops`help proxy`}.`;
}

/** What people look for among the settings but is set elsewhere, by all its names. */
export const TOLD_OTHERWISE: readonly { readonly called: RegExp; readonly says: Text }[] = [
  {
    called: /proxy/i,
    says: proxyTold(),
  },
  {
    called: /(?:^|_)(?:currency|language|locale|company|shop|logo)(?:$|_)/i,
    says: say`That is in the web application: settings here only concern this program (${cops`config list`}).`,
  },
];

type Row = (typeof TABLE)[number];
export type SettingName = Row['name'];

/** One setting of a profile. */
export interface Setting extends SettingTraits {
  readonly name: SettingName;
}

/** The settings of a profile. */
export const SETTINGS: readonly Setting[] = TABLE;

/** The settings with values of this kind. */
export type Holding<Kind> = Extract<Row, { readonly holds: Kind }>['name'];

type Held<Kind> = Kind extends 'flag'
  ? boolean
  : Kind extends 'number'
    ? number
    : Kind extends 'by family'
      ? Readonly<Record<string, string>>
      : Kind extends readonly (infer Choice)[]
        ? Choice
        : string;
/** The type of a setting's value. */
export type ValueOf<Name extends SettingName> = Held<Extract<Row, { readonly name: Name }>['holds']>;

/** Variables that override the profile, in the order of display. */
export const VARIABLES: readonly string[] = [
  'COPS_PROFILE',
  'COPS_API_KEY',
  ...SETTINGS.flatMap((setting) => setting.variable ?? []),
];

/** The settings that a resolved profile has, as the code names them. */
export type ResolvedValues = {
  readonly [R in Exclude<Row, { readonly storedOnly: true }> as CamelCase<R['name']>]:
    | ValueOf<R['name']>
    | (R extends { readonly default: unknown } | { readonly name: 'base_url' | 'tz' } ? never : undefined);
};

/** `read_only` as the code has it: `readOnly`. */
export type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The name of a setting in code. */
export const camelCase = <Name extends string>(name: Name): CamelCase<Name> =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>;

/** The name of a setting's option in what a parser gives: `--default-output <format>` is `defaultOutput`. */
export const optionKey = (flags: string): string => camelCase(flags.replace(/^--| .*$/g, '').replaceAll('-', '_'));

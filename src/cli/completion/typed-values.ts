import { SETTINGS } from '../../account/profiles/settings.js';
import type { Family } from '../../catalogue/types.js';
import { EXPORT_FORMATS } from '../../data/export/formats.js';
import { OUTPUT_FORMATS } from '../../screen/output-formats.js';
import {
  beginning,
  behind,
  type CompletionAnswer,
  type CompletionCandidate,
  choices,
  FILES,
  NOTHING,
} from './answer.js';

/** The sources for the values of an option. */
export interface Sources {
  profiles(): readonly string[];
  aliases(): Readonly<Record<string, string>>;
  /** Known ids for a name like `customer`, `customer_id` or `customers`; none for an unknown name. */
  ids(name: string): CompletionCandidate[];
}

/** Value option names whose values do not depend on the command. */
type Finder = (typed: string, sources: Sources) => CompletionAnswer;

type Choice = Parameters<typeof choices>[0][number];

const fixed =
  (...candidates: readonly Choice[]): Finder =>
  (typed) =>
    beginning(choices(candidates), typed);

const files =
  (...more: readonly Choice[]): Finder =>
  (typed) => ({ ...FILES, ...beginning(choices(more), typed) });

/** Files after an `@`, and other ways to name the source of a text. */
const atFiles =
  (...more: readonly Choice[]): Finder =>
  (typed) =>
    typed.startsWith('@')
      ? behind('@', FILES)
      : beginning(choices([...more, ['@', 'a file'], ['-', 'standard input']]), typed);

const span = fixed(
  ['12h', 'twelve hours'],
  ['24h', 'a day'],
  ['7d', 'a week'],
  ['30d', 'thirty days'],
  ['90d', 'ninety days'],
  ['6mo', 'six months'],
  ['1y', 'a year'],
);
const moment = fixed(
  'now',
  'today',
  'yesterday',
  ['7d', 'a week ago'],
  ['30d', 'thirty days ago'],
  ['90d', 'ninety days ago'],
  ['1y', 'a year ago'],
);
const format: Finder = fixed(...Object.entries(OUTPUT_FORMATS).map(([name, { about }]) => [name, about] as const));
const mode = fixed(['test', 'no money moves'], ['live', 'real customers, real money']);
const keyReference = atFiles(['env:', 'a variable that holds the key'], ['cmd:', 'a command that prints the key']);
const flag = fixed('true', 'false');

/** Values by option name (without dashes in front). */
export const OPTION_VALUES: Readonly<Record<string, Finder>> = {
  profile: (typed, { profiles }) => beginning(choices(profiles()), typed),
  output: format,
  'default-output': format,
  tz: (typed) => beginning(zones(typed), typed),
  mode,
  from: moment,
  to: moment,
  last: span,
  since: span,
  refresh: span,
  format: fixed(...EXPORT_FORMATS),
  body: atFiles(),
  out: files(['-', 'standard output']),
  ids: files(['-', 'standard input']),
  input: files(['-', 'standard input']),
  journal: files(),
  html: files(),
  'test-key': keyReference,
  'live-key': keyReference,
  store: fixed(['file', 'the configuration file'], ['keychain', "the system's keychain"]),
  as: fixed('done', 'not-done'),
  size: fixed('small', 'medium', 'large'),
  'page-size': fixed('25', '10', '1'),
};

/** Values of `cops config set`, by setting. */
export function settingValues(name: string): Finder {
  if (name === 'current') return OPTION_VALUES.profile as Finder;
  const { holds = 'text', examples = [] } = SETTINGS.find((setting) => setting.name === name) ?? {};
  if (Object.hasOwn(OPTION_VALUES, name)) return OPTION_VALUES[name] as Finder;
  if (holds === 'by family') return () => NOTHING;
  return holds === 'flag' ? flag : fixed(...(typeof holds === 'string' ? examples : holds));
}

/** Values of a body field, a filter or a typed option, from the catalogue. */
export function fieldValues(
  field: { readonly type: string; readonly format?: string; readonly enum?: readonly string[] },
  name: string,
  typed: string,
  sources: Sources,
): CompletionAnswer {
  if (field.enum) return beginning(choices(field.enum), typed);
  if (field.type === 'boolean') return flag(typed, sources);
  if (field.format === 'timezone') return beginning(zones(typed), typed);
  if (field.format === 'id') return beginning(sources.ids(name), typed);
  return NOTHING;
}

/** Choices spelled out in the flags of an option: `<in|out>`. */
export function placeholderValues(placeholder: string, typed: string): CompletionAnswer {
  if (/^[\w-]+(?:\|[\w-]+)+$/.test(placeholder)) return beginning(choices(placeholder.split('|')), typed);
  return /^file\b/.test(placeholder) ? FILES : NOTHING;
}

/** The possible columns of a family's list. */
export function columnCandidates(family: Family): CompletionCandidate[] {
  const columns = new Map(family.columns.map((column) => [column.path, column.title ?? '']));
  for (const [name, field] of Object.entries(family.item ?? {}))
    if (!columns.has(name)) columns.set(name, field.note ?? '');
  return [...columns].map(([value, about]) => ({ value, about }));
}

/** A comma-separated list: completes its last element, with each value offered once. */
export function commaList(typed: string, values: readonly CompletionCandidate[]): CompletionAnswer {
  const comma = typed.lastIndexOf(',');
  const given = new Set(typed.slice(0, comma + 1).split(','));
  const rest = values.filter(({ value }) => !given.has(value));
  return behind(typed.slice(0, comma + 1), beginning(rest, typed.slice(comma + 1)));
}

/** Time zones, one area at a time, so that Tab never offers four hundred. */
function zones(typed: string): CompletionCandidate[] {
  const all = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  if (typed.includes('/')) return choices(all);
  return choices([...new Set(all.map((zone) => (zone.includes('/') ? `${zone.split('/')[0]}/` : zone)))]);
}

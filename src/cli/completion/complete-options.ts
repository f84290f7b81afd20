import type { Glance } from '../../account/profiles/glance.js';
import type { SeenId } from '../../account/seen-ids/ids.js';
import { GLOBAL_OPTIONS } from '../../session/context/global-options.js';
import type { OptionSpec } from '../../session/context/spec.js';
import type { Plugin } from '../plugins/find-plugins.js';
import { beginning, type CompletionAnswer, choices, NOTHING } from './answer.js';
import { commaList, OPTION_VALUES, placeholderValues, type Sources } from './typed-values.js';

/** An option as completion sees it. */
export type KnownOption = ReturnType<typeof knownOption>;

interface OptionFacts extends Pick<OptionSpec, 'flags' | 'about' | 'many' | 'values'> {
  /** Values for this one option; without it, values by the option's name. */
  readonly finder?: ((typed: string) => CompletionAnswer | Promise<CompletionAnswer>) | undefined;
}

/** An option from the parser's flags: `-d, --data <path=value>`. */
export function knownOption({ flags, about, many, values, finder }: OptionFacts, sources: Sources) {
  const placeholder = /<([^>]+)>/.exec(flags)?.[1];
  const names = flags
    .replace(/\s*[<[].*$/, '')
    .split(',')
    .map((name) => name.trim());
  const long = (names.at(-1) ?? '').replace(/^--/, '');
  const byName = Object.hasOwn(OPTION_VALUES, long) ? OPTION_VALUES[long] : undefined;
  return {
    /** `-o`, `--output`. */
    names,
    about,
    takesValue: placeholder !== undefined,
    many: many === true,
    values: (typed: string) => {
      if (finder) return finder(typed);
      if (Array.isArray(values)) return many ? commaList(typed, choices(values)) : beginning(choices(values), typed);
      if (byName) return byName(typed, sources);
      return placeholder === undefined ? NOTHING : placeholderValues(placeholder, typed);
    },
  };
}

/** The global options, plus help and version, which the parser keeps elsewhere. */
export function globalKnownOptions(sources: Sources): KnownOption[] {
  const more = [
    { flags: '-h, --help', about: 'help on the words typed so far' },
    { flags: '--help-all', about: 'help with everything' },
    { flags: '-V, --version', about: 'the version' },
  ];
  return [...GLOBAL_OPTIONS, ...more].map((option) => knownOption(option, sources));
}

/**
 * The words before the cursor, read with the options that may be among them. `given`: names of the options already
 * given. `said`: values of options by their last name (`--profile`). `pending`: the option whose value is at the
 * cursor. `ended`: true after `--`: no more options.
 */
export type OptionScan = ReturnType<typeof scan>;

/** Reads the words before the cursor. */
export function scan(before: readonly string[], options: readonly KnownOption[]) {
  const byName = new Map(options.flatMap((option) => option.names.map((name) => [name, option] as const)));
  const positionals: string[] = [];
  const given = new Set<string>();
  const said = new Map<string, string>();
  let pending: KnownOption | undefined;
  let ended = false;
  for (let at = 0; at < before.length; at++) {
    const word = before[at] ?? '';
    if (ended || word === '-' || !word.startsWith('-')) {
      positionals.push(word);
      continue;
    }
    if (word === '--') {
      ended = true;
      continue;
    }
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const name = word.startsWith('--') ? word.slice(0, equals < 0 ? undefined : equals) : word.slice(0, 2);
    const option = byName.get(name);
    for (const each of option?.names ?? [name]) given.add(each);
    const last = option?.names.at(-1) ?? name;
    if (!option?.takesValue) {
      said.set(last, '');
    } else if (equals >= 0) {
      said.set(last, word.slice(equals + 1));
    } else if (!word.startsWith('--') && word.length > 2) {
      said.set(last, word.slice(2));
    } else if (at === before.length - 1) {
      pending = option;
    } else {
      at++;
      said.set(last, before[at] ?? '');
    }
  }
  return { positionals, given, said, pending, ended };
}

/** What completion knows about this user; each part is read on demand. */
export interface Facts {
  /** Programs on the PATH that act as commands; reads its folders. */
  plugins?(): readonly Plugin[];
  configuration(): Glance;
  /** Ids seen of a family in the profile and mode the line means. */
  seen(family: string, said: { readonly profile?: string | undefined; readonly mode?: string | undefined }): SeenId[];
}

/** The place that the words lead to: its options, and the words that can follow. */
export interface CompletionScene {
  readonly options: readonly KnownOption[];
  /** How many positional words name the place itself. */
  readonly used: number;
  positional(given: readonly string[], typed: string): CompletionAnswer | Promise<CompletionAnswer>;
}

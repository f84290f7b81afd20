import { canonicalAction, FAMILY_INDEX, familyByCommand, loadFamily } from '../../catalogue/index.js';
import type { OfferedValues, ValueKind } from '../../session/context/spec.js';
import { COMMANDS, commandSpec } from '../commands/index.js';
import { dashed } from '../parser/argv.js';
import {
  actionCandidates,
  beginning,
  type CompletionAnswer,
  type CompletionCandidate,
  choices,
  FILES,
  NOTHING,
  namedCandidates,
} from './answer.js';
import { columnCandidates, commaList, type Sources, settingValues } from './typed-values.js';

/** The sources for a value, and the words before it. */
export interface ArgumentPlace {
  readonly given: readonly string[];
  readonly sources: Sources;
}

type Finder = (typed: string, place: ArgumentPlace) => CompletionAnswer | Promise<CompletionAnswer>;

/** The candidates of a value. */
export function valuesToComplete(
  values: OfferedValues | undefined,
  typed: string,
  place: ArgumentPlace,
): CompletionAnswer | Promise<CompletionAnswer> {
  if (values === undefined) return NOTHING;
  if (typeof values === 'string') return FINDERS[values](typed, place);
  const left = choices(values).filter(({ value }) => !place.given.includes(value));
  return beginning(left, typed);
}

/** Families and commands. */
export const heads = (): CompletionCandidate[] => [...families(), ...namedCandidates(COMMANDS)];

const families = (fits: (action: string, risk: string) => boolean = () => true): CompletionCandidate[] =>
  FAMILY_INDEX.filter(({ actions }) => actions.some(({ action, risk }) => fits(action, risk))).map(
    ({ command, summary }) => ({ value: command, about: summary }),
  );

const FINDERS: Readonly<Record<ValueKind, Finder>> = {
  profile: (typed, { sources }) => beginning(choices(sources.profiles()), typed),
  setting: async (typed, { sources }) => {
    const { SETTINGS } = await import('../../account/profiles/settings.js');
    const aliases = Object.entries(sources.aliases()).map(([name, about]) => ({ name: `alias.${name}`, about }));
    const current = { name: 'current', about: 'the profile in use if a command names none' };
    const settings = SETTINGS.flatMap(({ name, about, holds }) => {
      if (holds !== 'by family') return [{ name, about }];
      const lists = families((action) => action === 'list');
      return typed.startsWith(`${name}.`)
        ? lists.map((one) => ({ name: `${name}.${one.value}`, about: one.about ?? '' }))
        : [{ name: `${name}.`, about }];
    });
    return beginning(
      namedCandidates([current, ...settings, ...aliases, { name: 'alias.', about: 'a new alias' }]),
      typed,
    );
  },
  'setting value': async (typed, { given, sources }) => {
    const name = (given[0] ?? '').replaceAll('-', '_');
    const family = familyByCommand(/^columns\.(.*)$/.exec(name)?.[1] ?? '');
    if (!family) return settingValues(name)(typed, sources);
    return commaList(typed, columnCandidates(await loadFamily(family.name)));
  },
  file: () => FILES,
  'file or input': (typed) => ({ ...FILES, ...beginning(choices([['-', 'standard input']]), typed) }),
  family: (typed) => beginning(families(), typed),
  'listed family': (typed, { given }) => {
    const listed = families((action) => action === 'list').filter(({ value }) => !given.includes(value));
    return beginning(listed, typed);
  },
  'written family': (typed) => {
    const written = families((_, risk) => risk !== 'read');
    return beginning(written, typed);
  },
  'written action': (typed, { given }) => {
    const entry = familyByCommand(given[0] ?? '');
    if (!entry || canonicalAction(entry, given.slice(1))) return NOTHING;
    const written = actionCandidates(entry, given.slice(1).map(dashed), ({ risk }) => risk !== 'read', []);
    return beginning(written, dashed(typed));
  },
  operation: (typed, { given }) => {
    const entry = familyByCommand(given[0] ?? '');
    if (given.length === 0) return beginning(families(), typed);
    return entry && given.length === 1 ? beginning(actionCandidates(entry, []), typed) : NOTHING;
  },
  path: (typed) => {
    const paths = FAMILY_INDEX.map(({ name, summary }) => ({ value: `/${name}`, about: summary }));
    return beginning(paths, typed);
  },
  event: async (typed) => beginning(choices((await import('../../catalogue/event-types.js')).EVENTS), typed),
  'clock value': (typed, { given }) =>
    given[0] === 'advance' ? beginning(choices(['1d', '7d', '30d', '40d']), typed) : NOTHING,
  help: async (typed, { given }) => {
    const entry = familyByCommand(given[0] ?? '');
    if (given.length === 0) {
      const [{ TOPICS }, { GROUP_TITLES }] = await Promise.all([
        import('../help/help-topics.js'),
        import('../help/root-help.js'),
      ]);
      const topics = Object.entries(TOPICS).map(([value, text]) => ({ value, about: text.split('\n')[0] ?? '' }));
      const groups = GROUP_TITLES.map((value) => ({ value, about: 'its families or commands' }));
      return beginning([...heads(), ...topics, ...groups], typed);
    }
    if (entry) return beginning(actionCandidates(entry, given.slice(1).map(dashed)), typed);
    return beginning(namedCandidates(commandSpec(given[0] ?? '')?.commands ?? []), typed);
  },
};

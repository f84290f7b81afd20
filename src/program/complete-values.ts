import { canonicalAction, FAMILY_INDEX, familyByCommand } from '../catalogue/index.js';
import type { ValueKind, Values } from '../command/spec.js';
import { COMMANDS, commandSpec } from '../commands/index.js';
import { type Answer, beginning, type Candidate, choices, NOTHING, words } from '../completion/answer.js';
import { type Sources, settingValues } from '../completion/values.js';
import { dashed } from './argv.js';
import { actionCandidates } from './complete-actions.js';
import type { Facts } from './complete-scene.js';

/** What a value may be looked up in, and the words in front of it. */
export interface Place {
  readonly given: readonly string[];
  readonly sources: Sources;
  readonly facts: Facts;
}

type Finder = (typed: string, place: Place) => Answer | Promise<Answer>;

/** The candidates of a value. */
export function valuesAt(values: Values | undefined, typed: string, place: Place): Answer | Promise<Answer> {
  if (values === undefined) return NOTHING;
  if (typeof values === 'string') return FINDERS[values](typed, place);
  return beginning(
    choices(values).filter(({ value }) => !place.given.includes(value)),
    typed,
  );
}

/** Families and commands. */
export function heads(): Candidate[] {
  return [...families(), ...COMMANDS.map(({ name, about }) => ({ value: name, about }))];
}

function families(fits: (action: string, risk: string) => boolean = () => true): Candidate[] {
  return FAMILY_INDEX.filter(({ actions }) => actions.some(({ action, risk }) => fits(action, risk))).map(
    ({ command, summary }) => ({ value: command, about: summary }),
  );
}

const file: Finder = () => ({ candidates: [], files: { prefix: '' } });

const FINDERS: Readonly<Record<ValueKind, Finder>> = {
  profile: (typed, { sources }) => beginning(words(sources.profiles()), typed),
  setting: async (typed, { facts }) => {
    const { SETTINGS } = await import('../profiles/settings.js');
    const aliases = Object.entries(facts.configuration().aliases);
    return beginning(
      [
        { value: 'current', about: 'the profile in use when a line does not say' },
        ...SETTINGS.map(({ name, about }) => ({ value: name, about })),
        ...aliases.map(([name, about]) => ({ value: `alias.${name}`, about })),
        { value: 'alias.', about: 'a new alias' },
      ],
      typed,
    );
  },
  'setting value': (typed, { given, sources }) => settingValues((given[0] ?? '').replaceAll('-', '_'))(typed, sources),
  file,
  'file or input': (typed) => ({ ...beginning(words(['-'], 'standard input'), typed), files: { prefix: '' } }),
  family: (typed) => beginning(families(), typed),
  'listed family': (typed, { given }) =>
    beginning(
      families((action) => action === 'list').filter(({ value }) => !given.includes(value)),
      typed,
    ),
  'written family': (typed) =>
    beginning(
      families((_, risk) => risk !== 'read'),
      typed,
    ),
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
  path: (typed) =>
    beginning(
      FAMILY_INDEX.map(({ name, summary }) => ({ value: `/${name}`, about: summary })),
      typed,
    ),
  event: async (typed) => beginning(words((await import('../catalogue/events.js')).EVENTS), typed),
  'clock value': (typed, { given }) =>
    given[0] === 'advance' ? beginning(words(['1d', '7d', '30d', '40d']), typed) : NOTHING,
  help: async (typed, { given }) => {
    const entry = familyByCommand(given[0] ?? '');
    if (given.length === 0) {
      const { TOPICS } = await import('./topics.js');
      const topics = Object.entries(TOPICS).map(([value, text]) => ({ value, about: text.split('\n')[0] ?? '' }));
      return beginning([...heads(), ...topics], typed);
    }
    if (entry) return beginning(actionCandidates(entry, given.slice(1).map(dashed)), typed);
    const below = commandSpec(given[0] ?? '')?.commands ?? [];
    return beginning(
      below.map(({ name, about }) => ({ value: name, about })),
      typed,
    );
  },
};

import { canonicalAction, FAMILY_INDEX, familyByCommand, findOperation, loadFamily } from '../catalogue/index.js';
import type { Operation } from '../catalogue/types.js';
import { type Answer, beginning, type Candidate, NOTHING, words } from '../completion/answer.js';
import { COMMANDS, FAULTS, HELP_TOPICS, REFERENCE_TOPICS } from '../completion/commands.generated.js';
import { SHELLS } from '../completion/scripts.js';
import type { CommandSpec } from '../completion/types.js';
import { SETTING_VALUES, type Sources } from '../completion/values.js';
import { dashed } from './argv.js';
import { actionCandidates, dataValues, filterKnownOptions } from './complete-family.js';
import { type KnownOption, knownOption, scan } from './complete-options.js';
import type { Facts, Scene } from './complete-scene.js';

/** True for the name of a command beside the families. */
export function isCommand(word: string): boolean {
  return COMMANDS.some((command) => command.name === word);
}

/** What a line begins with: families, commands, aliases. */
export function headCandidates(aliases: Readonly<Record<string, string>>): Candidate[] {
  return [
    ...families(),
    ...COMMANDS.map(({ name, about }) => ({ value: name, about })),
    ...Object.entries(aliases).map(([value, template]) => ({ value, about: `alias: ${template}` })),
  ];
}

/** Where the words of a command beside the families lead. */
export async function commandScene(
  name: string,
  before: readonly string[],
  globals: readonly KnownOption[],
  sources: Sources,
  facts: Facts,
): Promise<Scene> {
  const top = COMMANDS.find((command) => command.name === name) as CommandSpec;
  const every = [top, ...top.commands].flatMap((command) => command.options);
  const known = every.map(([flags, about]) => knownOption({ flags, about }, sources));
  const spoken = scan(before, [...known, ...globals]).positionals.slice(1);
  const below = top.commands.find((command) => command.name === dashed(spoken[0] ?? ''));
  const command = below ?? top;
  const used = below ? 2 : 1;
  const path = below ? `${name} ${below.name}` : name;
  const operation = await operationMeant(name, spoken);
  const options = command.options.map(([flags, about]) =>
    knownOption({ flags, about, values: ownValues(path, flags, operation, sources) }, sources),
  );
  if (name === 'export' && operation) options.push(...filterKnownOptions(operation, sources));
  return {
    options,
    used,
    positional: (given, typed) => {
      const own = beginning(below ? [] : top.commands.map(({ name: value, about }) => ({ value, about })), typed);
      const answer = POSITIONALS[path]?.(given, typed, sources, facts) ?? NOTHING;
      return given.length === 0 ? { ...answer, candidates: [...own.candidates, ...answer.candidates] } : answer;
    },
  };
}

/** The operation whose filters or body the options of `export` and `bulk` are about. */
async function operationMeant(name: string, spoken: readonly string[]): Promise<Operation | undefined> {
  const entry = name === 'export' || name === 'bulk' ? familyByCommand(spoken[0] ?? '') : undefined;
  const action = entry && (name === 'export' ? 'list' : canonicalAction(entry, spoken.slice(1))?.action);
  return entry && action !== undefined ? findOperation(await loadFamily(entry.name), action) : undefined;
}

function ownValues(
  path: string,
  flags: string,
  operation: Operation | undefined,
  sources: Sources,
): ((typed: string) => Answer) | undefined {
  if (flags.includes('--data') && operation) return (typed) => dataValues(operation, typed, sources);
  if (flags.includes('--fault')) return (typed) => beginning(pairs(FAULTS), typed);
  if (flags.includes('--idempotency-key') && path.startsWith('profiles'))
    return (typed) => beginning(words(['auto', 'always', 'never']), typed);
  return undefined;
}

type Positional = (given: readonly string[], typed: string, sources: Sources, facts: Facts) => Answer;

const only =
  (...finders: readonly Positional[]): Positional =>
  (given, typed, sources, facts) =>
    finders[given.length]?.(given, typed, sources, facts) ?? NOTHING;
const choice =
  (candidates: readonly Candidate[]): Positional =>
  (given, typed) =>
    beginning(
      candidates.filter(({ value }) => !given.includes(value)),
      typed,
    );
const pairs = (rows: readonly (readonly [string, string])[]): Candidate[] =>
  rows.map(([value, about]) => ({ value, about }));
const profile: Positional = (_, typed, sources) => beginning(words(sources.profiles()), typed);
const file: Positional = () => ({ candidates: [], files: { prefix: '' } });
const shell = choice(words(SHELLS));

const setting: Positional = (_, typed, __, { configuration }) =>
  beginning(
    [
      ...words(['current', 'base_url', 'mode', 'output', 'tz', 'rate', 'read_only', 'wallet_word', 'idempotency_key']),
      { value: 'id_cache', about: 'keep ids seen, for completion' },
      ...Object.entries(configuration().aliases).map(([name, about]) => ({ value: `alias.${name}`, about })),
      { value: 'alias.', about: 'a new alias' },
    ],
    typed,
  );

const settingValue: Positional = ([name = ''], typed, sources) =>
  SETTING_VALUES[name.replaceAll('-', '_')]?.(typed, sources) ?? NOTHING;

/** Words behind a command, by its path. */
const POSITIONALS: Readonly<Record<string, Positional>> = {
  login: only(profile),
  logout: only(profile),
  mode: only(
    choice(
      pairs([
        ['test', 'no money moves'],
        ['live', 'real customers, real money'],
      ]),
    ),
  ),
  'profiles show': only(profile),
  'profiles use': only(profile),
  'profiles edit': only(profile),
  'profiles remove': only(profile),
  'profiles rename': only(profile),
  'config get': only(setting),
  'config set': only(setting, settingValue),
  'config unset': only(setting),
  export: (given, typed, sources, facts) => {
    if (given.length === 0) return beginning([...exported(), ...pairs(EXPORT_WORDS)], typed);
    return EXPORT_WORDS.some(([word]) => word === given[0]) ? file(given, typed, sources, facts) : NOTHING;
  },
  sync: (given, typed, sources, facts) =>
    given.length === 0 ? file(given, typed, sources, facts) : choice(exported())(given, typed, sources, facts),
  bulk: (given, typed, sources, facts) => {
    if (given.length === 0) return beginning([...writable(), ...pairs(BULK_WORDS)], typed);
    if (BULK_WORDS.some(([word]) => word === given[0])) return file(given, typed, sources, facts);
    const entry = familyByCommand(given[0] ?? '');
    if (!entry || canonicalAction(entry, given.slice(1))) return NOTHING;
    const spoken = given.slice(1).map(dashed);
    return beginning(
      actionCandidates(entry, spoken, ({ risk }) => risk !== 'read').filter(
        ({ value }) => value !== 'check' && value !== 'tail',
      ),
      dashed(typed),
    );
  },
  api: only(choice(words(['GET', 'POST'])), (_, typed) =>
    beginning(
      FAMILY_INDEX.map(({ name, summary }) => ({ value: `/${name}`, about: summary })),
      typed,
    ),
  ),
  'openapi show': (given, typed) => {
    const entry = familyByCommand(given[0] ?? '');
    if (given.length === 0) return beginning(families(), typed);
    return entry && given.length === 1 ? beginning(actionCandidates(entry, []), typed) : NOTHING;
  },
  reference: only(choice(pairs(REFERENCE_TOPICS))),
  explain: only((_, typed) => beginning(families(), typed)),
  'sandbox clock': only(
    choice(
      pairs([
        ['show', 'what it says'],
        ['advance', 'forward by a span'],
        ['set', 'to a moment'],
        ['reset', 'back to now'],
      ]),
    ),
    ([action], typed) => (action === 'advance' ? beginning(words(['1d', '7d', '30d', '40d']), typed) : NOTHING),
  ),
  completion: only(shell),
  'completion install': only(shell),
  'completion uninstall': only(shell),
  help: (given, typed) => {
    const entry = familyByCommand(given[0] ?? '');
    if (given.length === 0) return beginning([...headCandidates({}), ...pairs(HELP_TOPICS)], typed);
    if (entry) return beginning(actionCandidates(entry, given.slice(1).map(dashed)), typed);
    const command = COMMANDS.find(({ name }) => name === given[0]);
    return beginning(
      (command?.commands ?? []).map(({ name: value, about }) => ({ value, about })),
      typed,
    );
  },
};

const EXPORT_WORDS = [
  ['status', 'how far an export is'],
  ['verify', 'check files against their manifests'],
  ['merge', 'put the parts of machines together'],
] as const;

const BULK_WORDS = [
  ['status', 'what a journal says'],
  ['resume', 'go on after a stop'],
  ['reconcile', 'look up rows whose outcome is unknown'],
  ['retry-failed', 'run failed rows again'],
  ['report', 'every row with its outcome'],
] as const;

function families(): Candidate[] {
  return FAMILY_INDEX.map(({ command, summary }) => ({ value: command, about: summary }));
}

function exported(): Candidate[] {
  return FAMILY_INDEX.filter(({ actions }) => actions.some(({ action }) => action === 'list')).map(
    ({ command, summary }) => ({ value: command, about: summary }),
  );
}

function writable(): Candidate[] {
  return FAMILY_INDEX.filter(({ actions }) => actions.some(({ risk }) => risk !== 'read')).map(
    ({ command, summary }) => ({ value: command, about: summary }),
  );
}

import { canonicalAction, type FamilyIndexEntry, findOperation, loadFamily } from '../catalogue/index.js';
import type { Family, Operation } from '../catalogue/types.js';
import { operationOptions } from '../commands/operation/options.js';
import { type Answer, beginning, behind, type Candidate, NOTHING, words } from '../completion/answer.js';
import { aboutField, fieldCandidates, readDataWord } from '../completion/paths.js';
import { commaList, fieldValues, OPTION_VALUES, type Sources } from '../completion/values.js';
import { bodyFields } from '../request/fields.js';
import { pathParameters } from '../request/plan.js';
import { filterOptions } from '../request/query.js';
import { typedOptions } from '../request/typed-options.js';
import { dashed } from './argv.js';
import { type KnownOption, knownOption } from './complete-options.js';
import type { Scene } from './complete-scene.js';
import { extraAction, extrasOf } from './family-extras.js';

/** Where the words of a family lead: to its actions, or into one of them. */
export async function familyScene(
  entry: FamilyIndexEntry,
  actionWords: readonly string[],
  sources: Sources,
): Promise<Scene> {
  const extra = extraAction(entry.name, actionWords[0]);
  if (extra) return extraScene(extra.action, entry, sources);
  const matched = canonicalAction(entry, actionWords);
  if (matched) {
    const family = await loadFamily(entry.name);
    const operation = findOperation(family, matched.action);
    if (operation) return operationScene(family, operation, 1 + matched.used, sources);
  }
  const spoken = actionWords.map(dashed).map((word) => {
    const begins = (start: string): boolean => entry.actions.some(({ action }) => action.startsWith(`${start} `));
    return !begins(word) && begins(`${word}s`) ? `${word}s` : word;
  });
  return {
    options: [],
    used: 1 + actionWords.length,
    positional: (_, typed) => beginning(actionCandidates(entry, spoken), dashed(typed)),
  };
}

/** The words that may follow in an action: `list`, or `payment-methods` with what is below it. */
export function actionCandidates(
  entry: FamilyIndexEntry,
  spoken: readonly string[],
  fits: (action: FamilyIndexEntry['actions'][number]) => boolean = () => true,
): Candidate[] {
  const start = spoken.length === 0 ? '' : `${spoken.join(' ')} `;
  const found = new Map<string, string>();
  const below = new Map<string, string[]>();
  for (const each of entry.actions) {
    if (!each.action.startsWith(start) || !fits(each)) continue;
    const [word = '', ...rest] = each.action.slice(start.length).split(' ');
    if (rest.length === 0) found.set(word, each.summary);
    else below.set(word, [...(below.get(word) ?? []), rest.join(' ')]);
  }
  for (const [word, actions] of below) if (!found.has(word)) found.set(word, actions.join(', '));
  const extras = spoken.length === 0 ? extrasOf(entry.name) : [];
  return [
    ...[...found].map(([value, about]) => ({ value, about })),
    ...extras.map(({ action, summary }) => ({ value: action, about: summary })),
  ];
}

function operationScene(family: Family, operation: Operation, used: number, sources: Sources): Scene {
  return {
    options: optionsOf(family, operation, sources),
    used,
    positional: (given, typed) => positionalOf(family, operation, given, typed, sources),
  };
}

/** Every option of an operation: its own, its filters, its typed fields, and `--columns` with its columns. */
function optionsOf(family: Family, operation: Operation, sources: Sources): KnownOption[] {
  const typed = operation.method === 'POST' ? typedOptions(operation) : [];
  const fields = bodyFields(operation);
  return [
    ...typed.flatMap(({ flag, field, type }) => {
      const known = fields[field];
      const about = known ? aboutField(known) : '';
      if (type === 'boolean')
        return [`--${flag}`, `--no-${flag}`].map((flags) => knownOption({ flags, about }, sources));
      const values = (text: string): Answer => (known ? fieldValues(known, field, text, sources) : NOTHING);
      return [knownOption({ flags: `--${flag} <value>`, about, values }, sources)];
    }),
    ...filterKnownOptions(operation, sources),
    ...operationOptions(operation).map(({ flags, description, many }) => {
      const values = flags.includes('--data')
        ? (text: string) => dataValues(operation, text, sources)
        : flags.startsWith('--with ')
          ? (text: string) => commaList(text, relationWords(operation))
          : undefined;
      return knownOption({ flags, about: description, many, values }, sources);
    }),
    columnsOption(family, sources),
  ];
}

/** The filters of a list as options. */
export function filterKnownOptions(operation: Operation, sources: Sources): KnownOption[] {
  return filterOptions(operation).map(({ option, field }) => {
    const flags = field.type === 'boolean' ? `--${option}` : `--${option} <value>`;
    const about = [field.enum?.slice(0, 6).join(' | '), field.note].filter(Boolean).join('; ') || 'filter';
    const many = field.many === true || field.metadata === true;
    const values = (text: string): Answer => (field.metadata ? NOTHING : fieldValues(field, option, text, sources));
    return knownOption({ flags, about, many, values }, sources);
  });
}

/** What may stand behind `-d`: the next part of a path, or the value behind its equals sign. */
export function dataValues(operation: Operation, word: string, sources: Sources): Answer {
  const { settled, typed, value } = readDataWord(operation, word);
  if (!value) return behind(settled, beginning(fieldCandidates(operation, settled), typed));
  if (typed.startsWith('@')) return { candidates: [], files: { prefix: `${settled}@` } };
  return value.field ? behind(settled, fieldValues(value.field, value.name, typed, sources)) : NOTHING;
}

function relationWords(operation: Operation): { value: string; about: string }[] {
  return Object.entries(operation.related ?? {}).map(([word, relation]) => ({
    value: word.replaceAll('_', '-'),
    about: relation.family.replaceAll('_', '-'),
  }));
}

function columnsOption(family: Family, sources: Sources): KnownOption {
  const columns = new Map(family.columns.map((column) => [column.path, column.title ?? '']));
  for (const [name, field] of Object.entries(family.item ?? {}))
    if (!columns.has(name)) columns.set(name, field.note ?? '');
  const candidates = [...columns].map(([value, about]) => ({ value, about }));
  const about = 'columns to show, comma-separated dotted paths';
  return knownOption({ flags: '--columns <list>', about, values: (text) => commaList(text, candidates) }, sources);
}

function positionalOf(
  family: Family,
  operation: Operation,
  given: readonly string[],
  typed: string,
  sources: Sources,
): Answer {
  const names = pathParameters(operation);
  const several = names.length === 1 && operation.list === undefined;
  const name = names[several ? 0 : given.length];
  if (name !== undefined) {
    const own = names.length === 1 || given.length === 0 ? sources.ids(family.name) : [];
    const found = name === 'key' || name === 'table_name' ? own : sources.ids(name);
    const ids = found.length > 0 ? found : operation.action.includes(' ') ? [] : own;
    return beginning(
      ids.filter(({ value }) => !given.includes(value)),
      typed,
    );
  }
  const takesText = operation.positionalBody !== undefined && given.length === names.length;
  return takesText ? (OPTION_VALUES.body?.(typed, sources) ?? NOTHING) : NOTHING;
}

async function extraScene(action: string, entry: FamilyIndexEntry, sources: Sources): Promise<Scene> {
  if (action === 'check') {
    const flags = '--edit';
    return {
      options: [knownOption({ flags, about: 'check the file as the changes of an edit' }, sources)],
      used: 2,
      positional: (given, text) =>
        given.length === 0 ? { ...beginning(words(['-'], 'standard input'), text), files: { prefix: '' } } : NOTHING,
    };
  }
  const operation = findOperation(await loadFamily(entry.name), 'list');
  return {
    options: [
      knownOption({ flags: '--interval <seconds>', about: 'pause between two looks (default 5)' }, sources),
      knownOption({ flags: '--since <span>', about: 'begin this long ago instead of now' }, sources),
      ...(operation ? filterKnownOptions(operation, sources) : []),
    ],
    used: 2,
    positional: () => NOTHING,
  };
}

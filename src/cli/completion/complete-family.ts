import { bodyFields } from '../../catalogue/body-fields.js';
import {
  canonicalAction,
  type FamilyIndexEntry,
  filterOptions,
  findOperation,
  loadFamily,
  pathParameters,
} from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { typedOptions } from '../../service/request/operation-options.js';
import type { FamilyActionSpec } from '../../session/context/spec.js';
import { operationOptions, ownFilterSpecs } from '../../session/operation/spec.js';
import { familyAction } from '../actions/index.js';
import { dashed } from '../parser/argv.js';
import {
  actionCandidates,
  beginning,
  behind,
  type CompletionAnswer,
  type CompletionCandidate,
  FILES,
  NOTHING,
} from './answer.js';
import { type CompletionScene, type KnownOption, knownOption } from './complete-options.js';
import { valuesToComplete } from './complete-values.js';
import { aboutField, fieldCandidates, readDataWord } from './paths.js';
import { columnCandidates, commaList, fieldValues, OPTION_VALUES, type Sources } from './typed-values.js';

/** The place that the words of a family lead to: its actions, or one of them. */
export async function familyScene(
  entry: FamilyIndexEntry,
  actionWords: readonly string[],
  sources: Sources,
): Promise<CompletionScene> {
  const further = familyAction(entry.name, actionWords[0]);
  if (further) return furtherScene(further, entry, sources);
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

const operationScene = (family: Family, operation: Operation, used: number, sources: Sources): CompletionScene => ({
  options: optionsOf(family, operation, sources),
  used,
  positional: (given, typed) => positionalOf(family, operation, given, typed, sources),
});

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
      const values = (text: string): CompletionAnswer => (known ? fieldValues(known, field, text, sources) : NOTHING);
      return [knownOption({ flags: `--${flag} <value>`, about, finder: values }, sources)];
    }),
    ...filterKnownOptions(operation, sources),
    ...ownFilterSpecs(family, operation).map((option) => knownOption(option, sources)),
    ...operationOptions(family, operation).map(({ flags, about, many }) => {
      const values = flags.includes('--data')
        ? (text: string) => dataValues(operation, text, sources)
        : flags.startsWith('--with ') && !operation.list
          ? (text: string) => commaList(text, relationWords(operation))
          : pathValues(family, operation, flags, sources);
      return knownOption({ flags, about, many, finder: values }, sources);
    }),
    columnsOption(family, operation, sources),
  ];
}

/** Paths and values after the options that select items; their code loads with the first Tab on one of them. */
export function pathValues(
  family: Family,
  operation: Operation,
  flags: string,
  sources: Sources,
): KnownOption['values'] | undefined {
  const [, name = ''] = /^--(where|with|without|sort|group-by|sum) /.exec(flags) ?? [];
  if (name === '') return undefined;
  return async (text) => {
    const found = await import('./condition-values.js');
    if (name === 'where') return found.conditionCandidates(family, operation, text, sources);
    if (name.startsWith('with')) return found.sideCandidates(family, operation, text, sources);
    return found.pathListCandidates(family, operation, text);
  };
}

/** The filters of a list as options. */
export const filterKnownOptions = (operation: Operation, sources: Sources): KnownOption[] =>
  filterOptions(operation).map(({ option, field }) => {
    const flags = field.type === 'boolean' ? `--${option}` : `--${option} <value>`;
    const about = [field.enum?.slice(0, 6).join(' | '), field.note].filter(Boolean).join('; ') || 'filter';
    const many = field.many === true || field.metadata === true;
    const values = (text: string): CompletionAnswer =>
      field.metadata ? NOTHING : fieldValues(field, option, text, sources);
    return knownOption({ flags, about, many, finder: values }, sources);
  });

/** What can follow `-d`: the next part of a path, or the value after its equals sign. */
export function dataValues(operation: Operation, word: string, sources: Sources): CompletionAnswer {
  const { settled, typed, value } = readDataWord(operation, word);
  if (!value) return behind(settled, beginning(fieldCandidates(operation, settled), typed));
  if (typed.startsWith('@')) return behind(`${settled}@`, FILES);
  return value.field ? behind(settled, fieldValues(value.field, value.name, typed, sources)) : NOTHING;
}

const relationWords = (operation: Operation): CompletionCandidate[] =>
  Object.entries(operation.related ?? {}).map(([word, relation]) => ({
    value: word.replaceAll('_', '-'),
    about: relation.family.replaceAll('_', '-'),
  }));

function columnsOption(family: Family, operation: Operation, sources: Sources): KnownOption {
  const candidates = columnCandidates(family);
  const about = 'columns to show, comma-separated dotted paths';
  const leads = operation.list && !operation.columns ? pathValues(family, operation, '--sort ', sources) : undefined;
  const finder = leads ?? ((text: string) => commaList(text, candidates));
  return knownOption({ flags: '--columns <list>', about, finder }, sources);
}

function positionalOf(
  family: Family,
  operation: Operation,
  given: readonly string[],
  typed: string,
  sources: Sources,
): CompletionAnswer {
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

async function furtherScene(
  spec: FamilyActionSpec,
  entry: FamilyIndexEntry,
  sources: Sources,
): Promise<CompletionScene> {
  const list = spec.listFilters ? findOperation(await loadFamily(entry.name), 'list') : undefined;
  return {
    options: [
      ...(spec.options ?? []).map((option) => knownOption(option, sources)),
      ...(list ? filterKnownOptions(list, sources) : []),
    ],
    used: 2,
    positional: (given, typed) => valuesToComplete(spec.arguments?.[given.length]?.values, typed, { given, sources }),
  };
}

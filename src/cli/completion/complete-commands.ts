import { familyByCommand, findOperation, loadFamily, operationMeant } from '../../catalogue/index.js';
import type { Operation } from '../../catalogue/types.js';
import type { ArgumentSpec, CommandSpec, OptionSpec, SubcommandSpec } from '../../session/context/spec.js';
import { dashed } from '../parser/argv.js';
import { beginning, type CompletionAnswer, choices, FILES, NOTHING, namedCandidates } from './answer.js';
import { dataValues, filterKnownOptions, pathValues } from './complete-family.js';
import { type CompletionScene, type KnownOption, knownOption, scan } from './complete-options.js';
import { type ArgumentPlace, valuesToComplete } from './complete-values.js';
import type { Sources } from './typed-values.js';

/** The place that the words of a non-family command lead to. */
export async function commandScene(
  spec: CommandSpec,
  before: readonly string[],
  globals: readonly KnownOption[],
  sources: Sources,
): Promise<CompletionScene> {
  const every = [spec, ...(spec.commands ?? [])].flatMap((command) => command.options ?? []);
  const known = every.map((option) => knownOption(option, sources));
  const spoken = scan(before, [...known, ...globals]).positionals.slice(1);
  const below = spec.commands?.find((command) => command.name === dashed(spoken[0] ?? ''));
  const command = below ?? spec;
  const operation = await operationAbout(spec, spoken);
  const rows = await rowsAbout(command, spoken);
  const options = (command.options ?? []).map((option) => {
    const paths = rows && pathValues(rows.family, rows.operation, option.flags, sources);
    return knownOption({ ...option, finder: paths ?? finderOf(option, operation, sources) }, sources);
  });
  if (spec.familyOptions && operation) options.push(...filterKnownOptions(operation, sources));
  const words = below ? [] : namedCandidates(spec.commands ?? []);
  return {
    options,
    used: below ? 2 : 1,
    positional: async (given, typed) => {
      const answer = await argumentValues(command.arguments ?? [], typed, { given, sources });
      if (given.length > 0) return answer;
      return { ...answer, candidates: [...beginning(words, typed).candidates, ...answer.candidates] };
    },
  };
}

async function argumentValues(
  specs: readonly ArgumentSpec[],
  typed: string,
  place: ArgumentPlace,
): Promise<CompletionAnswer> {
  const { given } = place;
  const [first] = specs;
  const instead = choices(first?.instead ?? []);
  if (given.length > 0 && instead.some(({ value }) => value === given[0])) return FILES;
  const last = specs.at(-1);
  const spec = specs[given.length] ?? (last?.name.includes('...') ? last : undefined);
  // Only the first of several words says what to do; the rest belong to the command.
  if (!spec || (spec === first && first.instead && given.length > 0)) return NOTHING;
  const answer = await valuesToComplete(spec.values, typed, place);
  if (spec !== first || instead.length === 0) return answer;
  return { ...answer, candidates: [...answer.candidates, ...beginning(instead, typed).candidates] };
}

/** The operation whose filters or body fields a command takes as options: `export sales`, `bulk customers edit`. */
async function operationAbout(spec: CommandSpec, spoken: readonly string[]): Promise<Operation | undefined> {
  const takesBody = spec.options?.some(({ values }) => values === 'body field') === true;
  const entry = spec.familyOptions ? familyByCommand(spoken[0] ?? '') : undefined;
  if (entry) return findOperation(await loadFamily(entry.name), 'list');
  return takesBody ? (await operationMeant(spoken))?.operation : undefined;
}

/** The list from which a command takes its rows with `--where`: `bulk subscriptions cancel`. */
async function rowsAbout({ arguments: [first] = [], options = [] }: SubcommandSpec, spoken: readonly string[]) {
  const isOfFamily = first?.values === 'written family' || first?.values === 'listed family';
  const chooses = options.some(({ flags }) => flags.startsWith('--where '));
  const entry = isOfFamily && chooses ? familyByCommand(spoken[0] ?? '') : undefined;
  const family = entry && (await loadFamily(entry.name));
  const operation = family && findOperation(family, 'list');
  return operation && { family, operation };
}

const finderOf = (
  { values }: OptionSpec,
  operation: Operation | undefined,
  sources: Sources,
): ((typed: string) => CompletionAnswer) | undefined =>
  values === 'body field' && operation ? (typed) => dataValues(operation, typed, sources) : undefined;

import { configFolder, glanceAt, profileAndMode } from '../../account/profiles/glance.js';
import { FROM_ENVIRONMENT } from '../../account/profiles/profile-names.js';
import type { World } from '../../base/world.js';
import type { Family, FamilyOperation, Operation } from '../../catalogue/types.js';
import { readFacts, settleDates } from '../../service/openapi/description-files.js';
import type { DescribedOperation, PulledFacts } from '../../service/openapi/types.js';
import { withUnknown } from '../../service/openapi/unknown.js';
import { dashed, saidOnLine } from '../parser/argv.js';

/** The inputs that decide which profile a line means. */
type LineWorld = Pick<World, 'argv' | 'env' | 'cwd'>;

/** An operation known only from a description pulled from the service (`cops openapi pull`). */
export async function pulledOperation(
  world: LineWorld,
  words: readonly string[],
  family: Family | undefined,
): Promise<FamilyOperation | undefined> {
  const found = pulledPart(world, words, family);
  const operation = found?.operation;
  return found && operation && !family?.operations.includes(operation)
    ? { family: found.family, operation }
    : undefined;
}

/** The operation, with or without dates as the profile's pulled description says. */
export function settledOperation(world: LineWorld, operation: Operation): Operation {
  const facts = factsOfLine(world);
  return facts ? settleDates(operation, facts) : operation;
}

/** The part of a family that only a pulled description knows: its operations, and the one the words name. */
export function pulledPart(
  world: LineWorld,
  words: readonly string[],
  family: Family | undefined,
): { family: Family; operation: Operation | undefined } | undefined {
  const found = pulledFamily(world, words, family);
  return found && { family: found, operation: longestMatch(found.operations, words.slice(1)) };
}

function pulledFamily(world: LineWorld, words: readonly string[], family: Family | undefined): Family | undefined {
  const facts = factsOfLine(world);
  if (!facts || facts.unknown.length === 0) return undefined;
  const typed = dashed(words[0] ?? '').replaceAll('-', '_');
  const name = family?.name ?? [typed, `${typed}s`].find((candidate) => hasFamily(facts.unknown, candidate));
  return name === undefined ? undefined : withUnknown(name, family, facts.unknown);
}

const hasFamily = (described: readonly DescribedOperation[], name: string): boolean =>
  described.some((one) => one.path.split('/')[1] === name);

function longestMatch(operations: readonly Operation[], words: readonly string[]): Operation | undefined {
  const typed = words.map(dashed);
  return operations
    .filter((operation) => operation.action.split(' ').every((word, index) => typed[index] === word))
    .sort((a, b) => b.action.length - a.action.length)[0];
}

/** The facts of the profile a line means, found without resolving its keys. */
function factsOfLine({ argv, env, cwd }: LineWorld): PulledFacts | undefined {
  const folder = configFolder({ env, cwd });
  const configuration = glanceAt(folder);
  const flag = saidOnLine(argv, '--profile');
  const name = profileAndMode(configuration, env, { profile: flag })?.profile ?? FROM_ENVIRONMENT;
  const baseUrl = saidOnLine(argv, '--base-url') ?? (env.COPS_BASE_URL?.trim() || configuration.of(name).baseUrl);
  return readFacts(folder, name, baseUrl);
}

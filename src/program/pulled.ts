import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Family, Operation } from '../catalogue/types.js';
import { settleDates } from '../openapi/dates.js';
import { readFacts } from '../openapi/files.js';
import type { DescribedOperation, PulledFacts } from '../openapi/types.js';
import { withUnknown } from '../openapi/unknown.js';
import { configFolder } from '../profiles/folders.js';
import { FROM_ENVIRONMENT, SANDBOX } from '../profiles/names.js';
import type { World } from '../world.js';
import { dashed } from './argv.js';

/** What is needed of the world to know which profile a line means. */
type LineWorld = Pick<World, 'argv' | 'env' | 'cwd'>;

/** An operation that only a description pulled from the service knows (`cops openapi pull`). */
export async function pulledOperation(
  world: LineWorld,
  words: readonly string[],
  family: Family | undefined,
): Promise<{ family: Family; operation: Operation } | undefined> {
  const found = pulledPart(world, words, family);
  const operation = found?.operation;
  return found && operation && !family?.operations.includes(operation)
    ? { family: found.family, operation }
    : undefined;
}

/** The operation with its dates as the description that was pulled for the profile settles them. */
export function settledOperation(world: LineWorld, operation: Operation): Operation {
  const facts = factsOfLine(world);
  return facts ? settleDates(operation, facts) : operation;
}

/** What only a pulled description knows of a family: its operations, and the one that words name. */
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

function hasFamily(described: readonly DescribedOperation[], name: string): boolean {
  return described.some((one) => one.path.split('/')[1] === name);
}

function longestMatch(operations: readonly Operation[], words: readonly string[]): Operation | undefined {
  const typed = words.map(dashed);
  return operations
    .filter((operation) => operation.action.split(' ').every((word, index) => typed[index] === word))
    .sort((a, b) => b.action.length - a.action.length)[0];
}

/** The facts of the profile that a line means, found without resolving its keys. */
function factsOfLine(world: LineWorld): PulledFacts | undefined {
  const folder = configFolder({ env: world.env, cwd: world.cwd });
  const stored = readConfiguration(folder);
  const { env } = world;
  const said = optionOf(world.argv, '--profile', '-p') ?? nonEmpty(env.COPS_PROFILE);
  const names = Object.keys(stored.profiles).filter((one) => one !== SANDBOX);
  const name = said ?? stored.current ?? (names.length === 1 ? (names[0] ?? FROM_ENVIRONMENT) : FROM_ENVIRONMENT);
  const own = Object.hasOwn(stored.profiles, name) ? stored.profiles[name]?.base_url : undefined;
  const baseUrl = optionOf(world.argv, '--base-url') ?? nonEmpty(env.COPS_BASE_URL) ?? own;
  return readFacts(folder, name, baseUrl);
}

interface Stored {
  readonly current?: string;
  readonly profiles: Readonly<Record<string, { readonly base_url?: string }>>;
}

function readConfiguration(folder: string): Stored {
  try {
    const stored = JSON.parse(
      readFileSync(join(folder, 'config.json'), 'utf8').replace(/^\ufeff/, ''),
    ) as Partial<Stored>;
    return { ...(stored.current === undefined ? {} : { current: stored.current }), profiles: stored.profiles ?? {} };
  } catch {
    // Absent or damaged: the command that reads the profile tells it.
    return { profiles: {} };
  }
}

function optionOf(argv: readonly string[], long: string, short?: string): string | undefined {
  let found: string | undefined;
  for (const [index, word] of argv.entries()) {
    if (word === '--') break;
    if (word === long || word === short) found = argv[index + 1];
    else if (word.startsWith(`${long}=`)) found = word.slice(long.length + 1);
    else if (short !== undefined && word.startsWith(short) && !word.startsWith('--') && word.length > short.length) {
      found = word.slice(short.length);
    }
  }
  return found;
}

function nonEmpty(text: string | undefined): string | undefined {
  const value = text?.trim();
  return value === '' ? undefined : value;
}

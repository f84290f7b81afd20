import type { FamilySpec } from './conventions.js';
import { ENTRIES, LOADERS, WORDS } from './index.generated.js';
import type { Family, FamilyOperation, Operation, Risk } from './types.js';

/** What help, completion and suggestions need of an operation without loading its family. */
export interface ActionIndexEntry {
  /** Words after the family: `list`, `payment-methods set-default`. */
  readonly action: string;
  readonly summary: string;
  readonly risk: Risk;
}

export interface FamilyIndexEntry {
  /** The path's first word: `subscription_profiles`. */
  readonly name: string;
  /** The same as a command word: `subscription-profiles`. */
  readonly command: string;
  readonly summary: string;
  /** What its items are called besides, as many: `renewals`. */
  readonly words: readonly string[];
  readonly actions: readonly ActionIndexEntry[];
}

/** Every family with its actions, in the order of their names. */
export const FAMILY_INDEX: readonly FamilyIndexEntry[] = ENTRIES.map(([name, summary, actions]) => ({
  name,
  command: name.replaceAll('_', '-'),
  summary,
  words: WORDS[name] ?? [],
  actions: actions.map(([action, text, risk]) => ({ action, summary: text, risk })),
}));

const FAMILY_NAMES: ReadonlySet<string> = new Set(ENTRIES.map(([name]) => name));
const loaded = new Map<string, Promise<Family>>();

/**
 * The whole data of one family, loaded on first use.
 * @throws {RangeError} when there is no family of that name; ask `familyByCommand` first.
 */
export async function loadFamily(name: string): Promise<Family> {
  const load = Object.hasOwn(LOADERS, name) ? LOADERS[name] : undefined;
  if (load === undefined) throw new RangeError(`no family is called ${name}`);
  const known = loaded.get(name) ?? resolved(load);
  loaded.set(name, known);
  return known;
}

/** The conventions load with the first family, so that a start which needs none pays nothing. */
async function resolved(load: () => Promise<{ readonly default: FamilySpec }>): Promise<Family> {
  const [{ default: spec }, { resolveFamily }] = await Promise.all([load(), import('./conventions.js')]);
  return resolveFamily(spec, FAMILY_NAMES);
}

/** The whole data of all families, in the order of their names. */
export function allFamilies(): Promise<Family[]> {
  return Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)));
}

const singular = (word: string): string => (word.endsWith('s') ? word.slice(0, -1) : word);
const dashed = (word: string): string => word.replaceAll('_', '-');

/** The family that a command word names: dashes, underscores and the singular are taken (command-line.md#grammar). */
export function familyByCommand(word: string): FamilyIndexEntry | undefined {
  const wanted = dashed(word);
  return (
    FAMILY_INDEX.find((entry) => entry.command === wanted) ??
    FAMILY_INDEX.find((entry) => singular(entry.command) === wanted)
  );
}

/** Words that stand for an action's own word (command-line.md#grammar). */
export const ACTION_ALIASES: Readonly<Record<string, string>> = {
  retrieve: 'get',
  show: 'get',
  update: 'edit',
  ls: 'list',
  rm: 'delete',
};

/**
 * The action that the leading words name, and how many words it took; the longest one wins. Aliases,
 * underscores and a sub-family's singular are taken. Undefined when no action fits.
 */
export function canonicalAction(
  entry: FamilyIndexEntry,
  words: readonly string[],
): { readonly action: string; readonly used: number } | undefined {
  for (const used of [2, 1]) {
    if (words.length < used) continue;
    const spoken = words.slice(0, used).map(dashed);
    const match = entry.actions.find(({ action }) => {
      const parts = action.split(' ');
      return (
        parts.length === used &&
        parts.every((part, index) => {
          const word = spoken[index] ?? '';
          if (word === part) return true;
          const isLast = index === parts.length - 1;
          return isLast
            ? Object.hasOwn(ACTION_ALIASES, word) && ACTION_ALIASES[word] === part
            : singular(part) === word;
        })
      );
    });
    if (match !== undefined) return { action: match.action, used };
  }
  return undefined;
}

/** The operation of a loaded family that an action names. */
export function findOperation(family: Family, action: string): Operation | undefined {
  return family.operations.find((operation) => operation.action === action);
}

/** The operation that words such as `sales void` name, with its family; undefined where there is none. */
export async function operationNamed(words: string): Promise<FamilyOperation | undefined> {
  const [head = '', ...action] = words.split(' ');
  const entry = FAMILY_INDEX.find(({ command }) => command === head);
  if (!entry) return undefined;
  const family = await loadFamily(entry.name);
  const operation = findOperation(family, action.join(' '));
  return operation && { family, operation };
}

/** The operation that the words of a line begin with, aliases and singulars taken, and how many words name it. */
export async function operationMeant(
  words: readonly string[],
): Promise<(FamilyOperation & { readonly used: number }) | undefined> {
  const entry = familyByCommand(words[0] ?? '');
  const matched = entry && canonicalAction(entry, words.slice(1));
  if (!entry || !matched) return undefined;
  const family = await loadFamily(entry.name);
  const operation = findOperation(family, matched.action);
  return operation && { family, operation, used: 1 + matched.used };
}

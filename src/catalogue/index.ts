import type { FamilySpec } from './conventions.js';
import { ENTRIES, KEEPERS, LOADERS, WORDS } from './index.generated.js';
import type { Family, FamilyOperation, Operation, QueryField, Risk } from './types.js';

export { COPIED_FAMILIES, FOLLOWED_FAMILIES } from './index.generated.js';

/** The facts about an operation that help, completion and suggestions need without loading its family. */
export interface ActionIndexEntry {
  /** Words after the family: `list`, `payment-methods set-default`. */
  readonly action: string;
  readonly summary: string;
  readonly risk: Risk;
}

export interface FamilyIndexEntry {
  /** The first word of the path: `subscription_profiles`. */
  readonly name: string;
  /** The same as a command: `subscription-profiles`. */
  readonly command: string;
  readonly summary: string;
  /** Other plural words for its items: `renewals`. */
  readonly words: readonly string[];
  readonly actions: readonly ActionIndexEntry[];
}

/** Every family with its actions, in alphabetical order. */
export const FAMILY_INDEX: readonly FamilyIndexEntry[] = ENTRIES.map(([name, summary, actions]) => ({
  name,
  command: name.replaceAll('_', '-'),
  summary,
  words: WORDS[name] ?? [],
  actions: actions.map(([action, text, risk]) => ({ action, summary: text, risk })),
}));

/** The families whose items keep a copy of fields of this one, and whose edit changes that copy. */
export function copiedBy(family: string): readonly string[] {
  return (Object.hasOwn(KEEPERS, family) ? KEEPERS[family] : undefined) ?? [];
}

const FAMILY_NAMES: ReadonlySet<string> = new Set(ENTRIES.map(([name]) => name));
const loaded = new Map<string, Promise<Family>>();

/**
 * The full data of one family, loaded on first use.
 * @throws {RangeError} for an unknown name; check with `familyByCommand` first
 */
export async function loadFamily(name: string): Promise<Family> {
  const load = Object.hasOwn(LOADERS, name) ? LOADERS[name] : undefined;
  if (load === undefined) throw new RangeError(`no family is called ${name}`);
  const known = loaded.get(name) ?? resolved(load);
  loaded.set(name, known);
  return known;
}

/** Loads the conventions together with the first family, so that a start that needs neither pays nothing. */
async function resolved(load: () => Promise<{ readonly default: FamilySpec }>): Promise<Family> {
  const [{ default: spec }, { resolveFamily }] = await Promise.all([load(), import('./conventions.js')]);
  return resolveFamily(spec, FAMILY_NAMES);
}

/** The full data of all families, in alphabetical order. */
export function allFamilies(): Promise<Family[]> {
  return Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)));
}

const singular = (word: string): string => (word.endsWith('s') ? word.slice(0, -1) : word);
const dashed = (word: string): string => word.replaceAll('_', '-');

/** The family that a command word names; accepts dashes, underscores and the singular (command-line.md#grammar). */
export function familyByCommand(word: string): FamilyIndexEntry | undefined {
  const wanted = dashed(word);
  return (
    FAMILY_INDEX.find((entry) => entry.command === wanted) ??
    FAMILY_INDEX.find((entry) => singular(entry.command) === wanted)
  );
}

/** Aliases of action words (command-line.md#grammar). */
export const ACTION_ALIASES: Readonly<Record<string, string>> = {
  retrieve: 'get',
  show: 'get',
  update: 'edit',
  ls: 'list',
  rm: 'delete',
};

/**
 * The action that the leading words name, and how many words it took; the longest match wins. Accepts aliases,
 * underscores and a sub-family's singular. Undefined when no action matches.
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

/** The operation of a loaded family with this action. */
export function findOperation(family: Family, action: string): Operation | undefined {
  return family.operations.find((operation) => operation.action === action);
}

/** The operation named by words such as `sales void`, with its family; undefined if there is none. */
export async function operationNamed(words: string): Promise<FamilyOperation | undefined> {
  const [head = '', ...action] = words.split(' ');
  const entry = FAMILY_INDEX.find(({ command }) => command === head);
  if (!entry) return undefined;
  const family = await loadFamily(entry.name);
  const operation = findOperation(family, action.join(' '));
  return operation && { family, operation };
}

/** The operation that a command line begins with, accepting aliases and singulars, and how many words name it. */
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

/** Placeholder names in an operation's path, in order: `customer_id`, `payment_method_id`. */
export function pathParameters(operation: Operation): string[] {
  const [, ...placeholders] = operation.path.split('{');
  return placeholders.map((part) => part.slice(0, part.indexOf('}')));
}

/** A filter option: `--campaign <id>`, repeated for several values. */
export interface FilterOption {
  /** Without leading dashes: `campaign`. */
  readonly option: string;
  /** The query parameter: `campaign_filter`. */
  readonly name: string;
  readonly field: QueryField;
}

/** The option for a query parameter: without `_filter` (or `_id`), with dashes. */
export function optionName(parameter: string): string {
  return parameter.replace(/_(?:filter|id)$/, '').replaceAll('_', '-');
}

/** Typed options for an operation's query parameters (command-line.md#lists). */
export function filterOptions(operation: Operation): FilterOption[] {
  return Object.entries(operation.query ?? {})
    .filter(([, field]) => !field.positional)
    .map(([name, field]) => ({ option: optionName(name), name, field }));
}

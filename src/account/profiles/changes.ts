import { describeReference } from './keys.js';
import type { KeyReference } from './types.js';

/** Settings by their paths (`profiles.acme.mode`), as they may be shown: keys masked. */
type Shown = ReadonlyMap<string, string>;

/** What differs between two states of the configuration, each difference as an order: `set aliases.late to "…"`. */
export function changesOf(before: object, after: object): string[] {
  const [old, made] = [shownOf(before), shownOf(after)];
  const set = [...made].flatMap(([path, value]) => (old.get(path) === value ? [] : [`set ${path} to ${value}`]));
  const gone = [...old.keys()].filter((path) => !made.has(path)).map((path) => `remove ${path}`);
  return [...set, ...gone];
}

function shownOf(configuration: object): Shown {
  const shown = new Map<string, string>();
  const visit = (value: unknown, path: string): void => {
    if (value === undefined) return;
    if (isKey(value)) shown.set(path, describeReference(value));
    else if (typeof value !== 'object' || value === null) shown.set(path, JSON.stringify(value));
    else for (const [name, part] of Object.entries(value)) visit(part, path === '' ? name : `${path}.${name}`);
  };
  visit(configuration, '');
  return shown;
}

function isKey(value: unknown): value is KeyReference {
  return typeof (value as { kind?: unknown } | null)?.kind === 'string';
}

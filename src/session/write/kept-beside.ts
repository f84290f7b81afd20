import { copsLine, type Placeholder, placeholder, say, type Text } from '../../base/text/command-line.js';
import { bodyFieldAt } from '../../catalogue/body-fields.js';
import type { Operation } from '../../catalogue/types.js';
import { type Tree, valueAt } from '../../items/json/tree.js';
import { itemToBody } from '../../service/body/body-changes.js';
import { changedFields, shownValue } from './changed-fields.js';
import type { PreparedWrite } from './prepared-write.js';

/** A field that an edit leaves as it is, beside one of the same kind that it changes: the state of another country. */
interface Kept {
  readonly path: string;
  /** Undefined where the item was not read. */
  readonly value: string | undefined;
  /** What sends it too. */
  readonly option: string | Placeholder;
}

/** @param item undefined where it was not read: then every such field is named */
function keptBeside(operation: Operation, body: object, item: Tree | undefined): readonly Kept[] {
  if (operation.action.split(' ').at(-1) !== 'edit') return [];
  const changes = changedFields(operation, body, item);
  const old = item === undefined ? undefined : itemToBody(operation, item);
  const kept = new Map<string, Kept>();
  for (const { path: changed, from, to } of changes) {
    const { field } = bodyFieldAt(operation, changed.split('.'));
    // A value that is removed says nothing of the others.
    if (to === '' || (item !== undefined && from === to)) continue;
    for (const name of field?.beside ?? []) {
      const path = changed.slice(0, changed.lastIndexOf('.') + 1) + name;
      const held = valueAt(old, path) ?? valueAt(item, path) ?? '';
      if (changes.some((one) => one.path === path) || kept.has(path) || (item !== undefined && held === '')) continue;
      const option = field?.means === 'money' ? `${path}=${to}` : placeholder(`${path}=<${name}>`);
      kept.set(path, { path, value: item === undefined ? undefined : shownValue(held), option });
    }
  }
  return [...kept.values()];
}

const namesOf = (kept: readonly Kept[]): string =>
  kept.map(({ path, value }) => (value === undefined ? path : `${path} ${value}`)).join(', ');

/** What a question says of it. */
export function keptLines(operation: Operation, body: object, item: Tree | undefined): string[] {
  const kept = item === undefined ? [] : keptBeside(operation, body, item);
  return kept.length === 0 ? [] : [`  Stays as it is: ${namesOf(kept)}`];
}

/** After the edit: what it left, with the line that changes it too. */
export function toldKept(
  { family, operation, ids, body }: Pick<PreparedWrite, 'family' | 'operation' | 'ids' | 'body'>,
  item: Tree | undefined,
): Text | undefined {
  if (item === undefined) return keptBefore({ operation, body }, item);
  const kept = keptBeside(operation, body, item);
  if (kept.length === 0) return undefined;
  const words = [family.name.replaceAll('_', '-'), ...operation.action.split(' '), ...ids];
  return say`Not changed: ${namesOf(kept)}. To change ${kept.length === 1 ? 'that' : 'those'} too: ${copsLine([...words, ...dataOf(kept)])}`;
}

/** Before an edit of one item, or of many whose own values nobody reads here. */
export function keptBefore(
  { operation, body }: Pick<PreparedWrite, 'operation' | 'body'>,
  item: Tree | undefined,
  typed?: readonly string[],
): Text | undefined {
  const kept = keptBeside(operation, body, item);
  if (kept.length === 0) return undefined;
  const lead = item === undefined ? 'Not sent, so kept where there is one' : 'Not sent, so it stays';
  return say`${lead}: ${namesOf(kept)}.${typed && say` To send it too: ${copsLine([...typed, ...dataOf(kept)])}`}`;
}

const dataOf = (kept: readonly Kept[]): (string | Placeholder)[] => kept.flatMap(({ option }) => ['-d', option]);

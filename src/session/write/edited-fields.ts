import {
  cops,
  copsLine,
  joinedTexts,
  type Placeholder,
  placeholder,
  say,
  type Text,
} from '../../base/text/command-line.js';
import { bodyFieldAt } from '../../catalogue/body-fields.js';
import { copiedBy } from '../../catalogue/index.js';
import type { Operation } from '../../catalogue/types.js';
import { parseJson } from '../../items/json/parse-json.js';
import { isObject, serialise, type Tree, type TreeObject, valueAt } from '../../items/json/tree.js';
import { maskBodyText } from '../../items/secrets/mask-body.js';
import { itemToBody } from '../../service/body/body-changes.js';
import type { Context } from '../context/context.js';
import type { Reader } from '../read/reading.js';
import type { ChangedName } from './kept-copies.js';
import type { PreparedWrite, Seen } from './prepared-write.js';

/** A field that a body sets. */
export interface Change {
  readonly path: string;
  readonly from: string | undefined;
  readonly to: string;
}

/** The new value of a field, with the old one. */
export function changeText({ from, to }: Change): string {
  return from === to ? `${to} (as it was)` : `${from ?? '(empty)'} → ${to}`;
}

/**
 * The fields that a body sets, with what they hold before it is sent; secrets masked.
 * @param item undefined where it was not read
 */
export function changedFields(operation: Operation, body: object, item: Tree | undefined): Change[] {
  // Masks secrets, even inside a list.
  const masked = parseJson(maskBodyText(operation, serialise(body))).value;
  const { idempotency_key: _, ...sent } = isObject(masked) ? masked : {};
  const old = item === undefined ? undefined : itemToBody(operation, item);
  return leaves(sent).map(([path, to]) => {
    const from = valueAt(old, path);
    return {
      path,
      from: from === undefined || from === null || from === '' ? undefined : shownValue(from),
      to: shownValue(to),
    };
  });
}

/** Plain values below an object, whole lists, with dotted paths. */
function leaves(value: TreeObject, path = ''): [string, Tree][] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = path === '' ? name : `${path}.${name}`;
    return isObject(inner) ? leaves(inner, place) : [[place, inner] as [string, Tree]];
  });
}

/** How many elements of a list to show one by one. */
const MOST_ELEMENTS = 3;

/** A value in one line; long lists by their length. */
export function shownValue(value: Tree): string {
  const isShort = Array.isArray(value) && value.length > 0 && value.length <= MOST_ELEMENTS;
  if (isShort && value.every((one) => typeof one === 'string')) return `[${value.join(', ')}]`;
  if (Array.isArray(value)) return value.length === 1 ? '[1 element]' : `[${value.length} elements]`;
  return typeof value === 'string' ? value : serialise(value);
}

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
function toldKept(
  { family, operation, ids, body }: Pick<PreparedWrite, 'family' | 'operation' | 'ids' | 'body'>,
  item: Tree | undefined,
): Text | undefined {
  if (item === undefined) return keptBefore({ operation, body }, item);
  const kept = keptBeside(operation, body, item);
  if (kept.length === 0) return undefined;
  const words = [family.name.replaceAll('_', '-'), ...operation.action.split(' '), ...ids];
  const [{ path, option } = { path: '', option: '' }, other] = kept;
  // A group of fields is never removed one field at a time.
  const none = !other && typeof option !== 'string' && say`. To remove it: ${copsLine([...words, '-d', `${path}=`])}`;
  return say`Not changed: ${namesOf(kept)}. To change ${kept.length === 1 ? 'that' : 'those'} too: ${copsLine([...words, ...dataOf(kept)])}${none}`;
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

/** True for an edit after which other fields or items may still have what it was to change. */
export function mayLeave(prepared: PreparedWrite): boolean {
  return keepsCopies(prepared) || keptBefore(prepared, undefined) !== undefined;
}

const keepsCopies = ({ family, operation }: PreparedWrite): boolean =>
  operation.action === 'edit' && copiedBy(family.name).length > 0;

/** Says what an edit left as it was, beside what it changed and in copies, with the lines that change it too. */
export async function tellLeft(
  context: Context,
  prepared: PreparedWrite,
  reader: Reader,
  seen: Seen | undefined,
): Promise<void> {
  const before = seen?.text === undefined ? undefined : parseJson(seen.text).value;
  const kept = toldKept(prepared, before);
  if (kept) context.notes.warn(kept, {});
  if (!keepsCopies(prepared)) return;
  const nameOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);
  const changed = changedFields(prepared.operation, prepared.body, undefined).flatMap(({ path, to }): ChangedName[] => {
    const name = nameOf(path);
    const from = seen?.item?.(name) ?? '';
    return from === to ? [] : [{ name, from, to }];
  });
  if (changed.length === 0) return;
  const { tellCopies } = await import('./kept-copies.js');
  const left = before === undefined ? [] : keptBeside(prepared.operation, prepared.body, before);
  await tellCopies(context, prepared, reader, seen?.item, { changed, kept: left.map(({ path }) => nameOf(path)) });
}

/** Before an edit, without a read: the lists whose items keep copies of what it changes. */
export function copiesBefore({ family, operation, ids: [id = ''], body }: PreparedWrite): Text | undefined {
  const changed = changedFields(operation, body, undefined);
  const lists = operation.action === 'edit' && changed.length > 0 ? copiedBy(family.name) : [];
  if (lists.length === 0) return undefined;
  const lines = lists.map((name) => cops`${name.replaceAll('_', '-')} list --customer ${id}`);
  return say`Their ${lists.map((name) => name.replaceAll('_', '-')).join(' and ')} keep the old values: ${joinedTexts(lines, '; ')}`;
}

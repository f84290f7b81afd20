import type { Operation } from '../../catalogue/types.js';
import { parseJson } from '../../items/json/parse-json.js';
import { isObject, serialise, type Tree, type TreeObject, valueAt } from '../../items/json/tree.js';
import { maskBodyText } from '../../items/secrets/mask-body.js';
import { itemToBody } from '../../service/body/body-changes.js';

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

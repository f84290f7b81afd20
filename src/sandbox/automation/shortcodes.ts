import { safe } from '../../screen/html-page.js';
import type { Value } from '../store/item-values.js';

const SHORTCODE = /\{\{\{?\s*([^{}]*?)\s*\}?\}\}/g;
const PATH = /^[A-Za-z_][\w]*(?:\.[\w]+)*$/;

/** A text with shortcodes that cannot be filled. */
export class UnfilledError extends Error {
  override readonly name = 'UnfilledError';
}

/**
 * Fills the shortcodes of a text: `{{customer.first_name}}`. In HTML, values are escaped unless written in three
 * braces. Blocks and helpers are not supported. reading: shortcodes
 * @throws UnfilledError for a shortcode without a value
 */
export function fill(text: string, data: Value, html = false): string {
  if (!text.includes('{{')) return text;
  return text.replace(SHORTCODE, (whole, path: string) => {
    if (!PATH.test(path)) throw new UnfilledError(`The shortcode ${whole} is not known: only names and paths are.`);
    const value = valueAt(data, path);
    if (value === undefined || value === null || typeof value === 'object')
      throw new UnfilledError(`The shortcode ${whole} has no value.`);
    return html && !whole.startsWith('{{{') ? safe(String(value)) : String(value);
  });
}

/** Fills the shortcodes in every text of a value. */
export function fillAll(value: unknown, data: Value): unknown {
  if (typeof value === 'string') return fill(value, data);
  if (Array.isArray(value)) return value.map((one) => fillAll(one, data));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fillAll(inner, data)]));
}

function valueAt(data: unknown, path: string): unknown {
  let value = data;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Value)[name];
  }
  return value;
}

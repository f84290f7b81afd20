import { get, parseLossless, plain } from '../../items/json/lossless.js';

/** The text of an item's value at a dotted path, with the digits received; undefined if it is missing or not plain. */
export type Values = (path: string) => string | undefined;

/**
 * Values of a JSON text.
 * @throws JsonFault for text that is not valid
 */
export function valuesOf(raw: string): Values {
  const tree = parseLossless(raw);
  return (path) => plain(get(tree, path)) || undefined;
}

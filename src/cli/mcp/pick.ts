import { get, parseLossless, textOf } from '../../items/json/lossless.js';

/** Only these paths of an item, as an object by path; digits stay as they came. */
export function pick(raw: string, paths: readonly string[]): string {
  const tree = parseLossless(raw);
  return `{${paths.map((path) => `${JSON.stringify(path)}:${textOf(get(tree, path) ?? null)}`).join(',')}}`;
}

import { Digits, get, type Lossless, parseLossless } from '../json/lossless.js';

/** Only these paths of an item, as an object by path; digits stay as they came. */
export function pick(raw: string, paths: readonly string[]): string {
  const tree = parseLossless(raw);
  return `{${paths.map((path) => `${JSON.stringify(path)}:${write(get(tree, path) ?? null)}`).join(',')}}`;
}

function write(value: Lossless): string {
  if (value instanceof Digits) return value.text;
  if (value instanceof Map)
    return `{${[...value].map(([name, one]) => `${JSON.stringify(name)}:${write(one)}`).join(',')}}`;
  return Array.isArray(value) ? `[${value.map(write).join(',')}]` : JSON.stringify(value);
}

import { get, type Lossless, plain } from '../json/lossless.js';
import { CREATED } from './groups.js';
import type { Kept as KeptOf } from './joined.js';
import { UNKNOWN, valuesAt } from './values.js';

/** One thing at a path: an object by its id. Undefined where there is none, or several. */
function oneAt(value: Lossless, path: string): string | undefined {
  const [only, ...others] = valuesAt(value, path);
  if (only === undefined || only === UNKNOWN || others.length > 0) return undefined;
  return plain(only instanceof Map ? get(only, 'id') : only) || undefined;
}

/**
 * Of the items that have the same values at the paths, the one created last, in the order in which they came. Items that
 * lack one of the values are left out; the remarks say so, and where two were created in the same second.
 */
export async function* newestPer<Of>(
  items: AsyncIterable<KeptOf<Of>>,
  paths: readonly string[],
  remarks: string[],
): AsyncGenerator<KeptOf<Of>> {
  const newest = new Map<string, { readonly one: KeptOf<Of>; readonly made: number; isTied: boolean }>();
  let left = 0;
  for await (const one of items) {
    const values = paths.map((path) => oneAt(one.value, path));
    const made = Number(plain(get(one.value, CREATED)) ?? Number.NaN);
    if (values.includes(undefined) || Number.isNaN(made)) {
      left++;
      continue;
    }
    const key = JSON.stringify(values);
    const best = newest.get(key);
    if (best === undefined || made > best.made) newest.set(key, { one, made, isTied: false });
    else if (made === best.made) best.isTied = true;
  }
  const tied = [...newest.values()].filter(({ isTied }) => isTied).length;
  const names = paths.join(', ');
  if (left > 0) remarks.push(`${left.toLocaleString('en-US')} left out: not one ${names} each.`);
  if (tied > 0)
    remarks.push(`${tied.toLocaleString('en-US')} of the newest have another of the same second beside them.`);
  for (const { one } of newest.values()) yield one;
}

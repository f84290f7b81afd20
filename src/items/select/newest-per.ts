import { get, type Lossless, plain } from '../json/lossless.js';
import { group } from '../text/width.js';
import { CREATED } from './groups.js';
import type { Kept as KeptOf } from './joined.js';
import { UNKNOWN, valuesAt } from './values.js';

/** The single value at a path, an object by its id; undefined if there is none, or several. */
function oneAt(value: Lossless, path: string): string | undefined {
  const [only, ...others] = valuesAt(value, path);
  if (only === undefined || only === UNKNOWN || others.length > 0) return undefined;
  return plain(only instanceof Map ? get(only, 'id') : only) || undefined;
}

/**
 * The newest of the items with the same values at the paths, in the order in which each value first came. Items without
 * exactly one value at each path are left out. Remarks tell how many, and which newest items are not the only ones.
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
  if (left > 0) remarks.push(`${group(left)} left out: each needs exactly one ${names}.`);
  if (tied > 0)
    remarks.push(
      `${group(tied)} of the newest ${tied === 1 ? 'shares its' : 'share their'} second of creation with another item.`,
    );
  for (const { one } of newest.values()) yield one;
}

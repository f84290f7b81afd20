import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The text of a golden file beside this module; `COPS_UPDATE_GOLDEN=1` writes what came instead. */
export function golden(name: string, came: string): string {
  const file = path.join(import.meta.dirname, name);
  if (process.env.COPS_UPDATE_GOLDEN === '1') writeFileSync(file, came);
  return readFileSync(file, 'utf8');
}

/** Runs a job for every entry, at most `width` at a time, and keeps the order of the results. */
export async function pooled<T, R>(entries: readonly T[], width: number, job: (entry: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(entries.length);
  let next = 0;
  const worker = async () => {
    while (next < entries.length) {
      const at = next++;
      results[at] = await job(entries[at] as T);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

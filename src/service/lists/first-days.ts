import { join } from 'node:path';
import { lock } from '../../base/files/lock.js';
import { readOwnFile } from '../../base/files/read-file.js';
import { replaceFile } from '../../base/files/replace-file.js';

/** A first day as it is remembered for a key. */
export interface KeptDay {
  readonly fingerprint: string;
  readonly base_url: string;
  /** Unix seconds. */
  readonly first_day: number;
  /** `found`: searched for; `given`: by `--first-day`. */
  readonly source: 'found' | 'given';
  readonly is_proven: boolean;
}

const fileOf = (configDir: string): string => join(configDir, 'first-days.json');

/** The first day that is known for a key at a service; a file that cannot be used counts as none. */
export async function readFirstDay(
  configDir: string,
  fingerprint: string,
  baseUrl: string,
): Promise<KeptDay | undefined> {
  const days = await readAll(configDir);
  return days.find((day) => day.fingerprint === fingerprint && day.base_url === baseUrl);
}

/** Remembers a first day; it can be found again, so a failure is left to the caller to mention or not. */
export async function keepFirstDay(configDir: string, day: KeptDay): Promise<void> {
  const held = await lock(fileOf(configDir), { what: 'The file of first days' });
  try {
    const others = (await readAll(configDir)).filter(
      (one) => one.fingerprint !== day.fingerprint || one.base_url !== day.base_url,
    );
    await replaceFile(fileOf(configDir), `${JSON.stringify({ version: 1, days: [...others, day] }, null, 2)}\n`);
  } finally {
    await held.release();
  }
}

async function readAll(configDir: string): Promise<readonly KeptDay[]> {
  try {
    const { days } = JSON.parse(readOwnFile(fileOf(configDir))?.toString('utf8') ?? '{}') as { days?: unknown };
    return Array.isArray(days) ? days.filter(isKeptDay) : [];
  } catch {
    return [];
  }
}

function isKeptDay(value: unknown): value is KeptDay {
  const day = value as Partial<KeptDay> | null;
  return (
    typeof day?.fingerprint === 'string' &&
    typeof day.base_url === 'string' &&
    Number.isSafeInteger(day.first_day) &&
    (day.source === 'found' || day.source === 'given') &&
    typeof day.is_proven === 'boolean'
  );
}

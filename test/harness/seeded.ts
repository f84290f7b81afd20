import { copyFileSync, existsSync, constants as files, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { databaseFile, type OpenedSandbox, openSandboxStore, resetStore } from '../../src/sandbox/store/open-store.js';

/** How long a worker waits for another one that lays a sandbox out, milliseconds. */
const PATIENCE = 20_000;

/** Sandboxes as their first use lays them out, by day and size: it takes half a second, which one worker does for all. */
const laid = new Map<string, Promise<string>>();

/** Renewals of a sandbox that has something of everything, where how much there is proves nothing. */
export const FEW = 300;

/** Half as large as the program makes it: what is rare is there too (an overdue subscription, in 90 days a sale of each channel). */
export const SOME = 700;

/**
 * Puts a sandbox that was laid out before into a folder of data, as if the program had made it there some time ago.
 * @param now milliseconds since the epoch; the data are those of its day
 * @param renewals how large it is; as the program makes it by itself without
 */
export async function laySandbox(dataDir: string, now = Date.now(), renewals?: number): Promise<void> {
  const key = [new Date(now).toISOString().slice(0, 10), renewals ?? []].flat().join('-');
  const known = laid.get(key) ?? layOnce(path.join(tmpdir(), `cops-laid-${key}`), now, renewals);
  laid.set(key, known);
  const folder = await known;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  copyFileSync(databaseFile(folder), databaseFile(dataDir), files.COPYFILE_EXCL | files.COPYFILE_FICLONE);
}

/** Lays a sandbox out in a folder that all workers know, unless one of them has begun it. */
async function layOnce(folder: string, now: number, renewals?: number): Promise<string> {
  const sign = path.join(folder, 'ready');
  try {
    mkdirSync(folder);
  } catch {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(20)) if (existsSync(sign)) return folder;
    return layOut(mkdtempSync(`${folder}-`), now, renewals);
  }
  await layOut(folder, now, renewals);
  writeFileSync(sign, '');
  return folder;
}

async function layOut(folder: string, now: number, renewals?: number): Promise<string> {
  const options = { dataDir: folder, now: () => now };
  const { database } = await (renewals ? resetStore({ ...options, seed: 1, renewals }) : openSandboxStore(options));
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  database.close();
  return folder;
}

/**
 * Nothing runs by a schedule any more. The functions and assistants that run each night take most of the work of a long
 * time, which a test of renewals and money asks nothing about.
 */
export function endSchedules({ database }: Pick<OpenedSandbox, 'database'>): void {
  database.prepare("DELETE FROM due WHERE task = 'cron'").run();
}

/** Files of sandboxes by the moment, the seed and the size that they were laid out with. */
const kept = new Map<string, string>();

/**
 * A sandbox that is laid out anew for one moment, or the copy of one that was laid out just so before. Nothing of what
 * was seeded falls due in it, unless it is `due`: a test that makes what it asks about needs no years of others' renewals.
 * @param clock the machine's clock from then on, milliseconds; it stands still without
 */
export async function layFor(
  dataDir: string,
  start: number,
  seed: number,
  renewals: number,
  { due = false, clock = () => start * 1000 }: { due?: boolean; clock?: () => number } = {},
): Promise<OpenedSandbox> {
  const key = `${start} ${seed} ${renewals} ${due}`;
  let known = kept.get(key);
  if (known === undefined) {
    const folder = mkdtempSync(path.join(tmpdir(), 'cops-kept-'));
    const opened = await resetStore({ dataDir: folder, now: () => start * 1000, seed, renewals });
    if (!due) opened.database.exec('DELETE FROM due');
    opened.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    opened.database.close();
    known = databaseFile(folder);
    kept.set(key, known);
  }
  copyFileSync(known, databaseFile(dataDir));
  return openSandboxStore({ dataDir, now: clock });
}

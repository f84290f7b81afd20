import { copyFileSync, constants as files, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { databaseFile, type Opened, openStore, resetStore } from '../../src/sandbox/open.js';

/** The sandbox as its first use lays it out, made once a day and worker: laying it out takes half a second each time. */
let made: { readonly day: string; readonly folder: Promise<string> } | undefined;

/** Puts a sandbox that was laid out before into a folder of data, as if the program had made it there some time ago. */
export async function laySandbox(dataDir: string): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  if (made?.day !== day) made = { day, folder: layOut() };
  const folder = await made.folder;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  copyFileSync(databaseFile(folder), databaseFile(dataDir), files.COPYFILE_EXCL | files.COPYFILE_FICLONE);
}

async function layOut(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cops-laid-'));
  const { database } = await openStore({ dataDir: folder, now: Date.now });
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  database.close();
  return folder;
}

/** Files of sandboxes by the moment, the seed and the size that they were laid out with. */
const kept = new Map<string, string>();

/**
 * Nothing runs by a schedule any more. The functions and assistants that run each night take most of the work of a long
 * time, which a test of renewals and money asks nothing about.
 */
export function endSchedules({ database }: Pick<Opened, 'database'>): void {
  database.prepare("DELETE FROM due WHERE task = 'cron'").run();
}

/**
 * A sandbox without schedules (`endSchedules`) that is laid out anew for one moment, or the copy of one that was laid
 * out just so before.
 */
export async function layFor(dataDir: string, start: number, seed: number, renewals: number): Promise<Opened> {
  const now = () => start * 1000;
  const key = `${start} ${seed} ${renewals}`;
  const known = kept.get(key);
  if (known !== undefined) {
    copyFileSync(known, databaseFile(dataDir));
    return openStore({ dataDir, now });
  }
  const opened = await resetStore({ dataDir, now, seed, renewals });
  endSchedules(opened);
  opened.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  const folder = mkdtempSync(path.join(tmpdir(), 'cops-kept-'));
  copyFileSync(databaseFile(dataDir), path.join(folder, 'first.sqlite'));
  kept.set(key, path.join(folder, 'first.sqlite'));
  return opened;
}

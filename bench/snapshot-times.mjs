// Save and restore of a sandbox of ten thousand renewals by the built program, less what its start takes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = resolve(import.meta.dirname, '../bin/cops.js');
const RENEWALS = 10_000;
/** Save and restore together, on two cores that nobody else uses. */
const MOST_SECONDS = 0.3;
const ROUNDS = 5;

/** Saves and restores, and gives a line about the fastest round. */
export function timeSnapshots() {
  const dir = mkdtempSync(join(tmpdir(), 'bench-snapshots-'));
  const env = { ...process.env, COPS_DATA_DIR: join(dir, 'data'), COPS_CONFIG_DIR: join(dir, 'config') };
  const seconds = (...words) => {
    const began = performance.now();
    const done = spawnSync(process.execPath, [PROGRAM, 'sandbox', ...words, '-q', '-o', 'json'], {
      env,
      encoding: 'utf8',
    });
    if (done.status !== 0) throw new Error(done.stderr);
    return (performance.now() - began) / 1000;
  };
  try {
    seconds('reset', '--size', String(RENEWALS));
    const rounds = Array.from({ length: ROUNDS }, () => {
      const start = seconds('keys', 'list');
      const [save, restore] = [seconds('snapshot', 'save', 'a'), seconds('snapshot', 'restore', 'a')];
      return { start, save: save - start, restore: restore - start };
    });
    const best = (name) => Math.min(...rounds.map((one) => one[name]));
    const size = statSync(join(dir, 'data', 'sandbox.sqlite')).size / 1e6;
    return `snapshot of ${RENEWALS} renewals (${size.toFixed(0)} MB): save ${best('save').toFixed(2)} s, restore ${best('restore').toFixed(2)} s (together at most ${MOST_SECONDS} s), beside a start of ${best('start').toFixed(2)} s`;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${timeSnapshots()}\n`);

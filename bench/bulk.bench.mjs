// npm run bench bulk: 10,000 writes on loopback at concurrency 16, the program against a bare loop, whole processes;
// then the peak of memory at 10,000 and 100,000 rows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { measured, median } from './measured.mjs';

const folder = path.dirname(fileURLToPath(import.meta.url));
const ROWS = Number(process.env.BENCH_ITEMS ?? 10_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const CONCURRENCY = '16';
const LEAST = 0.8;

/** Runs `work` with a server of the bench and what starts the program and the loop on it. */
async function onServer(work) {
  const home = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  const server = spawn(process.execPath, [path.join(folder, 'bulk-server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = `http://127.0.0.1:${String((await once(server.stdout, 'data'))[0]).trim()}`;
    const env = {
      ...process.env,
      COPS_CONFIG_DIR: path.join(home, 'config'),
      COPS_DATA_DIR: path.join(home, 'data'),
      COPS_BASE_URL: url,
      COPS_API_KEY: 'test-key-of-the-bench',
      COPS_MODE: 'test',
    };
    const idsFile = (rows) => {
      const file = path.join(home, `ids-${rows}.txt`);
      writeFileSync(
        file,
        `${Array.from({ length: rows }, (_, row) => `row${String(row).padStart(17, '0')}`).join('\n')}\n`,
      );
      return file;
    };
    let run = 0;
    const bulk = (ids) => [
      path.join(folder, '../bin/cops.js'),
      ...['bulk', 'subscriptions', 'suspend', '--ids', ids, '--concurrency', CONCURRENCY],
      ...['--journal', path.join(home, `run-${++run}.journal`), '--quiet', '--yes'],
    ];

    const ours = (ids) => measured(process.execPath, bulk(ids), env);
    const bare = (ids) =>
      measured(
        process.execPath,
        [path.join(folder, 'bulk-loop.mjs'), url, ids, path.join(home, `bare-${++run}`), CONCURRENCY],
        env,
      );
    return await work({ idsFile, ours, bare });
  } finally {
    server.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The loop's time by that of the program, in turns of one run: 1 is as fast. */
async function turns({ idsFile, ours, bare }, rows, rounds, each = () => {}) {
  const ids = idsFile(rows);
  const ratios = [];
  for (let round = 0; round < rounds; round++) {
    const [theirs, mine] = [await bare(ids), await ours(ids)];
    ratios.push(theirs.seconds / mine.seconds);
    each(`bare ${Math.round(rows / theirs.seconds)}/s, cops ${Math.round(rows / mine.seconds)}/s`, ratios.at(-1));
  }
  return median(ratios);
}

/** The median of `rounds` turns. */
export const bulkRatio = (rows, rounds) => onServer((at) => turns(at, rows, rounds));

export default () =>
  onServer(async (at) => {
    const ratio = await turns(at, ROWS, ROUNDS, (figures, one) => console.log(`${figures}, ratio ${one.toFixed(2)}`));
    console.log(`median ratio ${ratio.toFixed(2)} (at least ${LEAST} is asked)`);
    if (ratio < LEAST) process.exitCode = 1;
    const few = await at.ours(at.idsFile(10_000));
    const many = await at.ours(at.idsFile(100_000));
    console.log(`memory: ${few.megabytes} MB at 10,000 rows, ${many.megabytes} MB at 100,000 (goal: flat)`);
  });

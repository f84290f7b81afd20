// npm run bench bulk: 10,000 writes on loopback at concurrency 16, the program against a bare loop, whole processes;
// then the peak of memory at 10,000 and 100,000 rows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { measured } from './measured.mjs';

const folder = path.dirname(fileURLToPath(import.meta.url));
const ROWS = Number(process.env.BENCH_ITEMS ?? 10_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const CONCURRENCY = '16';

export default async function bench() {
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

    const ids = idsFile(ROWS);
    const ratios = [];
    for (let round = 0; round < ROUNDS; round++) {
      const bare = await measured(
        process.execPath,
        [path.join(folder, 'bulk-loop.mjs'), url, ids, path.join(home, `bare-${round}`), CONCURRENCY],
        env,
      );
      const ours = await measured(process.execPath, bulk(ids), env);
      ratios.push(bare.seconds / ours.seconds);
      const figures = `bare ${Math.round(ROWS / bare.seconds)}/s, cops ${Math.round(ROWS / ours.seconds)}/s`;
      console.log(`${figures}, ratio ${ratios.at(-1).toFixed(2)}`);
    }
    const median = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)];
    console.log(`median ratio ${median.toFixed(2)} (at least 0.50 is asked)`);
    if (median < 0.5) process.exitCode = 1;

    const few = await measured(process.execPath, bulk(idsFile(10_000)), env);
    const many = await measured(process.execPath, bulk(idsFile(100_000)), env);
    console.log(`memory: ${few.megabytes} MB at 10,000 rows, ${many.megabytes} MB at 100,000 (goal: flat)`);
  } finally {
    server.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

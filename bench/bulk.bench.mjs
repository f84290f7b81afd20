// npm run bench bulk: 10,000 writes on loopback at concurrency 16, the program against a bare loop, whole processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.dirname(fileURLToPath(import.meta.url));
const ROWS = Number(process.env.COPS_BENCH_ROWS ?? 10_000);
const ROUNDS = Number(process.env.COPS_BENCH_ROUNDS ?? 5);

export default async function bench() {
  const home = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  const server = spawn(process.execPath, [path.join(folder, 'bulk-server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = `http://127.0.0.1:${String((await once(server.stdout, 'data'))[0]).trim()}`;
    const ids = path.join(home, 'ids.txt');
    writeFileSync(
      ids,
      `${Array.from({ length: ROWS }, (_, row) => `row${String(row).padStart(17, '0')}`).join('\n')}\n`,
    );
    const env = {
      ...process.env,
      COPS_CONFIG_DIR: path.join(home, 'config'),
      COPS_DATA_DIR: path.join(home, 'data'),
      COPS_BASE_URL: url,
      COPS_API_KEY: 'test-key-of-the-bench',
      COPS_MODE: 'test',
    };
    const ratios = [];
    for (let round = 0; round < ROUNDS; round++) {
      const bare = await timed(
        [path.join(folder, 'bulk-loop.mjs'), url, ids, path.join(home, `bare-${round}`), '16'],
        env,
      );
      const journal = path.join(home, `run-${round}.journal`);
      const words = [
        'bulk',
        'subscriptions',
        'suspend',
        '--ids',
        ids,
        '--concurrency',
        '16',
        '--journal',
        journal,
        '--quiet',
        '--yes',
      ];
      const ours = await timed([path.join(folder, '../bin/cops.js'), ...words], env);
      ratios.push(bare / ours);
      const figures = `bare ${Math.round(ROWS / bare)}/s, cops ${Math.round(ROWS / ours)}/s`;
      process.stdout.write(`${figures}, ratio ${(bare / ours).toFixed(2)}\n`);
    }
    const median = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)];
    process.stdout.write(`median ratio ${median.toFixed(2)} (at least 0.50 is asked)\n`);
    if (median < 0.5) process.exitCode = 1;
  } finally {
    server.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

async function timed(args, env) {
  const began = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`);
  return (performance.now() - began) / 1000;
}

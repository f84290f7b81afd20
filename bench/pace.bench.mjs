// npm run bench pace: whole exports by the built program against a server that allows so many requests a second, in
// processes of their own; what of the allowance was used, and what was refused, after the first ten seconds.
// BENCH_RATES=5,20, BENCH_LIMITS=bucket,fixed,sliding, BENCH_SECONDS=40, BENCH_LATENCY=20 and BENCH_SIDE=4 change it.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const list = (text, otherwise) => (text ?? otherwise).split(',');
const rates = list(process.env.BENCH_RATES, '2,5,20,50,100,300').map(Number);
const limits = list(process.env.BENCH_LIMITS, 'bucket,fixed,sliding');
const seconds = Number(process.env.BENCH_SECONDS ?? 40);
const latency = process.env.BENCH_LATENCY ?? '20';
/** Exports that run at the same time; a rate of 100 and more has the machine for itself. */
const side = Number(process.env.BENCH_SIDE ?? 4);
const FIRST_MS = 10_000;
const USED = 95;
const REFUSED = 2;
const say = (text) => process.stdout.write(`${text}\n`);

/** The requests of one export of so many seconds: when they came, whether they were served, how many were in flight. */
async function observe({ rate, limit, says }, words, forSeconds) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-pace-'));
  const server = spawn(process.execPath, [path.join(here, 'pace-server.mjs'), String(rate), limit, says, latency], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const url = `http://127.0.0.1:${(await lines.next()).value}`;
  const range = ['--from', '2015-01-01', '--to', '2025-12-31'];
  const line = ['export', 'subscription-renewals', ...range, '--out', path.join(folder, 'out.jsonl'), ...words, '-q'];
  const program = spawn(process.execPath, [path.join(here, '../bin/cops.js'), ...line], {
    env: {
      ...process.env,
      COPS_API_KEY: 'test-key',
      COPS_BASE_URL: url,
      COPS_MODE: 'test',
      COPS_CONFIG_DIR: path.join(folder, 'config'),
      COPS_DATA_DIR: path.join(folder, 'data'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  program.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = new Promise((resolve) => program.once('close', resolve));
  const early = await Promise.race([
    ended,
    new Promise((resolve) => setTimeout(() => resolve('time'), forSeconds * 1000)),
  ]);
  // The requests after this moment are not counted, so that its end is not.
  server.stdin.end();
  const requests = JSON.parse((await lines.next()).value);
  program.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
  if (early !== 'time') throw new Error(`The export ended before its time: ${said.slice(-500)}`);
  return requests;
}

async function measure(one) {
  const requests = await observe(one, ['--concurrency', '32'], seconds);
  const from = requests[0][0] + FIRST_MS;
  const to = requests.at(-1)[0];
  const counted = requests.filter(([at]) => at >= from && at < to);
  const served = counted.filter(([, passed]) => passed === 1).length;
  const used = (100 * served) / ((one.rate * (to - from)) / 1000);
  const refused = (100 * (counted.length - served)) / counted.length;
  return { ...one, used, refused, kept: used >= USED && refused < REFUSED };
}

function tell({ rate, limit, says, used, refused, kept }) {
  const words = `${String(rate).padStart(4)}/s ${limit.padEnd(8)} ${says.padEnd(12)}`;
  say(
    `${words} used ${used.toFixed(1).padStart(5)} %  refused ${refused.toFixed(2).padStart(5)} %  ${kept ? 'kept' : 'MISSED'}`,
  );
}

/** The most requests that came within one second, 10 ms of it granted to the way. */
function most(requests) {
  let first = 0;
  let largest = 0;
  requests.forEach(([at], i) => {
    while (requests[first][0] <= at - 990) first++;
    largest = Math.max(largest, i - first + 1);
  });
  return largest;
}

async function ceilings() {
  for (const rate of [2, 20, 150]) {
    const requests = await observe({ rate, limit: 'none', says: '-' }, ['--rate', String(rate)], 12);
    const passed = (requests.at(-1)[0] - requests[0][0]) / 1000;
    say(
      `--rate ${rate}: ${((requests.length - 1) / passed).toFixed(2)} a second, at most ${most(requests)} within any second`,
    );
  }
  for (const concurrency of [1, 4, 32]) {
    const requests = await observe({ rate: 0, limit: 'none', says: '-' }, ['--concurrency', String(concurrency)], 3);
    say(`--concurrency ${concurrency}: at most ${Math.max(...requests.map(([, , inFlight]) => inFlight))} at once`);
  }
}

export default async function bench() {
  const all = rates.flatMap((rate) =>
    limits.flatMap((limit) => ['retry-after', '-'].map((says) => ({ rate, limit, says }))),
  );
  const run = async (queue) => {
    for (let one = queue.shift(); one; one = queue.shift()) tell(await measure(one));
  };
  const slow = all.filter(({ rate }) => rate < 100);
  await Promise.all(Array.from({ length: side }, () => run(slow)));
  await run(all.filter(({ rate }) => rate >= 100));
  await ceilings();
}

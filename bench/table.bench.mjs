// 5,000 rows from a loopback server (200 pages, one window) as a table against the same rows as JSON, the two in
// turn, medians of many pairs.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, served } from './measured.mjs';

const folder = path.dirname(fileURLToPath(import.meta.url));
const program = path.join(folder, '../bin/cops.js');
const ROWS = 5000;
const PAIRS = 9;
const BUDGET = 2;
const TO = 1_767_225_600;
const FROM = TO - 80 * 86_400;

export default async function table() {
  const home = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  const server = await served('export-server.mjs', ROWS, FROM, TO, 0, 1);
  try {
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      COPS_CONFIG_DIR: path.join(home, 'config'),
      COPS_DATA_DIR: path.join(home, 'data'),
      COPS_BASE_URL: server.url,
      COPS_API_KEY: 'key_of_the_bench_0001',
      COPS_MODE: 'test',
    };
    const pairs = [];
    for (let run = 0; run < PAIRS + 2; run++) {
      const json = time('json', env, (text) => JSON.parse(text).length);
      const rows = time('table', env, (text) => text.trim().split('\n').length - 1);
      if (run >= 2) pairs.push({ json, rows });
    }
    const ratio = median(pairs.map((pair) => pair.rows / pair.json));
    const verdict = ratio <= BUDGET ? 'kept' : 'MISSED';
    console.log('output'.padEnd(30), 'ratio', ' ms ', ' json', ' budget');
    console.log(
      `${ROWS} rows as a table`.padEnd(30),
      ratio.toFixed(2).padStart(5),
      median(pairs.map((pair) => pair.rows))
        .toFixed(0)
        .padStart(4),
      median(pairs.map((pair) => pair.json))
        .toFixed(0)
        .padStart(5),
      ` ${BUDGET} ${verdict}`,
    );
  } finally {
    server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Milliseconds of a run; one that did not print every row is no measurement. */
function time(format, env, count) {
  const line = ['subscription-renewals', 'list', '--from', String(FROM), '--to', String(TO), '--all', '-o', format];
  const began = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...line], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64e6,
  });
  const took = Number(process.hrtime.bigint() - began) / 1e6;
  if (status !== 0) throw new Error(`${line.join(' ')} ended with ${status}: ${stderr}`);
  const rows = count(stdout);
  if (rows !== ROWS) throw new Error(`${line.join(' ')} printed ${rows} rows of ${ROWS}`);
  return took;
}

// npm run bench mirror: a first sync of the sandbox, one that finds nothing new and the close of a month; then a group-by
// over all renewals beside the bare query of the same file, and reports from a current mirror: the processor time of whole
// processes, and how many bare queries each takes. BENCH_ROWS is the number of renewals: a million takes half an hour and
// 17 GB of disk. The service is another process.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { measured } from './measured.mjs';

const program = path.join(path.dirname(fileURLToPath(import.meta.url)), '../bin/cops.js');
const ROWS = Number(process.env.BENCH_ROWS ?? 20_000);
const now = new Date();
const YEAR_AGO = new Date(Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth(), 1)).toISOString().slice(0, 10);
const FAMILIES =
  'sales product-sales subscription-renewals trials transactions wallet-transactions check-directs offline-payments ' +
  'pending-refunds chargebacks salvage-transactions tax shipping subscriptions customers';
/** Reports over the same rows, and the seconds of the processor that each may take of a million. */
const REPORTS = [
  ['revenue --month last', 1],
  ['revenue --month last --by gateway', 2],
  [`revenue --from ${YEAR_AGO} --by month`, 5],
  [`revenue --from ${YEAR_AGO} --by product`, 5],
  ['fees --month last --by gateway', 2],
  ['refunds --quarter last --by product', 1],
  ['customers --top 20', 10],
  ['mrr --month last', 5],
  ['churn --month last', 5],
  ['retention', 5],
  ['ltv', 3],
  ['duplicates --month last', 5],
];
const BY_COUNTRY =
  "SELECT country, currency, count(*) AS n, sum(paid_minor) AS paid FROM payments WHERE kind = 'renewal' GROUP BY 1, 2";

export default async function mirror() {
  const home = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  const file = path.join(home, 'm.sqlite');
  const env = { PATH: process.env.PATH, HOME: home, COPS_CONFIG_DIR: `${home}/config`, COPS_DATA_DIR: `${home}/data` };
  const cops = (...words) => {
    const began = performance.now();
    const ran = spawnSync(process.execPath, [program, ...words], { env, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (ran.status !== 0)
      throw new Error(`cops ${words.join(' ')} ended with ${ran.status}: ${ran.stderr.slice(-500)}`);
    return { seconds: (performance.now() - began) / 1000, rows: ran.stdout };
  };
  const told = (what, seconds, goal, more = '') =>
    console.log(
      `${what.padEnd(44)} ${seconds.toFixed(2)} s (goal ${goal})${more} ${seconds <= goal ? 'kept' : 'MISSED'}`,
    );
  let service;
  try {
    cops('sandbox', 'reset', '--size', String(ROWS), '-q');
    // The service runs in its own process, so that only the program is measured.
    service = spawn(process.execPath, [program, 'sandbox', 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = await once(createInterface(service.stdout), 'line');
    const key = 'sandbox-key-no-secret-0000000001-test';
    Object.assign(env, { COPS_API_KEY: key, COPS_BASE_URL: said.split(/\s+/).at(-1), COPS_MODE: 'test' });
    const sync = ['-q', 'sync', file, ...FAMILIES.split(' ')];
    const first = await measured(process.execPath, [program, ...sync], env);
    console.log(
      `first sync of ${ROWS} renewals and what goes with them: ${first.cpu.toFixed(1)} s of processor, ${first.megabytes} MB`,
    );
    cops(...sync);
    told('a sync of nothing new', cops(...sync).seconds, 3);
    told('report close', cops('report', 'close', '--month', 'last', '--mirror', file).seconds, 2);
    const bare = bareQuery(file);
    const asked = cops('sql', BY_COUNTRY, '--mirror', file, '-o', 'json');
    if (JSON.parse(asked.rows).reduce((sum, { n }) => sum + n, 0) !== bare.counted)
      throw new Error('The counts differ.');
    told(`group-by over ${bare.counted} renewals`, asked.seconds, 1, `, the bare query ${bare.seconds.toFixed(2)} s`);
    for (const [line, most] of REPORTS) {
      const words = ['report', ...line.split(' '), '--mirror', file, '-q', '-o', 'json'];
      const { cpu } = await measured(process.execPath, [program, ...words], env);
      const goal = Math.max(0.5, (most * ROWS) / 1e6);
      told(`report ${line}, processor time`, cpu, goal, `, ${(cpu / bare.cpu).toFixed(1)} bare queries`);
    }
  } finally {
    service?.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

function bareQuery(file) {
  const [began, used] = [performance.now(), process.cpuUsage()];
  const database = new Libsql(file);
  const rows = database.prepare(BY_COUNTRY).all();
  database.close();
  const { user, system } = process.cpuUsage(used);
  return {
    seconds: (performance.now() - began) / 1000,
    cpu: (user + system) / 1e6,
    counted: rows.reduce((sum, { n }) => sum + n, 0),
  };
}

// npm run bench mirror: what data.md calls asking: a group-by over a million renewals beside the bare query of the same
// file, the close of a month, and a sync that finds nothing new. BENCH_SIZE and BENCH_ROWS change the sizes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { measured } from './measured.mjs';

const program = path.join(path.dirname(fileURLToPath(import.meta.url)), '../bin/cops.js');
const SIZE = process.env.BENCH_SIZE ?? 'medium';
const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const FAMILIES =
  'sales product-sales subscription-renewals trials transactions wallet-transactions check-directs offline-payments ' +
  'pending-refunds chargebacks salvage-transactions tax shipping subscriptions customers';
/** Reports over the same rows; their goals are in processor time. */
const REPORTS = ['revenue --month last', 'fees --month last --by gateway', 'refunds --quarter last --by product'];
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
  try {
    cops('sandbox', 'reset', '--size', SIZE, '-q');
    const sync = ['-p', 'sandbox', '-q', 'sync', file, ...FAMILIES.split(' ')];
    console.log(`first sync of the ${SIZE} sandbox: ${cops(...sync).seconds.toFixed(1)} s`);
    cops(...sync);
    told('a sync of nothing new', cops(...sync).seconds, 3);
    told('report close', cops('-p', 'sandbox', 'report', 'close', '--month', 'last', '--mirror', file).seconds, 2);
    const rows = multiply(file);
    const bare = bareQuery(file);
    const asked = cops('-p', 'sandbox', 'sql', BY_COUNTRY, '--mirror', file, '-o', 'json');
    if (JSON.parse(asked.rows).reduce((sum, { n }) => sum + n, 0) !== bare.counted)
      throw new Error('The counts differ.');
    told(`group-by over ${rows} renewals`, asked.seconds, 1, `, the bare query ${bare.seconds.toFixed(2)} s`);
    for (const line of REPORTS) {
      const words = ['-p', 'sandbox', 'report', ...line.split(' '), '--mirror', file, '-q', '-o', 'json'];
      const { cpu } = await measured(process.execPath, [program, ...words], env);
      told(`report ${line}, processor time`, cpu, 1);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Copies renewals under other ids until there are enough. */
function multiply(file) {
  const database = new Libsql(file);
  const columns = database.prepare("SELECT name FROM pragma_table_info('raw_subscription_renewals')").all();
  const rest = columns.map(({ name }) => `"${name}"`).filter((name) => name !== '"id"');
  const table = 'raw_subscription_renewals';
  const count = () => database.prepare(`SELECT count(*) AS n FROM ${table}`).get().n;
  for (let round = 0; count() > 0 && count() < ROWS; round++) {
    const left = ROWS - count();
    database.exec(`INSERT INTO ${table} (id, ${rest}) SELECT id || '-${round}', ${rest} FROM ${table} LIMIT ${left}`);
  }
  const rows = count();
  database.close();
  return rows;
}

function bareQuery(file) {
  const began = performance.now();
  const database = new Libsql(file);
  const rows = database.prepare(BY_COUNTRY).all();
  database.close();
  return { seconds: (performance.now() - began) / 1000, counted: rows.reduce((sum, { n }) => sum + n, 0) };
}

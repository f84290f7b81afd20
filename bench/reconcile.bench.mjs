// npm run bench reconcile: a gateway's file of 10,000 rows held against 12,000 transactions of a mirror; time of the whole
// line, start of the program included. BENCH_ROWS changes the size.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { measured } from './measured.mjs';

const program = path.join(path.dirname(fileURLToPath(import.meta.url)), '../bin/cops.js');
const ROWS = Number(process.env.BENCH_ROWS ?? 10_000);
const GOAL = 5;
const DAY = 86_400;

export default async function reconcile() {
  const home = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  const mirror = path.join(home, 'm.sqlite');
  const file = path.join(home, 'payouts.csv');
  const env = { PATH: process.env.PATH, HOME: home, COPS_CONFIG_DIR: `${home}/config`, COPS_DATA_DIR: `${home}/data` };
  const cops = (...words) => measured(process.execPath, [program, ...words], env);
  try {
    await cops('sandbox', 'reset', '--size', 'small', '-q');
    await cops('-p', 'sandbox', '-q', 'sync', mirror, 'transactions', 'pending-refunds');
    writeFileSync(file, fill(mirror));
    const words = ['-p', 'sandbox', 'reconcile', file, '--month', 'last', '--tz', 'UTC', '--mirror', mirror, '--all'];
    const { seconds, megabytes, out } = await cops(...words, '-o', 'jsonl');
    const matched = out.split('\n').filter((line) => line.includes('"matched"')).length;
    if (matched !== ROWS) throw new Error(`${matched} of ${ROWS} rows matched`);
    console.log(`${ROWS} rows matched: ${seconds.toFixed(2)} s (goal ${GOAL}), ${megabytes} MB`);
    if (seconds > GOAL) console.log('MISSED');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Makes so many approved payments of last month and 2,000 of around it in a mirror; gives last month's as a file. */
function fill(mirror) {
  const database = new Libsql(mirror);
  const now = new Date();
  const begins = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1) / 1000;
  const ends = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) / 1000;
  const names = database.prepare("SELECT name FROM pragma_table_info('raw_transactions')").all();
  const like = database
    .prepare("SELECT * FROM raw_transactions WHERE result = 'approved' AND iso_currency = 'USD' LIMIT 1")
    .get();
  database.exec('DELETE FROM raw_transactions; DELETE FROM raw_pending_refunds');
  const columns = names.map(({ name }) => `"${name}"`);
  const insert = database.prepare(
    `INSERT INTO raw_transactions (${columns}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const lines = ['transaction id,date,gross,currency'];
  database.exec('BEGIN');
  for (let i = 0; i < ROWS + 2_000; i++) {
    const isOther = i >= ROWS;
    const at = isOther ? begins - DAY - i : begins + Math.floor(((ends - begins) * i) / ROWS);
    const cents = 1000 + (i % 9000);
    const own = {
      id: `Bench${String(i).padStart(15, '0')}`,
      created_date_unix: at,
      amount: cents / 100,
      amount_minor: cents,
      amount_captured: cents / 100,
      amount_captured_minor: cents,
      gateway_transaction_id: String(70_000_000 + i),
    };
    insert.run(...names.map(({ name }) => own[name] ?? like[name] ?? null));
    if (!isOther)
      lines.push([own.gateway_transaction_id, new Date(at * 1000).toISOString(), own.amount, 'USD'].join(','));
  }
  database.exec('COMMIT');
  database.close();
  return `${lines.join('\n')}\n`;
}

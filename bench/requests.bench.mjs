// How many requests a list asks: no more than its windows and pages hold, and one a window (and border) to count.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../bin/cops.js', import.meta.url));
const ITEMS = 312;
const NOW = Math.floor(Date.now() / 1000);

/** What is typed, and the most requests it may ask: pages of 25 in windows of 90 days. */
const LINES = [
  ['transactions list --last 30d', 13],
  ['transactions list --last 30d --limit 100', 4],
  ['transactions list --last 200d --limit 100', 4 + 4],
  ['transactions list --last 30d --where amount>20 --sort -amount', 13],
  ['transactions list --last 30d --count', 1],
  ['transactions list --last 200d --count', 5],
  ['transactions list --last 30d --group-by iso_currency --sum amount', 13],
];

/** Rows of the accounts that are asked for last month's revenue. */
const ACCOUNTS = (process.env.BENCH_ACCOUNTS ?? '5000,100000,1000000').split(',').map(Number);
const DAY = 86_400;
const YEARS = 2;

export default async function requests() {
  await ofLists();
  for (const rows of ACCOUNTS) await ofReports(rows);
}

/**
 * What a first and a second `report revenue --month last` ask for, with --sync where more than happens unasked is
 * needed: two years of renewals and their transactions, as many of each, beside a tenth as many customers.
 */
async function ofReports(rows) {
  const from = NOW - YEARS * 365 * DAY;
  const share = { subscription_renewals: 10 / 21, transactions: 10 / 21, customers: 1 / 21 };
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const family = pathname.split('/').at(-1);
    const count = Math.floor(rows * (share[family] ?? 0));
    const [start, end, limit, page] = ['date_start', 'date_end', 'limit', 'page'].map((name) =>
      Number(searchParams.get(name)),
    );
    const step = (NOW - 7200 - from) / Math.max(1, count);
    const isDated = searchParams.has('date_start');
    const first = isDated ? Math.max(0, Math.ceil((start - from) / step)) : 0;
    const last = isDated ? Math.min(count - 1, Math.floor((end - from) / step)) : count - 1;
    const total = Math.max(0, last - first + 1);
    const results = [];
    for (let at = first + (page - 1) * limit; at <= Math.min(last, first + page * limit - 1); at++) {
      results.push({
        id: `${family.slice(0, 4)}${String(at).padStart(16, '0')}`,
        created_date_unix: Math.floor(from + at * step),
        live_mode: false,
        status: 'approved',
        iso_currency: 'USD',
        amount: 10,
        amount_captured: 10,
        amount_refunded: 0,
        amount_fees: 0,
      });
    }
    const counts = { total_count: total, total_pages: Math.ceil(total / limit) || 1, current_page: page || 1 };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ code: 1, results, ...counts, current_count: results.length }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const home = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  const env = environment(home, server);
  try {
    const told = [];
    for (const more of [[], ['--sync', '--max-age', '1s']]) {
      asked = 0;
      const words = ['report', 'revenue', '--month', 'last', '-q', '-o', 'json'];
      let code = await run([...words, ...more], env);
      const counting = code === 12 ? asked : 0;
      if (code === 12) code = await run([...words, '--sync'], env);
      told.push(`${asked - counting}${counting > 0 ? ` (${counting} to count, then 12 without --sync)` : ''}`);
      if (code !== 0 && code !== 10) told.push(`failed with ${code}`);
    }
    console.log(`${String(rows).padStart(9)} rows: first ${told[0]}, again ${told.slice(1).join(' ')}`);
  } finally {
    server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const environment = (home, server) => ({
  PATH: process.env.PATH,
  COPS_CONFIG_DIR: home,
  COPS_DATA_DIR: home,
  COPS_API_KEY: 'bench-key-0123456789',
  COPS_MODE: 'test',
  COPS_BASE_URL: `http://127.0.0.1:${server.address().port}/v2`,
});

async function ofLists() {
  const home = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    const query = new URL(request.url, 'http://localhost').searchParams;
    const [from, to, limit, page] = ['date_start', 'date_end', 'limit', 'page'].map((name) => Number(query.get(name)));
    const found = Array.from({ length: ITEMS }, (_, at) => ({
      id: `ITEM${String(at).padStart(16, '0')}`,
      amount: at % 40,
      iso_currency: at % 2 ? 'USD' : 'EUR',
      created_date_unix: NOW - 60 - at * 3600,
      live_mode: false,
    })).filter((item) => item.created_date_unix >= from && item.created_date_unix <= to);
    const results = found.slice((page - 1) * limit, page * limit);
    const counts = { total_count: found.length, total_pages: Math.ceil(found.length / limit), current_page: page };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ code: 1, results, ...counts, current_count: results.length }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = environment(home, server);
  try {
    for (const [line, most] of LINES) {
      asked = 0;
      const code = await run([...line.split(' '), '-q', '-o', 'json'], env);
      const verdict = code !== 0 ? `failed with ${code}` : asked <= most ? 'ok' : 'MORE THAN BEFORE';
      console.log(`${String(asked).padStart(4)} of at most ${String(most).padStart(3)}  cops ${line}  ${verdict}`);
    }
  } finally {
    server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function run(words, env) {
  return new Promise((resolve) => {
    spawn(process.execPath, [PROGRAM, ...words], { env, stdio: ['ignore', 'ignore', 'inherit'] }).on('close', resolve);
  });
}

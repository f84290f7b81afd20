// npm run bench people: find, customers show and customers search in an account of 100,000 customers: out of a current
// mirror the time of whole lines, without one the number of requests and what is said not to have been read.
// BENCH_CUSTOMERS changes the size.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';

const PROGRAM = fileURLToPath(new URL('../bin/cops.js', import.meta.url));
const CUSTOMERS = Number(process.env.BENCH_CUSTOMERS ?? 100_000);
const GOAL = { seconds: 2, requests: 12 };
const NOW = Math.floor(Date.now() / 1000);
/** Tells the processor time of a process at its end. */
const WATCH = `data:text/javascript,${encodeURIComponent(
  "process.on('exit',()=>{const u=process.resourceUsage();console.error('cpu '+(u.userCPUTime+u.systemCPUTime)/1e6)})",
)}`;
/** One of those that the sandbox has by itself, and one of those that are added. */
const LINES = (mail) => [
  ['find', mail],
  ['find', 'novak 4242'],
  ['find', 'nobody.at.all@example.com'],
  ['customers', 'show', mail],
  ['customers', 'search', 'novak'],
];

export default async function people() {
  const home = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  try {
    await fromMirror(home);
    await fromService(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The embedded service is asked in any case: a mirror answers for one behind an address. */
async function fromMirror(home) {
  const env = { PATH: process.env.PATH, HOME: home, COPS_CONFIG_DIR: `${home}/config`, COPS_DATA_DIR: `${home}/data` };
  await run(['sandbox', 'reset', '--size', 'small', '--yes', '-q'], env);
  const server = spawn(process.execPath, [PROGRAM, 'sandbox', 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const told = await new Promise((resolve) => server.stdout.once('data', (piece) => resolve(String(piece))));
    const [, url] = /base URL {2}(\S+)/.exec(told);
    const [, key] = /test key {2}(\S+)/.exec(told);
    const own = { ...env, COPS_BASE_URL: url, COPS_API_KEY: key, COPS_MODE: 'test' };
    await run(['sync', '-q'], own);
    const mails = await run(['customers', 'list', '--limit', '1', '--query', '[0].email'], own);
    multiply(`${home}/data/mirrors/env-test.sqlite`);
    for (const line of LINES(JSON.parse(mails.out))) tell('mirror', line, await run(line, own));
  } finally {
    server.kill();
  }
}

/** Copies customers under other ids, names and addresses until there are enough. */
function multiply(file) {
  const database = new Libsql(file);
  const columns = database.prepare("SELECT name FROM pragma_table_info('raw_customers')").all();
  const names = columns.map(({ name }) => `"${name}"`);
  const changed = {
    '"id"': "substr(id, 1, 14) || printf('%06d', ?1 + rowid)",
    // Nobody else has the address of one.
    '"email"': "replace(email, '@', '.' || (?1 + rowid) || '@')",
    '"_json"': "replace(_json, '@', '.' || (?1 + rowid) || '@')",
  };
  const moved = names.map((name) => changed[name] ?? name);
  const count = () => database.prepare('SELECT count(*) AS n FROM raw_customers').get().n;
  while (count() < CUSTOMERS) {
    const had = count();
    const left = Math.min(had, CUSTOMERS - had);
    database
      .prepare(`INSERT OR IGNORE INTO raw_customers (${names}) SELECT ${moved} FROM raw_customers LIMIT ${left}`)
      .run(had);
    if (count() === had) throw new Error('No customer was added.');
  }
  console.log(`${count()} customers`);
  database.close();
}

/** A service whose lists tell of so many customers, each with one subscription. */
async function fromService(home) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const [, , family = '', id] = pathname.split('/');
    const customer = (at) => ({
      id: `CUSTOMER${String(at).padStart(12, '0')}`,
      first_name: 'Jonas',
      last_name: 'Novak',
      email: `jonas.${at}@example.com`,
      created_date_unix: NOW - at,
      live_mode: false,
    });
    // A name is that of all, an address that of one.
    const term = request.url.includes('%40') || request.url.includes('@') ? 'mail' : 'name';
    const one = request.url.includes('jonas.7') ? 1 : 0;
    const isSearch = pathname.includes('/search');
    const total = family !== 'customers' ? 0 : isSearch && term === 'mail' ? one : CUSTOMERS;
    const [limit, page] = [Number(searchParams.get('limit') ?? 25), Number(searchParams.get('page') ?? 1)];
    const size = Math.max(0, Math.min(limit, total - (page - 1) * limit));
    const results = Array.from({ length: size }, (_, at) => customer(total === 1 ? 7 : (page - 1) * limit + at));
    const counts = { total_count: total, total_pages: Math.ceil(total / limit) || 1, current_page: page };
    response.setHeader('content-type', 'application/json');
    const isOne = id !== undefined && id !== 'search';
    response.end(
      JSON.stringify(isOne ? { code: 1, ...customer(7) } : { code: 1, results, ...counts, current_count: size }),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    COPS_CONFIG_DIR: `${home}/other`,
    COPS_DATA_DIR: `${home}/other`,
    COPS_API_KEY: 'bench-key-0123456789',
    COPS_MODE: 'test',
    COPS_BASE_URL: `http://127.0.0.1:${server.address().port}/v2`,
  };
  try {
    for (const line of LINES('jonas.7@example.com')) tell('service', line, await run(line, env));
  } finally {
    server.close();
  }
}

function tell(from, line, { seconds, processor, requests, code, said }) {
  const kept = from === 'mirror' ? seconds <= GOAL.seconds : requests <= GOAL.requests;
  const goal = from === 'mirror' ? `goal ${GOAL.seconds} s` : `goal ${GOAL.requests} requests`;
  console.log(
    `${from.padEnd(8)} ${seconds.toFixed(2)} s (processor ${processor.toFixed(2)} s) ${String(requests).padStart(3)} requests (${goal}) ${kept ? 'kept' : 'MISSED'}, ends ${code}: cops ${line.join(' ')}`,
  );
  for (const one of said) console.log(`         ${one.slice(0, 160)}`);
}

/** Runs a line and counts its requests by its log. */
function run(words, env) {
  return new Promise((resolve) => {
    const began = performance.now();
    const child = spawn(
      process.execPath,
      ['--import', WATCH, PROGRAM, ...words, '-o', 'json', '--log-format', 'json'],
      {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const [out, err] = [[], []];
    child.stdout.on('data', (piece) => out.push(piece));
    child.stderr.on('data', (piece) => err.push(piece));
    child.on('close', (code) => {
      const lines = Buffer.concat(err).toString().split('\n');
      resolve({
        code,
        seconds: (performance.now() - began) / 1000,
        out: Buffer.concat(out).toString(),
        processor: Number(/^cpu ([\d.]+)$/m.exec(lines.join('\n'))?.[1]),
        requests: lines.filter((line) => line.includes('"method"')).length,
        said: lines.filter((line) => line.includes('"message"')).map((line) => JSON.parse(line).message ?? line),
      });
    });
  });
}

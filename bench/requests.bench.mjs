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

export default async function requests() {
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
  const env = {
    PATH: process.env.PATH,
    COPS_CONFIG_DIR: home,
    COPS_DATA_DIR: home,
    COPS_API_KEY: 'bench-key-0123456789',
    COPS_MODE: 'test',
    COPS_BASE_URL: `http://127.0.0.1:${server.address().port}/v2`,
  };
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

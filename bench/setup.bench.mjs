// A set-up of 1,000 objects: a pull against the bare GETs that it needs, at the same concurrency; and the check of its files.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { median } from './measured.mjs';

const PROGRAM = fileURLToPath(new URL('../bin/cops.js', import.meta.url));
const OBJECTS = 1000;
/** Milliseconds that each answer takes: a service that is near. */
const LATENCY = 40;
const CONCURRENCY = 8;
const ROUNDS = 3;
const PAGE = 25;

/** Families that hold the objects, with what theirs look like. */
const KINDS = [
  ['key_values', (n) => ({ key: `key_${letters(n)}`, key_type: 'string', value: `${n}` })],
  ['bin_profiles', (n) => ({ name: `Range ${n}`, description: '', enabled: true, bin_6: ['400000'] })],
  ['ai_prompts', (n) => ({ name: `Prompt ${n}`, prompt: `Line of ${n}\n`.repeat(20) })],
  ['product_groups', (n) => ({ name: `Group ${n}`, description: 'one', enabled: true, products: [] })],
];

export default async function setup() {
  const home = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  const asked = [];
  const service = await serve(asked);
  const env = {
    PATH: process.env.PATH,
    COPS_CONFIG_DIR: path.join(home, 'config'),
    COPS_DATA_DIR: path.join(home, 'data'),
    COPS_API_KEY: 'bench-key-0123456789',
    COPS_MODE: 'test',
    COPS_BASE_URL: service.url,
    // The pace that is kept by itself is no part of the comparison.
    COPS_RATE_LIMIT: '0',
  };
  try {
    const pulls = [];
    const bares = [];
    const checks = [];
    let plan = [];
    for (let round = 0; round < ROUNDS; round++) {
      rmSync(path.join(home, 's'), { recursive: true, force: true });
      asked.length = 0;
      pulls.push(await timed(() => run(['setup', 'pull', 's', '--concurrency', `${CONCURRENCY}`], env, home)));
      plan = [...asked];
      bares.push(await timed(() => bare(service.url, plan)));
      checks.push(await timed(() => run(['setup', 'check', 's'], env, home)));
    }
    const files = readdirSync(path.join(home, 's'), { recursive: true }).filter((name) => name.endsWith('.yaml'));
    const [pull, loop, check] = [pulls, bares, checks].map(median);
    const ratio = pull / loop;
    console.log(
      `${files.length - 1} objects, ${plan.length} GETs of ${LATENCY} ms, ${CONCURRENCY} at once; medians of ${ROUNDS}`,
    );
    console.log(
      `pull   ${seconds(pull)}  bare GETs ${seconds(loop)}  ${ratio.toFixed(2)} times  ${ratio <= 1.2 ? 'ok' : 'MORE THAN 1.2'}`,
    );
    console.log(`check  ${seconds(check)}  ${check < 2000 ? 'ok' : 'MORE THAN 2 s'}`);
  } finally {
    service.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** A service that answers lists and items of a set-up, each after the same time. */
async function serve(asked) {
  const now = Math.floor(Date.now() / 1000);
  const items = new Map(KINDS.map(([family]) => [family, []]));
  for (let n = 0; n < OBJECTS; n++) {
    const [family, make] = KINDS[n % KINDS.length];
    const id = family === 'key_values' ? undefined : `BENCH${String(n).padStart(15, '0')}`;
    items
      .get(family)
      .push({ ...(id ? { id } : {}), created_date_unix: now - n, updated_date_unix: now - n, ...make(n) });
  }
  const server = createServer((asking, response) => {
    asked.push(asking.url);
    const url = new URL(asking.url, 'http://localhost');
    const [, , family, id] = url.pathname.split('/');
    const all = items.get(family) ?? [];
    setTimeout(() => {
      response.setHeader('content-type', 'application/json');
      if (id) return response.end(JSON.stringify({ code: 1, ...all.find((item) => (item.id ?? item.key) === id) }));
      if (family === 'sentinel') return response.end(JSON.stringify({ code: 1, enabled: true }));
      const [limit, page] = ['limit', 'page'].map((name) => Number(url.searchParams.get(name)) || 1);
      const size = limit === 1 ? PAGE : limit;
      const results = all.slice((page - 1) * size, page * size);
      const counts = { total_count: all.length, total_pages: Math.ceil(all.length / size), current_page: page };
      return response.end(JSON.stringify({ code: 1, results, ...counts, current_count: results.length }));
    }, LATENCY);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/v2`, close: () => server.close() };
}

/** The same requests, so many at once, with nothing done to their answers. */
async function bare(base, urls) {
  const agent = new Agent({ connections: CONCURRENCY, pipelining: 1 });
  const queue = urls[Symbol.iterator]();
  const worker = async () => {
    for (const url of queue) {
      const { body } = await request(new URL(url, base), { dispatcher: agent });
      await body.dump();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  await agent.close();
}

function letters(n) {
  return [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`;
}

function run(words, env, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...words, '-q', '-o', 'json'], {
      env,
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`cops ${words.join(' ')} ended with ${code}`)),
    );
  });
}

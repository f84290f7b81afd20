// npm run bench sandbox: a page of a large set against the same page of a small one, and the rate of served pages
// against a bare Node server with ready-made pages of the same size; how long resets take; then what `sandbox-scale.mjs` says. BENCH_LARGE
// and BENCH_SMALL are renewals (a million takes some minutes and about 5 GB to lay out, 50000 are a quick look);
// BENCH_DIR keeps the databases for the next run.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, get as httpGet } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median } from './measured.mjs';
import { processorSeconds, scale } from './sandbox-scale.mjs';
import { timeScenarios } from './scenario-times.mjs';
import { timeSnapshots } from './snapshot-times.mjs';

const PROGRAM = resolve(import.meta.dirname, '../bin/cops.js');
const KEY = 'sandbox-key-no-secret-0000000001-test';
const large = Number(process.env.BENCH_LARGE ?? 1_000_000);
const small = Number(process.env.BENCH_SMALL ?? 10_000);
const DAY = 86_400;
/** How long a reset may take on two cores that nobody else uses. */
const MOST_SECONDS = { 10000: 3, 100000: 30 };
const kept = process.env.BENCH_DIR;
const root = kept ?? mkdtempSync(join(tmpdir(), 'bench-'));
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

const env = (dir) => ({ ...process.env, COPS_DATA_DIR: dir, COPS_CONFIG_DIR: join(dir, 'config') });

function layOut(size) {
  const dir = join(root, String(size));
  if (existsSync(join(dir, 'sandbox.sqlite'))) return dir;
  mkdirSync(dir, { recursive: true });
  const began = Date.now();
  const watch =
    "process.on('exit',()=>{const u=process.resourceUsage();console.error('peak '+Math.round(u.maxRSS/1024)+' cpu '+(u.userCPUTime+u.systemCPUTime)/1e6)})";
  const done = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(watch)}`,
      PROGRAM,
      'sandbox',
      'reset',
      '--size',
      String(size),
      '-o',
      'json',
    ],
    { env: env(dir), encoding: 'utf8' },
  );
  if (done.status !== 0) throw new Error(done.stderr);
  const [, peak, cpu] = /peak (\d+) cpu ([\d.]+)/.exec(done.stderr) ?? [];
  const wanted = MOST_SECONDS[size] ? ` (at most ${MOST_SECONDS[size]} s)` : '';
  say(
    `reset to ${size}: ${((Date.now() - began) / 1000).toFixed(1)} s${wanted}, ${Number(cpu).toFixed(1)} s of processor time, peak ${peak} MB`,
  );
  return dir;
}

/** Moves the clock of an account by two days: what happens, and the processor time of each thing, milliseconds. */
function letTimePass(size) {
  const watch =
    "process.on('exit',()=>{const u=process.resourceUsage();console.error('cpu '+(u.userCPUTime+u.systemCPUTime)/1000)})";
  const words = ['sandbox', 'clock', 'advance', '2d', '-o', 'json'];
  const done = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(watch)}`, PROGRAM, ...words],
    { env: env(join(root, String(size))), encoding: 'utf8' },
  );
  if (done.status !== 0) throw new Error(done.stderr);
  const { events: happened } = JSON.parse(done.stdout);
  return { happened, cost: Number(/cpu ([\d.]+)/.exec(done.stderr)?.[1]) / happened };
}

async function serve(dir) {
  const child = spawn(process.execPath, [PROGRAM, 'sandbox', 'serve'], {
    env: env(dir),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((done) => {
    child.stdout.on('data', (piece) => {
      const found = /http:\/\/127\.0\.0\.1:\d+\/v2/.exec(String(piece))?.[0];
      if (found) done(found);
    });
  });
  return { child, url };
}

function fetchText(url) {
  return new Promise((done, fail) => {
    httpGet(url, { agent, headers: { 'x-api-key': KEY } }, (response) => {
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () => done(Buffer.concat(pieces)));
    }).on('error', fail);
  });
}

const say = (line) => process.stdout.write(`${line}\n`);

async function pageTimes(url) {
  const end = Math.floor(Date.now() / 1000);
  const start = end - 90 * DAY;
  const path = (page) => `${url}/subscription_renewals?date_start=${start}&date_end=${end}&limit=25&page=${page}`;
  const pages = JSON.parse(await fetchText(path(1))).total_pages;
  const times = { first: [], middle: [], last: [] };
  for (let turn = 0; turn < 101; turn++) {
    for (const [name, page] of [
      ['first', 1],
      ['middle', Math.ceil(pages / 2)],
      ['last', pages - 1],
    ]) {
      const began = performance.now();
      await fetchText(path(page));
      times[name].push(performance.now() - began);
    }
  }
  return { pages, path, first: median(times.first), middle: median(times.middle), last: median(times.last) };
}

/** Requests of one turn. */
const TOTAL = 3000;

async function rate(url, total = TOTAL, lanes = 8) {
  let left = total;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (left-- > 0) await fetchText(typeof url === 'function' ? url(left) : url);
    }),
  );
  return total / ((performance.now() - began) / 1000);
}

/**
 * The rate of answers against a bare server with ready-made ones of the same size, in turns, and the processor time of
 * each, which says more where others use the machine.
 */
async function serving(name, pid, pathOf, least) {
  const { length } = await fetchText(pathOf(1));
  // It runs in a process of its own, like the sandbox.
  const script = `const b=Buffer.alloc(${length},'x');const s=require('http').createServer((q,r)=>{r.writeHead(200,{'content-length':b.length});r.end(b)}).listen(0,'127.0.0.1',()=>console.log('http://127.0.0.1:'+s.address().port))`;
  const bare = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((done) => bare.stdout.once('data', (piece) => done(String(piece).trim())));
  const turns = [];
  const used = { plain: processorSeconds(bare.pid), own: processorSeconds(pid) };
  for (let turn = 0; turn < 5; turn++) turns.push({ plain: await rate(url), own: await rate(pathOf) });
  const each = (id, before) => (((processorSeconds(id) - before) * 1e6) / (5 * TOTAL)).toFixed(0);
  const cost = `${each(bare.pid, used.plain)} and ${each(pid, used.own)} µs of processor time each`;
  bare.kill('SIGTERM');
  const middle = (value) => median(turns.map(value));
  say(
    `serving ${name} of ${(length / 1024).toFixed(0)} kB: bare ${middle(({ plain }) => plain).toFixed(0)}/s, sandbox ${middle(({ own }) => own).toFixed(0)}/s, ${cost}, median ratio ${middle(({ plain, own }) => own / plain).toFixed(2)} (at least ${least})`,
  );
}

export default async function bench() {
  for (const size of Object.keys(MOST_SECONDS)) layOut(Number(size));
  const few = await serve(layOut(small));
  const many = await serve(layOut(large));
  const one = await pageTimes(few.url);
  const other = await pageTimes(many.url);
  for (const name of ['first', 'middle', 'last']) {
    say(
      `${name} page: ${small} ${one[name].toFixed(2)} ms, ${large} ${other[name].toFixed(2)} ms, ratio ${(other[name] / one[name]).toFixed(2)} (at most 1.5)`,
    );
  }
  await serving(`pages, ${large}`, many.child.pid, (n) => other.path(1 + ((n * 37) % (other.pages - 1))), 0.25);
  await serving(`pages, ${small}`, few.child.pid, (n) => one.path(1 + ((n * 37) % (one.pages - 1))), 0.5);
  const items = JSON.parse(await fetchText(one.path(2))).results;
  const single = (n) => `${few.url}/subscription_renewals/${items[n % items.length].id}`;
  await serving(`single items, ${small}`, few.child.pid, single, 0.5);
  await scale({ few, many });
  for (const child of [few.child, many.child]) child.kill('SIGTERM');
  agent.destroy();
  const [fewer, more] = [letTimePass(small), letTimePass(large)];
  say(
    `two days pass: ${fewer.happened} things, ${fewer.cost.toFixed(2)} ms of processor time each; ${more.happened} things, ${more.cost.toFixed(2)} ms each, ratio ${(more.cost / fewer.cost).toFixed(2)} (at most 1.5)`,
  );
  say(timeScenarios());
  say(timeSnapshots());
  if (!kept) rmSync(root, { recursive: true, force: true });
}

// What hungry inputs cost: each ends with a clear error (or what it asked for) within 2 s, below 250 MB.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const PROGRAM = fileURLToPath(new URL('../bin/cops.js', import.meta.url));
const MOST_MS = 2000;
const MOST_MB = 250;
const ID = 'aBcDeFgHiJkLmNoPqRsT';
const MILLION = 1_000_000;

/**
 * Left by every process as it ends: its largest resident memory, and its time on a processor. The peak is that of its own
 * memory where Linux tells it: the one of its usage counts what the process that started it had.
 */
const PEAK = `process.on('exit', () => {
  const fs = require('fs');
  const usage = process.resourceUsage();
  try {
    usage.maxRSS = Number(/VmHWM:\\s+(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {}
  fs.writeFileSync(process.env.PEAK, JSON.stringify(usage));
})`;

const item = (at) => ({ id: `ITEM${String(at).padStart(16, '0')}`, live_mode: false, created_date_unix: at });
const answer = (facts) => JSON.stringify({ code: 1, api_call_id: 'CALL0000000000000001', ...facts });
const keys = (separator, line) => Array.from({ length: MILLION }, (_, at) => line(at)).join(separator);
const doubling = (depth) => Array.from({ length: depth }, () => '[@,@]').join('|');

/** Each row: what it is, the words, the files that it needs. */
const ROWS = [
  [
    'a million keys, YAML',
    ['customers', 'create', '--body', '@a.yaml'],
    { 'a.yaml': () => keys('\n', (at) => `k${at}: ${at}`) },
  ],
  [
    'a million keys, JSON',
    ['customers', 'create', '--body', '@a.json'],
    { 'a.json': () => `{${keys(',', (at) => `"k${at}":${at}`)}}` },
  ],
  [
    'a million keys, nested',
    ['customers', 'create', '--body', '@a.json'],
    { 'a.json': () => `{"customer":{${keys(',', (at) => `"k${at}":1`)}}}` },
  ],
  [
    'a million items, JSON',
    ['customers', 'create', '--body', '@a.json'],
    { 'a.json': () => `{"tags":[${keys(',', String)}]}` },
  ],
  ['a million levels, JSON', ['customers', 'create', '--body', '@a.json'], { 'a.json': () => '['.repeat(MILLION) }],
  ['a million levels, YAML', ['customers', 'create', '--body', '@a.yaml'], { 'a.yaml': () => '['.repeat(MILLION) }],
  ['aliases that multiply, YAML', ['customers', 'create', '--body', '@a.yaml'], { 'a.yaml': aliases }],
  [
    '200,000 columns, CSV',
    bulk('a.csv'),
    { 'a.csv': () => `id,${keys(',', (at) => `c${at}`).slice(0, 1_488_889)}\n${ID}\n` },
  ],
  [
    '200,000 columns, JSONL',
    bulk('a.jsonl'),
    { 'a.jsonl': () => `{"id":"${ID}",${keys(',', (at) => `"c${at}":1`)}}\n` },
  ],
  ['one line of 100 MB, JSONL', bulk('a.jsonl'), { 'a.jsonl': (file) => large(file, 'x') }],
  ['one cell of 100 MB, CSV', bulk('a.csv'), { 'a.csv': (file) => large(file, 'x') }],
  ['a description in a circle', ['openapi', 'pull']],
  ['total_pages without end', ['campaigns', 'list', '-o', 'json']],
  ['total_count without end, export', ['export', 'sales', '--last', '90d', '--out', '-']],
  ['JMESPath that doubles', ['customers', 'get', ID, '--query', doubling(40)]],
  ['JMESPath that nests', ['customers', 'get', ID, '--query', '['.repeat(100_000)]],
  ['Retry-After: 120 at --timeout 0.5', ['ai-prompts', 'list', '--timeout', '0.5']],
  ['an answer of 300 MB', ['customers', 'get', 'LARGE000000000000000']],
  ['an answer of 300 MB, packed to 300 kB', ['customers', 'get', 'PACKED00000000000000']],
  ['an answer a million levels deep', ['customers', 'get', 'DEEP0000000000000000']],
  [
    'a set-up file of a million keys',
    ['setup', 'check', '.'],
    { 'cops.setup.yaml': () => 'version: 1\n', 'products/a.yaml': () => keys('\n', (at) => `k${at}: ${at}`) },
  ],
  [
    'a set-up file that multiplies',
    ['setup', 'check', '.'],
    { 'cops.setup.yaml': () => 'version: 1\n', 'products/a.yaml': aliases },
  ],
  ['a plan of 100 MB', ['setup', 'apply', 'plan.json'], { 'plan.json': (file) => large(file, '[') }],
  ['a journal of one endless line', ['bulk', 'status', 'a.journal'], { 'a.journal': (file) => large(file, 'x') }],
  ['a configuration of 100 MB', ['profiles', 'list'], { 'config/config.json': (file) => large(file, ' ') }],
];

function bulk(file) {
  return ['bulk', 'subscriptions', 'cancel', '--input', file, '--yes'];
}

function aliases() {
  const names = 'abcdefghij';
  const lines = [...names].map((name, at) => {
    const before = at === 0 ? '"lol"' : `*${names[at - 1]}`;
    return `${name}: &${name} [${Array(10).fill(before).join(',')}]`;
  });
  return `${lines.join('\n')}\n`;
}

/** 100 MB of one character, in pieces. */
function large(file, character) {
  const descriptor = openSync(file, 'w');
  const piece = character.repeat(1 << 20);
  for (let at = 0; at < 100; at++) writeSync(descriptor, piece);
  closeSync(descriptor);
}

function description() {
  const of = (name) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`S${at}`, { allOf: Array.from({ length: 12 }, (__, to) => of(`S${to}`)) }]),
  );
  const post = {
    operationId: 'x',
    requestBody: { content: { 'application/json': { schema: of('S0') } } },
    responses: { 200: { description: 'ok', content: { 'application/json': { schema: of('S1') } } } },
  };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths: { '/customers': { post } },
    components: { schemas },
  });
}

/** Answers by path; what is large is sent as fast as it is taken. */
function reply(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const json = (text, headers = {}) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(text);
  };
  const page = Number(searchParams.get('page') ?? 1);
  if (pathname.endsWith('/openapi.json')) return json(description());
  if (pathname.endsWith('/ai_prompts')) {
    response.writeHead(429, { 'retry-after': '120', 'content-type': 'application/json' });
    return response.end('{"code":0,"message":"slow down"}');
  }
  if (pathname.includes('LARGE')) return endless(response);
  if (pathname.includes('PACKED')) {
    return json(gzipSync(Buffer.alloc(300 << 20, 0x20)), { 'content-encoding': 'gzip' });
  }
  if (pathname.includes('DEEP')) return json(`{"code":1,"id":${'['.repeat(MILLION)}${']'.repeat(MILLION)}}`);
  if (/\/[A-Za-z0-9]{20}$/.test(pathname)) return json(answer(item(1)));
  const first = (page - 1) * 25;
  const results = Array.from({ length: Math.max(0, Math.min(25, 40 - first)) }, (_, at) => item(first + at));
  return json(answer({ results, total_count: 1e9, total_pages: 4e7 }));
}

function endless(response) {
  response.writeHead(200, { 'content-type': 'application/json' });
  const piece = Buffer.alloc(1 << 20, 0x20);
  let left = 300;
  const more = () => {
    while (left-- > 0) if (!response.write(piece)) return void response.once('drain', more);
    response.end();
  };
  response.on('error', () => {});
  more();
}

export default async function hostile() {
  const root = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  const server = createServer(reply);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  writeFileSync(path.join(root, 'peak.cjs'), PEAK);
  console.log(`${'input'.padEnd(40)} ${'s'.padStart(6)} ${'CPU s'.padStart(6)} ${'MB'.padStart(5)} code`);
  try {
    for (const [at, [name, words, files = {}]] of ROWS.entries()) {
      const { seconds, busy, megabytes, code, said } = await measured(root, at, words, files, server.address().port);
      const over = seconds * 1000 > MOST_MS || megabytes > MOST_MB ? ' ABOVE' : '';
      const line = `${name.padEnd(40)} ${seconds.toFixed(2).padStart(6)} ${busy.toFixed(2).padStart(6)} ${megabytes.toFixed(0).padStart(5)} ${code}${over}`;
      console.log(`${line.padEnd(66)} ${said.slice(0, 90)}`);
      if (over) process.exitCode = 1;
    }
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function measured(root, at, words, files, port) {
  const folder = path.join(root, String(at));
  mkdirSync(folder);
  for (const [name, make] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    const text = make(file);
    if (text !== undefined) writeFileSync(file, text);
  }
  const peak = path.join(folder, 'peak');
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    COPS_CONFIG_DIR: path.join(folder, 'config'),
    COPS_DATA_DIR: path.join(folder, 'data'),
    COPS_BASE_URL: `http://127.0.0.1:${port}/v2`,
    COPS_API_KEY: 'bench-key-0123456789',
    COPS_MODE: 'test',
    PEAK: peak,
  };
  const started = performance.now();
  const child = spawn(process.execPath, ['--require', path.join(root, 'peak.cjs'), PROGRAM, ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const late = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const code = await new Promise((resolve) => child.on('close', (number, signal) => resolve(signal ?? number)));
  clearTimeout(late);
  const seconds = (performance.now() - started) / 1000;
  const usage = code === 'SIGKILL' ? {} : JSON.parse(readFileSync(peak, 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  const [line = ''] = said.split('\n').filter((text) => /error/i.test(text));
  const busy = (usage.userCPUTime + usage.systemCPUTime) / 1e6;
  return { seconds, busy, megabytes: usage.maxRSS / 1024, code, said: line };
}

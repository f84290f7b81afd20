// npm run bench export: the built program against a bare undici loop that only saves the bodies, in one run, on an
// independent loopback server with pages built beforehand. BENCH_ITEMS, BENCH_ROUNDS and BENCH_MILLION=1 change it.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const FROM = Date.UTC(2025, 0, 1) / 1000;
const TO = FROM + 180 * 86_400;
const CONNECTIONS = 32;
const items = Number(process.env.BENCH_ITEMS ?? 100_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const say = (text) => process.stdout.write(`${text}\n`);

/** Runs a program to its end: seconds, and its largest resident size where /proc tells it. */
function run(command, args, env) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let peak = 0;
    const watch = setInterval(() => {
      try {
        peak = Math.max(
          peak,
          Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0),
        );
      } catch {
        // It has ended, or the system has no /proc.
      }
    }, 20);
    let out = '';
    let said = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.once('close', (code) => {
      clearInterval(watch);
      if (code !== 0) reject(new Error(`${command} ${args[0]} ended with ${code}: ${said.slice(-500)}`));
      else resolve({ seconds: (performance.now() - began) / 1000, out, megabytes: Math.round(peak / 1024) });
    });
  });
}

async function serve(count, latency, keep) {
  const child = spawn(
    process.execPath,
    [path.join(here, 'export-server.mjs'), ...[count, FROM, TO, latency, keep ? 1 : 0].map(String)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const port = await new Promise((resolve) => createInterface(child.stdout).once('line', resolve));
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

function exporter(folder, url) {
  const env = {
    COPS_API_KEY: 'test-key',
    COPS_BASE_URL: url,
    COPS_MODE: 'test',
    COPS_CONFIG_DIR: path.join(folder, 'config'),
    COPS_DATA_DIR: path.join(folder, 'data'),
  };
  return (format) => {
    const out = path.join(folder, `out.${format}`);
    for (const name of [out, `${out}.manifest.json`]) rmSync(name, { force: true });
    const range = ['--from', String(FROM), '--to', String(TO)];
    const words = [
      'export',
      'subscription-renewals',
      ...range,
      '--out',
      out,
      '--concurrency',
      String(CONNECTIONS),
      '-q',
    ];
    return run(process.execPath, [path.join(here, '../bin/cops.js'), ...words], env);
  };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function compare(folder, latency, formats) {
  const server = await serve(items, latency, true);
  try {
    const exports = exporter(folder, server.url);
    // Builds every page, so that the server does nothing but answer.
    await exports('jsonl');
    const ratios = Object.fromEntries(formats.map(({ format }) => [format, []]));
    const peaks = Object.fromEntries(formats.map(({ format }) => [format, 0]));
    for (let round = 0; round < rounds; round++) {
      for (const { format } of formats) {
        const loop = await run(process.execPath, [
          path.join(here, 'export-loop.mjs'),
          server.url,
          path.join(folder, 'loop'),
          String(CONNECTIONS),
        ]);
        const { pages } = JSON.parse(loop.out);
        const mine = await exports(format);
        // Whole processes on both sides, the time to start included.
        ratios[format].push(mine.seconds / loop.seconds);
        peaks[format] = Math.max(peaks[format], mine.megabytes);
        say(
          `  ${format.padEnd(8)} loop ${(pages / loop.seconds).toFixed(0)} pages/s, export ${(pages / mine.seconds).toFixed(0)} pages/s, ` +
            `${mine.megabytes} MB, ${(mine.seconds / loop.seconds).toFixed(2)} times the loop`,
        );
      }
    }
    for (const { format, most } of formats) {
      say(
        `${latency} ms latency, ${format}: ${median(ratios[format]).toFixed(2)} times the loop (median; goal ${most}), ` +
          `${peaks[format]} MB (goal 160)`,
      );
    }
    if (latency === 0) await duckdb(folder, exports);
  } finally {
    server.stop();
  }
}

/** What reading the same lines into a table costs another engine, after the export that made them. */
async function duckdb(folder, exports) {
  const mine = await exports('jsonl');
  const sqlite = await exports('sqlite');
  const table = path.join(folder, 'items.duckdb');
  const read = await run(process.execPath, [path.join(here, 'duckdb-read.mjs'), path.join(folder, 'out.jsonl'), table]);
  if (Number(read.out) !== items) throw new Error(`DuckDB read ${read.out} of ${items} items.`);
  say(
    `DuckDB reads the JSON lines into a table in ${read.seconds.toFixed(1)} s with ${read.megabytes} MB; the export made ` +
      `them in ${mine.seconds.toFixed(1)} s, and a SQLite file in ${sqlite.seconds.toFixed(1)} s`,
  );
}

/** A plain Python client that parses every page and writes its items. */
const PYTHON = `
import http.client, json, sys
host, out = sys.argv[1:3]
c = http.client.HTTPConnection(host)
c.request('GET', '/asked'); urls = json.loads(c.getresponse().read())
with open(out, 'w') as f:
    for u in urls:
        c.request('GET', u, headers={'x-api-key': 'test-key'})
        for item in json.loads(c.getresponse().read())['results']:
            f.write(json.dumps(item) + '\\n')
`;

/** Against clients that ask for one page after the other. */
async function others(folder, latency, count) {
  const server = await serve(count, latency, true);
  const at = latency === 0 ? 'without latency' : `with ${latency} ms latency`;
  try {
    const exports = exporter(folder, server.url);
    await exports('jsonl');
    const mine = await exports('jsonl');
    const script = path.join(folder, 'loop.py');
    writeFileSync(script, PYTHON);
    const python = await run('python3', [script, server.url.slice(7), path.join(folder, 'python')]).catch(
      () => undefined,
    );
    if (python) {
      const times = (python.seconds / mine.seconds).toFixed(1);
      say(`Python http.client that parses and writes ${count} items ${at}: export ${times} times as fast (goal 3)`);
    }
    if (latency > 0) return;
    const asked = await (await fetch(`${server.url}/asked`)).json();
    const some = asked.slice(0, 100);
    const lines = some
      .map((url) => `curl -s -H 'x-api-key: test-key' '${server.url}${url}' | jq -c '.results[]'`)
      .join('\n');
    const shell = await run('bash', ['-c', `(${lines}) > ${path.join(folder, 'curl')}`]).catch(() => undefined);
    if (shell) {
      const times = (shell.seconds / some.length) * asked.length;
      say(
        `curl | jq a page (first ${some.length} pages, scaled): export ${(times / mine.seconds).toFixed(0)} times as fast (goal 20)`,
      );
    }
  } finally {
    server.stop();
  }
}

async function memory(folder) {
  const peaks = {};
  for (const count of process.env.BENCH_MILLION === '1' ? [100_000, 1_000_000] : [100_000]) {
    const server = await serve(count, 0, false);
    try {
      peaks[count] = (await exporter(folder, server.url)('jsonl')).megabytes;
      say(`memory: ${count} items peak at ${peaks[count]} MB (goal 150)`);
    } finally {
      server.stop();
    }
  }
  if (peaks[1_000_000])
    say(`memory: a million is ${(peaks[1_000_000] / peaks[100_000]).toFixed(2)} of 100,000 (goal 1.2)`);
}

export default async function bench() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-export-'));
  try {
    await compare(folder, 0, [
      { format: 'jsonl', most: 2 },
      { format: 'csv', most: 3 },
      { format: 'parquet', most: 5 },
      { format: 'sqlite', most: 4 },
    ]);
    await compare(folder, 20, [{ format: 'jsonl', most: 1.05 }]);
    await others(folder, 0, items);
    await others(folder, 20, Math.min(items, 20_000));
    await memory(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

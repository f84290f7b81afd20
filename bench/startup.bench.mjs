// Wall time of short commands against a bare start of Node, the two in turn, medians of many pairs.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './measured.mjs';

const program = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../bin/cops.js');
const PAIRS = 25;
const ID = 'aBcDeFgHiJkLmNoPqRsT';

/**
 * Each command's time against a bare start of Node, medians of pairs: `{ name, ratio, ours, bare, more }`, times in
 * milliseconds, and `fastest`, the ratio of the fastest of each, which says more where others use the machine.
 * `budget` is the ratio asked for, `budgetMs` the milliseconds more.
 */
export async function startupRatios(names, runs = PAIRS) {
  const folder = mkdtempSync(path.join(tmpdir(), 'cops-bench-'));
  const server = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const port = await new Promise((resolve) => server.stdout.once('data', (text) => resolve(String(text).trim())));
    const own = {
      PATH: process.env.PATH,
      HOME: folder,
      COPS_CONFIG_DIR: path.join(folder, 'config'),
      COPS_DATA_DIR: path.join(folder, 'data'),
    };
    const overNetwork = {
      ...own,
      COPS_BASE_URL: `http://127.0.0.1:${port}`,
      COPS_API_KEY: 'key_of_the_bench_0001',
      COPS_MODE: 'test',
    };
    const rows = [
      ['--version', ['--version'], 1.1],
      ['--help', ['--help'], 1.45],
      ['subscriptions --help', ['subscriptions', '--help'], 1.35],
      ['subscriptions cancel --help', ['subscriptions', 'cancel', '--help'], 1.35],
      ['a write with --dry-run', ['subscriptions', 'cancel', ID, '--dry-run'], 2],
      ['customers get, loopback', ['customers', 'get', ID], 2.4],
      ['products list, sandbox', ['-p', 'sandbox', 'products', 'list'], 3.5],
      ['one Tab: an action', tab('cops subscriptions can'), undefined, 15],
      ['one Tab: options', tab('cops subscriptions list --'), undefined, 15],
      ['one Tab: fields of a body', tab('cops customers create -d '), undefined, 15],
    ];
    const found = [];
    for (const [name, args, budget, budgetMs] of rows) {
      if (names && !names.includes(name)) continue;
      const env = args.includes('sandbox') ? own : overNetwork;
      const pairs = [];
      for (let run = 0; run < runs + 2; run++) {
        const bare = time(['-e', '0'], env);
        const ours = time([program, ...args], env);
        if (run >= 2) pairs.push({ bare, ours });
      }
      found.push({
        name,
        budget,
        budgetMs,
        ours: median(pairs.map((pair) => pair.ours)),
        bare: median(pairs.map((pair) => pair.bare)),
        ratio: median(pairs.map((pair) => pair.ours / pair.bare)),
        fastest: Math.min(...pairs.map((pair) => pair.ours)) / Math.min(...pairs.map((pair) => pair.bare)),
        more: median(pairs.map((pair) => pair.ours - pair.bare)),
      });
    }
    return found;
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

export default async function startup() {
  console.log('command'.padEnd(30), 'ratio', ' ms ', ' bare', ' budget');
  for (const { name, budget, budgetMs, ours, bare, ratio, more } of await startupRatios()) {
    const verdict =
      budgetMs === undefined
        ? `${budget} ${ratio <= budget ? 'kept' : 'MISSED'}`
        : `+${budgetMs} ms ${more <= budgetMs ? 'kept' : 'MISSED'} (+${more.toFixed(1)})`;
    console.log(
      name.padEnd(30),
      ratio.toFixed(2).padStart(5),
      ours.toFixed(1).padStart(5),
      bare.toFixed(1).padStart(5),
      verdict,
    );
  }
}

/** The question that the script of bash asks at a Tab. */
function tab(line) {
  return ['__complete', 'bash', 'line', '9', '80', ' \t\n"\'@><=;|&(:', line];
}

function time(args, env) {
  const began = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return Number(process.hrtime.bigint() - began) / 1e6;
}

const SERVER = `
const body = JSON.stringify({ api_call_id: 'c'.repeat(20), api_call_unix: 1, code: 1, id: '${ID}', live_mode: false });
require('http').createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(body);
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

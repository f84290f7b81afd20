// npm run bench mcp: the first answer of the agents' server against a bare Node, and a read through it against the same
// read as a command, less what a start costs. On the embedded sandbox. BENCH_ROUNDS changes how often.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { median } from './measured.mjs';

const PROGRAM = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../bin/cops.js');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11);
const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};
const READ = { name: 'read', arguments: { operation: 'campaigns list' } };

export default async function bench() {
  const folder = mkdtempSync(path.join(tmpdir(), 'cops-bench-mcp-'));
  const env = { PATH: process.env.PATH, COPS_CONFIG_DIR: folder, COPS_DATA_DIR: folder, COPS_PROFILE: 'sandbox' };
  try {
    spawnSync(process.execPath, [PROGRAM, 'campaigns', 'list'], { env });
    const [bare, first, reads, command, start] = [[], [], [], [], []];
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(timed(['-e', '0'], env));
      const server = await serve(env);
      first.push(server.first);
      await server.call();
      reads.push(await server.call(), await server.call(), await server.call());
      server.end();
      command.push(timed([PROGRAM, 'campaigns', 'list', '-o', 'json'], env));
      start.push(timed([PROGRAM, 'policy', 'show', '-o', 'json'], env));
    }
    const own = median(command) - median(start);
    say(
      `first answer ${ms(median(first))}, bare Node ${ms(median(bare))}: ${(median(first) / median(bare)).toFixed(2)} times (at most 3)`,
    );
    say(
      `a read ${ms(median(reads))}, as a command without its start ${ms(own)}: ${ms(median(reads) - own)} more (at most 20)`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function timed(words, env) {
  const begun = performance.now();
  spawnSync(process.execPath, words, { env });
  return performance.now() - begun;
}

async function serve(env) {
  const begun = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  createInterface(child.stdout).on('line', (line) => {
    const { id } = JSON.parse(line);
    waiting.get(id)?.();
  });
  let last = 0;
  const send = (method, params) => {
    const id = ++last;
    const answered = new Promise((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answered;
  };
  await send('initialize', HELLO);
  const first = performance.now() - begun;
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    first,
    call: async () => {
      const from = performance.now();
      await send('tools/call', READ);
      return performance.now() - from;
    },
    end: () => child.stdin.end(),
  };
}

function ms(value) {
  return `${value.toFixed(1)} ms`;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

// npm run bench team: a first sync of one list into PostgreSQL against one into SQLite, the two in turn, on the server of
// the export bench; a sync that finds nothing new, and a replica that begins and one that follows; then a bulk run whose
// ledger is 5 ms away against one with the embedded history, in turn. BENCH_ITEMS and BENCH_ROUNDS change it; BENCH_PGBIN
// names the folder of the server's programs.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { measured, median } from './measured.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const TO = Math.floor(Date.now() / 1000) - 3600;
const ITEMS_A_DAY = 126;
const items = Number(process.env.BENCH_ITEMS ?? 50_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const GOAL = { ratio: 1.5, nothing: 3, bulk: 0.5 };
const BULK_ROWS = 3_000;
const ROUND_TRIP_MS = 5;
const say = (text) => process.stdout.write(`${text}\n`);

export default async function team() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cops-bench-'));
  const from = TO - Math.ceil(items / ITEMS_A_DAY) * 86_400;
  const server = await serve(from);
  const postgres = await startPostgres();
  const file = path.join(folder, 'm.sqlite');
  const env = (name) => ({
    PATH: process.env.PATH,
    COPS_API_KEY: 'test-key',
    COPS_BASE_URL: server.url,

    COPS_CONFIG_DIR: path.join(folder, name, 'config'),
    COPS_DATA_DIR: path.join(folder, name, 'data'),
  });
  const program = path.join(here, '../bin/cops.js');
  const sync = (target) => [program, 'sync', target, 'subscription-renewals', '--from', String(from), '-q'];
  const url = (schema) => `${postgres.url}&schema=${schema}`;
  try {
    // Builds every page, so that the server does nothing but answer.
    await measured(process.execPath, sync(file), env('one'));
    const runs = [];
    for (let round = 0; round < rounds; round++) {
      rmSync(file, { force: true });
      const sqlite = await measured(process.execPath, sync(file), env('one'));
      const shared = await measured(process.execPath, sync(url(`r${round}`)), env(`team${round}`));
      runs.push({ sqlite, shared });
      say(`  SQLite ${shown(sqlite)}; PostgreSQL ${shown(shared)}`);
    }
    const ratio = median(runs.map(({ sqlite, shared }) => shared.seconds / sqlite.seconds));
    say(
      `first sync of ${items} items: ${ratio.toFixed(2)} times the SQLite one (goal ${GOAL.ratio}) ${kept(ratio, GOAL.ratio)}`,
    );
    // The first of them reads what the last seconds brought.
    await measured(process.execPath, sync(url('r0')), env('team0'));
    const again = await measured(process.execPath, sync(url('r0')), env('team0'));
    say(`nothing new: ${shown(again)} (goal ${GOAL.nothing} s) ${kept(again.seconds, GOAL.nothing)}`);
    const ask = [program, 'sql', 'select count(*) from raw_subscription_renewals', '--mirror', url('r0'), '-q'];
    say(`a replica begins: ${shown(await measured(process.execPath, ask, env('other')))}`);
    say(`a replica that has all: ${shown(await measured(process.execPath, ask, env('other')))}`);
    await bulk(postgres, folder);
  } finally {
    server.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The rate of a bulk run whose ledger is a round trip away, by that of one with the embedded history. */
async function bulk(postgres, folder) {
  const server = await start('bulk-server.mjs', []);
  const far = await farther(postgres.folder, path.join(folder, 'far'));
  const home = (name) => {
    const config = path.join(folder, name, 'config');
    mkdirSync(config, { recursive: true, mode: 0o700 });
    const acme = { base_url: server.url, mode: 'test', test_key: { kind: 'env', name: 'COPS_API_KEY' } };
    const text = JSON.stringify({ profiles: { acme }, current: 'acme' });
    writeFileSync(path.join(config, 'config.json'), text, { mode: 0o600 });
    const data = path.join(folder, name, 'data');
    return {
      PATH: process.env.PATH,
      COPS_API_KEY: 'test-key',
      COPS_MODE: 'test',
      COPS_CONFIG_DIR: config,
      COPS_DATA_DIR: data,
    };
  };
  const program = path.join(here, '../bin/cops.js');
  const [alone, shared] = [home('alone'), home('shared')];
  try {
    await measured(
      process.execPath,
      [program, 'team', 'init', `postgres://bench@/postgres?host=${far.folder}`],
      shared,
    );
    for (const concurrency of ['4', '16']) {
      const ratios = [];
      for (let round = 0; round < rounds; round++) {
        const at = `${concurrency}-${round}`;
        const ids = path.join(folder, `ids-${at}.txt`);
        const idOf = (_, row) => `r${at}${row}`.replaceAll('-', 'x').padEnd(20, 'z');
        writeFileSync(ids, Array.from({ length: BULK_ROWS }, idOf).join('\n'));
        const words = [
          program,
          'bulk',
          'subscriptions',
          'suspend',
          '--ids',
          ids,
          '--concurrency',
          concurrency,
          '-q',
          '-y',
        ];
        const own = await measured(process.execPath, words, alone);
        const team = await measured(process.execPath, words, shared);
        ratios.push(own.seconds / team.seconds);
        say(`  ${concurrency} at once: embedded ${own.seconds.toFixed(2)} s, ledger ${team.seconds.toFixed(2)} s`);
      }
      const ratio = median(ratios);
      say(
        `${BULK_ROWS} rows, ${concurrency} at once, ledger ${ROUND_TRIP_MS} ms away: ${ratio.toFixed(2)} of the embedded rate ` +
          `(goal ${GOAL.bulk}) ${ratio >= GOAL.bulk ? 'kept' : 'MISSED'}`,
      );
    }
  } finally {
    far.close();
    server.stop();
  }
}

/** The server's socket in another folder, a round trip away. */
async function farther(from, folder) {
  mkdirSync(folder);
  const late = (source, target) => {
    source.on('data', (bytes) => setTimeout(() => target.write(bytes), ROUND_TRIP_MS / 2));
    source.on('close', () => target.destroy()).on('error', () => target.destroy());
  };
  const proxy = createServer((client) => {
    const server = createConnection(path.join(from, '.s.PGSQL.5432'));
    late(client, server);
    late(server, client);
  });
  await new Promise((resolve) => proxy.listen(path.join(folder, '.s.PGSQL.5432'), resolve));
  return { folder, close: () => proxy.close() };
}

function serve(from) {
  return start('export-server.mjs', [items, from, TO, 0, 1, 0].map(String));
}

async function start(name, words) {
  const child = spawn(process.execPath, [path.join(here, name), ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise((resolve) => createInterface(child.stdout).once('line', resolve));
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

/** A server with its settings as they come, as another user than root. */
async function startPostgres() {
  const place = '/usr/lib/postgresql';
  const bin = process.env.BENCH_PGBIN ?? path.join(place, readdirSync(place).sort().at(-1), 'bin');
  const idOf = (what) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  const owner = process.getuid() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const folder = mkdtempSync('/tmp/cpg-');
  const data = path.join(folder, 'data');
  mkdirSync(data);
  for (const one of [folder, data]) if (owner.uid) chownSync(one, owner.uid, owner.gid);
  const run = { cwd: folder, stdio: 'ignore', ...owner };
  execFileSync(path.join(bin, 'initdb'), ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C'], run);
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`].flatMap((one) => ['-c', one]);
  const child = spawn(path.join(bin, 'postgres'), ['-D', data, ...settings], run);
  const ready = ['-h', folder, '-U', 'bench', '-d', 'postgres', '-c', 'SELECT 1'];
  while (spawnSync(path.join(bin, 'psql'), ready).status !== 0) await sleep(100);
  return {
    folder,
    url: `postgres://bench@/postgres?host=${folder}`,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function kept(value, goal) {
  return value <= goal ? 'kept' : 'MISSED';
}

function shown({ cpu, seconds, megabytes }) {
  return `${cpu.toFixed(2)} s of processor, ${seconds.toFixed(2)} s, ${megabytes} MB`;
}

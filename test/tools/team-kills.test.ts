/** @module-tag tool */
/** Syncs into a team's mirror that are killed at random, and finished by another machine. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentOf, itemsOf, itemsThere, replicaOfHome } from '../fixtures/team-mirrors.js';
import { Home } from '../harness/home.js';
import { freePort, type PostgresServer, startPostgres } from '../harness/postgres.js';

const LONG = process.env.COPS_LONG === '1';
const KILLS = LONG ? 100 : 8;
/** Some syncs end before their kill comes, or are killed before they write: others make up for them. */
const TRIES = 3 * KILLS;
const LIMIT = LONG ? 3_600_000 : 300_000;

const homes: Home[] = [];
const machine = (): Home => {
  const home = new Home({ NO_COLOR: '1', COPS_PROFILE: 'sandbox' });
  homes.push(home);
  return home;
};
let server: PostgresServer;
let pooler: ChildProcess | undefined;

beforeAll(async () => {
  server = await startPostgres({ network: true });
});
afterAll(async () => {
  pooler?.kill();
  for (const home of homes) home.remove();
  await server?.close();
});

async function done(home: Home, words: readonly string[]): Promise<string> {
  const ran = await home.spawn(words, { cwd: home.folder, timeoutMs: LIMIT });
  expect(ran.code, `${words.join(' ')}\n${ran.stderr}`).toBe(0);
  return ran.stdout;
}

it(
  'ends as one that nothing disturbed, row by row',
  async () => {
    const url = server.url('schema=killed');
    const seed = Number(process.env.COPS_SEED ?? Date.now() % 100_000);
    let state = seed;
    const random = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const anna = machine();
    await done(anna, ['sales', 'list', '--last', '1d', '-q']);
    const changeThere = (): string =>
      server.sql("SELECT to_regclass('killed._state') IS NOT NULL") === 't'
        ? server.sql('SELECT change FROM killed._state')
        : '';
    // All windows are read again: there is something to be in the middle of.
    const again = ['-q', 'sync', url, '--full'];
    await done(anna, ['-q', 'sync', url]);
    const began = performance.now();
    await done(anna, again);
    // How long the quickest sync took that nothing disturbed: kills come within it, on a machine of any speed.
    let quickest = performance.now() - began;
    let killed = 0;
    // Kills before which windows were written.
    let inside = 0;
    let last = changeThere();
    for (let tries = 0; tries < TRIES && (killed < KILLS || inside === 0); tries++) {
      const start = performance.now();
      const ran = await anna.spawn(again, {
        cwd: anna.folder,
        timeoutMs: LIMIT,
        onStart: (child) => void sleep(random() * quickest).then(() => child.kill('SIGKILL')),
      });
      const took = performance.now() - start;
      const change = changeThere();
      if (ran.signal === 'SIGKILL') {
        killed++;
        if (change !== last) inside++;
      } else {
        expect(ran.code, `seed ${seed}: ${ran.stderr}`).toBe(0);
        quickest = Math.min(quickest, took);
      }
      last = change;
    }
    expect(killed, `seed ${seed}`).toBeGreaterThanOrEqual(KILLS);
    expect(inside, `seed ${seed}`).toBeGreaterThan(0);
    const other = machine();
    mkdirSync(path.join(other.folder, 'data'), { recursive: true });
    const sandbox = path.join('data', 'sandbox.sqlite');
    cpSync(path.join(anna.folder, sandbox), path.join(other.folder, sandbox));
    await done(other, ['-q', 'sync', url, '--full']);
    await done(other, ['-q', 'sync', 'm.sqlite', '--full']);
    expect(itemsOf(replicaOfHome(other)), `seed ${seed}`).toEqual(itemsOf(path.join(other.folder, 'm.sqlite')));
    expect(itemsThere(server, 'killed'), `seed ${seed}`).toEqual(itemsOf(replicaOfHome(other)));
    await done(anna, ['sql', 'select 1', '--mirror', url, '-q']);
    expect(contentOf(replicaOfHome(anna)), `seed ${seed}`).toEqual(contentOf(replicaOfHome(other)));
  },
  LIMIT,
);

it(
  'goes through a pooler that gives each transaction another server',
  async () => {
    const port = await freePort();
    const file = path.join(server.folder, 'pooler.ini');
    const settings = [
      ...['[databases]', `shop = host=127.0.0.1 port=${server.port} dbname=shop`, '[pgbouncer]'],
      ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'auth_type = any', 'pool_mode = transaction'],
      ...['server_round_robin = 1', 'default_pool_size = 5', 'unix_socket_dir =', 'server_reset_query ='],
    ];
    // `any` logs everybody in as the user of the database entry.
    settings[1] += ` user=${server.user}`;
    writeFileSync(file, `${settings.join('\n')}\n`, { mode: 0o644 });
    const owner = process.getuid?.() === 0 ? { uid: Number(execFileSync('id', ['-u', 'postgres'])) } : {};
    pooler = spawn('pgbouncer', [file], { stdio: 'ignore', env: { PATH: `${process.env.PATH}:/usr/sbin` }, ...owner });
    const ended = new Promise((resolve) => pooler?.once('error', resolve));
    await Promise.race([sleep(1500), ended]);
    expect(pooler.exitCode).toBe(null);
    const url = `postgres://${server.user}@127.0.0.1:${port}/shop?schema=pooled`;
    const [anna, bernd] = [machine(), machine()];
    await done(anna, ['-q', 'sync', url, 'sales', 'customers', 'products']);
    await done(anna, ['-q', 'sync', url, 'sales']);
    const ask = ['sql', 'select count(*) as n from sales', '-o', 'json', '-q', '--mirror', url];
    expect(await done(bernd, ask)).toBe(await done(anna, ask));
    expect(itemsThere(server, 'pooled')).toEqual(itemsOf(replicaOfHome(bernd)));
  },
  LIMIT,
);

/**
 * Eight machines that give the same refunds at once, through kills, stops, cut connections, restarts of the database and
 * clocks that are an hour apart; that move a run among them while its holder stops and goes on and clocks jump; and that
 * share a pace. What was done is counted in the service.
 * @module-tag tool
 */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fingerprint } from '../../src/account/profiles/keys.js';
import { duplicateKey, type Handler, ok, type Service, startService, wrote } from '../fixtures/service/service.js';
import { Home, KEY } from '../harness/home.js';
import { type PostgresServer, startPostgres } from '../harness/postgres.js';

const isLong = process.env.COPS_LONG === '1';
const ROUNDS = Number(process.env.COPS_ROUNDS ?? (isLong ? 300 : 4));
const ROWS = isLong ? 500 : 100;
const MACHINES = 8;
/** Runs that are moved, each several times. */
const MOVES = Number(process.env.COPS_MOVES ?? 10);
/** Requests a second of all machines together. */
const RATE = 20;
const LEASE_MS = 2_000;
/** Kills of one round. */
const MOST_KILLS = 7;
const SEED = Number(process.env.COPS_SEED ?? Date.now() % 1_000_000);

let state = SEED;
/** A number below `below`, the same in each run of a seed. */
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

let server: PostgresServer;
let service: Service;
let proxy: Server;
const sockets = new Set<Socket>();
const homes: Home[] = [];
/** How often each refund was carried out. */
const done = new Map<string, number>();
const keys = new Set<string>();
/** When each request arrived, milliseconds. */
const arrivals: number[] = [];
/** Requests that were repeated with their key. */
let repeats = 0;
const living = new Map<ChildProcess, number>();
/** Refunds whose end was unknown at some time. */
const unknown = new Set<string>();
/** Kills between intent and outcome, and all of this round. */
let kills = 0;
let killed = 0;
let onRefund: () => void = () => undefined;

const idOf = (round: number, row: number) => `R${String(round).padStart(4, '0')}ROW${String(row).padStart(12, '0')}`;

const handler: Handler = async (request) => {
  arrivals.push(performance.now());
  const item = (id: string) => ({ id, live_mode: false, amount: '9.00', iso_currency: 'USD' });
  if (request.method === 'GET' && /\/transactions\/\w+$/.test(request.path))
    return ok(item(request.path.split('/').at(-1) ?? ''));
  if (request.method === 'GET')
    return ok({ results: [1, 2, 3].map((n) => item(idOf(0, n))), total_count: 3, total_pages: 1 });
  const id = request.path.split('/').at(-2) ?? '';
  const { idempotency_key: key = '' } = request.json as { idempotency_key?: string };
  if (keys.has(key)) {
    repeats++;
    return duplicateKey();
  }
  keys.add(key);
  done.set(id, (done.get(id) ?? 0) + 1);
  onRefund();
  await sleep(random(20));
  return wrote('transaction', id);
};

beforeAll(async () => {
  server = await startPostgres({ network: true });
  service = await startService({ handler });
  proxy = createServer((socket) => {
    const onwards = connect(server.port, '127.0.0.1');
    for (const one of [socket, onwards]) {
      sockets.add(one);
      one
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(one);
          socket.destroy();
          onwards.destroy();
        });
    }
    socket.pipe(onwards).pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as { port: number };
  for (let at = 0; at < MACHINES; at++) homes.push(machine(at, port));
  const [first] = homes as [Home];
  const { COPS_LEDGER: _ledger, ...env } = first.env;
  const founder = new Home(env);
  homes.push(founder);
  founder.env.COPS_CONFIG_DIR = first.env.COPS_CONFIG_DIR as string;
  expect(await founder.run(['team', 'init', server.url('', 'shop', 'postgres')])).toMatchObject({ code: 0 });
  expect(await founder.run(['team', 'leave'])).toMatchObject({ code: 0 });
  server.sql(`GRANT cops_member TO anna; UPDATE cops_ledger.ledger SET lease_ms = ${LEASE_MS}, settle_ms = 500`);
});

afterAll(async () => {
  for (const child of living.keys()) child.kill('SIGKILL');
  for (const home of homes) home.remove();
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await service.close();
  await server.close();
});

/** A machine with a home and a clock of its own, half of them behind a proxy that cuts connections. */
function machine(at: number, port: number): Home {
  const skew = path.join('/tmp', `cops-skew-${process.pid}-${at}.cjs`);
  const ahead = [0, 3_600_000, -1_800_000, 0][at % 4] as number;
  const jumps =
    'setInterval(() => { ahead = [0, 7_200_000, -7_200_000][Math.floor(Math.random() * 3)]; }, 300).unref()';
  writeFileSync(
    skew,
    `const now = Date.now; let ahead = ${ahead}; Date.now = () => now() + ahead; if (process.env.JUMPS) ${jumps};`,
  );
  const home = new Home({ COPS_API_KEY: KEY, COPS_MODE: 'test', NODE_OPTIONS: `--require ${skew}` });
  const config = path.join(home.folder, 'config');
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const write = (name: string, value: object) =>
    writeFileSync(path.join(config, name), JSON.stringify(value), { mode: 0o600 });
  write('proofs.json', {
    version: 1,
    proofs: [{ fingerprint: fingerprint(KEY), base_url: service.baseUrl, mode: 'test' }],
  });
  const acme = { base_url: service.baseUrl, mode: 'test', test_key: { kind: 'env', name: 'COPS_API_KEY' } };
  write('config.json', { profiles: { acme }, current: 'acme' });
  home.env.COPS_LEDGER = at % 2 === 0 ? server.url() : `postgres://anna@127.0.0.1:${port}/shop`;
  return home;
}

function rowsFile(round: number, name: string, rows: readonly number[]): string {
  const file = path.join((homes[0] as Home).folder, `${round}-${name}.csv`);
  writeFileSync(file, `id,amount\n${rows.map((row) => `${idOf(round, row)},1`).join('\n')}\n`);
  return file;
}

async function command(at: number, words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number | null> {
  let started: ChildProcess | undefined;
  const { code } = await (homes[at] as Home).spawn([...words, '--yes', '--timeout', '2'], {
    timeoutMs: 60_000,
    env,
    onStart: (child) => {
      started = child;
      living.set(child, at);
    },
  });
  if (started) living.delete(started);
  return code;
}

/**
 * Kills a process: most often one that has written an intent and no end yet, for that is what counts. There is one at any
 * speed of the machine: the refund under way is not answered before this returns.
 */
function killOne(any: ChildProcess): void {
  killed++;
  const child = random(3) === 0 ? any : ([...living.keys()].find(hasOpen) ?? any);
  child.kill('SIGKILL');
  if (hasOpen(child)) kills++;
}

function hasOpen({ pid }: ChildProcess): boolean {
  return server.sql(`SELECT count(*) FROM cops_ledger.intent WHERE pid = ${pid} AND state = 'open'`) !== '0';
}

/** Things that go wrong while refunds are under way. */
function trouble(): void {
  const all = [...living.keys()];
  const child = all[random(all.length)];
  if (!child) return;
  const what = random(100);
  if (what < 35 && killed < MOST_KILLS) killOne(child);
  else if (what < 40) {
    child.kill('SIGSTOP');
    setTimeout(() => child.kill('SIGCONT'), LEASE_MS / 2 + random(LEASE_MS * 2));
  } else if (what < 46) [...sockets][random(sockets.size)]?.destroy();
}

async function round(number: number): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, row) => row);
  const turned = rows.toSorted((a, b) => ((a * 7919) % ROWS) - ((b * 7919) % ROWS));
  const files = [rowsFile(number, 'same', rows), rowsFile(number, 'turned', turned)] as const;
  const fileOf = (name: string) => (name.includes('turned') ? files[1] : files[0]);
  const giveAll = () =>
    Promise.all(
      Array.from({ length: MACHINES }, (_, at) => {
        const journal = `${number}-${at}-${at % 2 ? 'turned' : 'same'}`;
        const input = files[at % 2] as string;
        return command(at, ['bulk', 'transactions', 'refund', '--input', input, '--journal', journal]);
      }),
    );
  let refunds = 0;
  killed = 0;
  onRefund = () => {
    if (++refunds % 3 === 0) trouble();
  };
  const restart = number % 5 === 3 ? sleep(1_500).then(() => server.restart(true)) : undefined;
  await giveAll();
  await restart;
  await goOn(number, fileOf, giveAll);
}

/** Continues the runs of a round from any machine until all is known, and holds it against the service. */
async function goOn(number: number, fileOf: (name: string) => string, giveAll: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    if (tries > 3) onRefund = () => undefined;
    const open = server
      .sql(`SELECT name FROM cops_ledger.run WHERE name LIKE '${number}-%'`)
      .split('\n')
      .filter(Boolean);
    if (missing(number) === 0) break;
    // The database was away before anybody had begun.
    if (open.length === 0) await giveAll();
    if (tries > 2) await settleUnknown();
    await sleep(tries === 0 ? LEASE_MS : LEASE_MS / 2);
    const all = (word: string) =>
      Promise.all(open.map((name) => command(random(MACHINES), ['bulk', word, name, '--input', fileOf(name)])));
    await all('resume');
    // A write that was settled as not done is sent again.
    if (tries > 2) await all('retry-failed');
  }
  onRefund = () => undefined;
  check(number);
}

/** Says of writes whose end is unknown what the service knows, as a person does. */
async function settleUnknown(): Promise<void> {
  const home = homes[1] as Home;
  const { stdout } = await home.run(['history', 'list', '--unknown', '-o', 'json']);
  for (const { id, ids } of JSON.parse(stdout) as { id: string; ids: readonly string[] }[]) {
    unknown.add(ids[0] ?? '');
    await home.run(['history', 'settle', id, '--as', done.has(ids[0] ?? '') ? 'done' : 'not-done']);
  }
}

/** Rows of a round that are neither done nor listed as unknown. */
function missing(number: number): number {
  const prefix = idOf(number, 0).slice(0, 8);
  const sql = `SELECT count(*) FROM (SELECT ids ->> 0 FROM cops_ledger.intent WHERE state <> 'not_done' AND ids ->> 0 LIKE '${prefix}%'
    UNION SELECT line::json -> 'ids' ->> 0 FROM cops_ledger.line
      WHERE line LIKE '%"outcome":"unknown"%' AND line::json -> 'ids' ->> 0 LIKE '${prefix}%') known`;
  return ROWS - Number(server.sql(sql));
}

function check(number: number): void {
  const prefix = idOf(number, 0).slice(0, 8);
  const sql = `SELECT DISTINCT ids ->> 0, state FROM cops_ledger.intent WHERE state <> 'not_done' AND ids ->> 0 LIKE '${prefix}%'`;
  const known = new Map(
    server
      .sql(sql)
      .split('\n')
      .map((line) => line.split('|') as [string, string]),
  );
  const doubled: string[] = [];
  const unshown: string[] = [];
  const untrue: string[] = [];
  for (let row = 0; row < ROWS; row++) {
    const id = idOf(number, row);
    const times = done.get(id) ?? 0;
    if (times > 1) doubled.push(id);
    if (times === 1 && !known.has(id)) unshown.push(id);
    if (times === 0 && known.get(id) === 'done') untrue.push(id);
  }
  expect({ round: number, seed: SEED, doubled, unshown, untrue, missing: missing(number) }).toEqual({
    ...{ round: number, seed: SEED, doubled: [], unshown: [], untrue: [], missing: 0 },
  });
}

it.runIf(isLong)('keeps one pace for eight machines', { timeout: 600_000 }, async () => {
  // On a busy machine a process may say nothing for seconds.
  server.sql('UPDATE cops_ledger.ledger SET lease_ms = 30000');
  const rows = Array.from({ length: 40 }, (_, row) => row);
  const from = arrivals.length;
  const codes = await Promise.all(
    Array.from({ length: MACHINES }, (_, at) => {
      const input = rowsFile(9000 + at, 'pace', rows);
      const words = ['bulk', 'transactions', 'refund', '--input', input, '--journal', `pace-${at}`];
      return command(at, words, { COPS_RATE: String(RATE) });
    }),
  );
  server.sql(`UPDATE cops_ledger.ledger SET lease_ms = ${LEASE_MS}`);
  expect(codes).toEqual(codes.map(() => 0));
  const times = arrivals.slice(from);
  const most = Math.max(...times.map((time, at) => times.slice(at).filter((other) => other < time + 1000).length));
  const seconds = ((times.at(-1) as number) - (times[0] as number)) / 1000;
  const mean = times.length / seconds;
  process.stdout.write(
    `${times.length} requests of eight machines in ${seconds.toFixed(1)} s: ${mean.toFixed(1)} a second, at most ${most} in one (rate ${RATE})\n`,
  );
  expect(mean).toBeLessThanOrEqual(RATE * 1.1);
  // A machine that is late sends its turns of 50 ms beside those of the others.
  expect(most).toBeLessThanOrEqual(2 * RATE);
});

it.runIf(isLong)(
  'moves a run whose holder stops and goes on, whatever the clocks do',
  { timeout: 3_600_000 },
  async () => {
    server.sql('CREATE ROLE rita LOGIN; GRANT cops_reader TO rita');
    const [first, before] = [done.size, repeats];
    let overlaps = 0;
    for (let move = 0; move < MOVES; move++) {
      const [number, holder] = [7000 + move, move % MACHINES];
      const rows = Array.from({ length: ROWS }, (_, row) => row);
      const file = rowsFile(number, 'moved', rows);
      const name = `${number}-moved`;
      const start = done.size;
      let stopped: ChildProcess | undefined;
      onRefund = () => {
        const came = done.size - start;
        if (came === 15) {
          stopped = [...living.keys()][0];
          stopped?.kill('SIGSTOP');
        } else if (stopped && came > 20 && came % 10 === 5) {
          // Whoever has the run now is under way: the former one goes on, and the connections of others are cut.
          overlaps += came === 25 ? 1 : 0;
          stopped.kill('SIGCONT');
          for (const socket of sockets) socket.destroy();
        }
      };
      const words = ['bulk', 'transactions', 'refund', '--input', file, '--journal', name];
      const given = command(holder, words, { JUMPS: '1' });
      const reader = { COPS_LEDGER: server.url('', 'shop', 'rita') };
      while (done.size - start < 15) await sleep(20);
      for (let next = holder + 1; done.size - start < 25 && next < holder + 40; next++) {
        const resume = ['bulk', 'resume', name, '--input', file];
        expect(await command(MACHINES - 1, resume, reader)).toBe(12);
        await command(next % MACHINES, resume, next % 2 ? { JUMPS: '1' } : {});
      }
      stopped?.kill('SIGCONT');
      await given;
      onRefund = () => undefined;
      await goOn(
        number,
        () => file,
        async () => undefined,
      );
      process.stdout.write(
        `${move + 1} runs moved, ${done.size - first} refunds, former holders that went on meanwhile ${overlaps}, repeats with their key ${repeats - before}\n`,
      );
    }
    expect(overlaps).toBeGreaterThan(0);
  },
);

it('does no refund twice and loses none', { timeout: isLong ? 3 * 3_600_000 : 600_000 }, async () => {
  process.stdout.write(`seed ${SEED}\n`);
  const began = performance.now();
  const wanted = Math.min(30, ROUNDS * 3);
  let rounds = 0;
  // Where the dice gave too few kills, more rounds make up for it.
  while (rounds < ROUNDS || (kills < wanted && rounds < 2 * ROUNDS)) {
    await round(++rounds);
    // Each round is told: who stops a long storm keeps its figures.
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stdout.write(
      `${rounds} rounds, ${done.size} refunds, ${kills} kills between intent and outcome, ${unknown.size} ends unknown, ${seconds} s\n`,
    );
  }
  expect(kills).toBeGreaterThanOrEqual(wanted);
});

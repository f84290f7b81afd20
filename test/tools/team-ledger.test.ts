/**
 * Several homes, as machines, that write through one ledger.
 * @module-tag tool
 */

import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/account/profiles/keys.js';
import { connectPostgres } from '../../src/base/database/postgres.js';
import { parsePostgresAddress } from '../../src/base/database/postgres-address.js';
import { type Handler, ok, type Reaction, type Service, startService, wrote } from '../fixtures/service/service.js';
import { closeAfterTest } from '../harness/closing.js';
import { Home, KEY } from '../harness/home.js';
import { type PostgresServer, startPostgres } from '../harness/postgres.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  server.sql('CREATE ROLE ben LOGIN');
});
afterAll(() => server.close());

const idOf = (number: number) => `TRANSACTION${String(number).padStart(9, '0')}`;
let serial = 0;

/** A service with transactions, a ledger in a database of its own, and machines that use both. */
class Ground {
  readonly posted: string[] = [];
  /** Called before a refund is answered; may answer it. */
  before: () => unknown = () => undefined;
  readonly database = `team${++serial}`;
  service!: Service;

  static async open(): Promise<Ground> {
    const ground = new Ground();
    server.createDatabase(ground.database);
    const item = (id: string) => ({ id, live_mode: false, amount: '100.00', iso_currency: 'USD' });
    const handler: Handler = async (request) => {
      if (request.method === 'GET' && /\/transactions\/\w+$/.test(request.path))
        return ok(item(request.path.split('/').at(-1) ?? ''));
      if (request.method === 'GET')
        return ok({
          results: request.path.includes('transactions') ? [1, 2, 3].map((n) => item(idOf(n))) : [],
          total_count: 3,
          total_pages: 1,
        });
      const id = request.path.split('/').at(-2) ?? '';
      ground.posted.push(id);
      return ((await ground.before()) as Reaction | undefined) ?? wrote('transaction', id);
    };
    ground.service = closeAfterTest(await startService({ handler }));
    return ground;
  }

  get address(): string {
    return server.url('', this.database);
  }

  sql(text: string): string {
    return server.sql(text, this.database);
  }

  machine(more: Readonly<Record<string, string>> = {}, key = KEY): Home {
    const home = new Home({ COPS_API_KEY: key, ...more });
    closeAfterTest({ close: () => home.remove() });
    const proof = { fingerprint: fingerprint(key), base_url: this.service.baseUrl, mode: 'test' };
    const config = path.join(home.folder, 'config');
    writeJson(path.join(config, 'proofs.json'), { version: 1, proofs: [proof] });
    writeJson(path.join(config, 'config.json'), {
      profiles: {
        acme: { base_url: this.service.baseUrl, mode: 'test', test_key: { kind: 'env', name: 'COPS_API_KEY' } },
      },
      current: 'acme',
    });
    return home;
  }

  /** A ledger, made by the superuser, and machines of two people that joined it. */
  async team(): Promise<readonly [Home, Home]> {
    const [anna, ben] = [this.machine(TEST), this.machine(TEST)];
    const made = await anna.run(['team', 'init', server.url('', this.database, 'postgres')]);
    expect(made).toMatchObject({ code: 0 });
    this.sql('GRANT cops_member TO anna, ben');
    expect(await anna.run(['team', 'join', this.address])).toMatchObject({ code: 0 });
    expect(await ben.run(['team', 'join', server.url('', this.database, 'ben')])).toMatchObject({ code: 0 });
    return [anna, ben];
  }
}

const TEST = { COPS_MODE: 'test' };

function writeJson(file: string, value: object): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(value), { mode: 0o600 });
}

const refund = (number: number) => ['transactions', 'refund', idOf(number), '-d', 'amount=1', '--yes'];

describe('a ledger', () => {
  it('shows one machine what the other wrote, and by whom', async () => {
    const ground = await Ground.open();
    const [anna, ben] = await ground.team();
    expect(await anna.run(refund(1))).toMatchObject({ code: 0 });
    const { stdout } = await ben.run(['history', 'list', '--user', 'anna', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject([{ outcome: 'done', user: 'anna', ids: [idOf(1)] }]);
    expect(JSON.parse((await ben.run(['history', 'list', '--user', 'ben', '-o', 'json'])).stdout)).toEqual([]);
    // Entries that share a key are a list, with who wrote each.
    expect(await ben.run(refund(2))).toMatchObject({ code: 0 });
    ground.sql(`UPDATE cops_ledger.intent SET key = 'shared'`);
    const shown = await ben.run(['history', 'show', 'shared', '-o', 'tsv']);
    expect(shown.stdout.split('\n')[0]?.split('\t')).toContain('user');
    expect(shown.stdout).toMatch(/\tben\t.*\tanna\t/s);
  });

  it('refuses a write that another machine has under way, and lets a later one repeat it', async () => {
    const ground = await Ground.open();
    const [anna, ben] = await ground.team();
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    let came = () => {};
    const begun = new Promise<void>((resolve) => {
      came = resolve;
    });
    ground.before = () => {
      came();
      return held;
    };
    const first = anna.run(refund(1));
    await begun;
    const second = await ben.run(refund(1));
    expect(second.code).toBe(12);
    expect(second.stderr).toMatch(/anna/);
    go();
    expect(await first).toMatchObject({ code: 0 });
    expect(ground.posted).toHaveLength(1);
    expect(await ben.run(refund(1))).toMatchObject({ code: 0 });
    expect(ground.posted).toHaveLength(2);
  });

  it('refuses writes while the database is away, and keeps an end that it cannot bring', async () => {
    const ground = await Ground.open();
    const [anna] = await ground.team();
    await server.stop();
    try {
      const away = await anna.run(refund(1));
      expect(away.code).toBe(12);
      expect(away.stderr).toMatch(/team ledger away/);
      expect(ground.posted).toEqual([]);
      expect(await anna.run(['transactions', 'get', idOf(1)])).toMatchObject({ code: 0 });
      const rules = await anna.run(['policy', 'show']);
      expect(rules).toMatchObject({ code: 0, stderr: expect.stringContaining('ledger are not shown') });
      const history = await anna.run(['history', 'list']);
      expect(history).toMatchObject({
        code: 8,
        stderr: expect.stringContaining('The history, the runs and the limits'),
      });
    } finally {
      await server.restart();
    }
    ground.before = () => server.stop(true);
    const after = await anna.run(refund(2));
    await server.restart();
    expect(after.code).toBe(0);
    expect(after.stderr).toMatch(/ledger does not have it yet/);
    ground.before = () => undefined;
    expect(await anna.run(refund(3))).toMatchObject({ code: 0 });
    const { stdout } = await anna.run(['history', 'list', '-o', 'json']);
    expect(JSON.parse(stdout).map((entry: { outcome: string }) => entry.outcome)).toEqual(['done', 'done']);
  });

  it('is of one account and mode, and no environment takes a profile out of it', async () => {
    const ground = await Ground.open();
    const [anna] = await ground.team();
    for (const ledger of ['', server.url('', 'another')]) {
      const ran = await anna.run(refund(1), { env: { COPS_LEDGER: ledger } });
      expect(ran).toMatchObject({ code: 12 });
    }
    const other = await Ground.open();
    const stranger = other.machine();
    expect(await stranger.run(['team', 'join', ground.address])).toMatchObject({ code: 12 });
    expect(await stranger.run(refund(1), { env: { COPS_LEDGER: ground.address } })).toMatchObject({ code: 12 });
    expect([...ground.posted, ...other.posted]).toEqual([]);
    expect(await anna.run(['team', 'join', 'postgres://anna:secret@h/d'])).toMatchObject({ code: 2 });
  });

  it('lets who may only read it read, and says whose right is missing for a write', async () => {
    const ground = await Ground.open();
    await ground.team();
    server.sql('CREATE ROLE rita LOGIN');
    ground.sql('GRANT cops_reader TO rita');
    const env = { COPS_LEDGER: server.url('', ground.database, 'rita') };
    const rita = ground.machine(TEST);
    expect(await rita.run(['history', 'list'], { env })).toMatchObject({ code: 0 });
    const ran = await rita.run(refund(1), { env });
    expect(ran).toMatchObject({ code: 12 });
    expect(ran.stderr).toContain('GRANT cops_member TO rita;');
    expect(ground.posted).toEqual([]);
  });

  it('is joined by somebody who only reads, and names the right that a stranger lacks', async () => {
    const ground = await Ground.open();
    await ground.team();
    server.sql('CREATE ROLE rob LOGIN');
    const [rob, address] = [ground.machine(TEST), server.url('', ground.database, 'rob')];
    const stranger = await rob.run(['team', 'join', address]);
    expect(stranger).toMatchObject({ code: 3, stderr: expect.stringContaining('GRANT cops_member TO rob;') });
    ground.sql('GRANT cops_reader TO rob');
    const joined = await rob.run(['team', 'join', address, '-o', 'json']);
    expect(joined).toMatchObject({ code: 0, stderr: expect.stringContaining('may read this ledger') });
    expect(JSON.parse(joined.stdout)).toMatchObject({ user: 'rob', may_write: false });
    expect(await rob.run(['history', 'list'])).toMatchObject({ code: 0 });
    expect(await rob.run(refund(1))).toMatchObject({ code: 12 });
    expect(ground.posted).toEqual([]);
  });

  it('says in a dry run what is already done', async () => {
    const ground = await Ground.open();
    const [anna] = await ground.team();
    const again = await anna.run(['team', 'init', ground.address, '--dry-run']);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('has a ledger already') });
    const migrated = await anna.run(['team', 'migrate', '--dry-run', '-o', 'json']);
    expect(migrated).toMatchObject({ code: 0, stderr: expect.stringContaining('already') });
    expect(migrated.stderr).not.toContain('would');
    ground.sql('UPDATE cops_ledger.ledger SET version = 1');
    const due = await anna.run(['team', 'migrate', '--dry-run']);
    expect(due.stderr + due.stdout).toContain('from version 1 to 3');
    expect(ground.sql('SELECT version FROM cops_ledger.ledger')).toBe('1');
  });

  it('shows its rules, names the cure of faulty ones, and is checked by doctor', async () => {
    const ground = await Ground.open();
    const [anna] = await ground.team();
    const rule = 'zone: UTC\nrules:\n  - name: "rule 1"\n    operations: ["transactions refund"]\n    most: {USD: 1}';
    ground.sql(`INSERT INTO cops_ledger.policy (rules) VALUES ('${rule}')`);
    const shown = await anna.run(['policy', 'show', '-o', 'json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ rules: [], ledger: { rules: [{ name: 'rule 1' }] } });
    expect(shown.stderr).not.toContain('There are no rules');
    ground.sql("INSERT INTO cops_ledger.policy (rules) VALUES ('nonsense')");
    const stopped = await anna.run(refund(1));
    expect(stopped.code).toBe(11);
    expect(stopped.stderr).toContain('he policy of the ledger is not right');
    expect(stopped.stderr).toContain('add a corrected row to cops_ledger.policy');
    expect(stopped.stderr).not.toContain('policy edit');
    const checked = await anna.run(['doctor', '--online', '-o', 'json']);
    expect(JSON.parse(checked.stdout)).toContainEqual(
      expect.objectContaining({ check: 'ledger', status: 'ok', detail: expect.stringContaining('as anna') }),
    );
  });

  it('stops writes when it was restored to an older state', async () => {
    const ground = await Ground.open();
    const [anna] = await ground.team();
    expect(await anna.run(refund(1))).toMatchObject({ code: 0 });
    ground.sql(`DELETE FROM cops_ledger.outcome; DELETE FROM cops_ledger.intent; DELETE FROM cops_ledger.guard;`);
    expect(await anna.run(refund(2))).toMatchObject({ code: 12 });
    expect(ground.posted).toHaveLength(1);
  });

  it('keeps nothing of what was typed but ids and names of operations', async () => {
    const ground = await Ground.open();
    const [anna] = await ground.team();
    expect(await anna.run([...refund(1).map((word) => word.replace('=1', '=7.77'))])).toMatchObject({ code: 0 });
    const all = ground.sql('SELECT json_agg(i) FROM cops_ledger.intent i');
    expect(all).toContain(idOf(1));
    expect(all).not.toContain('7.77');
    expect(all).not.toContain(KEY);
    const [card, told] = ['4111111111111111', { code: 1, result: 'success', transaction_id: idOf(2) }];
    ground.before = () => ({ status: 200, body: JSON.stringify({ ...told, api_call_id: card }) });
    expect(await anna.run(refund(2))).toMatchObject({ code: 0 });
    const ends = ground.sql('SELECT json_agg(o) FROM cops_ledger.outcome o');
    expect([ends.includes(card), ends.includes('****1111')]).toEqual([false, true]);
  });

  it('compares the rows of another run with those of one that has not ended', async () => {
    const ground = await Ground.open();
    const [anna, ben] = await ground.team();
    const rowsOf = (home: Home, numbers: readonly number[]) => {
      const rows = path.join(home.folder, 'rows.csv');
      writeFileSync(rows, `id,amount\n${numbers.map((at) => `${idOf(at)},1`).join('\n')}\n`);
      return ['bulk', 'transactions', 'refund', '--input', rows, '--yes', '--concurrency', '1'];
    };
    ground.before = () => (ground.posted.length > 2 ? { status: 400, body: '{"code":0}' } : undefined);
    const stopped = await anna.run([...rowsOf(anna, [1, 2, 3, 4]), '--max-failures', '1', '--expect', '4']);
    expect(stopped).toMatchObject({ code: 10 });
    ground.before = () => undefined;
    const sent = ground.posted.length;
    const again = [...rowsOf(ben, [9, 2, 4, 1]), '--expect', '4'];
    const refused = await ben.run(again);
    expect(refused).toMatchObject({ code: 12, stderr: expect.stringContaining('2 of these rows are done in a run') });
    expect(await ben.run([...rowsOf(ben, [8, 7]), '--expect', '2'])).toMatchObject({ code: 0 });
    expect(ground.posted.slice(sent)).toEqual([idOf(8), idOf(7)]);
  });

  it('gives the same rows to one run, and the run to another machine', async () => {
    const ground = await Ground.open();
    const [anna, ben] = await ground.team();
    const rows = path.join(anna.folder, 'rows.csv');
    writeFileSync(rows, `id,amount\n${Array.from({ length: 12 }, (_, at) => `${idOf(at)},1`).join('\n')}\n`);
    const line = ['bulk', 'transactions', 'refund', '--input', rows, '--yes', '--expect', '12', '-o', 'json'];
    const both = await Promise.all([anna.run(line), ben.run(line)]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 12]);
    expect(ground.posted.sort()).toEqual(Array.from({ length: 12 }, (_, at) => idOf(at)));
    expect(await ben.run(line)).toMatchObject({ code: 12 });
    const { stdout } = await ben.run(['bulk', 'list', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject([{ done: 12, rows: 12 }]);
  });

  it('lets another machine and key continue a lost run', async () => {
    const ground = await Ground.open();
    const [anna] = await ground.team();
    ground.sql('UPDATE cops_ledger.ledger SET lease_ms = 1500, settle_ms = 500');
    const rows = path.join(anna.folder, 'rows.csv');
    const all = Array.from({ length: 40 }, (_, at) => idOf(at));
    writeFileSync(rows, `id,amount\n${all.map((id) => `${id},1`).join('\n')}\n`);
    let kill: () => void = () => undefined;
    ground.before = async () => {
      if (ground.posted.length === 15) kill();
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const line = ['bulk', 'transactions', 'refund', '--input', rows, '--yes', '--expect', '40', '--concurrency', '4'];
    await anna.spawn([...line, '--timeout', '1'], {
      onStart: (child) => {
        kill = () => child.kill('SIGKILL');
      },
    });
    ground.before = () => undefined;
    const runner = ground.machine(TEST, 'another_key_of_tests_2');
    const env = { COPS_LEDGER: ground.address };
    const name = ground.sql('SELECT name FROM cops_ledger.run');
    const before = JSON.parse((await runner.run(['bulk', 'status', name, '-o', 'json'], { env })).stdout);
    const left = String(40 - before.done);
    const resume = ['bulk', 'resume', name, '--input', rows, '--yes', '--expect', left, '--timeout', '1', '-o', 'json'];
    const leaseUntil = (when: string) =>
      ground.sql(
        `UPDATE cops_ledger.process SET lease_until = now() ${when} WHERE id = (SELECT holder FROM cops_ledger.run)`,
      );
    leaseUntil(`+ interval '1 h'`);
    expect(await runner.spawn(resume, { env })).toMatchObject({ code: 11 });
    leaseUntil('');
    const gone = await runner.spawn(resume, { env });
    expect(gone.code).toBe(9);
    const status = JSON.parse((await runner.run(['bulk', 'status', name, '-o', 'json'], { env })).stdout);
    expect(status.done + status.unknown).toBe(40);
    expect(status.unknown).toBeGreaterThan(0);
    expect(new Set(ground.posted).size).toBe(ground.posted.length);
    expect(readFileSync(rows, 'utf8')).toContain(idOf(0));
  });

  /** A run of twenty rows, four at once, that signals end once four are done and the next four wait for answers. */
  async function brokenOff(signals: readonly NodeJS.Signals[], isReady: (ground: Ground) => boolean, held = '') {
    const ground = await Ground.open();
    const [anna] = await ground.team();
    ground.sql('UPDATE cops_ledger.ledger SET lease_ms = 1500, settle_ms = 500');
    const rows = path.join(anna.folder, 'rows.csv');
    writeFileSync(rows, `id,amount\n${Array.from({ length: 20 }, (_, at) => `${idOf(at)},1`).join('\n')}\n`);
    ground.before = () => (ground.posted.length > 4 ? new Promise(() => undefined) : undefined);
    const words = ['bulk', 'transactions', 'refund', '--input', rows, '--yes', '--expect', '20', '--concurrency', '4'];
    let child: ChildProcess | undefined;
    const run = anna.spawn([...words, '--timeout', '30', '--max-retries', '0'], {
      onStart: (started) => {
        child = started;
      },
    });
    while (!isReady(ground)) await sleep(20);
    const lock = held === '' ? undefined : await heldTable(ground, held);
    for (const signal of signals) {
      child?.kill(signal);
      await sleep(100);
    }
    const { code } = await run;
    // The last requests of the process are never carried out.
    ground.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
    await lock?.release();
    ground.sql('UPDATE cops_ledger.run SET timeout_ms = 1000');
    ground.before = () => undefined;
    const [name, open] = [
      ground.sql('SELECT name FROM cops_ledger.run'),
      `SELECT id FROM cops_ledger.intent WHERE state = 'open' ORDER BY n`,
    ];
    const resume = ['bulk', 'resume', name, '--input', rows, '--yes', '--timeout', '30', '-o', 'json'];
    return { ground, anna, code, open: () => ground.sql(open).split('\n').filter(Boolean), resume };
  }

  it('resumes a run whose rows somebody settled, and takes over how they were settled', async () => {
    const isSent = (ground: Ground) => ground.posted.length === 8;
    const { ground, anna, open, resume } = await brokenOff(['SIGKILL'], isSent);
    await sleep(1600);
    const [first = '', second = ''] = open();
    expect(await anna.run(['history', 'settle', first, '--as', 'done'])).toMatchObject({ code: 0 });
    expect(await anna.run(['history', 'settle', second, '--as', 'not-done'])).toMatchObject({ code: 0 });
    const ran = await anna.spawn(resume);
    expect(ran.stderr).not.toContain('stopped');
    expect(ran.code).toBe(10);
    expect(JSON.parse(ran.stdout)).toMatchObject({ done: 19, not_done: 1, unknown: 0 });
    // Two of the four are sent once more.
    expect(ground.posted).toHaveLength(22);
  });

  it('lets the next command report what was recorded but never sent, after a third Ctrl-C', async () => {
    const begun = (ground: Ground) => Number(ground.sql('SELECT count(*) FROM cops_ledger.intent'));
    const isAhead = (ground: Ground) => ground.posted.length === 8 && begun(ground) > 8;
    const three = ['SIGINT', 'SIGINT', 'SIGINT'] as const;
    const { ground, anna, code, open, resume } = await brokenOff(three, isAhead, 'intent');
    expect(code).toBe(9);
    expect(open().length).toBeGreaterThan(4);
    expect(await anna.run(['history', 'list'])).toMatchObject({ code: 0 });
    expect(open()).toHaveLength(4);
    await sleep(1600);
    expect(await anna.spawn(resume)).toMatchObject({ code: 0 });
    expect(ground.posted).toHaveLength(24);
  });

  it('lets exactly one of twenty pass that try 60 under a limit of 100 a day', async () => {
    const ground = await Ground.open();
    await ground.team();
    ground.sql(
      `INSERT INTO cops_ledger.policy (rules) VALUES (E'zone: UTC\\nrules:\\n  - {name: day, most_a_day: {USD: 100}}\\n')`,
    );
    const tries = Array.from({ length: 20 }, (_, at) =>
      ground.machine(TEST).run(['transactions', 'refund', idOf(at), '-d', 'amount=60', '--yes'], {
        env: { COPS_LEDGER: ground.address },
      }),
    );
    const codes = (await Promise.all(tries)).map(({ code }) => code);
    expect(codes.filter((code) => code === 0)).toHaveLength(1);
    expect(codes.filter((code) => code === 12)).toHaveLength(19);
    expect(ground.posted).toHaveLength(1);
  });

  it('brings a ledger of an earlier version to this one, once, and refuses older programs from then on', async () => {
    const ground = await Ground.open();
    const [anna, ben] = await ground.team();
    expect(await anna.run(refund(1))).toMatchObject({ code: 0 });
    ground.sql(`DROP INDEX cops_ledger.intent_key; DROP FUNCTION cops_ledger.begin_run;
      CREATE FUNCTION cops_ledger.begin_run(v int) RETURNS int LANGUAGE sql AS 'SELECT 1';
      ALTER FUNCTION cops_ledger.begin_run OWNER TO cops_owner;
      UPDATE cops_ledger.ledger SET version = 1, least_writer = 1`);
    const refused = await anna.run(refund(2));
    expect(refused).toMatchObject({ code: 12 });
    expect(refused.stderr).toContain('cops team migrate');
    // A member reads and writes, and changes no schema.
    expect(await ben.run(['team', 'migrate'])).toMatchObject({ code: 3 });
    ground.sql('GRANT cops_owner TO anna');
    const both = await Promise.all([
      anna.run(['team', 'migrate', '-o', 'json']),
      anna.run(['team', 'migrate', '-o', 'json']),
    ]);
    expect(both.map(({ stdout }) => JSON.parse(stdout).before).sort()).toEqual([1, 3]);
    const [version] = [Number(ground.sql('SELECT version FROM cops_ledger.ledger'))];
    expect(version).toBe(3);
    expect(ground.sql(`SELECT count(*) FROM pg_indexes WHERE indexname = 'intent_key'`)).toBe('1');
    expect(await ben.run(refund(2))).toMatchObject({ code: 0 });
    const { stdout } = await ben.run(['history', 'list', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject([{ ids: [idOf(2)] }, { ids: [idOf(1)] }]);
    expect(() => ground.sql(`SELECT cops_ledger.enter(1, gen_random_uuid(), 'h', 1)`)).toThrow(/version 3 and later/);
    expect(ground.posted).toHaveLength(2);
  });

  it('leaves nothing open of what never left', async () => {
    const ground = await Ground.open();
    const [anna] = await ground.team();
    await ground.service.close();
    expect((await anna.run([...refund(1), '--max-retries', '0'])).code).toBe(8);
    expect(
      ground.sql(`SELECT state, outcome FROM cops_ledger.intent i JOIN cops_ledger.outcome o ON o.intent = i.id`),
    ).toBe('not_done|not_sent');
  });

  it('takes at most two round trips a row of a bulk run, one row at a time', async () => {
    const ground = await Ground.open();
    const [anna] = await ground.team();
    const transactions = async (rows: number) => {
      const file = path.join(anna.folder, `${rows}.csv`);
      const ids = Array.from({ length: rows }, (_, at) => idOf(1000 * rows + at));
      writeFileSync(file, `id,amount\n${ids.map((id) => `${id},1`).join('\n')}\n`);
      const before = await committed(ground);
      const line = ['bulk', 'transactions', 'refund', '--input', file, '--yes', '--expect', String(rows)];
      expect(await anna.run([...line, '--concurrency', '1'])).toMatchObject({ code: 0 });
      return (await committed(ground)) - before;
    };
    const few = await transactions(10);
    const many = await transactions(60);
    expect((many - few) / 50).toBeLessThanOrEqual(2.2);
  });
});

/** Locks a table of the ledger against changes until it is released. */
async function heldTable({ address }: Ground, name: string): Promise<{ release(): Promise<void> }> {
  const superuser = address.replace('anna@', 'postgres@');
  const connection = await connectPostgres(parsePostgresAddress(superuser, 'test', {}), { env: {} });
  let release = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    release = resolve;
  });
  let ended: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve) => {
    ended = connection.transaction(async (session) => {
      await session.query(`LOCK TABLE cops_ledger.${name} IN EXCLUSIVE MODE`);
      resolve();
      await over;
    });
  });
  return {
    async release() {
      release();
      await ended;
      await connection.close();
    },
  };
}

/** Transactions of the ledger's database so far; the server has counted those of a connection once that is gone. */
async function committed(ground: Ground): Promise<number> {
  const others = `SELECT count(*) FROM pg_stat_activity WHERE datname = '${ground.database}' AND pid <> pg_backend_pid()`;
  while (server.sql(others) !== '0') await new Promise((resolve) => setTimeout(resolve, 20));
  return Number(ground.sql(`SELECT xact_commit FROM pg_stat_database WHERE datname = '${ground.database}'`));
}

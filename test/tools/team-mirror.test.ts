/** @module-tag tool */
/** A team's mirror in PostgreSQL beside one in SQLite, and replicas of it on other machines. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPORTS } from '../../src/data/report/reports.js';
import { contentOf, itemsOf, itemsThere, replicaOfHome } from '../fixtures/team-mirrors.js';
import { StandingClock } from '../harness/clock.js';
import { Home } from '../harness/home.js';
import { type PostgresServer, startPostgres } from '../harness/postgres.js';

const NAMES = [...REPORTS.map(({ name }) => name), 'close'];
const LIMIT = 240_000;
const PAYMENT = `SELECT id FROM transactions WHERE created_date LIKE '2026-09%' AND result = 'approved' AND amount > 5
  AND amount_refunded = 0 ORDER BY id LIMIT 1`;

const clock = new StandingClock();
const homes: Home[] = [];
/** A machine: a home of its own with the same account. */
function machine(): Home {
  const home = new Home({ NO_COLOR: '1', COPS_PROFILE: 'sandbox' });
  homes.push(home);
  return home;
}
let server: PostgresServer;
let anna: Home;
let url: string;

async function text(home: Home, words: readonly string[]): Promise<string> {
  const ran = await home.run(words, { cwd: home.folder, clock, random: () => 0.5, timeoutMs: LIMIT });
  expect(ran.code, `${words.join(' ')}\n${ran.stderr}`).toBe(0);
  return ran.stdout;
}

beforeAll(async () => {
  server = await startPostgres();
  url = server.url('schema=acme');
  anna = machine();
  await text(anna, ['-q', 'sync', 'm.sqlite']);
  await text(anna, ['-q', 'sync', url]);
}, LIMIT);
afterAll(async () => {
  for (const home of homes) home.remove();
  await server?.close();
});

describe('the mirror', () => {
  it('holds every row of the SQLite one', async () => {
    const one = contentOf(path.join(anna.folder, 'm.sqlite'));
    const other = contentOf(replicaOfHome(anna));
    expect(Object.keys(other).sort()).toEqual(Object.keys(one).sort());
    for (const name of Object.keys(one)) expect(other[name], name).toEqual(one[name]);
    expect(itemsThere(server, 'acme')).toEqual(itemsOf(path.join(anna.folder, 'm.sqlite')));
  });

  it('has views with the names and the order of the columns', async () => {
    const database = new Libsql(path.join(anna.folder, 'm.sqlite'));
    const names = (database.prepare("SELECT name FROM pragma_table_info('sales')").raw().all() as [string][]).flat();
    database.close();
    const there = server.sql(
      "SELECT column_name FROM information_schema.columns WHERE table_schema = 'acme' AND table_name = 'sales' ORDER BY ordinal_position",
    );
    expect(there.split('\n')).toEqual(names);
    expect(server.sql('SELECT count(*) FROM acme.sales')).toBe(server.sql('SELECT count(*) FROM acme.raw_sales'));
  });

  it('has types, and says what does not fit', () => {
    const types = server.sql(
      "SELECT DISTINCT data_type FROM information_schema.columns WHERE table_schema = 'acme' AND table_name LIKE 'raw_%' ORDER BY 1",
    );
    expect(types.split('\n')).toEqual(
      expect.arrayContaining(['ARRAY', 'boolean', 'numeric', 'text', 'timestamp with time zone']),
    );
    expect(server.sql('SELECT family, name, count(*) FROM acme._unfit GROUP BY 1, 2')).toBe('');
    expect(server.sql("SELECT col_description('acme.raw_sales'::regclass, 2)")).toBe('The item as it came');
  });
});

describe('a replica', () => {
  it(
    'gives the same figures, to the cent',
    async () => {
      const other = machine();
      for (const name of NAMES) {
        const range: readonly string[] =
          name === 'aging' ? [] : name === 'forecast' ? ['--next', '90d'] : ['--month', 'last'];
        const words = ['report', name, ...range, '-o', 'json'];
        const [here, there] = [
          await text(anna, [...words, '--mirror', 'm.sqlite']),
          await text(other, [...words, '--mirror', url]),
        ];
        const place = { mirror: 'anywhere' };
        // A note's line names the mirror too.
        const moved = there.replace(/'postgres:[^']*'/g, 'm.sqlite');
        expect({ ...JSON.parse(moved), ...place }, name).toEqual({ ...JSON.parse(here), ...place });
      }
      expect(contentOf(replicaOfHome(other))).toEqual(contentOf(replicaOfHome(anna)));
    },
    LIMIT,
  );

  it('follows what another machine synced', async () => {
    const other = machine();
    await text(other, ['sql', 'select count(*) from sales', '--mirror', url]);
    const later = server.sql('SELECT change FROM acme._state');
    await text(anna, ['-q', 'sync', url, 'sales', 'customers']);
    expect(Number(server.sql('SELECT change FROM acme._state'))).toBeGreaterThan(Number(later));
    await text(other, ['sql', 'select count(*) from sales', '--mirror', url]);
    expect(contentOf(replicaOfHome(other))).toEqual(contentOf(replicaOfHome(anna)));
    expect(existsSync(path.join(other.folder, 'data', 'mirrors', 'sandbox-test.sqlite'))).toBe(false);
    // What an id belongs to, for a command that takes it for something else.
    const env = { ...other.env, COPS_MIRROR: url };
    const sale = server.sql('SELECT id FROM acme.sales ORDER BY id LIMIT 1');
    const wrong = await other.run(['customers', 'get', sale], { cwd: other.folder, clock, env });
    expect(wrong).toMatchObject({ code: 4, stderr: expect.stringContaining(`${sale} belongs to sales in test mode`) });
  });
});

describe('a sync that finds nothing new', () => {
  it(
    'takes a transaction or two a list',
    async () => {
      const others = `SELECT count(*) FROM pg_stat_activity WHERE datname = 'shop' AND pid <> pg_backend_pid()
        AND backend_type = 'client backend'`;
      const committed = async () => {
        // The server has counted those of a connection once that is gone.
        while (server.sql(others) !== '0') await new Promise((resolve) => setTimeout(resolve, 20));
        return Number(server.sql(`SELECT xact_commit FROM pg_stat_database WHERE datname = 'shop'`));
      };
      await text(anna, ['-q', 'sync', url]);
      const before = await committed();
      await text(anna, ['-q', 'sync', url]);
      const lists = Number(server.sql('SELECT count(*) FROM acme._families'));
      expect((await committed()) - before).toBeLessThan(2 * lists);
    },
    LIMIT,
  );
});

describe('a locked month', () => {
  it(
    'is locked for every machine, once, whoever asks, and unlocked for all',
    async () => {
      const ben = machine();
      const close = (home: Home, ...words: readonly string[]) => {
        const env = { ...home.env, COPS_MIRROR: url };
        return home.run(['report', 'close', '--month', 'last', ...words, '-o', 'json'], {
          cwd: home.folder,
          clock,
          env,
        });
      };
      const rowsOf = ({ stdout }: { stdout: string }): unknown => JSON.parse(stdout).rows;
      // Locked before the team shared anything: the next change brings it.
      const own = await close(anna, '--lock');
      expect(own.code, own.stderr).toBe(0);
      const [closed, seen] = [await close(anna, '--as', 'closed'), await close(ben, '--as', 'closed')];
      expect(seen.code, seen.stderr).toBe(0);
      expect(rowsOf(seen)).toEqual(rowsOf(closed));
      expect(await close(ben, '--lock')).toMatchObject({ code: 12 });
      expect(await close(ben, '--unlock', '--reason', 'a late refund')).toMatchObject({ code: 0 });
      expect(await close(anna, '--as', 'closed')).toMatchObject({ code: 12 });
      const both = await Promise.all([anna, ben].map((home) => close(home, '--lock', '--no-sync')));
      expect(both.map(({ code }) => code).sort()).toEqual([0, 12]);
      expect(JSON.parse(both.find(({ code }) => code === 0)?.stdout ?? '')).toMatchObject({ number: 2 });
      expect(server.sql('SELECT count(*), count(file) FROM acme._closes')).toBe('3|2');
      await server.stop();
      const away = [await close(ben, '--as', 'closed'), await close(ben, '--unlock', '--reason', 'another')];
      expect(away).toMatchObject([{ code: 0, stderr: expect.stringContaining('not followed') }, { code: 8 }]);
      await server.restart();
      expect(await close(anna, '--as', 'closed')).toMatchObject({ code: 0 });
    },
    LIMIT,
  );

  it(
    'is locked by one of eight machines at once, and the others are told who and when',
    async () => {
      const eight = Array.from({ length: 8 }, machine);
      const ask = (home: Home, ...words: readonly string[]) =>
        home.run([...words, '-o', 'json'], {
          ...{ cwd: home.folder, clock, timeoutMs: LIMIT },
          env: { ...home.env, COPS_MIRROR: url },
        });
      const close = (home: Home, ...words: readonly string[]) =>
        ask(home, 'report', 'close', '--month', '2026-09', ...words);
      const all = (...words: readonly string[]) => Promise.all(eight.map((home) => close(home, ...words)));
      const same = (runs: readonly { readonly code: number | null; readonly stdout: string }[]): unknown => {
        const rows = runs.map(({ code, stdout }) => ({ code, rows: JSON.parse(stdout).rows }));
        for (const one of rows) expect(one).toEqual({ ...rows[0], code: 0 });
        return rows[0]?.rows;
      };
      /** What exactly one of eight may do; the others are told `why`. */
      const once = async (why: RegExp, ...words: readonly string[]) => {
        const tries = await all(...words);
        expect(tries.map(({ code }) => code).sort(), tries[0]?.stderr).toEqual([0, ...Array(7).fill(12)]);
        for (const { code, stderr } of tries) if (code !== 0) expect(stderr).toMatch(why);
        return JSON.parse(tries.find(({ code }) => code === 0)?.stdout ?? '');
      };
      const lock = () => once(/is locked already 2026-11-20T\S+ by anna \(lock \d\)/, '--lock', '--no-sync');
      expect(await lock()).toMatchObject({ number: 1, who: 'anna' });
      const before = same(await all('--as', 'closed'));
      // What is learnt of the month later is the same everywhere, and the lock stays as it was.
      const [payment] = JSON.parse((await ask(anna, 'sql', PAYMENT)).stdout);
      const refund = await ask(anna, 'transactions', 'refund', payment.id, '-d', 'amount=1', '--yes');
      expect(refund.code, refund.stderr).toBe(0);
      await text(anna, ['-q', 'sync', url]);
      expect(JSON.stringify(same(await all('--adjustments', '--no-sync')))).toContain('movement');
      expect(same(await all('--as', 'closed'))).toEqual(before);
      const unlocked = /is unlocked 2026-11-20T\S+ by anna \(a late refund\)/;
      await once(unlocked, '--unlock', '--reason', 'a late refund');
      for (const { code, stderr } of await all('--as', 'closed'))
        expect({ code, stderr }).toEqual({ code: 12, stderr: expect.stringMatching(unlocked) });
      expect(await lock()).toMatchObject({ number: 2 });
      for (const home of eight) {
        const folder = path.join(home.folder, 'data', 'closes', 'sandbox-test');
        await close(home, '--as', 'closed');
        // Other tests lock other months on the same machine.
        const others = /^(?!2026-09)\d{4}-\d\d\.\d+\.sqlite$/;
        const files = readdirSync(folder).filter((name) => !others.test(name));
        expect(files.sort()).toEqual(['2026-09.1.sqlite', '2026-09.2.sqlite', 'locks.jsonl']);
      }
    },
    LIMIT,
  );
});

describe('somebody who did not create the mirror', () => {
  it(
    'is told the right that is missing, reads the last sync, and locks months with the right to add locks',
    async () => {
      const [ben, month] = [machine(), ['report', 'close', '--month', 'last']];
      server.sql('CREATE ROLE ben LOGIN', 'postgres');
      const address = server.url('schema=mine', 'shop', 'ben');
      const run = (...words: readonly string[]) =>
        ben.run(words, { cwd: ben.folder, clock, env: { ...ben.env, USER: 'somebody', COPS_MIRROR: address } });
      server.sql('REVOKE CREATE ON DATABASE shop FROM PUBLIC; ALTER DATABASE shop OWNER TO postgres', 'postgres');
      const cannot = await run('sync', address);
      expect(cannot).toMatchObject({ code: 3, stderr: expect.stringContaining('GRANT CREATE ON DATABASE') });
      server.sql('GRANT CREATE ON DATABASE shop TO anna', 'shop');
      await text(anna, ['-q', 'sync', server.url('schema=mine')]);
      expect(await run(...month)).toMatchObject({ code: 3, stderr: expect.stringContaining('GRANT USAGE ON SCHEMA') });
      server.sql('GRANT USAGE ON SCHEMA mine TO ben; GRANT SELECT ON ALL TABLES IN SCHEMA mine TO ben');
      const close = await run(...month);
      expect(close).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('Only anna, who created the schema mine'),
      });
      expect(close.stderr).toMatch(/Read [\d,]{2,} items of the team's mirror/);
      expect(await run('sync', address)).toMatchObject({ code: 3, stderr: expect.stringContaining('Only anna') });
      server.sql('GRANT INSERT ON mine._closes TO ben');
      const locked = await run(...month, '--lock', '-o', 'json');
      expect(locked.code, locked.stderr).toBe(0);
      expect(JSON.parse(locked.stdout)).toMatchObject({ locked: true, who: 'ben' });
      const checked = await run('doctor', '--online', '-o', 'json');
      expect(JSON.parse(checked.stdout)).toContainEqual(
        expect.objectContaining({ check: 'mirror of the team', status: 'ok' }),
      );
    },
    LIMIT,
  );
});

describe('a value that does not fit', () => {
  it(
    'is NULL and said, until a full sync widens its column',
    async () => {
      const mine = machine();
      const place = server.url('schema=unfit');
      await text(mine, ['-q', 'sync', place, 'products']);
      // As if the column had been made for numbers, and each product had been away.
      server.sql(
        'DROP VIEW unfit.products; ALTER TABLE unfit.raw_products ALTER COLUMN name TYPE numeric USING NULL; ' +
          "UPDATE unfit._fields SET type = 'numeric' WHERE family = 'products' AND name = 'name'; " +
          'UPDATE unfit._state SET change = 1000; UPDATE unfit._tables SET change = 1000; ' +
          'UPDATE unfit.raw_products SET gone_at = now(), _change = 1000',
      );
      const said = await mine.run(['sync', place, 'products', '--restart'], { cwd: mine.folder, clock });
      expect(said).toMatchObject({ code: 0, stderr: expect.stringContaining('_unfit') });
      const all = server.sql('SELECT count(*) FROM unfit.products');
      expect(Number(all)).toBeGreaterThan(0);
      expect(server.sql("SELECT count(*) FROM unfit._unfit WHERE family = 'products' AND name = 'name'")).toBe(all);
      expect(server.sql('SELECT count(*) FROM unfit.products WHERE name IS NOT NULL')).toBe('0');
      await text(mine, ['-q', 'sync', place, 'products', '--full']);
      expect(server.sql('SELECT count(*) FROM unfit._unfit')).toBe('0');
      const right = "name = unfit.as_jsonb(data) ->> 'name'";
      expect(server.sql(`SELECT count(*) FROM unfit.raw_products WHERE ${right}`)).toBe(all);
      expect(server.sql('SELECT count(*) FROM unfit.products WHERE name IS NOT NULL')).toBe(all);
    },
    LIMIT,
  );
});

describe('one account a schema', () => {
  it('is refused to another mode, and to a schema with other tables', async () => {
    const asked = { cwd: anna.folder, clock };
    server.sql('CREATE TABLE public.theirs (n int)');
    expect(await anna.run(['sync', server.url('schema=public')], asked)).toMatchObject({ code: 11 });
    expect(await anna.run(['sync', url, '--live'], asked)).toMatchObject({ code: 12 });
    expect(await anna.run(['sql', 'select 1', '--mirror', url, '--live'], asked)).toMatchObject({ code: 12 });
  });

  it('takes no password in the address, and no scheme but its own', async () => {
    const asked = { cwd: anna.folder, clock };
    expect(await anna.run(['sync', 'postgres://anna:secret@localhost/shop'], asked)).toMatchObject({ code: 2 });
    expect(await anna.run(['sync', 'mysql://anna@localhost/shop'], asked)).toMatchObject({ code: 2 });
    const setting = await anna.run(['config', 'set', 'mirror', 'postgres://anna:secret@localhost/shop'], asked);
    expect(setting).toMatchObject({ code: 2, stderr: expect.not.stringContaining('secret') });
  });

  it('has one sync at a time, by a lease', async () => {
    const holder = server.sql('SELECT holder FROM acme._state');
    server.sql("UPDATE acme._state SET holder = 'other x', lease_until = clock_timestamp() + interval '1 hour'");
    const waiting = anna.run(['-q', 'sync', url, 'products'], { cwd: anna.folder, clock });
    const renewed = (async () => {
      for (let i = 0; i < 20; i++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        server.sql("UPDATE acme._state SET lease_until = lease_until + interval '1 second'");
      }
    })();
    expect(await waiting).toMatchObject({ code: 11 });
    await renewed;
    server.sql("UPDATE acme._state SET lease_until = clock_timestamp() + interval '1 second'");
    await text(anna, ['-q', 'sync', url, 'products']);
    expect(server.sql('SELECT holder FROM acme._state')).toBe(holder);
  });

  it(
    'is asked by the setting of a profile, and its replica answers while the server is away',
    async () => {
      const asked = { ...anna.env, COPS_MIRROR: url };
      const words = ['sql', 'select count(*) as n from sales', '-o', 'json'];
      const before = await anna.run(words, { cwd: anna.folder, clock, env: asked });
      expect(before.code, before.stderr).toBe(0);
      await server.stop();
      const away = await anna.run(words, { cwd: anna.folder, clock, env: asked });
      expect(away).toMatchObject({
        code: 0,
        stdout: before.stdout,
        stderr: expect.stringContaining('was not brought up to date'),
      });
      expect(await anna.run(['sync', url, 'products'], { cwd: anna.folder, clock })).toMatchObject({ code: 8 });
      await server.restart();
    },
    LIMIT,
  );
});

/** @module-tag tool */
/** A team's mirror in PostgreSQL beside one in SQLite, and replicas of it on other machines. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPORTS } from '../../src/data/report/reports.js';
import { StandingClock } from '../harness/clock.js';
import { Home } from '../harness/home.js';
import { type PostgresServer, startPostgres } from '../harness/postgres.js';

const NAMES = [...REPORTS.map(({ name }) => name), 'close'];
const LIMIT = 240_000;

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

/** All that a mirror's file holds of items and what they were. */
function contentOf(file: string): Record<string, unknown[]> {
  const database = new Libsql(file);
  try {
    const tables = database
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND (name GLOB 'raw_*' OR name IN ('_history', '_windows', '_families', '_columns', '_inexact'))",
      )
      .raw()
      .all() as [string][];
    return Object.fromEntries(
      tables.flatMap(([name]) => {
        const rows = database.prepare(`SELECT * FROM ${name} ORDER BY 1, 2, 3`).all() as unknown[];
        return rows.length === 0 ? [] : [[name, rows]];
      }),
    );
  } finally {
    database.close();
  }
}

const replica = (home: Home): string => {
  const folder = path.join(home.folder, 'data', 'mirrors');
  const found = readdirSync(folder).filter((name) => name.startsWith('team-') && name.endsWith('.sqlite'));
  expect(found).toHaveLength(1);
  return path.join(folder, found[0] as string);
};

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
    const other = contentOf(replica(anna));
    expect(Object.keys(other).sort()).toEqual(Object.keys(one).sort());
    for (const name of Object.keys(one)) expect(other[name], name).toEqual(one[name]);
    const families = Object.keys(one).filter((name) => name.startsWith('raw_'));
    for (const name of families) {
      const rows = server.sql(`SELECT id || ' ' || md5(data) FROM acme.${name} ORDER BY id COLLATE "C"`).split('\n');
      expect(rows.length, name).toBe(one[name]?.length);
    }
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
        const words = ['report', name, ...(name === 'aging' ? [] : ['--month', 'last']), '-o', 'json'];
        const [here, there] = [
          await text(anna, [...words, '--mirror', 'm.sqlite']),
          await text(other, [...words, '--mirror', url]),
        ];
        const place = { mirror: 'anywhere' };
        expect({ ...JSON.parse(there), ...place }, name).toEqual({ ...JSON.parse(here), ...place });
      }
      expect(contentOf(replica(other))).toEqual(contentOf(replica(anna)));
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
    expect(contentOf(replica(other))).toEqual(contentOf(replica(anna)));
    expect(existsSync(path.join(other.folder, 'data', 'mirrors', 'sandbox-test.sqlite'))).toBe(false);
  });
});

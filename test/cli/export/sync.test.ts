/**
 * @module-tag process
 * @module-tag sweep
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { envelope, makeRows, type Row } from '../../fixtures/export-service/service.mjs';
import { finishedIn, Runs } from './runs.js';

const DAY = 86_400;
const NOW = Math.floor(Date.now() / 1000);
const FROM = NOW - 300 * DAY;

let runs: Runs;
/** Rows of each list, by path; what is not here is answered 403. */
let tables: Record<string, Row[]>;
/** HTTP statuses of lists that are refused. */
let refused: Record<string, number>;

beforeAll(async () => {
  runs = await Runs.against({
    latency: 1,
    onRequest: (_, url) => {
      const status = refused[url.pathname];
      if (status === 0) return { drop: true };
      const rows = tables[url.pathname];
      if (status !== undefined || !rows)
        return { status: status ?? 403, body: '{"code":0,"message":"not for this key"}' };
      const [start, end, limit, page] = ['date_start', 'date_end', 'limit', 'page'].map((name) =>
        url.searchParams.has(name) ? Number(url.searchParams.get(name)) : undefined,
      );
      const found = rows.filter(({ unix }) => unix >= (start ?? 0) && unix <= (end ?? NOW * 2)).map(({ text }) => text);
      const [size, at] = [limit ?? found.length, page ?? 1];
      return {
        status: 200,
        body: envelope(found.slice((at - 1) * size, at * size), at, Math.max(1, size), found.length),
      };
    },
  });
});
afterAll(() => runs.close());
beforeEach(() => {
  tables = {
    '/sales': makeRows({ rows: 350, from: FROM, to: NOW - 3600 }),
    '/customers': makeRows({ rows: 200, from: FROM, to: NOW - 3600 }),
    '/shipping_profiles': makeRows({ rows: 60, from: FROM, to: NOW - 3600 }),
  };
  refused = {};
  runs.service.state.requests.length = 0;
});
afterEach(() => runs.forget());

interface Line {
  readonly family: string;
  readonly state: string;
  readonly added: number;
  readonly items: number;
  readonly requests: number;
  readonly why: string | null;
}

const FAMILIES = ['sales', 'customers', 'shipping-profiles'];
const START = ['--from', String(FROM - 10)];

function tableOf(out: string): Line[] {
  return JSON.parse(out);
}

/** What a target holds of a family, sorted. */
function linesIn(target: string, family: string): string[] {
  if (target.endsWith('.sqlite')) {
    const database = new Libsql(runs.path(target), { readonly: true } as Libsql.Options);
    const rows = database.prepare(`SELECT _json FROM "raw_${family}"`).all() as { _json: string }[];
    database.close();
    return rows.map(({ _json }) => _json).sort();
  }
  return readdirSync(runs.path(`${target}/${family}`), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8').trimEnd().split('\n'))
    .sort();
}

const served = (list: string) => (tables[list] ?? []).map(({ text }) => text).sort();

/** A row that came after the copy was made. */
function newRow(list: string, number: number): Row {
  const [row] = makeRows({ dates: [NOW - 60] });
  const id = `new${String(number).padStart(17, '0')}`;
  const made = { id, unix: NOW - 60, text: (row as Row).text.replace((row as Row).id, id) };
  tables[list]?.push(made);
  return made;
}

describe.each(['copies'])('cops sync %s', (target) => {
  it('reads all, then only what is new', async () => {
    const first = await runs.run(['sync', target, ...FAMILIES, ...START]);
    expect(first.code).toBe(0);
    expect(tableOf(first.out)).toMatchObject([
      { family: 'sales', state: 'synced', added: 350, items: 350 },
      { family: 'customers', state: 'synced', added: 200, items: 200 },
      { family: 'shipping_profiles', state: 'synced', items: 60 },
    ]);
    for (const list of Object.keys(tables)) expect(linesIn(target, list.slice(1))).toEqual(served(list));

    for (let number = 0; number < 30; number++) newRow('/sales', number);
    runs.service.state.requests.length = 0;
    const second = await runs.run(['sync', target, ...FAMILIES, ...START]);
    expect(second.code).toBe(0);
    expect(tableOf(second.out)).toMatchObject([
      { family: 'sales', state: 'synced', added: 30, items: 380 },
      { family: 'customers', state: 'synced', added: 0, items: 200 },
      { family: 'shipping_profiles', state: 'synced', items: 60 },
    ]);
    const starts = runs.service.state.requests.flatMap((query) => /date_start=(\d+)/.exec(query)?.[1] ?? []);
    expect(Math.min(...starts.map(Number))).toBeGreaterThan(NOW - 1000);
    for (const list of Object.keys(tables)) expect(linesIn(target, list.slice(1))).toEqual(served(list));
  });

  it('reads a span again with --refresh, and replaces its rows', async () => {
    const copy = `refreshed-${target}`;
    expect((await runs.run(['sync', copy, 'sales', ...START])).code).toBe(0);
    const changed = tables['/sales']?.at(-150) as Row;
    changed.text = changed.text.replace('"amount_refunded":0.00', '"amount_refunded":7.00');
    const plain = await runs.run(['sync', copy, 'sales', ...START]);
    expect(tableOf(plain.out)).toMatchObject([{ added: 0, items: 350 }]);
    expect(linesIn(copy, 'sales')).not.toContain(changed.text);
    const { code, out } = await runs.run(['sync', copy, 'sales', ...START, '--refresh', '200d']);
    expect(code).toBe(0);
    expect(tableOf(out)).toMatchObject([{ state: 'synced', added: 0, items: 350 }]);
    expect(linesIn(copy, 'sales')).toEqual(served('/sales'));
  });
});

describe('what concerns one list', () => {
  it('is named in the summary, and the others are read', async () => {
    refused = { '/sales': 403, '/trials': 401, '/taxes': 405 };
    const { code, out } = await runs.run(['sync', 'all', ...START]);
    const states = new Map(tableOf(out).map((row) => [row.family, row]));
    expect(states.size).toBeGreaterThan(30);
    expect(states.get('sales')).toMatchObject({ state: 'not allowed', why: expect.stringContaining('403') });
    expect(states.get('trials')).toMatchObject({ state: 'not allowed' });
    expect(states.get('customers')).toMatchObject({ state: 'synced', items: 200 });
    expect(states.get('shipping_profiles')).toMatchObject({ state: 'synced', items: 60 });
    expect(code).toBe(0);
  });

  it.each([
    [403, 'not allowed'],
    [401, 'not allowed'],
    [404, 'not there'],
    [405, 'not there'],
    [400, 'failed'],
    [500, 'failed'],
  ])('ends with 10 for a list that was named: HTTP %d', async (status, state) => {
    refused = { '/sales': status };
    const { code, out, said } = await runs.run([
      'sync',
      `named-${status}`,
      ...FAMILIES,
      ...START,
      '--max-retries',
      '0',
    ]);
    expect(code).toBe(10);
    expect(tableOf(out).map((row) => row.state)).toEqual([state, 'synced', 'synced']);
    expect(tableOf(out)[0]?.why).not.toBeNull();
    expect(said).toContain('sales');
  });

  it('ends with 10 when it failed although nobody named it', async () => {
    refused = { '/sales': 500 };
    const { code, out } = await runs.run(['sync', 'unnamed', ...START, '--max-retries', '0']);
    expect(code).toBe(10);
    expect(tableOf(out).find(({ family }) => family === 'sales')?.state).toBe('failed');
    expect(tableOf(out).find(({ family }) => family === 'customers')?.state).toBe('synced');
  });

  it('ends with 3 when the key may read nothing', async () => {
    tables = {};
    expect((await runs.run(['sync', 'nothing', ...FAMILIES, ...START])).code).toBe(3);
  });
});

describe('what concerns all lists', () => {
  it('ends the sync, and the summary shows what was read', async () => {
    refused = { '/customers': 0 };
    const { code, out } = await runs.run(['sync', 'cut', ...FAMILIES, ...START, '--max-retries', '0']);
    expect(code).toBe(8);
    expect(tableOf(out).map(({ family, state }) => [family, state])).toEqual([
      ['sales', 'synced'],
      ['customers', 'failed'],
      ['shipping_profiles', 'not read'],
    ]);
    refused = {};
    expect((await runs.run(['sync', 'cut', ...FAMILIES, ...START])).code).toBe(0);
    for (const list of Object.keys(tables)) expect(linesIn('cut', list.slice(1))).toEqual(served(list));
  });
});

describe('a sync that is stopped', () => {
  it.each(['killed', 'killed.sqlite'])('goes on after kill -9: %s', async (target) => {
    const { child, ended } = runs.start(['sync', target, ...FAMILIES, ...START, '--concurrency', '4']);
    // Behind the first list, and in the middle of the second.
    void runs.after(21 + 8, () => child.kill('SIGKILL'));
    expect((await ended).signal).toBe('SIGKILL');
    const isMirror = target.endsWith('.sqlite');
    const { written } = isMirror ? { written: [] } : finishedIn(runs.path(`${target}/customers.export`));
    runs.service.state.requests.length = 0;
    const { code, said, out } = await runs.run(['sync', target, ...FAMILIES, ...START]);
    expect(code).toBe(0);
    expect(tableOf(out).map(({ items }) => items)).toEqual([350, 200, 60]);
    if (written.length > 0) expect(said).toContain('Continuing the export');
    for (const list of Object.keys(tables)) expect(linesIn(target, list.slice(1))).toEqual(served(list));
  });

  it('continues after Ctrl-C where it was', async () => {
    const { child, ended } = runs.start(['sync', 'pressed', ...FAMILIES, ...START]);
    void runs.after(21 + 8, () => child.kill('SIGINT'));
    expect((await ended).code).toBe(130);
    expect((await runs.run(['sync', 'pressed', ...FAMILIES, ...START])).code).toBe(0);
    for (const list of Object.keys(tables)) expect(linesIn('pressed', list.slice(1))).toEqual(served(list));
  });
});

describe('one target', () => {
  it.skipIf(process.platform === 'win32').each(['busy', 'busy.sqlite'])(
    'takes one sync at a time, whichever lists they read: %s',
    async (target) => {
      const { child, ended } = runs.start(['sync', target, 'sales', ...START]);
      await runs.after(10, () => child.kill('SIGSTOP'));
      const second = await runs.run(['sync', target, 'customers', ...START]);
      child.kill('SIGCONT');
      expect(second).toMatchObject({ code: 11, said: expect.stringContaining('in use') });
      expect((await ended).code).toBe(0);
      expect((await runs.run(['sync', target, 'customers', ...START])).code).toBe(0);
    },
  );

  it.each([
    [['x.jsonl'], 'One jsonl file'],
    [['-'], 'Name a folder'],
    [['copies.sqlite', '--format', 'csv'], '--format'],
    [['y', 'saels'], 'Did you mean sales?'],
    [['y', 'orders'], 'Did you mean sales?'],
    [['orders'], 'For the list: cops sync sales. For a new folder: cops sync ./orders'],
    [['custmers', 'sales'], 'cops sync customers sales'],
    [['y', 'sales', 'bigquery'], 'no list'],
    [['mysql://db/shop'], 'not an address'],
    [['postgres://me:secret@db/shop'], 'password'],
  ])('is refused before anything is read: %j', async (words, reason) => {
    const { code, said } = await runs.run(['sync', ...words]);
    expect(code).toBe(2);
    expect(said).toContain(reason);
    expect(runs.service.state.requests).toEqual([]);
  });
});

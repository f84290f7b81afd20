/** @module-tag thorough */
/** What lists and exports take without a range: everything, or 30 days of what happens (command-line.md#lists). */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listHandler, type Recorded, refusal } from '../fixtures/service/service.js';
import { QuickClock } from '../harness/clock.js';
import { errorOf, forgetFirstDay, home, json, KEY, pair, service } from './helpers.js';
import type { Home, Ran } from './program.js';

const DAY = 86_400;
/** The clock of the loopback service. */
const NOW = 1_780_000_000;
const row = (name: string, at: number, daysAgo: number) => ({
  id: `${name}${String(at).padStart(20 - name.length, '0')}`,
  created_date_unix: NOW - daysAgo * DAY,
  live_mode: false,
});

const LISTS: Readonly<Record<string, (ReturnType<typeof row> & { readonly status?: string })[]>> = {
  '/customers': Array.from({ length: 40 }, (_, at) => row('C', at, at * 10 + 1)),
  '/sales': Array.from({ length: 40 }, (_, at) => row('S', at, at * 10 + 1)),
  '/products': [row('P', 0, 3), row('P', 1, 389), row('P', 2, 500)],
  '/ai_memos': [row('M', 0, 2)],
  '/invoices': [
    { ...row('I', 0, 3), status: 'void' },
    { ...row('I', 1, 200), status: 'unpaid' },
  ],
};

async function account(lists: typeof LISTS = LISTS) {
  const { service, home: plain } = await pair((request) => {
    const items = lists[request.path.replace(/\?.*/, '')];
    return items
      ? listHandler({ items, dated: request.query.has('date_start') })(request)
      : refusal(403, 'E0003', 'not for this key');
  });
  forgetFirstDay(plain);
  const { folder } = plain;
  const run = (words: readonly string[], options: object = {}): Promise<Ran> =>
    plain.run(words, { clock: new QuickClock(NOW * 1000), ...options });
  return { service, home: { folder, run } };
}

const searches = (requests: readonly Recorded[]) =>
  requests.filter(({ path: asked, query }) => /^\/(?:customers|sales)/.test(asked) && query.get('limit') === '1');
const ids = (ran: Ran) => ran.stdout.split('\n').filter((line) => line !== '');
const idsOf = (name: string) => (LISTS[name] ?? []).map(({ id }) => id);

describe('without a range', () => {
  it('a list of set-up takes everything, and looks for the first day once', async () => {
    const { service, home } = await account();
    const first = await home.run(['products', 'list', '-o', 'ids']);
    expect(first).toMatchObject({ code: 0 });
    expect(ids(first)).toEqual(idsOf('/products'));
    expect(first.stderr).toMatch(
      /No range given: reading everything from \S+, a year before the first day of the account: /,
    );
    expect(searches(service.requests).length).toBeGreaterThan(0);
    expect(searches(service.requests).length).toBeLessThanOrEqual(60);
    service.requests.length = 0;
    expect(ids(await home.run(['customers', 'list', '-o', 'ids']))).toEqual(idsOf('/customers'));
    expect(await home.run(['customers', 'list', '--count'])).toMatchObject({ stdout: '40\n' });
    expect(service.requests.some(({ path: asked }) => asked.startsWith('/sales'))).toBe(false);
  });

  it.each([
    [['--status', 'unpaid'], true],
    [['--status', 'Unpaid'], true],
    [['--where', 'status = unpaid'], true],
    [['--status', 'unpaid', '--status', 'void'], false],
    [['--where', 'status!=unpaid'], false],
    [['--where', 'amount_total>1'], false],
  ])('a list of what still waits for something takes everything: %j', async (words, isWhole) => {
    const { home } = await account();
    const ran = await home.run(['invoices', 'list', ...words, '-o', 'ids']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr.includes('No range given for what is ')).toBe(isWhole);
    if (isWhole) expect(ids(ran)).toEqual([LISTS['/invoices']?.[1]?.id]);
  });

  it('a list of what happens takes 30 days, with --all-time everything', async () => {
    const { service, home } = await account();
    const month = await home.run(['sales', 'list', '-o', 'ids']);
    expect(ids(month).length).toBeLessThan(5);
    expect(searches(service.requests)).toHaveLength(0);
    const all = await home.run(['sales', 'list', '--all-time', '-o', 'ids']);
    expect(ids(all)).toEqual(idsOf('/sales'));
    expect(all.stderr).toContain('Everything from the first day of the account');
    expect((await home.run(['sales', 'list', '--all-time', '--last', '3d'])).code).toBe(2);
    expect((await home.run(['sales', 'list', '--all-time', '--page', '1'])).code).toBe(2);
  });

  it('an export takes everything of every family and says so', async () => {
    const { home } = await account();
    for (const family of ['sales', 'products']) {
      const out = path.join(home.folder, `${family}.jsonl`);
      const ran = await home.run(['export', family, '--out', out, '-o', 'json']);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stderr).toContain('No range given: reading everything from');
      expect(json(ran)).toMatchObject({ items: LISTS[`/${family}`]?.length, complete: true });
    }
  });

  it('begins where the service has forgotten what is older', async () => {
    const { service, home } = await account();
    const out = path.join(home.folder, 'memos.jsonl');
    const ran = await home.run(['export', 'ai-memos', '--out', out, '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(0);
    const begun = service.requests.filter(({ path: asked }) => asked.startsWith('/ai_memos'));
    const oldest = Math.min(...begun.map(({ query }) => Number(query.get('date_start'))));
    expect(oldest).toBeGreaterThan(NOW - 8 * DAY);
    expect(ran.stderr).toContain('keeps its items 7 days');
  });

  it('takes one page from the newest window, and asks nothing for a dry run', async () => {
    const { service, home } = await account();
    expect((await home.run(['customers', 'list', '--page', '1', '-o', 'ids'])).stderr).toContain('the newest window');
    expect(service.requests).toHaveLength(1);
    const [query] = service.requests.map((one) => one.query);
    expect(Number(query?.get('date_end')) - Number(query?.get('date_start'))).toBe(90 * DAY);
    const dry = await home.run(['products', 'list', '--dry-run']);
    expect(dry.code, dry.stderr).toBe(0);
    expect(service.requests).toHaveLength(1);
  });

  it('takes two years, with a warning, where customers and sales cannot be read', async () => {
    const { service, home } = await account({ '/products': LISTS['/products'] as [] });
    const ran = await home.run(['products', 'list', '-o', 'ids']);
    expect(ran).toMatchObject({ code: 0 });
    expect(ids(ran)).toEqual(idsOf('/products'));
    expect(ran.stderr).toContain('The first day of the account is not known');
    expect(ran.stderr).toContain('--first-day');
    expect(searches(service.requests)).toHaveLength(2);
  });

  it('begins at --first-day, which is remembered', async () => {
    const { service, home } = await account();
    const day = new Date((NOW - 20 * DAY) * 1000).toISOString().slice(0, 10);
    expect(ids(await home.run(['customers', 'list', '--first-day', day, '-o', 'ids'])).length).toBeLessThan(5);
    expect(ids(await home.run(['customers', 'list', '-o', 'ids'])).length).toBeLessThan(5);
    expect(searches(service.requests)).toHaveLength(0);
    expect((await home.run(['customers', 'list', '--first-day', day, '--from', day])).code).toBe(2);
  });

  it('requires a start for a shard', async () => {
    const { service, home } = await account();
    const words = ['export', 'sales', '--to', '2026-01-31', '--shard', '1/2', '--out', 's.jsonl'];
    expect(await home.run(words, { cwd: home.folder })).toMatchObject({ code: 2 });
    expect(service.requests).toHaveLength(0);
  });
});

it('keeps a later --first-day for one command: it would hide what was found before', async () => {
  const { service, home } = await account();
  await home.run(['products', 'list', '-o', 'ids']);
  service.requests.length = 0;
  const day = new Date((NOW - 20 * DAY) * 1000).toISOString().slice(0, 10);
  const once = await home.run(['customers', 'list', '--first-day', day, '-o', 'ids']);
  expect(once.stderr).toContain('this time only: the account begins');
  expect(ids(once).length).toBeLessThan(5);
  expect(ids(await home.run(['customers', 'list', '-o', 'ids']))).toEqual(idsOf('/customers'));
  expect(searches(service.requests)).toHaveLength(0);
});

describe('at a service that does not count both ends of a range in', () => {
  const ENDS = { out: [false, false], start: [true, false], end: [false, true], in: [true, true] } as const;
  const from = NOW - 200 * DAY;
  // One item each second, around both ends and around every seam of windows of 90 days.
  const around = [from, NOW - DAY, NOW - DAY - 90 * DAY, from + 20 * DAY].flatMap((at) => [at - 1, at, at + 1]);
  const items = (times: readonly number[]) =>
    [...times].sort((a, b) => b - a).map((at, n) => ({ ...row('C', n, 0), created_date_unix: at }));
  const customers = ['customers', 'list', '--from', String(from), '--to', String(NOW - DAY), '-o', 'ids'];
  const served = async (ends: keyof typeof ENDS, rows: ReturnType<typeof items>) => {
    const [startInclusive, endInclusive] = ENDS[ends];
    const { baseUrl } = await service({ handler: listHandler({ items: rows, startInclusive, endInclusive }) });
    const own = home({ ACME: KEY });
    const run = (words: string[]): Promise<Ran> => own.run(words, { clock: new QuickClock(NOW * 1000) });
    expect(await run(['profiles', 'add', 'acme', '--base-url', baseUrl, '--test-key', 'env:ACME'])).toMatchObject({
      code: 0,
    });
    return { run, folder: own.folder };
  };

  it.each(['out', 'start', 'end'] as const)('doctor finds %s, and its line makes ranges whole', async (ends) => {
    const rows = items(around);
    const { run, folder } = await served(ends, rows);
    const wanted = rows.filter(({ created_date_unix: at }) => at >= from && at <= NOW - DAY).map(({ id }) => id);
    const told = async () =>
      (json(await run(['doctor', '--online', '-o', 'json'])) as { check: string; status: string; hint: string }[]).find(
        ({ check }) => check === 'profile acme, range ends',
      );
    const before = await told();
    expect(before).toMatchObject({ status: 'fail', hint: `cops profiles edit acme --range-ends ${ends}` });
    expect(await run((before?.hint ?? '').split(' ').slice(1))).toMatchObject({ code: 0 });
    expect(await told()).toMatchObject({ status: 'ok' });
    const list = await run(customers);
    expect({ code: list.code, ids: ids(list) }).toEqual({ code: 0, ids: wanted });
    expect((await run([...customers.slice(0, 6), '--count'])).stdout).toBe(`${wanted.length}\n`);
    const exported = await run(['export', ...customers.slice(0, 1), ...customers.slice(2, 6), '--out', '-']);
    expect(exported.code).toBe(0);
    expect(exported.stdout.trim().split('\n')).toHaveLength(wanted.length);
    const file = path.join(folder, 'rows.jsonl');
    expect((await run(['export', 'customers', ...customers.slice(2, 6), '--out', file])).code).toBe(0);
    expect((await run(['export', 'verify', file])).code).toBe(0);
  });

  it('an item on a seam that one window lacks tells, where nothing is set', async () => {
    const seam = NOW - DAY - 90 * DAY;
    expect((await (await served('in', items(around))).run(customers)).code).toBe(0);
    const told = await (await served('out', items([seam, seam + 1]))).run(customers);
    expect(told).toMatchObject({ code: 0 });
    expect(told.stderr).toContain('doctor --online');
  });

  it('an export and a mirror record it, and are whole once the profile knows', async () => {
    const first = Math.floor(from / DAY) * DAY;
    const months = Array.from({ length: 7 }, (_, i) => {
      const date = new Date(first * 1000);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + i + 1, 1) / 1000 - 1;
    }).filter((at) => at < NOW - DAY);
    // Both seconds of every seam of an export, and of those of a mirror from that day on; the day's first second.
    const step = 90 * DAY - 1;
    const seams = [...months, first + step, first + 2 * step].flatMap((at) => [at - 1, at, at + 1]);
    const rows = items([...new Set([first, ...seams])]);
    const words = (folder: string, n: number) => ({
      export: ['export', 'customers', '--from', String(first), '--out', path.join(folder, `${n}.jsonl`)],
      sync: [
        'sync',
        path.join(folder, `${n}.sqlite`),
        'customers',
        '--first-day',
        new Date(first * 1000).toISOString().slice(0, 10),
      ],
    });
    for (const what of ['export', 'sync'] as const) {
      const clean = await served('in', rows);
      expect((await clean.run(words(clean.folder, 1)[what])).code, what).toBe(0);
      const { run, folder } = await served('out', rows);
      const told = await run(words(folder, 1)[what]);
      expect(told.code, told.stderr).toBe(0);
      expect(told.stderr).toContain('doctor --online');
      const kept = what === 'sync' ? told.stdout : readFileSync(path.join(folder, '1.jsonl.manifest.json'), 'utf8');
      expect(kept).toContain('excludes an end');
      expect((await run(['profiles', 'edit', 'acme', '--range-ends', 'out'])).code).toBe(0);
      expect((await run(words(folder, 2)[what])).code, what).toBe(0);
      if (what === 'sync') {
        expect((await run(words(folder, 1).sync)).code, 'the mirror that was begun without').toBe(0);
        for (const n of [1, 2]) {
          const sql = [
            'sql',
            'select count(*) from customers',
            '--mirror',
            path.join(folder, `${n}.sqlite`),
            '-o',
            'csv',
          ];
          expect((await run(sql)).stdout, `mirror ${n}`).toContain(`\n${rows.length}\n`);
        }
        expect(
          (await run(['sql', 'select count(*) from _history', '--mirror', path.join(folder, '2.sqlite'), '-o', 'csv']))
            .stdout,
        ).toContain('\n0\n');
        expect((await run(words(folder, 2).sync)).code).toBe(0);
        expect(
          (await run(['sql', 'select count(*) from _history', '--mirror', path.join(folder, '2.sqlite'), '-o', 'csv']))
            .stdout,
        ).toContain('\n0\n');
      } else {
        const lines = readFileSync(path.join(folder, '2.jsonl'), 'utf8').trim().split('\n');
        expect(lines).toHaveLength(rows.length);
      }
    }
  });

  it('one page of as many days as a window has: the line that fits', async () => {
    const { run } = await served('out', items(around));
    await run(['profiles', 'edit', 'acme', '--range-ends', 'out']);
    const ran = await run([
      'customers',
      'list',
      '--from',
      String(NOW - 90 * DAY),
      '--to',
      String(NOW),
      '--page',
      '1',
      '-o',
      'json',
    ]);
    expect(ran.code).toBe(2);
    const { hint } = errorOf(ran);
    const [line = ''] = /cops customers list [^.]*/.exec(hint ?? '') ?? [];
    expect(await run(line.trim().split(' ').slice(1))).toMatchObject({ code: 0 });
  });
});

describe('in the sandbox', () => {
  const sandbox = async (): Promise<{ cops: Home; counts: Record<string, { readonly test: number }> }> => {
    const cops = home();
    const reset = await cops.run(['sandbox', 'reset', '--yes', '-o', 'json']);
    expect(reset.code, reset.stderr).toBe(0);
    return { cops, counts: json<{ items: Record<string, { test: number }> }>(reset).items };
  };

  it('knows the first day of its present data without a call', async () => {
    const cops = home();
    const asked = async () => {
      const ran = await cops.run(['-p', 'sandbox', 'products', 'list', '--log-format', 'json', '-o', 'ids']);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stderr.split('"path":"/customers"').length - 1).toBe(0);
      return ran.stderr.match(/the first day of the account: (\S+)/)?.[1];
    };
    const first = await asked();
    expect(first).toBeDefined();
    const reset = await cops.run(['sandbox', 'reset', '--size', '400', '--seed', '2', '--yes']);
    expect(reset.code, reset.stderr).toBe(0);
    expect(await asked()).not.toBe(first);
  });

  it('lists and exports give all items that there are', { tags: ['sweep'] }, async () => {
    const { cops, counts } = await sandbox();
    for (const family of ['products', 'subscriptions', 'customers']) {
      const ran = await cops.run(['-p', 'sandbox', family, 'list', '-o', 'ids']);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ids(ran).length, family).toBe(counts[family]?.test);
    }
    const out = path.join(cops.folder, 'products.jsonl');
    const ran = await cops.run(['-p', 'sandbox', 'export', 'products', '--out', out]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(readFileSync(out, 'utf8').trimEnd().split('\n')).toHaveLength(counts.products?.test ?? 0);
  });
});

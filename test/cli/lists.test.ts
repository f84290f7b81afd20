/** @module-tag thorough */
/** Ranges, windows, pages, filters and proof of completeness of lists (command-line.md#lists). */
import { expect, it } from 'vitest';
import { listHandler, ok, type Recorded } from '../fixtures/service/service.js';
import { StandingClock } from '../harness/clock.js';
import { A, B, C, errorOf, items, json, pair } from './helpers.js';
import type { Ran } from './program.js';

const DAY = 86_400;
const unix = (text: string): number => Date.parse(text) / 1000;
const windowsOf = (requests: readonly Recorded[]): [number, number][] =>
  requests
    .filter(({ query }) => query.get('page') === '1')
    .map(({ query }) => [Number(query.get('date_start')), Number(query.get('date_end'))]);

async function windows(args: readonly string[]): Promise<[number, number][]> {
  const { service, home } = await pair(() =>
    ok({ results: [], total_count: 0, total_pages: 0, current_count: 0, current_page: 1 }),
  );
  const ran = await home.run([...args, '-o', 'json', '--tz', 'UTC']);
  expect(ran, args.join(' ')).toMatchObject({ code: 0 });
  return windowsOf(service.requests);
}

it('cuts a year into windows of at most 90 days, newest first, each beginning a second before its newer neighbour ends', async () => {
  const cut = await windows(['customers', 'list', '--from', '2025-01-01', '--to', '2025-12-31']);
  expect(cut[0]?.[1]).toBe(unix('2025-12-31T23:59:59Z'));
  expect(cut.at(-1)?.[0]).toBe(unix('2025-01-01T00:00:00Z'));
  expect(cut).toHaveLength(5);
  for (const [at, [from, to]] of cut.entries()) {
    expect(to - from).toBeLessThanOrEqual(90 * DAY);
    const older = cut[at + 1];
    if (older) expect(from).toBe(older[1] - 1);
  }
});

it.each([
  [[], 1],
  [['--quiet'], 0],
])('says of a long list in a pipe once a minute how far it is, with %j', async (more, times) => {
  const items = Array.from({ length: 400 }, (_, at) => ({
    id: `Long${String(at).padStart(16, '0')}`,
    created_date_unix: unix('2025-02-01') + at,
    live_mode: false,
  }));
  // Each page takes its time.
  const clock = new StandingClock();
  const { home } = await pair(async (request) => {
    await clock.sleep(1500);
    return listHandler({ items })(request);
  });
  const ran = await home.run(['customers', 'list', '--month', '2025-02', '-o', 'json', ...more], { clock });
  expect(json<unknown[]>(ran)).toHaveLength(400);
  expect(ran.stderr.match(/customers: [\d,]+ items read\b.*\n/g) ?? []).toHaveLength(times);
});

it('reads the oldest window first with --oldest-first', async () => {
  const line = ['customers', 'list', '--from', '2025-01-01', '--to', '2025-12-31'];
  expect(await windows([...line, '--oldest-first'])).toEqual((await windows(line)).reverse());
});

it.each([
  ['ai-memos', 7],
  ['smtp-messages', 7],
  ['ai-threads', 2],
  ['api-calls', 2],
  ['invoices', 90],
] as const)('cuts %s by %i days', async (family, days) => {
  const cut = await windows([family, 'list', '--from', '2026-01-01', '--to', `2026-01-${days < 10 ? '15' : '31'}`]);
  const longest = Math.max(...cut.map(([from, to]) => to - from));
  expect(longest).toBeLessThanOrEqual(days * DAY);
  if (days < 10) expect(longest).toBe(days * DAY);
});

it('takes one window where the range fits it', async () => {
  expect(await windows(['customers', 'list', '--from', '2026-01-01', '--to', '2026-03-31T23:59:59Z'])).toEqual([
    [unix('2026-01-01T00:00:00Z'), unix('2026-03-31T23:59:59Z')],
  ]);
});

it.each([
  ['2026-01-31', unix('2026-01-31T00:00:00Z')],
  ['2026-01-31T10:00', unix('2026-01-31T10:00:00Z')],
  ['2026-01-31T10:00:30', unix('2026-01-31T10:00:30Z')],
  ['2026-01-31T10:00:00Z', unix('2026-01-31T10:00:00Z')],
  ['2026-01-31T10:00:00.250+02:00', unix('2026-01-31T08:00:00Z')],
  ['1769853600', 1_769_853_600],
] as const)('--from %s', async (text, from) => {
  expect((await windows(['customers', 'list', '--from', text, '--to', '2026-02-10'])).at(-1)?.[0]).toBe(from);
});

it('takes now, today, yesterday and spans ago', async () => {
  const now = Math.floor(Date.now() / 1000);
  const near = (value: number | undefined, expected: number) =>
    expect(Math.abs((value ?? 0) - expected)).toBeLessThan(120);
  const midnight = Math.floor(now / DAY) * DAY;
  const first = async (...args: string[]) => (await windows(['customers', 'list', ...args]))[0];
  const day = await first('--from', 'yesterday', '--to', 'yesterday');
  expect([midnight - DAY, midnight]).toContain(day?.[0]);
  expect((day?.[1] ?? 0) - (day?.[0] ?? 0)).toBe(DAY - 1);
  const today = await first('--from', 'today', '--to', 'now');
  expect((today?.[0] ?? 1) % DAY).toBe(0);
  near(today?.[1], now);
  near((await first('--from', '12h'))?.[0], now - 12 * 3600);
  near((await first('--last', '6w'))?.[0], now - 42 * DAY);
  const months = await windows(['customers', 'list', '--last', '3mo']);
  const spent = (months[0]?.[1] ?? 0) - (months.at(-1)?.[0] ?? 0);
  expect(spent).toBeGreaterThanOrEqual(89 * DAY);
  expect(spent).toBeLessThanOrEqual(92 * DAY);
  const year = await windows(['customers', 'list', '--last', '1y']);
  const length = (year[0]?.[1] ?? 0) - (year.at(-1)?.[0] ?? 0);
  expect([365 * DAY, 366 * DAY]).toContain(length);
});

it.each([
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z'],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T03:59:59Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T04:59:59Z'],
  ['Asia/Kolkata', '2026-01-01', '2025-12-31T18:30:00Z', '2026-01-01T18:29:59Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z', '2026-04-24T20:59:59Z'],
] as const)('a day in %s on %s ends when its clocks say so', async (tz, day, from, to) => {
  const { home } = await pair();
  const ran = await home.run(['customers', 'list', '--from', day, '--to', day, '--tz', tz, '--dry-run']);
  const url = new URL(json<{ url: string }>(ran).url);
  expect([url.searchParams.get('date_start'), url.searchParams.get('date_end')]).toEqual([
    `${unix(from)}`,
    `${unix(to)}`,
  ]);
});

it('takes the zone from COPS_TZ', async () => {
  const { home } = await pair({}, 'test', { COPS_TZ: 'Asia/Tokyo' });
  const ran = await home.run(['customers', 'list', '--from', '2026-01-02', '--to', '2026-01-02', '--dry-run']);
  expect(json<{ url: string }>(ran).url).toContain(`date_start=${unix('2026-01-01T15:00:00Z')}`);
});

it.each([
  ['--from', 'someday'],
  ['--from', '2026-02-30'],
  ['--from', '2026-13-01'],
  ['--from', ''],
  ['--last', '0d'],
  ['--last', 'd'],
  ['--last', '-3d'],
  ['--tz', 'Mars/Base'],
  ['--limit', '0'],
  ['--limit', '1.5'],
  ['--page-size', '26'],
  ['--page-size', '0'],
  ['--page', '0'],
] as const)('refuses %s %j', async (flag, value) => {
  const { service, home } = await pair();
  const ran = await home.run(['customers', 'list', flag, value]);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toContain(flag);
  expect(service.requests).toHaveLength(0);
});

it('refuses a range that ends before it begins, and --last with --from', async () => {
  const { home } = await pair();
  expect((await home.run(['customers', 'list', '--from', '2026-02-01', '--to', '2026-01-01'])).code).toBe(2);
  expect((await home.run(['customers', 'list', '--from', '2026-02-01', '--last', '3d'])).code).toBe(2);
});

it('takes the last 30 days of what happens without a range and says so', async () => {
  const { service, home } = await pair({ routes: { 'GET /sales': listHandler({ items: [] }) } });
  const ran = await home.run(['sales', 'list']);
  expect(ran.stderr).toMatch(/last 30 days.*--all-time/);
  const [[from, to] = [0, 0]] = windowsOf(service.requests);
  expect(to - from).toBe(30 * DAY);
});

it('sends a list without dates with --no-range', async () => {
  const { service, home } = await pair({
    routes: { 'GET /customers': listHandler({ items: items(30), dated: false }) },
  });
  const ran = await home.run(['customers', 'list', '--no-range']);
  expect(json<unknown[]>(ran)).toHaveLength(30);
  expect(service.requests[0]?.rawQuery).toBe('limit=25&page=1');
});

it.each([
  [true, true],
  [false, true],
  [true, false],
  [false, false],
] as const)(
  'loses and doubles nothing between windows (start in: %s, end in: %s)',
  async (startInclusive, endInclusive) => {
    const end = unix('2025-12-31T23:59:59Z');
    const cut = await windows(['customers', 'list', '--from', '2025-01-01', '--to', '2025-12-31']);
    const moments = cut.flatMap(([from, to]) => [from - 1, from, from + 1, to - 1, to, to + 1]);
    const inside = [...new Set(moments)].filter((at) => at > unix('2025-01-01T00:00:00Z') && at < end);
    const list = inside.map((at, index) => ({
      id: `ID${index}x`.padEnd(20, '0'),
      created_date_unix: at,
      live_mode: false,
    }));
    const { home } = await pair({
      routes: { 'GET /customers': listHandler({ items: list, startInclusive, endInclusive }) },
    });
    const ran = await home.run([
      'customers',
      'list',
      '--from',
      '2025-01-01',
      '--to',
      '2025-12-31',
      '-o',
      'ids',
      '--tz',
      'UTC',
    ]);
    expect(ran.code).toBe(0);
    expect(ran.stdout.trimEnd().split('\n').sort()).toEqual(list.map(({ id }) => id).sort());
  },
);

it('stops at --limit over windows and pages, and says how many more there are', async () => {
  const { home } = await pair({ routes: { 'GET /campaigns': listHandler({ items: items(4312), dated: false }) } });
  const ran = await home.run(['campaigns', 'list', '--limit', '100', '-o', 'ids']);
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(100);
  expect(ran.stderr).toContain('100 of 4,312');
});

it('ends when the limit is reached: a page that was asked for ahead is not tried again', async () => {
  const list = listHandler({ items: items(130), dated: false });
  const { service, home } = await pair((request) => (request.query.get('page') === '5' ? 'drop' : list(request)));
  const ran = await home.run(['campaigns', 'list', '--limit', '100', '-o', 'ids']);
  expect(ran.code).toBe(0);
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(100);
  expect(service.requests.filter(({ query }) => query.get('page') === '5').length).toBeLessThanOrEqual(1);
});

it('says nothing of more when all fits', async () => {
  const { home } = await pair({ routes: { 'GET /campaigns': listHandler({ items: items(50), dated: false }) } });
  const ran = await home.run(['campaigns', 'list', '--limit', '50', '-o', 'ids']);
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(50);
  expect(ran.stderr).not.toMatch(/ of /);
});

it('says that more exist in windows that were not read', async () => {
  const old = items(7, unix('2025-01-15T00:00:00Z'));
  const recent = items(5, unix('2025-12-15T00:00:00Z')).map((item, at) => ({
    ...item,
    id: `NEW${at}x`.padEnd(20, '0'),
  }));
  const { home } = await pair({ routes: { 'GET /customers': listHandler({ items: [...recent, ...old] }) } });
  const ran = await home.run([
    'customers',
    'list',
    '--from',
    '2025-01-01',
    '--to',
    '2025-12-31',
    '--limit',
    '5',
    '-o',
    'ids',
  ]);
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(5);
  expect(ran.stderr).toMatch(/5 of 12/);
});

it('asks for pages of --page-size, and for one page with --page', async () => {
  const { service, home } = await pair({
    routes: { 'GET /campaigns': listHandler({ items: items(30), dated: false }) },
  });
  expect(json<unknown[]>(await home.run(['campaigns', 'list', '--page-size', '10']))).toHaveLength(30);
  expect(service.requests.map(({ rawQuery }) => rawQuery).sort()).toEqual([
    'limit=10&page=1',
    'limit=10&page=2',
    'limit=10&page=3',
  ]);
  service.requests.length = 0;
  const one = await home.run(['campaigns', 'list', '--page-size', '10', '--page', '3']);
  expect(json<unknown[]>(one)).toEqual(items(30).slice(20));
  expect(service.requests.map(({ rawQuery }) => rawQuery)).toEqual(['limit=10&page=3']);
});

it('repeats a filter for several values, in the service’s names', async () => {
  const { service, home } = await pair({ routes: { 'GET /subscription_renewals': listHandler({ items: [] }) } });
  const filters = ['--campaign', A, '--campaign', B, '--metadata', 'source=a b&c', '--metadata', 'vip'];
  const ran = await home.run(['subscription-renewals', 'list', ...filters]);
  expect(ran.stderr).not.toContain('Error');
  const { query } = service.requests[0] as Recorded;
  expect(query.getAll('campaign_filter')).toEqual([A, B]);
  expect(query.getAll('metadata_filter').map((text) => JSON.parse(text))).toEqual([
    { name: 'source', value: 'a b&c' },
    { name: 'vip', value: 'METADATA_NAME_EXISTS' },
  ]);
});

it('sends --customer once, as customer_id', async () => {
  const { service, home } = await pair({ routes: { 'GET /subscription_renewals': listHandler({ items: [] }) } });
  expect((await home.run(['subscription-renewals', 'list', '--customer', C])).code).toBe(0);
  expect(service.requests[0]?.query.getAll('customer_id')).toEqual([C]);
});

it('checks filter values with a known set', async () => {
  const { service, home } = await pair();
  const ran = await home.run(['products', 'list', '--product-type', 'sub']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('subscription_only');
  expect(service.requests).toHaveLength(0);
});

it('reads a window again once when its count does not agree, then reports it with exit code 10', async () => {
  const { service, home } = await pair({
    routes: { 'GET /campaigns': listHandler({ items: items(30), dated: false, totalCount: (truth) => truth + 1 }) },
  });
  const ran = await home.run(['campaigns', 'list', '-o', 'jsonl']);
  expect(ran.code).toBe(10);
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(30);
  expect(errorOf(ran).message).toMatch(/31.*30|30.*31/);
  const first = service.requests.filter(({ query }) => query.get('page') === '1');
  expect(first).toHaveLength(2);
});

it('is content when the second reading agrees, and shows each item once', async () => {
  let wrong = 2;
  const { home } = await pair({
    routes: {
      'GET /campaigns': listHandler({
        items: items(30),
        dated: false,
        totalCount: (truth) => (wrong-- > 0 ? truth + 1 : truth),
      }),
    },
  });
  const ran = await home.run(['campaigns', 'list']);
  expect(ran.code).toBe(0);
  expect(json<{ id: string }[]>(ran).map(({ id }) => id)).toEqual(items(30).map(({ id }) => id));
});

it('finds the item that a shift between two pages hid', async () => {
  let list = items(30);
  const { home } = await pair((request) => {
    const answer = listHandler({ items: list, dated: false })(request);
    if (request.query.get('page') === '1') list = list.filter((_, at) => at !== 3);
    return answer;
  });
  const ran = await home.run(['campaigns', 'list', '-o', 'ids']);
  const ids = ran.stdout.trimEnd().split('\n');
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain(items(30)[25]?.id);
});

it('says aloud that the assistants end at page 20, with exit code 10', async () => {
  const { service, home } = await pair({
    routes: { 'GET /ai_assistants': listHandler({ items: items(600), dated: false, lastPage: 20 }) },
  });
  const ran = await home.run(['ai-assistants', 'list', '-o', 'ids']);
  expect(ran.code).toBe(10);
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(500);
  expect(ran.stderr).toMatch(/20 pages/);
  expect(Math.max(...service.requests.map(({ query }) => Number(query.get('page'))))).toBe(20);
});

it('sends the list of user third party integrations without parameters', async () => {
  const { service, home } = await pair({
    routes: {
      'GET /user_third_party_integrations': ok({
        results: items(3),
        total_count: 3,
        total_pages: 1,
        current_page: 1,
        current_count: 3,
      }),
    },
  });
  expect(json<unknown[]>(await home.run(['user-third-party-integrations', 'list']))).toHaveLength(3);
  expect(service.requests.map(({ rawQuery }) => rawQuery)).toEqual(['']);
});

it('stops before printing an item that contradicts the mode, and sends nothing more', async () => {
  const wrong = { id: 'WRONGMODE00000000000', live_mode: true, created_date_unix: 1 };
  const list = [
    ...items(30),
    wrong,
    ...items(60, 1_700_000_000).map((item, at) => ({ ...item, id: `LATER${at}x`.padEnd(20, '0') })),
  ];
  const { service, home } = await pair({ routes: { 'GET /campaigns': listHandler({ items: list, dated: false }) } });
  const ran: Ran = await home.run(['campaigns', 'list', '-o', 'jsonl', '--page-size', '5']);
  expect(ran.code).toBe(12);
  expect(ran.stdout).not.toContain('WRONGMODE');
  expect(ran.stdout).not.toContain('LATER');
  expect(Math.max(...service.requests.map(({ query }) => Number(query.get('page'))))).toBeLessThan(19);
  const first = await home.run(['campaigns', 'get', A], { env: { COPS_MODE: 'live' } });
  expect(first.code).not.toBe(0);
});

it('stops at the first page of a list with one request', async () => {
  const { service, home } = await pair({
    routes: {
      'GET /campaigns': listHandler({ items: items(100).map((item) => ({ ...item, live_mode: true })), dated: false }),
    },
  });
  expect(await home.run(['campaigns', 'list', '-o', 'jsonl'])).toMatchObject({ code: 12, stdout: '' });
  expect(service.requests).toHaveLength(1);
});

it('takes one range for one word in a list, an export and an overview', async () => {
  const clock = { now: () => Date.parse('2026-05-15T12:00:00Z'), sleep: async () => {} };
  for (const range of [
    ['--last', '30d'],
    ['--month', '2026-03'],
    ['--quarter', 'last'],
  ]) {
    const seen: number[][] = [];
    for (const line of [['sales', 'list'], ['export', 'sales', '--out', '-'], ['overview']]) {
      const { service, home } = await pair(listHandler({ items: [] }));
      const ran = await home.run([...line, ...range, '--tz', 'Europe/Berlin'], { clock });
      expect(ran.code, ran.stderr).toBe(0);
      const asked = service.requests.filter(({ path }) => path.endsWith('/sales'));
      const ends = (name: string) => asked.map(({ query }) => Number(query.get(name)));
      seen.push([Math.min(...ends('date_start')), Math.max(...ends('date_end'))]);
    }
    expect(seen[0]?.every(Number.isFinite)).toBe(true);
    // An export that ends now leaves out the last seconds, in which rows may still come.
    const [start = 0, end = 0] = seen[0] ?? [];
    expect(seen[1]?.[0]).toBe(start);
    expect(end - (seen[1]?.[1] ?? 0)).toBeGreaterThanOrEqual(0);
    expect(end - (seen[1]?.[1] ?? 0)).toBeLessThanOrEqual(60);
    expect(seen[2]).toEqual(seen[0]);
  }
});

it('does not offer a list without dates where the service asks for them', async () => {
  const { service, home } = await pair();
  const ran = await home.run(['products', 'list', '--no-range']);
  expect(ran.code).toBe(2);
  expect(service.requests).toHaveLength(0);
  expect((await home.run(['products', 'list', '--help'])).stdout).not.toContain('--no-range');
});

it('has what was created while the list was read, and asks nothing more where it was read quickly', async () => {
  const began = Date.parse('2026-05-15T12:00:00Z');
  const created = (id: string, seconds: number) => ({
    id,
    created_date_unix: began / 1000 + seconds,
    live_mode: false,
  });
  const known = Array.from({ length: 30 }, (_, index) => created(`c${String(index).padStart(19, '0')}`, -100 - index));
  const late = created('late0000000000000000', 2);
  for (const [takes, shown, requests] of [
    [100, 30, 2],
    [3000, 31, 3],
  ] as const) {
    let passed = 0;
    const rows = listHandler({ items: () => (service.requests.length > 2 ? [late, ...known] : known) });
    const { service, home } = await pair((request) => {
      passed += takes;
      return rows(request);
    });
    const clock = { now: () => began + passed, sleep: async () => {} };
    const ran = await home.run(['customers', 'list', '--last', '1d', '-o', 'json'], { clock });
    expect(ran.code, ran.stderr).toBe(0);
    expect(json(ran)).toHaveLength(shown);
    expect(service.requests).toHaveLength(requests);
  }
});

it('reads on and proves nothing where a service counts less than it shows', async () => {
  const all = items(60);
  const { home, service } = await pair(({ query }) => {
    const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))];
    return ok({ results: all.slice((page - 1) * limit, page * limit), total_count: 0, total_pages: 0 });
  });
  const listed = await home.run(['campaigns', 'list', '-o', 'json']);
  expect([listed.code, json<unknown[]>(listed).length]).toEqual([10, 60]);
  expect(service.requests.length).toBeLessThan(10);
  const counted = await home.run(['campaigns', 'list', '--count']);
  expect(counted).toMatchObject({ code: 10, stdout: '60\n' });
});

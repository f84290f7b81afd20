/** @module-tag thorough */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { id, listHandler, ok, refusal, type Service, startService } from '../fixtures/service/service.js';
import { laySandbox, SOME } from '../harness/seeded.js';
import { Home, homeFor } from './program.js';
import { REPORT_FAMILIES } from './report/families.js';

const offline = new Home();
const homes: Home[] = [];
const services: Service[] = [];
afterEach(async () => {
  for (const home of homes.splice(0)) home.remove();
  for (const service of services.splice(0)) await service.close();
});
afterAll(() => offline.remove());

async function serviceWith(options: Parameters<typeof startService>[0]): Promise<{ service: Service; home: Home }> {
  const service = await startService(options);
  const home = homeFor(service.baseUrl);
  services.push(service);
  homes.push(home);
  return { service, home };
}

const rows = (text: string) => JSON.parse(text) as Record<string, unknown>[];

describe('cops reference', () => {
  it.each([
    'events',
    'payment-types',
    'error-codes',
    'statuses',
    'body-codes',
    'exit-codes',
    'states',
    'product-types',
    'limits',
    'permissions',
    'relations',
    'addresses',
    'sandbox',
  ])('%s works without a profile and without a network', async (topic) => {
    const ran = await offline.run(['reference', topic, '-o', 'json']);
    expect(ran.stderr).toBe('');
    expect(rows(ran.stdout).length).toBeGreaterThan(1);
  });

  it('shows the three addresses, and the filters of an event', async () => {
    const addresses = await offline.run(['reference', 'addresses', '-o', 'ids']);
    expect(addresses.stdout).toBe('34.224.171.255\n52.3.146.218\n54.174.155.188\n');
    const events = rows((await offline.run(['reference', 'events', '-o', 'json'])).stdout);
    expect(events.find((row) => row.event === 'ai_memo.created')?.filters).toEqual(['status', 'ai_assistant']);
    expect(events.some((row) => row.event === 'product')).toBe(true);
  });

  it('shows the relations of one family, with what is known of each and how it is found', async () => {
    const ran = await offline.run(['reference', 'relations', 'subscription', '-o', 'json']);
    expect(rows(ran.stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ relation: 'customer', to: 'customers', many: false, known_from: 'published' }),
        expect.objectContaining({ relation: 'card', to: 'customer-cards', known_from: 'by rule', way: 'rule' }),
        expect.objectContaining({ relation: 'renewals', many: true, known_from: 'spec', way: 'back' }),
      ]),
    );
    const table = await offline.run(['reference', 'relations', 'customers', '-o', 'table', '--wide']);
    expect(table.stdout).toMatch(/cards +customer-cards +yes|cards +customer-cards +true/);
  });

  it('draws relations, and nothing else', async () => {
    const drawn = await offline.run(['reference', 'relations', 'customer-cards', '-o', 'dot']);
    expect(drawn).toMatchObject({ code: 0, stderr: '' });
    expect(drawn.stdout).toContain('"customer-cards" -> "customers" [label="customer"];');
    for (const line of [
      ['reference', 'events', '-o', 'dot'],
      ['reference', '-o', 'dot'],
      ['reference', 'events', 'customers'],
      ['reference', 'relations', 'custmers'],
    ])
      expect((await offline.run(line)).code, line.join(' ')).toBe(2);
  });

  it('suggests the topic that was meant', async () => {
    const ran = await offline.run(['reference', 'evnts']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('cops reference events');
  });
});

describe('cops explain', () => {
  it.each([
    ['webhook', 'The service posts events to no address'],
    ['rate limit', 'HTTP 429'],
    ['test cards', '4000000000000002: declined'],
    ['insufficient', 'not why'],
    ['fetch', 'cops events listen --forward-to'],
    ['orders', 'Here it is called sales.'],
  ])('knows the everyday word %s', async (word, meaning) => {
    const ran = await offline.run(['explain', word, '-o', 'json']);
    expect(ran.stdout, ran.stderr).toContain(meaning);
  });

  it.each([
    ['E0583', 'error code'],
    ['e583', 'error code'],
    ['9', 'exit code'],
    ['402', 'HTTP status'],
    ['5', 'body code'],
    ['sale.created', 'event'],
    ['trial', 'event type'],
    ['occurrence_limit', 'state'],
    ['overdue_limit', 'field'],
    ['subscription_profiles', 'family'],
    ['outcome_unknown', 'exit code'],
    ['metadata:retrieve', 'permission'],
  ])('%s is known as %s', async (word, kind) => {
    const ran = await offline.run(['explain', word, '-o', 'json']);
    expect(rows(ran.stdout).map((row) => row.kind)).toContain(kind);
  });

  it.each([
    ['discount.created', 'campaign, currency, metadata, payment_type, shop'],
    ['invoice.created', 'Functions filter by campaign only.'],
  ])('tells which filters %s takes (service.md#events)', async (event, says) => {
    const ran = await offline.run(['explain', event, '-o', 'json']);
    expect(rows(ran.stdout)[0]?.more).toContain(says);
  });

  it('suggests the nearest word', async () => {
    const ran = await offline.run(['explain', 'overdu_limit']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('cops explain overdue_limit');
  });
});

describe('cops <family> check', () => {
  const file = (name: string, text: string): string => {
    const at = path.join(offline.folder, name);
    writeFileSync(at, text);
    return at;
  };

  it('says ok for a right file, JSON or YAML, file or standard input', async () => {
    const yaml = 'name: Monthly\nfrequency: unit\nfrequency_unit:\n  unit: months\n  value: 1\n';
    const ran = await offline.run(['subscription-profiles', 'check', file('right.yaml', yaml), '-o', 'json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({ result: 'ok', family: 'subscription-profiles' });
    const piped = await offline.run(['subscription-profile', 'check', '-'], { input: yaml });
    expect(piped.code, piped.stderr).toBe(0);
  });

  it('names all faults at once, with exit code 2', async () => {
    const wrong = file('wrong.json', '{"frequency":"unit","occurrences":"specific","overdue_limit":"x"}');
    const ran = await offline.run(['subscription-profiles', 'check', wrong, '-o', 'json']);
    expect(ran.code).toBe(2);
    const { error } = JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '') as {
      error: { faults: { path: string }[] };
    };
    expect(error.faults.map((fault) => fault.path)).toEqual(
      expect.arrayContaining(['frequency_unit', 'occurrences_value', 'overdue_limit']),
    );
  });

  it('judges changes only with --edit', async () => {
    const part = file('part.json', '{"occurrences":"specific"}');
    expect((await offline.run(['subscription-profiles', 'check', part])).code).toBe(2);
    expect((await offline.run(['subscription-profiles', 'check', part, '--edit'])).code).toBe(0);
  });

  it.each(['ai-assistants', 'shipping-profiles', 'customer-portals', 'functions'])(
    'is there for %s',
    async (family) => {
      const help = await offline.run([family, 'check', '--help']);
      expect(help.stdout).toContain(`cops ${family} check`);
      const broken = await offline.run([family, 'check', file('broken.json', '{')]);
      expect(broken.code).toBe(2);
    },
  );

  it('is a usage error for other families', async () => {
    const ran = await offline.run(['customers', 'check', 'x.json']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('no action "check"');
  });
});

describe('cops openapi', () => {
  const parameters = (...names: string[]) => names.map((name) => ({ name, in: 'query', schema: { type: 'integer' } }));
  const description = {
    openapi: '3.1.0',
    info: { title: 'Service', version: '2' },
    paths: {
      '/trials': { get: { operationId: 'GetTrials', parameters: parameters('limit', 'page') } },
      '/robots': { get: { operationId: 'GetRobots', summary: 'List robots', parameters: parameters('limit', 'page') } },
      '/robots/{robot_id}/oil': { post: { operationId: 'OilRobot', summary: 'Oil a robot' } },
    },
  };
  const routes = {
    'GET /openapi.json': { json: description },
    'GET /trials': listHandler({ items: [{ id: id('T') }], dated: false }),
    'GET /robots': listHandler({ items: [{ id: id('R') }], dated: false }),
    'POST /robots/:id/oil': ok({ robot_id: id('R'), result: 'success' }),
  };

  it('keeps the description privately, and settles by it which lists take dates', async () => {
    const { service, home } = await serviceWith({ routes });
    await home.run(['trials', 'list', '--last', '1d']);
    expect(service.requests.at(-1)?.query.has('date_start')).toBe(true);
    const pull = await home.run(['openapi', 'pull', '-o', 'json']);
    expect(pull.code, pull.stderr).toBe(0);
    const { file, new_operations } = JSON.parse(pull.stdout) as { file: string; new_operations: number };
    expect(new_operations).toBe(2);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const words of [
      ['openapi', 'show', '--raw'],
      ['api', 'GET', '/openapi.json', '-o', 'json'],
    ]) {
      const printed = await home.run(words);
      expect([printed.code, JSON.parse(printed.stdout)]).toEqual([0, description]);
    }
    const listed = await home.run(['trials', 'list', '-o', 'ids']);
    expect(listed.stdout).toBe(`${id('T')}\n`);
    expect(service.requests.at(-1)?.query.has('date_start')).toBe(false);
  });

  it('settles the dates of exports and copies as well', async () => {
    const { service, home } = await serviceWith({ routes });
    await home.run(['openapi', 'pull']);
    const before = service.requests.length;
    const ended = await home.run(['export', 'trials', '--out', path.join(home.folder, 'trials.jsonl'), '-o', 'json']);
    expect(ended.code, ended.stderr).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ items: 1, from: null, to: null, complete: true });
    expect(
      (await home.run(['export', 'trials', '--last', '1d', '--out', path.join(home.folder, 'dated.jsonl')])).code,
    ).toBe(2);
    const synced = await home.run(['sync', `${path.join(home.folder, 'copies')}/`, 'trials', '-o', 'json']);
    expect(synced.code, synced.stderr).toBe(0);
    expect(rows(synced.stdout)).toMatchObject([{ family: 'trials', state: 'synced', items: 1 }]);
    const asked = service.requests.slice(before);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.some((request) => request.query.has('date_start'))).toBe(false);
  });

  it('makes operations usable that only it knows, guarded like what cannot be undone', async () => {
    const { service, home } = await serviceWith({ routes });
    expect((await home.run(['robots', 'list'])).code).toBe(2);
    await home.run(['openapi', 'pull']);
    expect((await home.run(['robots', 'list', '-o', 'ids'])).stdout).toBe(`${id('R')}\n`);
    const before = service.requests.length;
    const unasked = await home.run(['robots', 'oil', id('R')]);
    expect(unasked.code).toBe(12);
    expect(service.requests.slice(before).every((request) => request.method === 'GET')).toBe(true);
    // Nothing that this service shows can prove the key.
    expect((await home.run(['robots', 'oil', id('R'), '--yes'])).code).toBe(12);
    const agreed = await home.run(['robots', 'oil', id('R'), '--yes', '--mode-unproven', '-o', 'json']);
    expect(agreed.code, agreed.stderr).toBe(0);
    expect(service.requests.at(-1)).toMatchObject({ method: 'POST', path: `/robots/${id('R')}/oil` });
    const help = await home.run(['robots', '--help']);
    expect(help.stdout).toContain('Oil a robot');
  });

  it('is not believed for another base URL', async () => {
    const { home } = await serviceWith({ routes });
    await home.run(['openapi', 'pull']);
    const other = await startService({ routes });
    services.push(other);
    const ran = await home.run(['trials', 'list', '--last', '1d'], { env: { COPS_BASE_URL: other.baseUrl } });
    expect(other.requests.at(-1)?.query.has('date_start')).toBe(true);
    expect(ran.code).not.toBe(0);
  });

  it('compares with exit code 0, or 1 with --strict', async () => {
    const { home } = await serviceWith({ routes });
    expect((await home.run(['openapi', 'check'])).code).toBe(2);
    await home.run(['openapi', 'pull']);
    const check = await home.run(['openapi', 'check', '-o', 'json']);
    expect(check.code).toBe(0);
    const found = rows(check.stdout);
    expect(found).toContainEqual(expect.objectContaining({ difference: 'dates', operation: 'trials list' }));
    expect(found).toContainEqual(expect.objectContaining({ difference: 'new operation', operation: 'OilRobot' }));
    expect((await home.run(['openapi', 'check', '--strict'])).code).toBe(1);
  });

  it.each([
    ['no JSON', { body: '<html></html>' }],
    ['something else', { json: { swagger: '2.0' } }],
  ])('keeps the old description when the service answers with %s', async (_, answer) => {
    const { service, home } = await serviceWith({ routes });
    const file = path.join(home.folder, 'config/openapi/env.json');
    await home.run(['openapi', 'pull']);
    const before = readFileSync(file, 'utf8');
    service.script(answer);
    const ran = await home.run(['openapi', 'pull']);
    expect(ran.code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('shows one operation whole', async () => {
    const { home } = await serviceWith({ routes });
    await home.run(['openapi', 'pull']);
    const shown = await home.run(['openapi', 'show', '/robots/{id}/oil', '-o', 'json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ operation_id: 'OilRobot', known: false });
    expect(rows((await home.run(['openapi', 'show', 'robots', '-o', 'json'])).stdout)).toHaveLength(2);
  });

  it('agrees with the embedded service about every operation', async () => {
    await offline.run(['-p', 'sandbox', 'openapi', 'pull']);
    const check = await offline.run(['-p', 'sandbox', 'openapi', 'check', '-o', 'json']);
    expect(rows(check.stdout)).toEqual([]);
  });
});

describe('told where it matters', () => {
  it('names the permission that a refused key needs', async () => {
    const { home } = await serviceWith({ routes: { 'GET /metadata/:id': refusal(403, 'E0001', 'No permission') } });
    const ran = await home.run(['metadata', 'get', id('M')]);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('metadata:retrieve');
  });

  it('warns of metadata values that the service cut off', async () => {
    const values = Array.from({ length: 500 }, (_, index) => `v${index}`);
    const { home } = await serviceWith({ routes: { 'GET /metadata/:id': ok({ id: id('M'), values }) } });
    expect((await home.run(['metadata', 'get', id('M')])).stderr).toContain('at most 500 values');
  });

  it('says what to use instead of an action that is not there', async () => {
    const ran = await offline.run(['customers', 'delete', id('C')]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('customers disable');
  });

  it('says that a list in an edit replaces the stored one', async () => {
    const ran = await offline.run([
      ...['-p', 'sandbox', 'product-groups', 'edit', id('G'), '-d', `products:=["${id('P')}"]`, '--dry-run'],
    ]);
    expect(ran.stderr).toContain('replaces the whole membership');
  });

  it('says that display prices charge nothing', async () => {
    const ran = await offline.run(['-p', 'sandbox', 'products', 'edit', id('P'), '-d', 'price_sale=5', '--dry-run']);
    expect(ran.stderr).toContain('charges nothing');
  });

  it('warns of a base URL that is not version 2', async () => {
    const ran = await offline.run(['profiles', 'add', 'old', '--base-url', 'https://api.example.com/v1']);
    expect(ran.stderr).toContain('does not look like version 2');
    const doctor = await offline.run(['doctor', '-o', 'json']);
    expect(doctor.stdout).toContain('does not look like version 2');
    await offline.run(['profiles', 'remove', 'old', '--yes']);
  });
});

describe('cops api-calls tail', () => {
  const now = (): number => Math.floor(Date.now() / 1000);

  it('shows each item once, however it overlaps, and none that came before', { tags: ['process'] }, async () => {
    const items: { id: string; created_date_unix: number }[] = [{ id: id('OLD'), created_date_unix: now() - 60 }];
    let looks = 0;
    const list = listHandler({ items: () => [...items].reverse(), spanDays: 2 });
    const { service, home } = await serviceWith({
      routes: {
        'GET /api_calls': (request) => {
          looks += 1;
          // The service's clock is that of its items, whatever this machine's says.
          const answer = list(request);
          if (looks <= 4) items.push({ id: id(`N${looks}`), created_date_unix: now() });
          const body = String(answer.body).replace(/"api_call_unix":\d+/, `"api_call_unix":${now()}`);
          return { ...answer, body };
        },
      },
    });
    const ran = await home.run(['api-calls', 'tail', '--interval', '0.3'], {
      onStart: (child) => {
        const poll = setInterval(() => {
          if (looks < 9) return;
          clearInterval(poll);
          child.kill('SIGINT');
        }, 50);
      },
    });
    expect(ran.code).toBe(130);
    const seen = ran.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(seen).toEqual([id('N1'), id('N2'), id('N3'), id('N4')]);
    const windows = service.requests.map((request) => [
      Number(request.query.get('date_start')),
      Number(request.query.get('date_end')),
    ]);
    for (const [index, [start = 0]] of windows.entries()) {
      if (index > 0) expect(start).toBeLessThanOrEqual((windows[index - 1]?.[1] ?? 0) - 2);
    }
  });

  it('outlives a failure of the service without a gap', { tags: ['process'] }, async () => {
    const items: { id: string; created_date_unix: number }[] = [];
    let looks = 0;
    const list = listHandler({ items: () => items, spanDays: 2 });
    const { home } = await serviceWith({
      routes: {
        'GET /api_calls': (request) => {
          looks += 1;
          if (looks === 2) items.push({ id: id('DURING'), created_date_unix: now() });
          if (looks >= 2 && looks <= 4) return { status: 503, body: '{}' };
          const answer = list(request);
          return { ...answer, body: String(answer.body).replace(/"api_call_unix":\d+/, `"api_call_unix":${now()}`) };
        },
      },
    });
    const ran = await home.run(['api-calls', 'tail', '--interval', '0.2', '--max-retries', '0', '-o', 'ids'], {
      onStart: (child) => {
        const poll = setInterval(() => {
          if (looks < 7) return;
          clearInterval(poll);
          child.kill('SIGINT');
        }, 50);
      },
    });
    expect(ran.stdout).toBe(`${id('DURING')}\n`);
    expect(ran.stderr).toContain('Trying again');
  });

  it('does not wait for unneeded pages once a look has failed', async () => {
    const many = Array.from({ length: 75 }, (_, at) => ({ id: id(`N${at}`), created_date_unix: now() - 5 }));
    const list = listHandler({ items: many, spanDays: 2 });
    const { home } = await serviceWith({
      routes: {
        'GET /api_calls': (request) => {
          const page = request.query.get('page');
          if (page === '3') return { status: 429, headers: { 'retry-after': '600' }, body: '{}' };
          return page === '2' ? { status: 401, body: '{}' } : list(request);
        },
      },
    });
    const ran = await home.run(['api-calls', 'tail', '--since', '1h', '-o', 'ids'], { timeoutMs: 20_000 });
    expect(ran).toMatchObject({ code: 3, signal: null });
  });

  it.each([
    ['-o', 'json'],
    ['-o', 'yaml'],
    ['--query', '[0]'],
  ])('refuses %s %s, which wants the whole', async (...format) => {
    const ran = await offline.run(['-p', 'sandbox', 'site-logs', 'tail', ...format]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('a tail never ends');
  });
});

const dashed = (name: string) => name.replaceAll('_', '-');

describe('cops overview', () => {
  const shop = new Home();
  beforeAll(() => laySandbox(shop.env.COPS_DATA_DIR ?? '', Date.now(), SOME));
  afterAll(() => shop.remove());

  it('counts the embedded service, in each format, and writes a page', { tags: ['thorough'] }, async () => {
    const page = path.join(shop.folder, 'page.html');
    const json = await shop.run(['-p', 'sandbox', 'overview', '--last', '20d', '--html', page, '-o', 'json']);
    expect(json.code, json.stderr).toBe(0);
    const whole = JSON.parse(json.stdout) as { days: string[]; totals: { kind: string; count: number }[] };
    expect(whole.days).toHaveLength(21);
    const sales = await shop.run(['-p', 'sandbox', 'sales', 'list', '--from', `${whole.days[0]}`, '-o', 'ids']);
    const counted = whole.totals.filter((one) => one.kind === 'sales').reduce((sum, one) => sum + one.count, 0);
    expect(counted).toBeLessThanOrEqual(sales.stdout.trim().split('\n').length);
    expect(counted).toBeGreaterThan(0);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('<svg');
    // All of it is in the file: nothing is loaded from anywhere.
    expect(html).not.toMatch(/https?:|\bsrc=|<link|@import|url\(/i);
    expect(json.stderr).toMatch(/so far/);
    const text = await shop.run(['-p', 'sandbox', 'overview', '--last', '20d', '-o', 'table']);
    expect(text.stdout).toContain('renewals');
    const csv = await shop.run(['-p', 'sandbox', 'overview', '--last', '20d', '-o', 'csv']);
    expect(csv.stdout).toMatch(/^day,kind,currency,count,amount\r?\n/);
  });

  it('agrees with the figures of the reports to the cent', { timeout: 60_000, tags: ['sweep'] }, async () => {
    const mirror = path.join(shop.folder, 'm.sqlite');
    const synced = await shop.run(['-p', 'sandbox', '-q', 'sync', mirror, ...REPORT_FAMILIES.map(dashed)]);
    expect(synced.code, synced.stderr).toBe(0);
    const range = ['--last', '90d', '--tz', 'America/New_York', '-o', 'json'];
    const told = await shop.run(['-p', 'sandbox', 'overview', ...range]);
    expect(told.code, told.stderr).toBe(0);
    const { by_day } = JSON.parse(told.stdout) as { by_day: Record<string, string | number>[] };
    for (const [kind, report, only, count, amount] of [
      ['sales', 'revenue', 'sale', 'payments', 'gross'],
      ['renewals', 'revenue', 'renewal', 'payments', 'gross'],
      ['failures', 'failures', '', 'failed', 'failed_amount'],
      ['refunds', 'refunds', '', 'refunds', 'amount'],
      ['chargebacks', 'chargebacks', '', 'chargebacks', 'amount'],
      ['trials', 'trials', '', 'begun', 'paid'],
      ['salvage', 'recovery', '', 'failed', 'failed_amount'],
    ] as const) {
      const by = ['--by', only ? 'day,kind' : 'day', '--mirror', mirror];
      const ran = await shop.run(['-p', 'sandbox', 'report', report, ...range, ...by]);
      const { rows } = JSON.parse(ran.stdout) as { rows: Record<string, string | number>[] };
      const expected = rows
        .filter((row) => (row.kind ?? '') === only && Number(row[count]) > 0)
        .map((row) => `${row.day} ${row.currency} ${row[count]} ${row[amount]}`);
      const found = by_day
        .filter((one) => one.kind === kind)
        .map((one) => `${one.day} ${one.currency} ${one.count} ${Number(one.amount)}`);
      expect(found.sort(), kind).toEqual(expected.sort());
      if (kind !== 'chargebacks') expect(found.length, kind).toBeGreaterThan(0);
    }
  });

  it('ends with exit code 10 when a list cannot be proven complete', async () => {
    const empty = listHandler({ items: [] });
    const short = listHandler({
      items: [{ id: id('S'), created_date_unix: 1 }],
      startInclusive: true,
      totalCount: () => 3,
    });
    const { home } = await serviceWith({
      handler: (request) => (request.path === '/sales' ? short(request) : empty(request)),
    });
    const ran = await home.run(['overview', '--last', '2d', '-o', 'json']);
    expect(ran.code).toBe(10);
    expect(JSON.parse(ran.stdout)).toMatchObject({ tz: 'UTC' });
  });
});

describe('cops commands', () => {
  it('prints every operation of the facts with all that a tool needs', async () => {
    const facts = JSON.parse(
      readFileSync(path.resolve(import.meta.dirname, '../fixtures/service-facts.json'), 'utf8'),
    ) as {
      operations: { family: string; action: string; method: string; path: string }[];
    };
    const listed = rows((await offline.run(['commands', '-o', 'json'])).stdout);
    expect(facts.operations).toHaveLength(315);
    expect(listed).toHaveLength(315);
    const byPath = new Map(listed.map((row) => [`${row.method} ${row.path}`, row]));
    for (const fact of facts.operations) {
      const row = byPath.get(`${fact.method} ${fact.path}`);
      expect(row, fact.path).toMatchObject({ family: fact.family.replaceAll('_', '-'), action: fact.action });
      expect(Object.keys(row ?? {})).toEqual(
        expect.arrayContaining(['risk', 'permission', 'arguments', 'options', 'evidence', 'example']),
      );
    }
    expect(listed.find((row) => row.family === 'bigquery')?.arguments).toEqual(['bigquery_sql']);
  });
});

it('describes an action, and names its help', async () => {
  const ran = await offline.run(['explain', 'cancel', '-o', 'json']);
  expect(ran.code).toBe(0);
  const found = JSON.parse(ran.stdout) as { kind: string; name: string; more: string }[];
  const own = found.find(({ name }) => name === 'subscriptions cancel');
  expect(own?.kind).toBe('action');
  expect(own?.more).toContain('Takes effect at once, never at the end of a period');
  const help = await offline.run(['help', 'cancel']);
  expect(help.stderr).toContain('cops subscriptions cancel --help');
  expect((await offline.run(['subscriptions', 'cancel', '--help'])).stdout).toContain('never at the end of a period');
});

/** @module-tag thorough */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { id, ok, refusal } from '../fixtures/service/service.js';
import { pair } from './helpers.js';
import { Home } from './program.js';

const rows = (text: string) => JSON.parse(text) as Record<string, unknown>[];

const offline = new Home();
afterAll(() => offline.remove());

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

describe('a rule of the service is named by the command that meets it', () => {
  it('names the permission that a refused key needs', async () => {
    const { home } = await pair({ routes: { 'GET /metadata/:id': refusal(403, 'E0001', 'No permission') } });
    const ran = await home.run(['metadata', 'get', id('M')]);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('metadata:retrieve');
  });

  it('warns of metadata values that the service cut off', async () => {
    const values = Array.from({ length: 500 }, (_, index) => `v${index}`);
    const { home } = await pair({ routes: { 'GET /metadata/:id': ok({ id: id('M'), values }) } });
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

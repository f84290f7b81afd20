/** What people paste and type means the same at every place that takes it. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { zoneOf } from '../../../src/base/time/zones.js';
import { dueWithin } from '../../../src/items/select/due.js';
import { asMeant } from '../../../src/items/text/typed-value.js';
import { listHandler, ok, type Recorded, wrote } from '../../fixtures/service/service.js';
import { json, pair } from '../helpers.js';

const id = (at: number): string => `Q${String(at).padStart(19, '0')}`;
const DAY = { created_date_unix: Math.floor(Date.now() / 1000) - 86_400, live_mode: false };
const ZOE = {
  ...{ id: id(1), ...DAY, first_name: 'Zo\u00e9', last_name: "O'Garc\u00eda", email: 'zoe@example.com' },
  ...{ phone: '+1 555 813 1033', internal_id: 'C-264', company: '' },
};
const EMMA = {
  ...{ id: id(2), ...DAY, first_name: 'Emma', last_name: 'Larsen', email: 'emma@example.com' },
  ...{ phone: '', internal_id: 'C-2', company: '' },
};
const PEOPLE = [ZOE, EMMA];

/** The search knows words as they are spelled, alone. */
async function account() {
  const list = listHandler({ items: PEOPLE });
  const { service, home } = await pair((request: Recorded) => {
    if (request.method === 'POST') return wrote('customer', id(1));
    if (request.path === '/customers/search') {
      const term = (request.query.get('search_term') ?? '').toLowerCase();
      const hits = PEOPLE.filter((one) => Object.values(one).some((value) => String(value).toLowerCase() === term));
      return ok({ results: hits, total_count: hits.length });
    }
    if (request.path === '/customers') return list(request);
    if (request.path.endsWith('/payment_methods')) return ok({ results: [{ id: id(8), last_4: '4242' }] });
    const one = PEOPLE.find((person) => request.path === `/customers/${person.id}`);
    return one ? ok(one) : ok({ results: [], total_count: 0 });
  });
  return { service, home };
}

const AROUND = [
  [
    'zoe@example.com',
    [
      'ZOE@Example.com',
      ' zoe@example.com\u00a0',
      '"zoe@example.com"',
      '\u201czoe@example.com\u201d',
      "'zoe@example.com'",
    ],
  ],
  [
    'zoe@example.com',
    ['<zoe@example.com>', 'Zo\u00e9 <zoe@example.com>', 'mailto:zoe@example.com?subject=Hi', 'zoe@example.com,'],
  ],
  [
    'zoe@example.com',
    ['https://shop.example.com/people?email=zoe%40example.com', '(zoe@example.com)', '[zoe@example.com]'],
  ],
  ['C-264', ['#C-264', '# C-264', '"C-264"', '\u00abC-264\u00bb', 'C-264;', '\u200bC-264']],
  [id(1), [`https://shop.example.com/customers/${id(1)}/edit`, `'${id(1)}'`, `${id(1)},`]],
] as const;
const LIKENESS = [
  "zoe o'garcia",
  'Zoe O\u2019Garcia',
  'OGARCIA zoe',
  "O'Garc\u00eda, Zo\u00e9",
  '(555) 813-1033',
  '+1 (0)555 813-1033',
  '+1 555 813 1033',
  '5558131033',
  '001 555 813 1033',
];
const FORMS = [...AROUND.flatMap(([, forms]) => forms), ...LIKENESS];

it.each(AROUND.flatMap(([meant, forms]) => forms.map((form) => [form, meant] as const)))(
  '%j means %j',
  (form, meant) => {
    expect(asMeant(form).toLowerCase()).toBe(meant.toLowerCase());
  },
);

it.each(["O'Brien", "it's (not) so", 'https://shop.example.com/a.png', 'Larsen & Sons', '(a) or (b)', "rock 'n' roll"])(
  'leaves %j as it is',
  (text) => {
    expect(asMeant(text)).toBe(text);
  },
);

describe('one person, however she is given', () => {
  it.each(FORMS)('find %j', async (form) => {
    const { home, service } = await account();
    const ran = await home.run(['find', form, '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(json<{ customers: { id: string }[] }>(ran).customers.map((one) => one.id)).toEqual([id(1)]);
    expect(service.requests.length).toBeLessThanOrEqual(12);
  });

  it.each(FORMS)('get, show and search %j', async (form) => {
    const { home } = await account();
    const got = await home.run(['customers', 'get', form, '-o', 'ids']);
    expect([got.code, got.stdout], got.stderr).toEqual([0, `${id(1)}\n`]);
    expect(await home.run(['customers', 'show', form, '-o', 'json'])).toMatchObject({ code: 0 });
    const found = await home.run(['customers', 'search', form, '-o', 'ids']);
    expect([found.code, found.stdout], found.stderr).toEqual([0, `${id(1)}\n`]);
  });

  it.each(FORMS)('a write in test mode, alone and from a file: %j', async (form) => {
    const { home, service } = await account();
    const file = path.join(home.folder, 'who.txt');
    writeFileSync(file, `${form}\n`);
    expect(await home.run(['customers', 'disable', form])).toMatchObject({ code: 0 });
    expect(await home.run(['bulk', 'customers', 'disable', '--ids', file, '--again'])).toMatchObject({ code: 0 });
    const sent = service.requests.filter(({ method }) => method === 'POST').map(({ path: at }) => at);
    expect(sent).toEqual([`/customers/${id(1)}/disable`, `/customers/${id(1)}/disable`]);
  });

  it.each(AROUND.slice(0, 3).flatMap(([, forms]) => forms))('--where email=%j', async (form) => {
    const { home } = await account();
    const ran = await home.run(['customers', 'list', '--where', `email=${form}`, '-o', 'ids']);
    expect([ran.code, ran.stdout], ran.stderr).toEqual([0, `${id(1)}\n`]);
  });
});

it.each([
  ['larsen emma', [id(2)]],
  ['zoe 4242', [id(1)]],
  ['larsen 4242', [id(2)]],
  ['larsen 1111', []],
  ['larsen zoe', []],
])('narrows by several words at once: find %j', async (words, expected) => {
  const { home, service } = await account();
  const ran = await home.run(['find', words, '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(expected.length > 0 ? 0 : 4);
  const { customers = [] } = json<{ customers?: { id: string }[] }>(ran);
  expect(customers.map((one) => one.id)).toEqual(expected);
  expect(service.requests.length).toBeLessThanOrEqual(12);
});

describe('days that lie ahead', () => {
  const due = { path: 'at', says: 'next renewal' };
  const clock = { now: Date.parse('2026-11-23T10:00:00Z'), zone: zoneOf('UTC') };

  it.each([
    ['5 december', '2026-12-05T00:00Z to 2026-12-05T23:59Z'],
    ['until 5 december', '2026-11-23T10:00Z to 2026-12-05T23:59Z'],
    ['1 october', '2027-10-01T00:00Z to 2027-10-01T23:59Z'],
    ['december', '2026-12-01T00:00Z to 2026-12-31T23:59Z'],
    ['7d', '2026-11-23T10:00Z to 2026-11-30T10:00Z'],
  ])('--next %j is %s', (text, told) => {
    expect(dueWithin(due, text, clock).told).toContain(told);
  });

  it.each(['2020-01-01', 'soon', '5m'])('--next %j is refused', (text) => {
    expect(() => dueWithin(due, text, clock)).toThrow('--next');
  });
});

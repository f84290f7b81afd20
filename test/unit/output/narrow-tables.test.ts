import { describe, expect, test } from 'vitest';
import type { Column } from '../../../src/catalogue/types.js';
import { render } from '../../../src/screen/render.js';
import { list, Memory, show } from './helpers.js';

const account = { profile: 'acme', mode: 'test', embedded: false } as const;
const terminal = (width: number) => ({ interactive: true, width });
const DAY = 86_400;
/** 2026-01-31 09:00 UTC. */
const MOMENT = 1769850000;

const id = (i: number): string => `Z${String(i).padStart(19, 'a')}`;

function under(items: readonly object[], columns?: readonly Column[]): ReturnType<typeof list> {
  const raws = items.map((item, at) => JSON.stringify({ id: id(at), live_mode: false, ...item }));
  return { ...list(raws, undefined, columns), account } as ReturnType<typeof list>;
}

async function shown(items: readonly object[], columns: readonly Column[], width: number, named?: readonly string[]) {
  const settings = { tz: 'UTC', ...(named && { columns: named }) };
  const { text, notes } = await show(under(items, columns), 'table', settings, terminal(width));
  const lines = text.trimEnd().split('\n');
  const at = lines.findIndex((line) => line.startsWith('ID'));
  return { heading: lines.slice(0, at), titles: (lines[at] ?? '').split(/ {2,}/), rows: lines.slice(at + 1), notes };
}

const PEOPLE: readonly Column[] = [
  { path: 'id' },
  { path: 'first_name', title: 'first name' },
  { path: 'last_name', title: 'last name' },
  { path: 'email' },
  { path: 'country' },
  { path: 'created_date_unix', title: 'created', as: 'time' },
];
const people = [0, 1, 2, 3].map((i) => ({
  first_name: ['Yuki', 'Uma', 'Rosa', 'Ben'][i],
  last_name: ['Tanaka', 'Ito', 'Sy', 'Lo'][i],
  email: `someone.else.${i}@example.com`,
  country: ['USA', 'CAN', 'USA', 'GBR'][i],
  created_date_unix: MOMENT + i * DAY,
}));

describe('where the room is short', () => {
  test.each([60, 70, 75, 80, 85, 90, 95, 100, 110, 120])('no heading is cut at %i columns', async (width) => {
    const { titles, rows, notes } = await shown(people, PEOPLE, width);
    expect(titles.join(' ')).not.toContain('…');
    const known = PEOPLE.map(({ title, path }) => (title ?? path).toUpperCase());
    const missing = known.filter((title) => !titles.includes(title)).map((title) => title.toLowerCase());
    expect(notes).toEqual(
      missing.length === 0
        ? []
        : [`Not shown for lack of room: ${missing.join(', ')} (--wide, or choose with --columns).`],
    );
    for (const line of rows) expect(line.length).toBeLessThanOrEqual(width);
  });

  test('the hour goes before an address is cut, and is there where it fits', async () => {
    const full = await shown(people, PEOPLE, 110);
    expect(full.rows[0]).toMatch(/USA +2026-01-31 09:00$/);
    const short = await shown(people, PEOPLE, 93);
    expect(short.rows[0]).toMatch(/someone\.else\.0@example\.com +USA +2026-01-31$/);
    expect(short.heading[0]).toContain('times in UTC');
  });

  test('the hour stays where days would not tell the rows apart, below a heading that states the day', async () => {
    const oneDay = Array.from({ length: 9 }, (_, i) => ({
      ...people[i % 4],
      first_name: `A${i}`,
      created_date_unix: MOMENT + i,
    }));
    const { heading, titles, rows } = await shown(oneDay, PEOPLE, 93);
    expect(heading.join(' ')).toContain('created: 2026-01-31');
    for (const row of rows) expect(row).toMatch(/ \d\d:\d\d$/);
    expect(titles).toContain('COUNTRY');
  });

  test('an id is whole or not there, whatever its field is called', async () => {
    const columns = [...PEOPLE.slice(0, 1), { path: 'campaign' }, { path: 'name' }, { path: 'description' }];
    const items = [1, 2].map((i) => ({
      campaign: `td3AEqqUi5WqfuWAZ7x${i}`,
      name: `Some shop of a long name ${i}`,
      description: `Sells what is sold in shops of this kind ${i}`,
    }));
    for (const width of [60, 70, 80, 90]) {
      const { rows } = await shown(items, columns, width);
      for (const row of rows) expect(row).not.toMatch(/td3A\w{0,15}…/);
    }
  });

  test('a long status is cut before the customer goes', async () => {
    const columns: Column[] = [
      { path: 'id' },
      { path: 'amount', as: 'money' },
      { path: 'status', as: 'status' },
      { path: 'customer.email', title: 'customer' },
    ];
    const items = [1, 2].map((i) => ({
      amount: `14.5${i}`,
      iso_currency: 'USD',
      status: i === 1 ? 'WAITING_FOR_SELLER_RESPONSE' : 'RESOLVED',
      customer: { email: `uma.wright.4${i}@example.com` },
    }));
    const { titles } = await shown(items, columns, 76);
    expect(titles).toEqual(['ID', 'AMOUNT', 'STATUS', 'CUSTOMER']);
  });
});

describe('what all rows share', () => {
  const columns: Column[] = [
    { path: 'id' },
    { path: 'amount', as: 'money' },
    { path: 'amount_refunded', title: 'refunded', as: 'money' },
  ];
  const money = (refunded: readonly string[]) =>
    refunded.map((amount_refunded, i) => ({
      amount: `1${i}`,
      amount_refunded,
      iso_currency: ['USD', 'GBP', 'JPY'][i],
    }));

  test('is stated of nothing that was refunded, in whatever currency', async () => {
    const none = await shown(money(['0.00', '0.00', '0']), columns, 100);
    expect(none.heading).toEqual(['TEST mode, profile acme; refunded: 0.00']);
    expect(none.titles).not.toContain('REFUNDED');
    const some = await shown(money(['0.00', '1.00', '0']), columns, 100);
    expect(some.titles).toContain('REFUNDED');
  });

  test('is stated of what only the items tell of, and only of who and what', async () => {
    const items = [0, 1, 2].map((i) => ({ first_name: `A${i}`, last_name: 'Smith', http_method: 'GET', score: 1 }));
    const { heading, titles } = await shown(items, [{ path: 'id' }], 100);
    expect(heading).toEqual(['TEST mode, profile acme; last name: Smith']);
    expect(titles).toEqual(['ID', 'FIRST NAME']);
  });

  test('is broken between its parts', async () => {
    const items = [0, 1, 2].map((i) => ({ name: `A${i}`, overdue_limit: 3, subscription_specific: false }));
    const wide = [...['id', 'name', 'overdue_limit', 'subscription_specific'].map((path) => ({ path }))];
    const { heading } = await shown(items, wide, 60);
    expect(heading).toEqual(['TEST mode, profile acme; overdue_limit: 3;', 'subscription_specific: no'].map(spoken));
  });
});

function spoken(line: string): string {
  return line.replaceAll('_', ' ');
}

describe('columns named as they are headed', () => {
  const items = [0, 1].map((i) => ({
    campaign_name: `Spring ${i}`,
    customer: { first_name: 'Ada', last_name: `Young ${i}`, zip: '1' },
    ship_to: { last_name: 'Other', zip: '2' },
    ai_assistant: { id: id(7), name: `Helper ${i}` },
  }));
  const named = (...columns: string[]) => shown(items, [{ path: 'id' }, { path: 'campaign_name' }], 100, columns);

  test('are found although they only stand in for others', async () => {
    const { titles, rows } = await named('id', 'LAST NAME', 'ai assistant', 'Campaign Name');
    expect(titles).toEqual(['ID', 'LAST NAME', 'AI ASSISTANT', 'CAMPAIGN NAME']);
    expect(rows[1]).toMatch(/ Young 1 +Helper 1 +Spring 1$/);
  });

  test('are refused where more than one field has that heading, before a row is shown', async () => {
    const out = new Memory();
    const settings = { format: 'table', wide: false, raw: false, tz: 'UTC', columns: ['id', 'zip'] } as const;
    const shown = render(under(items, [{ path: 'id' }]), settings, { stdout: out, color: false, ...terminal(100) });
    await expect(shown).rejects.toMatchObject({ message: expect.stringContaining('no item has "zip"') });
    expect(out.text).toBe('');
  });
});

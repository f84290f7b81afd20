/** @module-tag thorough */
/** Which one of a person's items is meant, by what tells them apart: in the name, or with a filter of the list. */
import { expect, it } from 'vitest';
import { ok, type Recorded } from '../../fixtures/service/service.js';
import { A, errorOf, json, pair } from '../helpers.js';

const NOW = Math.floor(Date.now() / 1000);
const PERSON = { id: A, first_name: 'Jonas', last_name: 'Okafor', email: 'jonas@example.com' };
const OTHER = { id: 'OTHERPERSON000000001', first_name: 'Ada', last_name: 'Okafor', email: 'ada@example.com' };
const id = (name: string): string => `${name}00000000000000000000`.slice(0, 20);

/** Three subscriptions of one person and one of somebody else. */
function account(live = false) {
  const one = (name: string, product: string, status: string, customer: object = PERSON) => ({
    id: id(name),
    created_date_unix: NOW - 9_000_000,
    status,
    customer,
    product: { id: id(`product${name}`), name: product },
    live_mode: live,
  });
  const all = [
    one('TEA', 'Weekly Tea Box', 'active'),
    one('COFFEE', 'Coffee Club', 'suspended'),
    one('OLDCOFFEE', 'Coffee Club', 'cancelled'),
    one('THEIRS', 'Weekly Tea Box', 'active', OTHER),
  ];
  return pair(
    (request: Recorded) => {
      const [, family, item] = request.path.split('/');
      const term = request.query.get('search_term')?.toLowerCase() ?? '';
      if (request.method === 'POST') return ok({ result: 'success', subscription_id: item });
      const rows = (found: readonly object[]) =>
        ok({ results: found, current_page: 1, current_count: found.length, total_count: found.length, total_pages: 1 });
      if (item === 'search') {
        const from = family === 'customers' ? [PERSON, OTHER] : all.map(({ customer, id }) => ({ ...customer, id }));
        return rows(
          from.filter((each) => {
            const { first_name, last_name, email } = each as typeof PERSON;
            return `${first_name} ${last_name} ${email}`.toLowerCase().includes(term);
          }),
        );
      }
      const known = all.find((each) => each.id === item);
      if (known) return ok(known);
      return rows(
        family === 'subscriptions' ? all : [PERSON, OTHER].map((each) => ({ ...each, created_date_unix: 1 })),
      );
    },
    live ? 'live' : 'test',
  );
}
const posts = (requests: readonly Recorded[]) =>
  requests.filter(({ method }) => method === 'POST').map(({ path }) => path);

it.each([
  [['Jonas Okafor Weekly Tea Box'], 'TEA'],
  [['Weekly Tea Box Jonas Okafor'], 'TEA'],
  [['jonas@example.com Weekly Tea Box'], 'TEA'],
  [["jonas okafor's weekly tea box"], 'TEA'],
  [['the weekly tea box of jonas okafor'], 'TEA'],
  [['Jonas Okafor suspended'], 'COFFEE'],
  [['Jonas Okafor', '--product', 'Weekly Tea Box'], 'TEA'],
  [['jonas@example.com', '--product', 'weekly tea box'], 'TEA'],
  [['jonas@example.com', '--product=Coffee Club', '--status', 'suspended'], 'COFFEE'],
])('takes %j for one of several', async (words, name) => {
  const { home, service } = await account();
  const ran = await home.run(['subscriptions', 'cancel', ...words, '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain(`is ${id(name)} of subscriptions`);
  expect(posts(service.requests)).toEqual([`/subscriptions/${id(name)}/cancel`]);
  const read = await home.run(['subscriptions', 'get', ...words, '-o', 'json']);
  expect(json<{ id: string }>(read).id, read.stderr).toBe(id(name));
});

it('says in its help how one of several is meant', async () => {
  const { home } = await account();
  for (const action of ['cancel', 'edit', 'get'])
    expect((await home.run(['subscriptions', action, '--help-all'])).stdout, action).toMatch(/^ *--product <value>/m);
});

it('lists what is left where it still means several, or none, and puts none of another product into a line', async () => {
  const { home, service } = await account();
  const several = await home.run(['subscriptions', 'cancel', 'Jonas Okafor', '--product', 'Coffee Club']);
  expect(several.code).toBe(2);
  expect(several.stderr).toContain(`cops subscriptions cancel ${id('COFFEE')}\n`);
  expect(several.stderr).not.toContain(id('TEA'));
  for (const words of [['jonas@example.com', '--product', 'Vitamins'], ['jonas@example.com Vitamins']]) {
    const none = await home.run(['subscriptions', 'cancel', ...words]);
    expect(none.code, none.stderr).toBe(2);
    expect(none.stderr).toContain(`${id('TEA')} (Weekly Tea Box`);
    expect(none.stderr).not.toContain('cops subscriptions cancel');
    expect(none.stderr).not.toContain(id('THEIRS'));
  }
  expect(posts(service.requests)).toEqual([]);
});

it('resolves no live write by a product that is written otherwise, and asks before one that is', async () => {
  const { home, service } = await account(true);
  const line = ['subscriptions', 'cancel', 'Jonas Okafor'];
  const confirmed = ['--yes', '--no-strict-ids', '-o', 'json'];
  const loose = await home.run([...line, '--product', 'weekly tea box', ...confirmed]);
  expect(loose.code).toBe(12);
  expect(errorOf(loose).hint).toContain(id('TEA'));
  expect((await home.run([...line, '--product', 'Weekly Tea Box', '--yes', '-o', 'json'])).code).toBe(12);
  expect(posts(service.requests)).toEqual([]);
  expect(await home.run([...line, '--product', 'Weekly Tea Box', ...confirmed])).toMatchObject({ code: 0 });
  expect(posts(service.requests)).toEqual([`/subscriptions/${id('TEA')}/cancel`]);
});

it('refuses it beside an id, and beside several names', async () => {
  const { home, service } = await account();
  for (const words of [[id('TEA')], ['Jonas Okafor', 'Ada Okafor']]) {
    const ran = await home.run(['subscriptions', 'cancel', ...words, '--product', 'Weekly Tea Box']);
    expect(ran.code, ran.stderr).toBe(2);
    expect(ran.stderr).toContain('--product says which item');
  }
  expect(service.requests).toEqual([]);
});

it('leads words that name one item together, without their quotes, to its line', async () => {
  const { home, service } = await account();
  for (const words of [
    ['Jonas Okafor', 'Weekly Tea Box'],
    ['Jonas', 'Okafor', 'Weekly', 'Tea', 'Box'],
  ]) {
    const ran = await home.run(['subscriptions', 'cancel', ...words]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`cops subscriptions cancel ${id('TEA')}\n`.trim());
  }
  expect(posts(service.requests)).toEqual([]);
});

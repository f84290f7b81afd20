/** @module-tag sweep */
/** A person is shown whole or with what is missing: further amounts, an address that was changed. */
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { home, json } from '../helpers.js';
import { Home } from '../program.js';

const SANDBOX = ['-p', 'sandbox'];

const IN_SANDBOX = { COPS_PROFILE: 'sandbox' };

const SOFIA = 'sofia.muller.132@example.com';

const shop = new Home();
afterAll(() => shop.remove());

describe('what is still to collect of a customer', () => {
  interface Salvage {
    readonly id: string;
    readonly status: string;
    readonly customer: { readonly id: string };
  }
  let open: Map<string, string[]>;
  beforeAll(async () => {
    const all = await shop.run([...SANDBOX, 'salvage-transactions', 'list', '--all-time', '-o', 'json']);
    open = new Map();
    for (const { id: one, status, customer } of JSON.parse(all.stdout) as Salvage[])
      if (['created', 'failed'].includes(status)) open.set(customer.id, [...(open.get(customer.id) ?? []), one]);
    // Those of whom most is open, and one of whom little is.
    open = new Map([...open].sort(([, a], [, b]) => b.length - a.length).filter((_, at) => at < 3 || at === 9));
  });
  const idsIn = (items: readonly { readonly id: string }[]) => items.map(({ id: one }) => one).sort();

  it('is shown whole, or said not to be', async () => {
    for (const [customer, ids] of open) {
      const ran = await shop.run([...SANDBOX, 'customers', 'show', customer, '-o', 'json']);
      const { to_collect: found, looked } = JSON.parse(ran.stdout);
      if (idsIn(found).join() !== ids.sort().join()) {
        expect(looked.to_collect.total).toBeNull();
        expect(ran.stderr).toMatch(/^Not read: .*(?:further amounts to collect|of salvage-transactions)/m);
      }
      const screen = await shop.run([...SANDBOX, 'customers', 'show', customer], { terminal: 120 });
      expect(screen.stdout).not.toMatch(/None: [^.]*to collect/);
    }
  });

  it('is shown whole where everything is read, and stands in the whole timeline', async () => {
    for (const [customer, ids] of open) {
      const whole = await shop.run([...SANDBOX, 'customers', 'show', customer, '--all', '-o', 'json']);
      expect(idsIn(JSON.parse(whole.stdout).to_collect)).toEqual(ids.sort());
      const life = await shop.run([...SANDBOX, 'timeline', customer, '--all', '-o', 'json']);
      expect(idsIn(JSON.parse(life.stdout))).toEqual(expect.arrayContaining(ids));
    }
  });
});

describe('a customer who has another e-mail address now', () => {
  const WAS = 'katarzyna.haddad.117@example.com';
  const IS = 'kasia.haddad@example.com';
  const own = async (...line: string[]) => {
    const ran = await shop.run([...SANDBOX, ...line]);
    expect(ran.code, ran.stderr).toBe(0);
    return ran.stdout;
  };
  const idsOf = (text: string) => (JSON.parse(text) as { id: string }[]).map((one) => one.id).sort();
  let customer: string;
  beforeAll(async () => {
    customer = (JSON.parse(await own('customers', 'get', WAS, '-o', 'json')) as { id: string }).id;
    await own('customers', 'edit', customer, '--email', IS);
  });

  it('keeps by the new address what was made under the old one', async () => {
    const renewals = idsOf(
      await own('subscription-renewals', 'list', '--all-time', '--customer', customer, '-o', 'json'),
    );
    const several = await shop.run([...SANDBOX, 'subscription-renewals', 'refund', IS, '--dry-run']);
    expect(several.stderr).toContain(`means ${renewals.length} items of subscription-renewals`);
    const sales = idsOf(await own('sales', 'list', '--all-time', '--customer', customer, '-o', 'json'));
    expect(sales.length).toBeGreaterThan(1);
    const read = await shop.run([...SANDBOX, 'sales', 'get', IS]);
    expect([read.code, read.stderr]).toEqual([2, expect.stringContaining(`means ${sales.length} items of sales`)]);
  });

  it('is shown with all that there is, or the screen says what it lacks', async () => {
    const sales = idsOf(await own('sales', 'list', '--all-time', '--customer', customer, '-o', 'json'));
    const trials = idsOf(await own('trials', 'list', '--all-time', '--customer', customer, '-o', 'json'));
    const whole = JSON.parse(await own('customers', 'show', IS, '--all', '-o', 'json'));
    expect(idsOf(JSON.stringify(whole.orders))).toEqual(sales);
    expect(idsOf(JSON.stringify(whole.trials))).toEqual(trials);
    expect(await own('customers', 'show', IS)).toContain('created under an earlier e-mail address');
  });
});

describe('a customer whose address was changed', () => {
  const WAS = 'farid.haddad.43@example.com';
  const IS = 'farid@elsewhere.example';
  let id = '';
  const shown = async (...line: string[]) => {
    const cops = home(IN_SANDBOX);
    const { stdout } = await cops.run(['customers', 'get', WAS, '-o', 'json']);
    id = (JSON.parse(stdout) as { id: string }).id;
    await cops.run(['customers', 'edit', id, '--email', IS]);
    return stripVTControlCharacters((await cops.run(line, { terminal: 300 })).stdout);
  };
  let screen = '';
  beforeAll(async () => {
    screen = await shown('customers', 'show', IS);
  });

  it('is never said to have none of what searches by the address find', () => {
    const none = /^None: .*$/m.exec(screen)?.[0] ?? '';
    expect(none).not.toMatch(/orders|trials|fraud/);
    expect(screen).toContain('created under an earlier e-mail address');
  });

  it('is led to from the old address', async () => {
    expect(await shown('find', WAS)).toMatch(new RegExp(`^ *cops .*customers show ${id}$`, 'm'));
  });
});

it('shows no less of a customer where a line asks for more', async () => {
  const cops = home(IN_SANDBOX);
  const rows = async (...more: string[]) => {
    const ran = await cops.run(['customers', 'show', SOFIA, ...more], { terminal: 120 });
    const orders = stripVTControlCharacters(ran.stdout).split(/^ORDERS.*$/m)[1] ?? '';
    return orders
      .split('\n')
      .slice(2)
      .findIndex((line) => !/^\w{20} /.test(line));
  };
  expect(await rows('--since', '90d')).toBeGreaterThan(await rows());
});

it('knows the customer of the README by her address on any day', { tags: ['thorough'], timeout: 30_000 }, async () => {
  for (const day of ['2026-11-30', '2027-03-01', '2028-02-29']) {
    const now = Date.parse(`${day}T12:00:00Z`);
    const line = ['subscriptions', 'list', '--customer', 'katarzyna.rossi.23@example.com', '-o', 'json'];
    const ran = await home().run(['-p', 'sandbox', ...line], { clock: { now: () => now, sleep: async () => {} } });
    const found = json<{ id: string; status: string }[]>(ran);
    expect(found.map(({ id: one, status }) => [one, status])).toEqual([['xhbVfLBuuTjHMRBGlHRc', 'active']]);
  }
});

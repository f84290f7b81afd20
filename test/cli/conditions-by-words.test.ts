import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home } from '../harness/home.js';

/* What people type of lists, on the seeded account; figures are computed from the raw lists. */

// biome-ignore lint/suspicious/noExplicitAny: items of any shape
type Item = any;

let home: Home;
beforeAll(() => {
  home = new Home({ COPS_PROFILE: 'sandbox' });
});
afterAll(() => home.remove());

const run = (...words: string[]) => home.run([...words, '-o', 'json']);
const items = async (...words: string[]): Promise<Item[]> => JSON.parse((await run(...words)).stdout);

describe('a list', () => {
  it('shows what the one row holds that its items name by a list of ids', async () => {
    const [sales, chargebacks] = [
      await items('sales', 'list', '--all-time'),
      await items('chargebacks', 'list', '--all-time'),
    ];
    const amounts = new Map(sales.map(({ id, amount }) => [id, amount]));
    const shown = await items('chargebacks', 'list', '--all-time', '--columns', 'id,sale.amount');
    expect(shown).toEqual(chargebacks.map(({ id, sales: [sale] }) => ({ id, 'sale.amount': amounts.get(sale) })));
    expect(chargebacks.length).toBeGreaterThan(3);
    const count = await home.run(['chargebacks', 'list', '--all-time', '--where', 'sale.amount>50', '--count']);
    expect(Number(count.stdout)).toBe(chargebacks.filter(({ sales: [sale] }) => amounts.get(sale) > 50).length);
    expect((await run('chargebacks', 'list', '--all-time', '--columns', 'sale.nonsense')).code).toBe(2);
  });

  it('takes one of several countries, currencies or words of a closed set', async () => {
    const all = await items('customers', 'list');
    const wanted = all.filter(({ country }) => ['CAN', 'GBR'].includes(country)).length;
    expect(await items('customers', 'list', '--where', 'country=CAN,GBR')).toHaveLength(wanted);
    expect(await items('customers', 'list', '--where', 'country!=CAN, GBR')).toHaveLength(all.length - wanted);
    expect((await run('customers', 'list', '--where', 'country=CAN,XX1')).code).toBe(2);
    const active = await items('subscriptions', 'list', '--where', 'status=active,overdue');
    expect(new Set(active.map(({ status }) => status))).toEqual(new Set(['active', 'overdue']));
  });

  it('knows the status of what shows it by another name, and the name of people', async () => {
    const declined = await items('transactions', 'list', '--all-time', '--where', 'status=declined');
    expect(new Set(declined.map(({ result }) => result))).toEqual(new Set(['declined']));
    const [first] = await items('customers', 'list', '--limit', '1', '--columns', 'name,email');
    const [whole] = await items('customers', 'list', '--limit', '1');
    expect(first).toEqual({ name: `${whole.first_name} ${whole.last_name}`, email: whole.email });
  });

  it('says of a sum of what is due that each counts once', async () => {
    const ran = await run('subscriptions', 'list', '--next', '30d', '--group-by', 'currency', '--sum', 'amount');
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('counts once')]);
  });
});

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

  it('says how many it leaves out that the word of a condition means too, with the line for all', async () => {
    const range = ['--last', '150d'];
    const all = await items('transactions', 'list', ...range);
    const [declined, failed] = [['declined'], ['declined', 'error', 'held']].map(
      (results) => all.filter(({ result }) => results.includes(result)).length,
    ) as [number, number];
    expect(failed).toBeGreaterThan(declined);
    for (const words of [
      ['--status', 'declined'],
      ['--where', 'result=declined'],
      ['--where', 'status=declined'],
    ]) {
      const ran = await run('transactions', 'list', ...range, '--count', ...words);
      expect(ran.stdout).toBe(`${declined}\n`);
      expect(ran.stderr).toContain(`Left out: ${failed - declined} with result=error,held. All together: cops `);
      const line = / (transactions list .*)/.exec(ran.stderr)?.[1]?.split(' ') ?? [];
      expect((await home.run(line)).stdout).toBe(`${failed}\n`);
    }
    expect((await run('transactions', 'list', '--status', 'declined', ...range, '--limit', '1')).stderr).toContain(
      'Left out: those with',
    );
    for (const words of [
      ['--status', 'failed'],
      ['--where', 'status=failed'],
      ['--where', 'result=failed'],
    ]) {
      const ran = await run('transactions', 'list', ...range, '--count', ...words);
      expect(ran).toMatchObject({ code: 0, stdout: `${failed}\n` });
      expect(ran.stderr.split('\n'), words.join(' ')).toContain('failed means result=declined,error,held.');
    }
    for (const value of ['approved', 'failed'])
      expect((await run('transactions', 'list', '--last', '20d', '--status', value)).stderr).not.toContain('Left out');
  });

  it('says the same of a state that another field shows as well', async () => {
    const [one] = await items('subscriptions', 'list', '--status', 'overdue');
    await run('subscriptions', 'suspend', one.id);
    const ran = await run('subscriptions', 'list', '--status', 'overdue', '--count');
    expect(ran.stderr).toContain(
      "Left out: 1 with is_overdue=yes. All together: cops subscriptions list --count -o json --where 'status=overdue or is_overdue=yes'",
    );
  });

  it('says of a sum of what is due that each counts once', async () => {
    const ran = await run('subscriptions', 'list', '--next', '30d', '--group-by', 'currency', '--sum', 'amount');
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('counts once')]);
  });
});

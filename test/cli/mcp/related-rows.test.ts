/** What agents ask across lists, within what a server may read and show. */
import { expect, it } from 'vitest';
import { customers, joinedAccount, type Row, subscriptions } from '../../fixtures/joined-account.js';
import { StandingClock } from '../../harness/clock.js';
import { Agent } from './agent.js';

async function started(...words: readonly string[]) {
  const { home, service } = await joinedAccount();
  return { agent: await Agent.start(home, ['mcp', ...words], new StandingClock()), service };
}

const countryOf = (row: Row): unknown =>
  customers.find(({ id }) => id === (row.customer as Row | null | undefined)?.id)?.country;

it('follows paths, shows related columns, and says that it is not whole where nobody can tell', async () => {
  const { agent } = await started();
  const told = await agent.call('read', {
    operation: 'subscriptions list',
    where: ['customer.country = CAN'],
    columns: ['id', 'customer.name'],
  });
  const wanted = subscriptions.filter((row) => countryOf(row) === 'CAN');
  expect(told.items.map(({ id }: Row) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
  expect(told.items[0]['customer.name']).toMatch(/ Nr\d+$/);
  expect(told.complete).toBe(false);
  const active = await agent.call('read', { operation: 'customers list', with: ['subscriptions status=active'] });
  expect(active).toMatchObject({ complete: true });
  expect(active.items.length).toBeGreaterThan(3);
});

it('takes columns as a table heads them, and none that no item has', async () => {
  const { agent } = await started();
  const told = await agent.call('read', { operation: 'customers list', columns: ['ID', 'Country'], limit: 2 });
  expect(told.items.map((row: Row) => Object.keys(row))).toEqual([
    ['id', 'country'],
    ['id', 'country'],
  ]);
  expect(told.items[0].id).toBe(customers[0]?.id);
  for (const wrong of ['nothing', '__proto__', '../../etc/passwd', 'constructor.name'])
    for (const operation of ['customers list', 'customers get']) {
      const ids = operation === 'customers get' ? [String(customers[0]?.id)] : [];
      const ran = await agent.call('read', { operation, ids, columns: ['id', wrong] });
      expect(ran, `${operation} ${wrong}`).toMatchObject({ outcome: 'refused', error: { kind: 'usage' } });
      expect(ran.error.message).toContain(wrong);
    }
});

it('groups, and keeps groups by what they come to', async () => {
  const { agent } = await started();
  const told = await agent.call('read', {
    operation: 'transactions list',
    last: '30d',
    group_by: ['customer', 'amount'],
    having: ['count > 4'],
  });
  expect(told.items.length).toBeGreaterThan(0);
  expect(told.items.every((row: { count: number; iso_currency: string }) => row.count > 4 && row.iso_currency)).toBe(
    true,
  );
});

it('reads no row of a family that the server was not given', async () => {
  const { agent, service } = await started('--families', 'subscriptions');
  for (const given of [
    { where: ['card.expires < {next_renewal}'] },
    { where: ['product@now.price > 5'] },
    { columns: ['product.price', 'campaign.name'] },
    { with: ['transactions'] },
    { without: ['trials'] },
  ]) {
    const told = await agent.call('read', { operation: 'subscriptions list', ...given });
    expect(told, JSON.stringify(given)).toMatchObject({ outcome: 'refused' });
  }
  // What items carry themselves stays theirs.
  const own = await agent.call('read', { operation: 'subscriptions list', where: ['customer.email = c1@example.com'] });
  expect(own.items.length).toBeGreaterThan(0);
  expect(service.requests.every(({ path }) => path.startsWith('/subscriptions'))).toBe(true);
});

it('chooses by nothing that is hidden, nor shows it in a related column', async () => {
  const { agent } = await started('--mask');
  for (const given of [
    { where: ['card.expires < {next_renewal}'] },
    { where: ['customer.name ~ Jane'] },
    { with: ['cards last_4=1000'] },
    { sort: ['card.expires'] },
  ]) {
    const told = await agent.call('read', { operation: 'subscriptions list', ...given });
    expect(told, JSON.stringify(given)).toMatchObject({ outcome: 'refused' });
  }
  const told = await agent.call('read', {
    operation: 'subscriptions list',
    columns: ['customer.name', 'customer.country'],
  });
  expect(new Set(told.items.map((row: Row) => row['customer.name']))).toEqual(new Set(['(masked)', null]));
  const people = await agent.call('read', { operation: 'customers list', with: ['cards last_4=1000'] });
  expect(people).toMatchObject({ outcome: 'refused' });
});

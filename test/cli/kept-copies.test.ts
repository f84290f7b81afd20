/** @module-tag thorough */
import { expect, it } from 'vitest';
import { laySandbox, SOME } from '../harness/seeded.js';
import { home, json } from './helpers.js';

interface Subscription {
  readonly id: string;
  readonly customer: { readonly id: string; readonly email: string; readonly city: string };
  readonly ship_to: { readonly city: string; readonly email: string };
}

it('says how many items still hold what an edit changed, and the line that changes them', async () => {
  const there = home();
  await laySandbox(there.env.COPS_DATA_DIR ?? '', Date.now(), SOME);
  const run = (...line: string[]) => there.run(['-p', 'sandbox', ...line]);
  const listed = await run('subscriptions', 'list', '--where', 'status=active', '-o', 'json');
  const all = json<Subscription[]>(listed);
  const one = all.find(({ customer, ship_to: to }) => customer.city === to.city && customer.email === to.email);
  if (!one) throw new RangeError('nobody has an active subscription');
  const { id } = one.customer;
  const theirs = all.filter(({ customer }) => customer.id === id).length;
  for (const data of ['customer.city=Newtown', 'customer.email=new@example.com']) {
    const edited = await run('customers', 'edit', id, '-d', data);
    expect(edited.code).toBe(0);
    const line = edited.stderr.split('\n').find((text) => text.includes('subscriptions edit'));
    expect(line).toMatch(new RegExp(`^Not changed: ${theirs} of subscriptions .*${one.id}`));
    const words = line?.slice(line.indexOf('subscriptions edit')).split(' ') ?? [];
    expect((await run(...words, '--yes')).code).toBe(0);
  }
  const { ship_to: now } = json<Subscription>(await run('subscriptions', 'get', one.id, '-o', 'json'));
  expect(now).toMatchObject({ city: 'Newtown', email: 'new@example.com' });
});

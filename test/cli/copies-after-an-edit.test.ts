/** @module-tag thorough */
import { expect, it } from 'vitest';
import { laySandbox, SOME } from '../harness/seeded.js';
import { home, json } from './helpers.js';

interface Subscription {
  readonly id: string;
  readonly customer: { readonly id: string; readonly email: string; readonly city: string };
  readonly ship_to: { readonly city: string; readonly state: string; readonly zip: string; readonly email: string };
}

it('says how many items still hold what an edit changed, and the line that changes them', async () => {
  const there = home();
  await laySandbox(there.env.COPS_DATA_DIR ?? '', Date.now(), SOME);
  const run = (...line: string[]) => there.run(['-p', 'sandbox', ...line]);
  const listed = await run('subscriptions', 'list', '--where', 'status=active', '-o', 'json');
  const all = json<Subscription[]>(listed);
  const one = all.find(
    ({ customer, ship_to: to }) => customer.city === to.city && customer.email === to.email && to.state !== '',
  );
  if (!one) throw new RangeError('nobody has an active subscription');
  const { id } = one.customer;
  const theirs = all.filter(({ customer }) => customer.id === id).length;
  for (const data of ['customer.city=Newtown', 'customer.email=new@example.com']) {
    const edited = await run('customers', 'edit', id, '-d', data);
    expect(edited.code).toBe(0);
    const line = edited.stderr.split('\n').find((text) => text.includes('subscriptions edit'));
    expect(line).toMatch(new RegExp(`^Not changed: ${theirs} of subscriptions .*${one.id}`));
    if (data.includes('city')) expect(line).toContain(`; state ${one.ship_to.state}, zip ${one.ship_to.zip}, `);
    const words = line?.slice(line.indexOf('subscriptions edit')).split(' ') ?? [];
    expect((await run(...words, '--yes')).code).toBe(0);
  }
  // In another country, every smaller part of the address is wrong, so the line asks for each.
  const moved = await run('customers', 'edit', id, '-d', 'customer.country=AUS');
  expect(moved.stderr).toMatch(
    /subscriptions edit .* -d ship_to\.country=AUS .*-d ship_to\.city=<city> -d ship_to\.state=<state>/,
  );
  const { ship_to: now } = json<Subscription>(await run('subscriptions', 'get', one.id, '-o', 'json'));
  expect(now).toMatchObject({ city: 'Newtown', email: 'new@example.com' });
});

it('says which parts of an address an edit leaves, before and after, and how they are sent', async () => {
  const there = home();
  await laySandbox(there.env.COPS_DATA_DIR ?? '', Date.now(), SOME);
  const run = (...line: string[]) => there.run(['-p', 'sandbox', ...line]);
  const listed = await run('subscriptions', 'list', '--where', 'status=active', '-o', 'json');
  const one = json<Subscription[]>(listed).find(({ ship_to: to }) => to.state !== '');
  if (!one) throw new RangeError('no active subscription ships to a state');
  const moved = ['subscriptions', 'edit', one.id, '-d', 'ship_to.country=DEU', '-d', 'ship_to.city=Bonn'];
  const stays = `ship_to.state ${one.ship_to.state}, ship_to.zip ${one.ship_to.zip}`;
  const dry = await run(...moved, '--dry-run');
  expect(dry.stderr).toContain(stays);
  const edited = await run(...moved);
  expect(edited.stderr).toContain('Not changed: ship_to.address_line_1');
  expect(edited.stderr).toContain(stays);
  expect(edited.stderr).toContain('-d ship_to.state=<state>');
  const whole = ['address_line_1=Am Markt 1', 'address_line_2=', 'city=Bonn', 'state=', 'zip=53111', 'country=DEU'];
  const all = await run('subscriptions', 'edit', one.id, ...whole.flatMap((part) => ['-d', `ship_to.${part}`]));
  expect(all).toMatchObject({ code: 0, stderr: '' });
  const many = await run('bulk', 'subscriptions', 'edit', '--where', 'status=active', ...moved.slice(3), '--dry-run');
  expect(many.stderr).toContain('kept where there is one: ship_to.address_line_1');
});

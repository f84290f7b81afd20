import { expect, it } from 'vitest';
import { splitTemplate } from '../../src/account/profiles/profile-names.js';
import { ok } from '../fixtures/service/service.js';
import { A, B, home, json, pair } from './helpers.js';

const refund = (id: string, amount: string, ...more: string[]) => [
  ...['product-sales', 'refund', id, '-d', `amount=${amount}`, '--dry-run', '-o', 'json', ...more],
];

it('says in a dry run that the sum to refund was not looked at, and reads nothing', async () => {
  const { service, home: made } = await pair(() => ok({ id: A, live_mode: false }));
  for (const line of [
    refund(A, '9999'),
    ['api', 'POST', `/product_sales/${A}/refund`, '-d', 'amount:=9999', '--dry-run'],
  ]) {
    const ran = await made.run(line);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('A dry run reads nothing, so whether 9999 is left to refund is unknown.');
    expect(ran.stderr).toContain(`product-sales get ${A} shows it`);
  }
  expect((await made.run(['product-sales', 'refund', A, B, '-d', 'amount=9999', '--dry-run'])).stderr).toContain(
    'whether 9999 is left to refund is unknown',
  );
  const whole = await made.run(['product-sales', 'refund', A, '--dry-run']);
  expect(whole.stderr).not.toContain('is left to refund');
  expect(service.requests).toEqual([]);
});

it('warns in a dry run on the sandbox of more than is left', async () => {
  const made = home();
  const list = ['-p', 'sandbox', 'product-sales', 'list', '--where', 'amount_refunded=0', '--limit', '1', '-o', 'json'];
  const [line] = json<{ id: string; amount_total: number }[]>(await made.run(list));
  const of = (amount: string) => made.run(['-p', 'sandbox', ...refund(line?.id ?? '', amount)]);
  expect((await of('999999')).stderr).toMatch(/999999 \w{3} is more than what is left to refund: [\d.]+ \w{3}\./);
  expect((await of('0.01')).stderr).not.toContain('is more than');
});

it('says in a dry run how many items a state keeps from the write, or that nobody looked', async () => {
  const made = home();
  const list = ['-p', 'sandbox', 'subscriptions', 'list', '--all-time', '-o', 'json', '--limit', '2', '--where'];
  const ids = async (where: string) => json<{ id: string }[]>(await made.run([...list, where])).map(({ id }) => id);
  const [active, stopped] = [await ids('status=active'), await ids('status=suspended')];
  const dry = async (...words: string[]) =>
    (await made.run(['-p', 'sandbox', 'subscriptions', 'suspend', ...words, '--dry-run', '-o', 'json'])).stderr;
  expect(await dry(...active, ...stopped)).toContain(
    `${stopped.length} of ${active.length + stopped.length} items would be refused or left as`,
  );
  expect(await dry(...active)).toContain(`The state of all ${active.length} items allows subscriptions suspend.`);
  expect(await dry(stopped[0] ?? '')).toContain('1 of 1 item would be refused or left as it is: 1 suspended.');
  const { service, home: real } = await pair(() => ok({ id: A, live_mode: false }));
  const ran = await real.run(['subscriptions', 'suspend', A, B, '--dry-run', '-o', 'json']);
  expect(ran.stderr).toContain(
    'subscriptions suspend is refused for those that are suspended, cancelled or occurrence_limit, or leaves them',
  );
  expect(ran.stderr).toContain(`subscriptions get ${A} ${B} --columns id,status`);
  expect(service.requests).toEqual([]);
});

it('says in a dry run what a field does besides', async () => {
  const { service, home: made } = await pair(() => ok({ id: A }));
  const ran = await made.run(['fraud-detections', 'create', '--source-id', A, '--void-sale', '--dry-run']);
  expect(ran.stderr).toContain(`With void_sale it also does: sales void ${A}.`);
  expect(service.requests).toEqual([]);
});

it('says in a dry run that a body is empty without which the write is pointless', async () => {
  const { service, home } = await pair(() => ok({}));
  const empty = await home.run(['customers', 'add-card', A, '--dry-run']);
  expect(empty.stderr).toMatch(/body is empty, and without payment/);
  const other = await home.run(['customers', 'add-card', A, '-d', 'bill_to.city=Boston', '--dry-run']);
  expect(other.stderr).not.toContain('body is empty');
  expect(service.requests).toEqual([]);
});

it('names all that a create lacks at once, with the names there are and a line that works', async () => {
  const made = home();
  const line = [
    '-p',
    'sandbox',
    'customers',
    'create',
    '-d',
    'customer.first_name=Ida',
    '-d',
    'customer.last_name=Twice',
  ];
  const ran = await made.run([...line, '-d', 'customer.email=ida@example.com', '--idempotency-key', 'ida-0001']);
  expect(ran.code, ran.stderr).toBe(2);
  for (const part of ['campaign: is required', '10 to 255 characters', 'campaigns: '])
    expect(ran.stderr).toContain(part);
  const whole = splitTemplate(/For example: cops (.*)/.exec(ran.stderr)?.[1] ?? '');
  expect((await made.run(whole)).code).toBe(0);
});

it('reads conditions with a blank between them as with a comma', async () => {
  const made = home();
  const count = async (...line: string[]) =>
    (await made.run(['-p', 'sandbox', 'customers', 'list', '--all-time', '--count', ...line])).stdout;
  const comma = await count('--with', 'subscriptions status=active,count>1');
  for (const text of ['subscriptions status=active count>1', 'subscriptions status=active and count>1'])
    expect(await count('--with', text)).toBe(comma);
  const both = await count('--where', 'enabled=true', '--where', 'country=US');
  expect(await count('--where', 'enabled=true country=US')).toBe(both);
});

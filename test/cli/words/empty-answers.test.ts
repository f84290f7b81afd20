/** @module-tag sweep */
/** What an answer leaves out, or does not find, is said with the line that looks further. */
import { afterAll, describe, expect, it } from 'vitest';
import { listHandler } from '../../fixtures/service/service.js';
import { SOME } from '../../harness/seeded.js';
import { home, pair } from '../helpers.js';
import { Home } from '../program.js';
import { account, clock, subscription } from './due-subscriptions.js';
import { homesOf } from './seeded-homes.js';

const SANDBOX = ['-p', 'sandbox'];

const IN_SANDBOX = { COPS_PROFILE: 'sandbox' };

const SOFIA = 'sofia.muller.132@example.com';

const seeded = homesOf(SOME);
const shop = new Home();
afterAll(() => shop.remove());

it('names the values that there are where none is the one asked for', async () => {
  const { home } = await account();
  const line = ['subscriptions', 'list', '--last', '30d', '-o', 'json'];
  const none = await home.run([...line, '--where', 'iso_currency=ESD'], { clock });
  expect(none).toMatchObject({ code: 0, stdout: '[]\n' });
  expect(none.stderr).toContain('No item has iso_currency=ESD; seen: USD 5.');
  const some = await home.run([...line, '--where', 'iso_currency=USD', '--where', 'amount>20'], { clock });
  expect(some.stderr).not.toContain('No item has iso_currency');
});

it('does not ask for a currency that the line names already', async () => {
  const items = [subscription(0, 'active', 1), { ...subscription(1, 'active', 1), iso_currency: 'EUR' }];
  const { home } = await pair({ handler: listHandler({ items }) });
  const line = ['subscriptions', 'list', '--last', '30d', '--where', 'amount>5'];
  expect((await home.run(line, { clock })).stderr).toContain('--where iso_currency=EUR');
  expect((await home.run([...line, '--where', 'currency=USD'], { clock })).stderr).not.toContain(
    '--where iso_currency',
  );
});

describe('an empty answer', () => {
  it.each([
    [['sales', 'list', '--last', '1min'], 'No items.'],
    [['sales', 'list', '--last', '1min', '--count'], ''],
    [['sales', 'list', '--month', '2020-01', '--where', 'amount>1'], 'No items.'],
    [['sales', 'list', '--last', '1min', '--count', '--where', 'amount>1'], ''],
  ])('%j says where it looked', async (line, said) => {
    const ran = await seeded().run([...SANDBOX, ...line]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(said);
    expect(ran.stderr).toMatch(/Looked at: 20\d\d-\d\d-\d\dT[\d:]+Z to 20\d\d-\d\d-\d\dT[\d:]+Z\./);
  });

  it.each([
    [['history', 'list', '--from', '2020-01-01', '--to', '2020-01-31'], 'No writes from 2020-01-'],
    [['timeline', 'katarzyna.rossi.23@example.com', '--from', '2020-01-01', '--to', '2020-01-31'], 'Nothing from 20'],
  ])('%j says which time was asked for', async (line, said) => {
    const ran = await seeded().run([...SANDBOX, ...line]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(said);
  });

  it('of the 30 days that nobody chose has the line for everything ready', async () => {
    const ran = await seeded().run([...SANDBOX, 'sales', 'list', '--where', 'customer.email=no one@example.com']);
    expect(ran.stderr).toContain(
      "For everything: cops -p sandbox sales list --where 'customer.email=no one@example.com' --all-time",
    );
  });
});

it('says of a list that is never sent without dates how it is read whole', async () => {
  const ran = await seeded().run([...SANDBOX, 'products', 'list', '--count', '--no-range']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('The complete list: cops -p sandbox products list --count --all-time');
  expect((await seeded().run(['help', 'dates'])).stdout).toContain('Only lists whose --help shows it');
});

it('says of what still waits nothing that it has not looked at', async () => {
  const ran = await home(IN_SANDBOX).run(['shipping', 'list', '--customer', SOFIA]);
  expect(ran.stderr).toMatch(
    /^To see all that are still not shipped, however old: cops .*--customer \S+ --status notshipped$/m,
  );
});

it('asks no family for an id whose keys cannot look like it', async () => {
  const ran = await home(IN_SANDBOX).run(['find', 'ZZZZZZZZZZZZZZZZZZZ9', '--all']);
  expect(ran.code).toBe(4);
  expect(ran.stdout + ran.stderr).not.toContain('key-values');
});

it('keeps the words of the line where it names what still waits', async () => {
  const ran = await shop.run([...SANDBOX, 'shipping', 'list', '--customer', 'sofia.muller.132@example.com']);
  expect(ran.stderr).toContain('shipping list --customer sofia.muller.132@example.com --status notshipped');
});

it('gives no range beside that of what is due', async () => {
  const ran = await shop.run([...SANDBOX, 'trials', 'list', '--next', '7d']);
  expect(ran.stderr).not.toContain('No range given');
});

/** @module-tag sweep */
/** Commands and actions in words that are not ours are done as what they plainly mean, and the reading is said. */
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ok } from '../../fixtures/service/service.js';
import { SOME } from '../../harness/seeded.js';
import { A, home, pair } from '../helpers.js';
import { Home } from '../program.js';
import { homesOf } from './seeded-homes.js';

const SANDBOX = ['-p', 'sandbox'];

const seeded = homesOf(SOME);

const shop = new Home();
afterAll(() => shop.remove());

it.each([
  ['cohorts', 'retention'],
  ['fee', 'fees'],
  ['vat', 'tax'],
  ['top-customers', 'customers'],
  ['month-end', 'close'],
])('reads the report %s as %s', async (typed, meant) => {
  const { home } = await pair(() => ok());
  const ran = await home.run(['report', typed, '--explain']);
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stderr).toContain(`${typed} is read as ${meant}`);
});

it.each([
  ['refunds list --last 1mo', 'refunds list is read as pending-refunds list.'],
  ['orders list', 'orders list is read as sales list.'],
  ['customers ls', ''],
  ['search tom.rossi.110@example.com', 'search is read as find.'],
  [
    'report postage --quarter last --by country',
    'report postage is read as shipping list --group-by customer.country --sum amount --quarter last.',
  ],
  [
    'report postage --quarter last --by country,month',
    'shipping list --group-by customer.country,created:month --sum amount',
  ],
  ['report signups --year this --by month', 'report signups is read as customers list --group-by created:month'],
  ['setup diff test live products', 'live is read as sandbox:live.'],
])('does what a plain word of the trade means, and says how it was read: %s', async (line, said) => {
  const ran = await home().run(['-p', 'sandbox', ...line.split(' '), '-o', 'json']);
  expect([0, 13], ran.stderr).toContain(ran.code);
  expect(ran.stderr).toContain(said);
  expect(ran.stdout).not.toBe('');
});

it('prints the version for the word', async () => {
  const { stdout: told } = await home().run(['--version']);
  expect(await home().run(['version'])).toMatchObject({ code: 0, stdout: told });
});

it.each([
  ['subscriptions pause {} 1mo', /This is read as cops subscriptions postpone \w+ --by 1mo/],
  ['subscriptions pause {} --for 2w', /This is read as cops subscriptions postpone \w+ --by 2w/],
  [
    'subscriptions pause {} --for +1m',
    /This is read as cops subscriptions postpone \w+ --by 1m\..*next_renewal_date":"2027-02-15/s,
  ],
  [
    'subscriptions pause --for=1m {}',
    /This is read as cops subscriptions postpone \w+ --by 1m\..*next_renewal_date":"2027-02-15/s,
  ],
  ['subscriptions pause {} --for 1 month', /This is read as cops subscriptions postpone \w+ --by '1 month'/],
  ['subscriptions pause {} --until 2027-02-21 --reason holiday', /--until 2027-02-21\..*T00/s],
  ['subscriptions pause --reason holiday {} 1 month --again', /--by '1 month'\./],
  ['subscriptions pause --for 2 weeks {}', /This is read as cops subscriptions postpone \w+ --by '2 weeks'/],
  ['subscriptions pause {} --months 1', /This is read as cops subscriptions postpone \w+ --by 1mo/],
  ['subscriptions pause {} for 1 quarter', /--by '1 quarter'.*next_renewal_date":"2027-04-15/s],
  [
    'subscriptions pause {} --until 2027-02-21',
    /postpone \w+ --until 2027-02-21\..*next_renewal_date":"2027-02-21T00/s,
  ],
  ['subs pause {} until 2027-02-21', /postpone \w+ --until 2027-02-21\..*next_renewal_date":"2027-02-21T00/s],
  ['pause {} 1mo', /This is read as cops subscriptions postpone \w+ --by 1mo/],
  ['products set-price {} --to 20', /This is read as cops products edit \w+ --price 20/],
])('puts a write whose line says all of it into our words: %s', async (line, note) => {
  const { service, home } = await pair(() => ok({ id: A, billing: { next_renewal_date_unix: 1_800_000_000 } }));
  const ran = await home.run([...line.replace('{}', A).split(' '), '--dry-run', '--tz', 'UTC']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr + ran.stdout).toMatch(note);
  expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
});

it('takes a mode alone for that of the profile in use', async () => {
  const ran = await home().run([...SANDBOX, 'products', 'copy', 'Coffee Club', '--to', 'live', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('live is read as sandbox:live.');
  expect(ran.stderr).toContain('sandbox:live has it all already, and nothing was sent');
});

it('puts a note on a customer however it is called', async () => {
  const made = seeded();
  const who = 'katarzyna.rossi.23@example.com';
  const added = await made.run([...SANDBOX, 'notes', 'add', who, '@bob called']);
  expect(added.code, added.stderr).toBe(0);
  expect(added.stderr).toContain(`read as cops -p sandbox customers note ${who} '@bob called'.`);
  const shown = await made.run([...SANDBOX, 'customers', 'get', who, '-o', 'json']);
  expect(shown.stdout).toMatch(/"text": ?"@bob called"/);
  const created = await made.run([...SANDBOX, 'notes', 'create', who, 'Called']);
  expect(created.code).toBe(2);
  expect(created.stderr).toContain(`Did you mean "cops -p sandbox customers note ${who} Called"?`);
  const other = await made.run([...SANDBOX, 'notes', 'add', 'AAAAAAAAAAAAAAAAAAA1', 'Called']);
  expect(other.code).toBe(2);
  expect(other.stderr).toContain('--item-id AAAAAAAAAAAAAAAAAAA1 --text');
});

it('reads the export of a family whichever of both words is first', async () => {
  const file = path.join(shop.folder, 'products.csv');
  const ran = await shop.run([...SANDBOX, 'products', 'export', '--out', file]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('products export is read as export products.');
});

it.each([
  [['--fail', '105%'], '--fail is read as --fault 500=105%.'],
  [['--fault', '5%'], 'give a fault with its share, such as 500=5%'],
])('reads how often the sandbox is to fail: %j', async (options, says) => {
  const ran = await home().run(['sandbox', 'serve', ...options]);
  expect([ran.code, ran.stderr.replace(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(says)]);
});

it('reads tail of a family as its tail, and guesses none', async () => {
  for (const line of [
    ['tail', 'sales'],
    ['sales', 'list', '--follow'],
    ['sales', '--quiet', 'list', '--watch'],
  ]) {
    const ran = await home().run([...SANDBOX, ...line, '--other']);
    expect(ran.stderr).toContain('cops sales tail takes');
  }
  expect((await home().run([...SANDBOX, 'watch'])).stderr).toContain('Did you mean "cops -p sandbox sales tail"?');
});

it('copies to the place that stands last', async () => {
  const ran = await home().run([...SANDBOX, 'products', 'copy', 'Coffee Club', 'live', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('live is read as sandbox:live.');
});

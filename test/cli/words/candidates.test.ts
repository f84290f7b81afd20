/** @module-tag sweep */
/** A name that means several items: what can be acted on, with a line for each; the latest where that is asked for. */
import { afterAll, describe, expect, it } from 'vitest';
import { ok } from '../../fixtures/service/service.js';
import { SOME } from '../../harness/seeded.js';
import { A, home, pair } from '../helpers.js';
import { Home } from '../program.js';
import { DAY, id, T } from './due-subscriptions.js';
import { homesOf } from './seeded-homes.js';

const SANDBOX = ['-p', 'sandbox'];

const IN_SANDBOX = { COPS_PROFILE: 'sandbox' };

const seeded = homesOf(SOME);

const shop = new Home();
afterAll(() => shop.remove());

/** Two subscriptions and two renewals of one person, whatever is asked for; writes are answered. */
const several = () => {
  const person = { id: A, email: 'jane@example.com' };
  const one = (made: number, rest: object) => ({
    id: id(made),
    created_date_unix: T - made * DAY,
    customer: person,
    iso_currency: 'USD',
    live_mode: false,
    ...rest,
  });
  const paid = (made: number, refunded: number) =>
    one(made, { amount: 9.99, amount_original_total: 9.99, amount_total: 9.99 - refunded, amount_refunded: refunded });
  const lists: Readonly<Record<string, readonly { id: string }[]>> = {
    subscriptions: [one(1, { status: 'cancelled' }), one(2, { status: 'active' }), one(3, { status: 'suspended' })],
    subscription_renewals: [paid(4, 0), paid(5, 9.99), paid(6, 0)],
    transactions: [
      one(2, { amount: 30, result: 'approved', sales: [id(2)] }),
      one(3, { amount: 40, result: 'declined' }),
      one(4, { amount: 9.99, result: 'approved', subscription_renewals: [id(4)] }),
    ],
  };
  return pair((request) => {
    const [, family = '', item] = request.path.split('/');
    const items = lists[family] ?? [];
    if (request.method === 'POST') return ok({ result: 'success' });
    const found = items.find((each) => each.id === item);
    if (found) return ok(found);
    const answer = { results: items, current_page: 1, current_count: items.length, total_count: items.length };
    return ok({ ...answer, total_pages: 1 });
  });
};

it('lists what can be acted on first, each with its whole line, and chooses none', async () => {
  const { home: there, service } = await several();
  const cancel = await there.run(['subscriptions', 'cancel', 'jane@example.com', '--test']);
  expect(cancel.code).toBe(2);
  const said = cancel.stderr.slice(cancel.stderr.indexOf('Give the id'));
  expect(said.indexOf(`cops subscriptions cancel ${id(2)} --test\n`)).toBeGreaterThan(0);
  expect(said.indexOf(`cops subscriptions cancel ${id(3)} --test\n`)).toBeGreaterThan(said.indexOf(id(2)));
  expect(said).not.toContain(`cancel ${id(1)}`);
  expect(said.indexOf(id(1))).toBeGreaterThan(said.indexOf(id(3)));
  const refund = await there.run(['subscription-renewals', 'refund', 'jane@example.com', '--amount', '50%']);
  expect(refund.stderr).toContain(`cops subscription-renewals refund ${id(4)} --amount 50%\n`);
  expect(refund.stderr).not.toContain(`refund ${id(5)}`);
  expect(refund.stderr).toContain('--latest');
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(0);
});

it.each(['--latest', '--newest', '--last'])('refunds half of the renewal made last with --half %s', async (latest) => {
  const { home: there, service } = await several();
  const ran = await there.run(['subscription-renewals', 'refund', 'jane@example.com', '--half', latest]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('50% of 9.99 USD is 4.995, rounded down to 4.99 USD.');
  expect(ran.stderr).toContain('the latest of 3');
  expect(ran.stderr).toMatch(
    new RegExp(`because --latest looks at subscription-renewals only: ${id(2)} of transactions \\(.*30 USD.*\\)\\.\\n`),
  );
  const posts = service.requests.filter(({ method }) => method === 'POST');
  expect(posts).toMatchObject([{ path: `/subscription_renewals/${id(4)}/refund`, json: { amount: 4.99 } }]);
});

it('offers the latest order of a person only where a person was named', async () => {
  const hintFor = async (...words: string[]) => (await home().run(['sales', 'refund', ...words])).stderr;
  const lines = async (...words: string[]) =>
    (await hintFor(...words)).split('\n').filter((line) => /^ *cops /.test(line));
  expect((await lines('jane@example.com')).map((line) => line.trim())).toEqual([
    'cops product-sales refund jane@example.com --latest',
    'cops sales list --all-time --customer jane@example.com',
  ]);
  // An amount with two decimals is not a date.
  expect((await lines('jane@example.com', '--amount', '5.10')).map((line) => line.trim())).toContain(
    'cops product-sales refund jane@example.com --latest --amount 5.10',
  );
  expect((await lines(A)).map((line) => line.trim())).toEqual([
    `cops sales get ${A} --columns id,product_sales,shipping,tax`,
  ]);
});

describe('a name that means several', () => {
  const items = async (made: Home, words: readonly string[]) => {
    const ran = await made.run([...SANDBOX, ...words, '-o', 'json', '-q']);
    expect(ran.code, ran.stderr).toBe(0);
    return JSON.parse(ran.stdout) as {
      id: string;
      created_date_unix: number;
      is_overdue?: boolean;
      amount_captured: number;
      amount_refunded: number;
      customer: { email: string };
    }[];
  };

  it('means for a refund the latest that was paid, and never another where that is refunded already', async () => {
    // A person whose last payment failed is rare: the sandbox as the program lays it out has one.
    const made = home();
    const all = await items(made, ['subscription-renewals', 'list', '--all-time', '--sort=-created']);
    const newest = new Map<string, (typeof all)[number][]>();
    for (const one of all) newest.set(one.customer.email, [...(newest.get(one.customer.email) ?? []), one]);
    const mixed = [...newest].find(
      ([, [first, second]]) => first?.is_overdue && second && second.amount_captured > second.amount_refunded,
    );
    const [email = '', [failed, paid] = []] = mixed ?? [];
    const line = [...SANDBOX, 'subscription-renewals', 'refund', email, '--latest'];
    const ran = await made.run(line);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(`"${email}" is ${paid?.id} of subscription-renewals`);
    expect(ran.stderr).toContain(`for which anything was paid; passed over: ${failed?.id} (`);
    const again = await made.run(line);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toMatch(new RegExp(`${paid?.id} of 20[\\d-]+, has nothing left: nothing was sent`));
  });

  it('shows of each order what it is, with a line that is ready', async () => {
    const made = seeded();
    const all = await items(made, ['sales', 'list', '--all-time']);
    const emails = all.map(({ customer }) => customer.email);
    const email = emails.find((one, at) => emails.indexOf(one) !== at) ?? '';
    const ran = await made.run([...SANDBOX, 'sales', 'get', email]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/cops -p sandbox sales get \w{20}\n +[A-Z][^,]+(, [^,]+)*, \d+\.\d\d [A-Z]{3}, made 20/);
  });

  it('shows of each subscription its state and next renewal', async () => {
    const made = seeded();
    const all = await items(made, ['subscriptions', 'list', '--status', 'active']);
    const emails = all.map(({ customer }) => customer.email);
    const email = emails.find((one, at) => emails.indexOf(one) !== at) ?? '';
    const ran = await made.run([...SANDBOX, 'subscriptions', 'postpone', email, '--by', '1mo']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(
      /cops -p sandbox subscriptions postpone \w{20} --by 1mo\n.*next renewal 20\d\d-\d\d-\d\d/,
    );
  });

  it('of none says that the person has none', async () => {
    const made = seeded();
    const people = await items(made, ['customers', 'list']);
    const buyers = new Set((await items(made, ['subscriptions', 'list'])).map(({ customer }) => customer.email));
    const one = people.map((person) => person as unknown as { email: string; first_name: string; last_name: string });
    const who = one.find(({ email }) => !buyers.has(email));
    const ran = await made.run([...SANDBOX, 'subscriptions', 'cancel', who?.email ?? '']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`${who?.first_name} ${who?.last_name} (${who?.email}) has no subscriptions.`);
    expect(ran.stderr).toContain(`cops -p sandbox customers show ${who?.email}`);
    const nobody = await made.run([...SANDBOX, 'subscriptions', 'cancel', 'nobody@example.org']);
    expect(nobody.stderr).toContain('No item of subscriptions is called "nobody@example.org"');
  });
});

describe('an action on a person who has several subscriptions', () => {
  const cancel = [...SANDBOX, 'subscriptions', 'cancel', 'sofia.muller.132@example.com'];

  it('is asked about the only one that it can still be done to, in test mode too', async () => {
    const asked = await shop.run(cancel, { terminal: 120, input: 'n\r' });
    expect(asked.stderr).toContain('the only one of 2 for which this is still possible');
    expect(asked.code).toBe(12);
  });

  it.each([[[]], [['--yes']]])('lists them where nobody is asked: %j', async (more) => {
    const ran = await shop.run([...cancel, ...more], more.length === 0 ? {} : { terminal: 120 });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('means 2 items of subscriptions')]);
  });
});

it('names other renewals with a line for each where the latest has nothing left', async () => {
  const cops = home(IN_SANDBOX);
  const line = ['subscription-renewals', 'refund', 'farid.haddad.43@example.com', '--latest'];
  expect((await cops.run(line)).code).toBe(0);
  const again = await cops.run(line);
  expect(again.code).toBe(2);
  const lines = again.stderr.split('\n').filter((one) => / refund \w{20}$/.test(one));
  expect(lines.length).toBeGreaterThan(5);
  expect(again.stderr).not.toMatch(/refund \w{20} --latest/);
  const days = [...again.stderr.matchAll(/paid, made ([\d-]+)$/gm)].map(([, day = '']) => day);
  expect(days).toEqual([...days].sort().reverse());
});

it('gives lines for the order of an id', async () => {
  const ran = await home().run(['sales', 'refund', A]);
  expect(ran.stderr).toMatch(new RegExp(`^ +cops sales get ${A} --columns id,product_sales,shipping,tax$`, 'm'));
});

it('voids the latest order of a person, and not the one before it when it is typed again', async () => {
  const who = 'liam.larsen.122@example.com';
  const line = [...SANDBOX, 'sales', 'void', who, '--latest'];
  const list = [...SANDBOX, 'sales', 'list', '--all-time', '--customer', who, '--sort', '-created', '-o', 'json'];
  const [newest] = JSON.parse((await shop.run(list)).stdout) as { id: string }[];
  const first = await shop.run(line);
  expect([first.code, first.stderr], first.stderr).toEqual([0, expect.stringContaining(newest?.id ?? '-')]);
  const again = await shop.run([...line, '--again']);
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain(newest?.id);
});

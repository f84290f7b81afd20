/** `get --with`: an item with what it names (issue: at the prompt). */
import { expect, it } from 'vitest';
import { notFound, ok, refusal } from '../fixtures/service/service.js';
import { A, errorOf, json, pair } from './helpers.js';

const CUSTOMER = 'CUSTOMER000000000001';
const renewal = (at: number): string => `RENEWAL${String(at).padStart(13, '0')}`;

function subscription(renewals: number, more: object = {}): object {
  return {
    id: A,
    live_mode: false,
    customer: { id: CUSTOMER },
    subscription_renewals: Array.from({ length: renewals }, (_, at) => renewal(at)),
    trials: [],
    ...more,
  };
}

const customer = () => ({
  body: `{"code":1,"api_call_id":"CALL0000000000000001","api_call_unix":1,"id":"${CUSTOMER}","live_mode":false,"balance":10.00,"big":12345678901234567890}`,
});

function routes(item: object) {
  return {
    'GET /subscriptions/:id': ok({ ...item }),
    'GET /customers/:id': customer,
    'GET /subscription_renewals/:id': ({ params }: { params: Record<string, string> }) =>
      ok({ id: params.id, live_mode: false }),
  };
}

it('adds what the item names under related, without touching a digit', async () => {
  const { service, home } = await pair({ routes: routes(subscription(3)) });
  const ran = await home.run(['subscriptions', 'get', A, '--with', 'customer,renewals,trials', '-o', 'json']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toContain('"balance":10.00,"big":12345678901234567890');
  const item = json<{ id: string; related: Record<string, { id: string }[] | { id: string }> }>(ran);
  expect(item.id).toBe(A);
  expect(Object.keys(item.related)).toEqual(['customer', 'renewals', 'trials']);
  expect(item.related.customer).toMatchObject({ id: CUSTOMER });
  expect((item.related.renewals as { id: string }[]).map(({ id }) => id)).toEqual([0, 1, 2].map(renewal));
  expect(item.related.trials).toEqual([]);
  expect(service.requests).toHaveLength(5);
});

it('takes dashes, underscores, family names and repeated options, and reads each item once', async () => {
  const { service, home } = await pair({ routes: routes(subscription(1)) });
  const line = ['subscriptions', 'get', A, '--with', 'Customers', '--with', 'subscription-renewals, customer'];
  expect(Object.keys(json<{ related: object }>(await home.run(line)).related)).toEqual(['customer', 'renewals']);
  expect(service.requests).toHaveLength(3);
});

it('reads at most 20 items of a relation, the newest if the item shows which, and says so', async () => {
  const last = renewal(49);
  const { service, home } = await pair({ routes: routes(subscription(50, { billing: { last_renewal_id: last } })) });
  const ran = await home.run(['subscriptions', 'get', A, '--with', 'renewals']);
  const ids = json<{ related: { renewals: { id: string }[] } }>(ran).related.renewals.map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: 20 }, (_, at) => renewal(30 + at)));
  expect(ran.stderr).toContain('the last 20 of 50');
  expect(ran.code).toBe(0);
  expect(service.requests).toHaveLength(21);
});

it.each(['foo', 'customer,foo', ''])(
  '--with "%s" is a usage error that lists what there is, and sends nothing',
  async (words) => {
    const { service, home } = await pair({ routes: routes(subscription(1)) });
    const ran = await home.run(['subscriptions', 'get', A, '--with', words, '-o', 'json']);
    expect(ran.code).toBe(2);
    expect(errorOf(ran).hint).toContain('customer, product, renewals');
    expect(service.requests).toHaveLength(0);
  },
);

it('is no option of families that name nothing, nor goes with --raw', async () => {
  const { service, home } = await pair({ routes: routes(subscription(1)) });
  for (const line of [
    ['campaigns', 'get', A, '--with', 'customer'],
    ['subscriptions', 'get', A, '--with', 'customer', '--raw'],
    ['subscriptions', 'get', A, renewal(1), '--with', 'customer', '-o', 'ids'],
    ['subscriptions', 'get', A, renewal(1), '--with', 'customer', '-o', 'csv'],
  ]) {
    expect((await home.run(line)).code, line.join(' ')).toBe(2);
  }
  expect(service.requests).toHaveLength(0);
});

it('several ids get each their own', async () => {
  const { home } = await pair({ routes: routes(subscription(1)) });
  const ran = await home.run(['subscriptions', 'get', A, A, '--with', 'customer', '-o', 'json']);
  expect(json<{ related: { customer: { id: string } } }[]>(ran).map((item) => item.related.customer.id)).toEqual([
    CUSTOMER,
    CUSTOMER,
  ]);
  const csv = ['subscriptions', 'get', A, A, '--with', 'customer', '-o', 'csv', '--columns', 'id,related.customer.id'];
  expect((await home.run(csv)).stdout).toBe(`id,related.customer.id\n${`${A},${CUSTOMER}\n`.repeat(2)}`);
});

it('reports one that cannot be read, with exit code 10', async () => {
  const { home } = await pair({
    routes: {
      ...routes(subscription(2)),
      'GET /subscription_renewals/:id': notFound(),
      'GET /customers/:id': refusal(403, 'E0002', 'No'),
    },
  });
  const ran = await home.run(['subscriptions', 'get', A, '--with', 'customer,renewals', '-o', 'json']);
  expect(ran.code).toBe(10);
  expect(json<{ related: object }>(ran).related).toEqual({ customer: null, renewals: [] });
  expect(ran.stderr).toContain(renewal(1));
  const shown = await home.run(['subscriptions', 'get', A, '--with', 'customer,renewals', '-o', 'table']);
  expect(shown.code).toBe(10);
  expect(shown.stdout).toMatch(/RENEWALS\n2 could not be read/);
  expect(shown.stdout).toMatch(/CUSTOMER\n1 could not be read/);
});

it('a related item that contradicts the mode stops it before anything is printed', async () => {
  const { home } = await pair({
    routes: { ...routes(subscription(0)), 'GET /customers/:id': ok({ id: CUSTOMER, live_mode: true }) },
  });
  const ran = await home.run(['subscriptions', 'get', A, '--with', 'customer', '-o', 'json']);
  expect(ran).toMatchObject({ code: 12, stdout: '' });
});

it('help lists the relations and completion offers them', async () => {
  const { home } = await pair();
  expect((await home.run(['subscriptions', 'get', '--help'])).stdout).toMatch(/--with .*\n?.*renewals/);
  const tab = await home.run(['__complete', 'bash', '5', 'cops', 'subscriptions', 'get', A, '--with', 'customer,ren']);
  expect(tab.stdout).toContain('renewals');
});

it('names the list that finds rows which the item itself does not name', async () => {
  const { service, home } = await pair(() => ok({ id: A, live_mode: false }));
  for (const [word, column] of [
    ['refunds', 'refunds.amount'],
    ['chargebacks', 'chargebacks.'],
    ['card', 'paid_card.last_4'],
  ] as const) {
    const ran = await home.run(['sales', 'get', A, '--with', word, '-o', 'json']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    const { hint } = errorOf(ran);
    expect(hint, word).toContain(`cops sales list --all-time --where id=${A} --columns `);
    expect(hint, word).toContain(column);
  }
  expect(service.requests).toEqual([]);
});

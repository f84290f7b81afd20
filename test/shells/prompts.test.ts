/** @module-tag tool */
/** Questions on a real terminal: what they show, and what each answer does (command-line.md#keys-and-modes, command-line.md#writes). */
import { expect, it } from 'vitest';
import { A, home, pair, service } from '../cli/helpers.js';
import { listHandler, ok, wrote } from '../fixtures/service/service.js';
import { describeWith, onTerminal, plain } from './tools.js';

const S = 'SUBSCRIPTION00000001';
const P = 'PRODUCTSALE000000001';
const C = 'CUSTOMER000000000001';

const SUBSCRIPTION = {
  id: S,
  live_mode: true,
  status: 'active',
  amount: 19.9,
  currency: 'USD',
  iso_currency: 'USD',
  next_renewal_date_unix: 1_800_000_000,
  next_date_unix: 1_800_000_000,
  customer: { id: C, name: 'Jane Miller', email: 'jane@example.com' },
  customer_id: C,
};
const SALE = {
  id: P,
  live_mode: true,
  amount: 50,
  price: 50,
  amount_refunded: 12.5,
  currency: 'EUR',
  iso_currency: 'EUR',
  customer: { id: C, name: 'Jane Miller', email: 'jane@example.com' },
  customer_id: C,
};

function live() {
  return pair((request) => {
    if (request.method === 'POST') return wrote('subscription', S);
    return ok(request.path.startsWith('/subscriptions') ? SUBSCRIPTION : SALE);
  }, 'live');
}

const posts = (at: { requests: readonly { method: string }[] }) =>
  at.requests.filter(({ method }) => method === 'POST').length;

describeWith('expect', 'questions on a terminal', () => {
  it('a live cancellation shows mode, operation and item, and runs when the id is typed', async () => {
    const { service: at, home: made } = await live();
    const ran = await onTerminal(['subscriptions', 'cancel', S], [[`Type ${S}`, `${S}\\r`]], { env: made.env });
    expect(ran.code, ran.screen).toBe(0);
    expect(posts(at)).toBe(1);
    const screen = plain(ran.screen);
    for (const part of [/live/i, /subscriptions cancel/, new RegExp(S), /Jane Miller|jane@example\.com|CUSTOMER0/]) {
      expect(screen).toMatch(part);
    }
    expect(screen).toMatch(/suspend/);
    expect(screen).toMatch(/2027/);
  });

  it('a wrong id ends with 12 and sends nothing', async () => {
    const { service: at, home: made } = await live();
    for (const typed of ['yes', S.toLowerCase(), '', 'SUBSCRIPTION00000002']) {
      const ran = await onTerminal(['subscriptions', 'cancel', S], [[`Type ${S}`, `${typed}\\r`]], { env: made.env });
      expect(ran.code, ran.screen).toBe(12);
    }
    expect(posts(at)).toBe(0);
  });

  it('a live refund shows amount, currency, what is refunded and left, and the customer', async () => {
    const { service: at, home: made } = await live();
    const line = ['product-sales', 'refund', P, '--amount', '10'];
    const ran = await onTerminal(line, [['Go ahead?', 'y\\r']], { env: made.env });
    expect(ran.code, ran.screen).toBe(0);
    expect(posts(at)).toBe(1);
    for (const part of ['10', '50', 'EUR', '12.5', '37.5']) expect(plain(ran.screen)).toContain(part);
    expect(plain(ran.screen)).toMatch(/Jane Miller|jane@example\.com|CUSTOMER0/);
  });

  it.each(['n\\r', 'yse\\r', '\\r', '\\004'])('the answer %j to a refund sends nothing', async (key) => {
    const { service: at, home: made } = await live();
    const ran = await onTerminal(['product-sales', 'refund', P], [['Go ahead?', key]], { env: made.env });
    expect(ran.code, ran.screen).toBe(12);
    expect(posts(at)).toBe(0);
  });

  it.each(['xterm', 'dumb'])('Ctrl-C in the question ends with 130 and sends nothing (TERM=%s)', async (TERM) => {
    const { service: at, home: made } = await live();
    const ran = await onTerminal(['subscriptions', 'cancel', S], [[`Type ${S}`, '\\003']], {
      env: { ...made.env, TERM },
    });
    expect(ran.code, ran.screen).toBe(130);
    expect(posts(at)).toBe(0);
  });

  it('asks on a dumb terminal without moving the cursor or colouring', async () => {
    const { service: at, home: made } = await live();
    const ran = await onTerminal(['subscriptions', 'cancel', S], [[`Type ${S}`, `${S}\\r`]], {
      env: { ...made.env, TERM: 'dumb' },
    });
    expect(ran.code, ran.screen).toBe(0);
    expect(ran.screen).not.toContain('\u001b');
    expect(posts(at)).toBe(1);
  });

  it('asks on a terminal of 40 columns', async () => {
    const { service: at, home: made } = await live();
    const ran = await onTerminal(['product-sales', 'refund', P], [['Go ahead?', 'y\\r']], {
      env: made.env,
      columns: 40,
    });
    expect(ran.code, ran.screen).toBe(0);
    expect(posts(at)).toBe(1);
  });

  it('still shows the question with -q', async () => {
    const { home: made } = await live();
    const ran = await onTerminal(['-q', 'subscriptions', 'cancel', S], [[`Type ${S}`, 'no\\r']], { env: made.env });
    expect(ran.code).toBe(12);
    expect(plain(ran.screen)).toMatch(/live/i);
  });

  it('does not ask with --no-input, in a CI run, or with --yes', async () => {
    const { service: at, home: made } = await live();
    expect((await onTerminal(['subscriptions', 'cancel', S, '--no-input'], [], { env: made.env })).code).toBe(12);
    expect((await onTerminal(['subscriptions', 'cancel', S], [], { env: { ...made.env, CI: 'true' } })).code).toBe(12);
    expect(posts(at)).toBe(0);
    expect((await onTerminal(['subscriptions', 'cancel', S, '--yes'], [], { env: made.env })).code).toBe(0);
    expect(posts(at)).toBe(1);
  });

  it('keeps control characters of an item away from the terminal that shows the question', async () => {
    const evil = {
      ...SUBSCRIPTION,
      customer: { id: C, name: 'x\u001b]0;owned\u0007\u001b[2J', email: 'a\u009b2J@b.example' },
    };
    const { home: made } = await pair(() => ok(evil), 'live');
    const ran = await onTerminal(['subscriptions', 'cancel', S], [[`Type ${S}`, 'no\\r']], {
      env: { ...made.env, TERM: 'dumb' },
    });
    expect(ran.code).toBe(12);
    expect(ran.screen).not.toContain('\u001b');
    expect(ran.screen).not.toContain('\u0007');
  });

  it('a table is the default there, of 100 items at most', async () => {
    const list = Array.from({ length: 130 }, (_, n) => ({
      id: `ID${n}x`.padEnd(20, '0'),
      name: `Campaign ${n}`,
      live_mode: false,
    }));
    const { home: made } = await pair({ routes: { 'GET /campaigns': listHandler({ items: list, dated: false }) } });
    const ran = await onTerminal(['campaigns', 'list', '--no-pager'], [], { env: made.env });
    expect(ran.code).toBe(0);
    expect(plain(ran.screen).match(/Campaign \d+/g)).toHaveLength(100);
    expect(plain(ran.screen)).toContain('100 of 130');
  });

  it('a terminal that does not tell its width counts as one of 80 columns', async () => {
    const list = [{ id: A, name: 'Spring', live_mode: false }];
    const { home: made } = await pair({ routes: { 'GET /campaigns': listHandler({ items: list, dated: false }) } });
    const ran = await onTerminal(['campaigns', 'list'], [], { env: made.env, columns: 0 });
    expect(plain(ran.screen)).toMatch(/^ID +NAME/m);
    expect(plain(ran.screen)).toContain(`${A}  Spring`);
  });

  it('login asks for what is missing and shows no key', async () => {
    const at = await service({
      handler: () => ok({ results: [], total_count: 0, total_pages: 0, current_count: 0, current_page: 1 }),
    });
    const made = home();
    const key = 'typed_test_key_000001';
    const ran = await onTerminal(
      ['login', 'shop', '--base-url', at.baseUrl],
      [
        ['est key', `${key}\\r`],
        ['ive key', '\\r'],
      ],
      { env: made.env },
    );
    expect(ran.screen).not.toContain(key);
    expect(ran.code, ran.screen).toBe(0);
    expect(at.requests.some(({ headers }) => headers['x-api-key'] === key)).toBe(true);
    expect((await made.run(['profiles', 'list', '-o', 'json'])).stdout).not.toContain(key);
  });

  it('a deletion shows what the item is, though nothing is listed for its question', async () => {
    const group = { id: P, live_mode: true, name: 'Friends\u001b[31m', description: 'Of the house', enabled: true };
    const { service: at, home: made } = await pair(() => ok(group), 'live');
    const ran = await onTerminal(['customer-groups', 'delete', P], [[`Type ${P}`, 'no\\r']], { env: made.env });
    expect([ran.code, posts(at)], ran.screen).toEqual([12, 0]);
    expect(plain(ran.screen)).toMatch(/name: Friends[\s\S]*description: Of the house/);
    expect(ran.screen).not.toContain('Friends\u001b');
  });
});

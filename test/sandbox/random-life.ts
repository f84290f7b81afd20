import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Books } from '../../src/data/scenarios/books.js';
import { resetStore, writeAnswers } from '../../src/sandbox/serve/index.js';
import { createService } from '../../src/sandbox/serve/service.js';
import { ItemStore } from '../../src/sandbox/store/item-store.js';
import { bodyBytes } from '../../src/sandbox/store/prebuilt-json.js';
import type { Recorded } from '../fixtures/service/service.js';
import { closeAfterTest } from '../harness/closing.js';
import { KeptBooks } from './conservation.js';

/*
 * A sandbox with a clock of its own in which people do things at random: sell, refund, cancel, edit, with cards that fail
 * and gateways that are switched off.
 */

const DAY = 86_400;
export const KEY = 'sandbox-key-no-secret-0000000001-test';
const CARDS = [
  ...['4111111111111111', '5555555555554444', '4111111111111111', '5555555555554444'],
  ...['4000000000000002', '4000000000000119', '4000000000003220', '4100000000000019', '1234567890123'],
  ...['4000000000000341', '4000000000000341', '4000000000000127'],
];

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Json = any;

/** A small seeded generator: the same choices for the same seed. */
export class Dice {
  constructor(private state: number) {}

  next(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.state / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

export class World {
  now = Date.UTC(2026, 0, 31, 10) / 1000;
  readonly #dice: Dice;

  private constructor(
    readonly opened: Awaited<ReturnType<typeof resetStore>>,
    readonly service: ReturnType<typeof createService>,
    seed: number,
  ) {
    this.#dice = new Dice(seed);
  }

  static async make(seed: number): Promise<World> {
    const dataDir = mkdtempSync(join(tmpdir(), 'books-'));
    let world: World | undefined;
    const clock = () => (world?.now ?? Date.UTC(2026, 0, 31, 10) / 1000) * 1000;
    const opened = await resetStore({ dataDir, now: clock, seed, renewals: 40 });
    const { store, moment, isReady } = opened;
    const service = createService({ store, moment, isReady });
    world = new World(opened, service, seed);
    closeAfterTest({
      close: async () => {
        await service.close();
        opened.database.close();
        rmSync(dataDir, { recursive: true, force: true });
      },
    });
    return world;
  }

  async send(method: string, path: string, body?: Json): Promise<{ status: number; body: Json }> {
    const [pathname = '', search = ''] = path.split('?');
    const query = [...new URLSearchParams(search)] as [string, string][];
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await this.service.handle({ method, path: pathname, query, key: KEY, body: text });
    return { status: answer.status, body: JSON.parse(bodyBytes(answer.body).toString('utf8')) };
  }

  /** Answers what a program asks of this service over a network. */
  readonly serve = async ({ method, path, query, body }: Recorded) => {
    const request = { method, path, query: [...query] as [string, string][], key: KEY, body: body || undefined };
    const answer = await this.service.handle(request);
    return { status: answer.status, body: bodyBytes(answer.body).toString('utf8') };
  };

  /** Automations that run all the while: a function on many events, mail, an assistant that writes notes and memos. */
  async enliven(): Promise<void> {
    const made = await this.post('/functions', { name: 'Watcher' });
    const watcher = await this.post(`/functions/${made.body.function_id}`, {
      event_source: 'account_event',
      account_event_notations: ['sale.created', 'subscription.updated', 'pending_refund.created', 'trial.updated'],
      function_code: 'console.log(event.item_id); callback(event.item ? null : "gone", event.notation);',
    });
    const integration = this.books()
      .all('user_third_party_integrations')
      .find((one) => (one.site_third_party_integration as { integration_type: string }).integration_type === 'ai');
    const event = { notation: 'transaction.created', delay: { time_value: 1, time_unit: 'minutes' } };
    const assistant = await this.post('/ai_assistants', {
      name: 'Writer',
      settings: { trigger_settings: { trigger: 'account_event', account_event: event } },
      third_party_integration: integration?.id,
      flow: FLOW,
    });
    writeAnswers(this.opened.database, [
      {
        assistant: 'Writer',
        actions: [
          { path: '/notes', body: { item_type: 'customer', item_id: '{{customer.id}}', text: 'Paid {{item.result}}' } },
          { path: '/metadata', body: { item_type: 'customer', item_id: '{{customer.id}}', metadata: [PAIR] } },
          { path: '/ai_memos', body: { ai_thread_id: '{{thread_id}}', subject: 'Paid', message: '{{item.id}}' } },
        ],
      },
    ]);
    expect([watcher.status, assistant.status]).toEqual([200, 200]);
  }

  post(path: string, body: Json = {}): Promise<{ status: number; body: Json }> {
    return this.send('POST', path, body);
  }

  books(): Books {
    return new Books(this.opened.store, false);
  }

  /** Everything, read once; `refresh` brings it up to date at the cost of what was written. */
  keptBooks(): KeptBooks {
    return new KeptBooks(this.opened.store, false);
  }

  /** One random operation, described for the report of a failure; with `jumps` time passes before some of them. */
  async step(books: Books, jumps = true): Promise<string> {
    const dice = this.#dice;
    const [name, work] = dice.pick(STEPS);
    if (jumps && dice.below(12) === 0) this.now += dice.pick([60, 3 * 3600, DAY, 3 * DAY, 9 * DAY, 32 * DAY, 95 * DAY]);
    const request = work(books, dice);
    if (!request) return `${name}: nothing to do`;
    const [path, body] = request;
    const twice = dice.below(10) === 0 ? { idempotency_key: `key-${dice.below(1e9)}-${dice.below(1e9)}` } : {};
    const mend = dice.below(12) === 0 ? breakWrites(this.opened.store, dice.below(20)) : undefined;
    const answer = await this.post(path, { ...body, ...twice })
      // Nor can the call itself be recorded then: there is no answer.
      .catch((error: Error) => {
        if (!mend) throw error;
        return { status: 500, body: {} };
      })
      .finally(() => mend?.());
    if (answer.status === 500 && mend) return `${name} ${path} -> broken`;
    expect([200, 400, 402, 404], `${name} ${path} ${JSON.stringify(answer.body)}`).toContain(answer.status);
    if ('idempotency_key' in twice)
      expect((await this.post(path, { ...body, ...twice })).body.error_code).toBe('E0583');
    return `${name} ${path} ${JSON.stringify(body)} -> ${answer.status}`;
  }
}

/** Lets the writes fail after so many of them, as a full disk does; gives what mends them. */
function breakWrites(store: ItemStore, after: number): () => void {
  let left = after;
  const failing = <A extends unknown[], R>(work: (...words: A) => R) =>
    function (this: ItemStore, ...words: A): R {
      if (left-- <= 0) throw new Error('database or disk is full');
      return work.apply(this, words);
    };
  store.insert = failing(ItemStore.prototype.insert);
  store.update = failing(ItemStore.prototype.update);
  return () => Object.assign(store, { insert: ItemStore.prototype.insert, update: ItemStore.prototype.update });
}

const PAIR = { name: 'seen', value: 'yes' };
const FLOW = [
  {
    id: 'start',
    type: 'start_thread',
    outputs: { output_1: { connections: [{ node: 'look', output: 'input_1' }] } },
  },
  {
    id: 'look',
    type: 'action_step',
    node_settings: { step_message: 'Look at the payment.' },
    inputs: { input_1: { connections: [{ node: 'start', input: 'output_1' }] } },
  },
];

type Request = readonly [path: string, body: Json] | undefined;
type Step = (books: Books, dice: Dice) => Request;

const one = (books: Books, dice: Dice, family: string, fits: (item: Json) => boolean = () => true): Json => {
  // The newest are preferred: that is where things happen.
  const items = books.all(family).filter(fits).slice(-12);
  return items.length === 0 ? undefined : dice.pick(items);
};
const act = (family: string, action: string, body: (dice: Dice) => Json = () => ({})): Step => {
  return (books, dice) => {
    const item = one(books, dice, family);
    return item && [`/${family}/${item.id}/${action}`, body(dice)];
  };
};
const part = (dice: Dice) => (dice.below(3) === 0 ? {} : { amount: dice.below(3000) / 100 });
const card = (dice: Dice) => ({ card_number: dice.pick(CARDS), exp_month: 1, exp_year: 30, card_code: '123' });

function order(books: Books, dice: Dice): Json {
  const products = books.all('products').filter((item) => item.enabled !== false);
  const lines = Array.from({ length: 1 + dice.below(4) }, () => ({
    id: dice.pick(products).id,
    quantity: 1 + dice.below(3),
    ...(dice.below(3) === 0 ? { price: dice.below(5000) / 100 } : {}),
  }));
  const known = one(books, dice, 'customers');
  const buyer =
    dice.below(2) === 0
      ? { customer_id: known.id }
      : { customer: { first_name: 'A', last_name: 'B', email: `b${dice.below(40)}@example.com`, country: 'USA' } };
  const coupon = one(books, dice, 'coupons');
  return {
    campaign: one(books, dice, 'campaigns').id,
    payment_profile: one(books, dice, 'payment_profiles').id,
    iso_currency: dice.pick(['USD', 'EUR']),
    products: lines,
    ...buyer,
    ...(dice.below(3) === 0 ? { discount_amount: dice.below(2500) / 100 } : {}),
    ...(dice.below(4) === 0 && coupon ? { coupon_code: coupon.coupon_code } : {}),
    ...(dice.below(3) === 0 ? { tax_amount: dice.below(500) / 100 } : {}),
    ...(dice.below(4) === 0 ? { shipping_amount: dice.below(900) / 100 } : {}),
  };
}

const STEPS: readonly (readonly [string, Step])[] = [
  ['sell', (books, dice) => ['/sales', { ...order(books, dice), credit_card: card(dice) }]],
  ['sell again', (books, dice) => ['/sales', { ...order(books, dice), credit_card: card(dice) }]],
  [
    'sell otherwise',
    (books, dice) => {
      const word = dice.pick(['wallet', 'check_direct', 'offline_payment']);
      const wallet = word === 'wallet' ? { wallet_transaction_id: `W-${dice.below(1e9)}` } : {};
      return ['/sales', { ...order(books, dice), payment_type: word, ...wallet }];
    },
  ],
  ['keep', (books, dice) => ['/sales/pending', { ...order(books, dice), credit_card: card(dice) }]],
  ['invoice', (books, dice) => ['/invoices', order(books, dice)]],
  [
    'process',
    (books, dice) => {
      const sale = one(books, dice, 'sales', (item) => item.status === 'pending');
      const profile = one(books, dice, 'payment_profiles').id;
      return sale && [`/sales/pending/${sale.id}/process`, { payment_profile: profile, credit_card: card(dice) }];
    },
  ],
  ['void', act('sales', 'void')],
  ['refund a line', act('product_sales', 'refund', part)],
  ['refund shipping', act('shipping', 'refund', part)],
  ['refund tax', act('tax', 'refund', part)],
  ['refund a renewal', act('subscription_renewals', 'refund', part)],
  [
    'refund a charge',
    act('transactions', 'refund', (dice) => ({ ...part(dice), refunded_offsite: dice.below(2) > 0 })),
  ],
  ['renew', act('subscriptions', 'renew')],
  ['suspend', act('subscriptions', 'suspend')],
  ['activate', act('subscriptions', 'activate')],
  ['cancel', act('subscriptions', 'cancel')],
  ['expire', act('trials', 'expire')],
  ['cancel a trial', act('trials', 'cancel')],
  ['extend', act('trials', 'extend', (dice) => ({ days: 1 + dice.below(20) }))],
  ['shorten', act('trials', 'shorten', (dice) => ({ days: 1 + dice.below(20) }))],
  [
    'salvage',
    act('salvage_transactions', 'process', (dice) => (dice.below(2) ? { payment: { credit_card: card(dice) } } : {})),
  ],
  ['give up', act('salvage_transactions', 'disable')],
  [
    'put coupons on',
    (books, dice) => {
      const item = one(books, dice, 'subscriptions');
      const coupon = one(books, dice, 'coupons');
      return item && [`/subscriptions/${item.id}`, { coupon: [coupon.id], amount: dice.below(4000) / 100 }];
    },
  ],
  [
    'make a coupon',
    (_books, dice) => {
      const type = dice.pick(['percent', 'amount']);
      const body = { discount_type: type, discount_value: dice.below(100), max_uses: dice.below(4) };
      return ['/coupons', { coupon_code: `C${dice.below(1e6)}`, ...body }];
    },
  ],
  [
    'switch a gateway',
    (books, dice) => {
      const item = one(books, dice, 'user_gateways');
      return [`/user_gateways/${item.id}`, { enabled: dice.below(3) > 0 }];
    },
  ],
  [
    'tax',
    (books, dice) => {
      const type = one(books, dice, 'user_third_party_integrations', (item) => item.name === 'Tax service');
      const body = { name: `T${dice.below(1e6)}`, third_party_integration: type.id, enabled: dice.below(2) > 0 };
      return ['/tax_profiles', body];
    },
  ],
  [
    'report fraud',
    (books, dice) => {
      const sale = one(books, dice, 'sales');
      return ['/fraud_detections', { source_id: sale.id, void_sale: dice.below(2) > 0 }];
    },
  ],
  ['bring a customer back', act('customers', 'enable')],
  [
    'change a profile',
    (books, dice) => {
      const item = one(books, dice, 'subscription_profiles');
      const prefer = { enabled: dice.below(2) > 0, lock_gateway: dice.below(2) > 0, max: dice.below(3) };
      return [`/subscription_profiles/${item.id}`, { prefer_gateway: prefer, overdue_limit: dice.below(4) }];
    },
  ],
];

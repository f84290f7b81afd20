import { afterAll, beforeAll, expect, it } from 'vitest';
import { Embedded } from './embedded.js';
import type { Json } from './service.js';

/*
 * Someone who runs a business on the sandbox and knows nothing of it but the published API: sells, renews, refunds.
 * The books are checked after every write (`Embedded`).
 */

export const GOOD = '4111111111111111';
export const DECLINED = '4000000000000002';

const DAY = 86_400;

export class Merchant {
  #count = 0;

  private constructor(readonly service: Embedded) {}

  static async open(moment: string): Promise<Merchant> {
    return new Merchant(await Embedded.start(moment));
  }

  close(): void {
    this.service.stop();
  }

  get now(): number {
    return this.service.now;
  }

  get(path: string): Promise<Json> {
    return this.service.get(path);
  }

  post(path: string, body: Json = {}) {
    return this.service.post(path, body);
  }

  /** The status of a write's answer, and with it the code of its body. */
  async says(path: string, body: Json = {}): Promise<string> {
    const answer = await this.post(path, body);
    return answer.status === 200 ? '200' : `${answer.status} code ${answer.body.code ?? '-'}`;
  }

  /** A write that is taken; its answer. */
  async done(path: string, body: Json = {}): Promise<Json> {
    const answer = await this.post(path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** The status of the answer to `GET /path` or `POST /path`. */
  async status(request: string, body?: Json | string, key?: string): Promise<number> {
    const [method = '', path = ''] = request.split(' ');
    return (await this.service.send(method, path, body ?? (method === 'POST' ? {} : undefined), key)).status;
  }

  /** The first item of a list that takes no dates. */
  async first(path: string): Promise<Json> {
    return (await this.get(`${path}?limit=25&page=1`)).results[0];
  }

  /** Makes something; its id. */
  async made(path: string, body: Json): Promise<string> {
    const answer = await this.done(path, body);
    const name = Object.keys(answer).find((one) => one.endsWith('_id') && one !== 'api_call_id');
    return answer[name as string];
  }

  /** Lets so many days pass; what falls due happens. */
  async pass(days: number): Promise<void> {
    await this.service.at(new Date((this.now + days * DAY) * 1000).toISOString());
  }

  all(family: string): Json[] {
    return this.service.all(family);
  }

  name(): string {
    this.#count++;
    return `N${this.#count}`;
  }

  card(card_number = GOOD): Json {
    return { card_number, exp_month: 1, exp_year: 60, card_code: '123' };
  }

  product(more: Json = {}): Promise<string> {
    return this.made('/products', { name: this.name(), price: 10, ...more });
  }

  profile(more: Json = {}): Promise<string> {
    const monthly = { frequency: 'unit', frequency_unit: { unit: 'months', value: 1 } };
    return this.made('/subscription_profiles', { name: this.name(), ...monthly, ...more });
  }

  order(products: Json[], more: Json = {}): Json {
    return {
      campaign: this.all('campaigns')[0]?.id,
      payment_profile: this.all('payment_profiles')[0]?.id,
      credit_card: this.card(),
      customer: { first_name: 'A', last_name: 'B', email: `${this.name()}@example.com`, country: 'USA' },
      products,
      ...more,
    };
  }

  /** A sale that is paid: two of a product of 10.00 where nothing else is said. */
  async sold(more: Json = {}, products?: Json[]): Promise<Json> {
    const lines = products ?? [{ id: await this.product(), quantity: 2 }];
    return this.get(`/sales/${(await this.done('/sales', this.order(lines, more))).sale_id}`);
  }

  /** A subscription of 20.00 a month where nothing else is said, bought for 10.00. */
  async subscribed(profile: Json = {}, more: Json = {}, product: Json = {}): Promise<string> {
    const subscription_profile = await this.profile(profile);
    const id = await this.product({ price_subscription: 20, subscription_profile, ...product });
    return (await this.sold(more, [{ id }])).subscriptions[0];
  }

  subscription(id: string): Promise<Json> {
    return this.get(`/subscriptions/${id}`);
  }

  async renewed(id: string): Promise<Json> {
    const { subscription_renewal_id } = await this.done(`/subscriptions/${id}/renew`);
    return this.get(`/subscription_renewals/${subscription_renewal_id}`);
  }

  /** From now on the customer of a subscription pays with this card. */
  async payWith(subscription: string, number: string): Promise<void> {
    const { customer } = await this.subscription(subscription);
    const path = `/customers/${customer.id}/payment_methods`;
    const { customer_card_id } = await this.done(path, { payment: { credit_card: this.card(number) } });
    await this.done(`${path}/${customer_card_id}/set_default`);
  }

  /** A trial of 14 days that costs 30.00 in the end, with a monthly subscription of 20.00 after it. */
  async tried(product: Json = {}, more: Json = {}): Promise<{ sale: Json; trial: string; subscription: string }> {
    const subscription_profile = await this.profile();
    const trial = { trial_days: 14, price_trial: 30, price_subscription: 20, subscription_profile };
    const sale = await this.sold(more, [{ id: await this.product({ ...trial, ...product }) }]);
    return { sale, trial: sale.trials[0], subscription: sale.subscriptions[0] };
  }

  /** A shipping profile of rates, each a charge with its qualifiers. */
  async rates(rates: readonly (readonly [charge: number, qualifiers: Json])[]): Promise<string> {
    return this.made('/shipping_profiles', await this.ratesBody(rates));
  }

  async ratesBody(rates: readonly (readonly [charge: number, qualifiers: Json])[]): Promise<Json> {
    const [carrier] = (await this.get('/site_shipping_providers?limit=25&page=1')).results;
    const none = { products: [], product_groups: [], countries: [], revenue_rules: [] };
    return {
      name: this.name(),
      rates: rates.map(([rate, qualifiers]) => ({
        rate,
        provider: carrier.id,
        provider_method: carrier.methods[0].id,
        qualifiers: { ...none, ...qualifiers },
      })),
    };
  }
}

/** The day of a moment, unix seconds. */
export function dayOf(unix: number): string {
  return new Date(unix * 1000).toISOString().slice(0, 10);
}

/** What is asked of the sandbox, what the published pages answer, and how it is found out. */
export type Question = readonly [question: string, answer: unknown, ask: (m: Merchant) => Promise<unknown>];

/** Asks each question of a sandbox of its own, on the last day of a month. */
export function ask(questions: readonly Question[]): void {
  it.each(questions)('%s', async (_question, answer, find) => {
    const merchant = await Merchant.open('2026-01-31T10:00:00Z');
    try {
      expect(await find(merchant)).toEqual(answer);
    } finally {
      merchant.close();
    }
  });
}

/** Asks all questions of one sandbox: each leaves the others alone. */
export function askTogether(questions: readonly Question[], moment = '2026-01-31T10:00:00Z'): void {
  let merchant: Merchant;
  beforeAll(async () => {
    merchant = await Merchant.open(moment);
  });
  afterAll(() => merchant.close());
  it.each(questions)('%s', async (_question, answer, find) => {
    expect(await find(merchant)).toEqual(answer);
  });
}

export function pick(item: Json, ...names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, item[name]]));
}

/** An id that no item has. */
export const NONE = 'A'.repeat(20);
export const range = (m: Merchant, days = 90) =>
  `date_start=${m.now - days * 86_400}&date_end=${m.now}&limit=25&page=1`;
export const text = (length: number) => 'x'.repeat(length);

/** How a body is refused: as `NAMED` if its fault is named. */
export async function refused(m: Merchant, path: string, body: Json, place: string): Promise<unknown> {
  const { status, body: said } = await m.post(path, body);
  return [status, said.code, /^E\d{4}$/.test(String(said.error_code)), String(said.message).includes(place)];
}
export const NAMED = [400, 0, true, true];

export function customer(m: Merchant, more: Json = {}, person: Json = {}): Json {
  const own = { first_name: 'A', last_name: 'B', email: `${m.name()}@example.com`, ...person };
  return { campaign: m.all('campaigns')[0]?.id, customer: own, ...more };
}

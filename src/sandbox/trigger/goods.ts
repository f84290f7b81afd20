import { routeBy } from '../rules/routing.js';
import type { Stored } from '../store/item-store.js';
import { objectUnder, type Value } from '../store/item-values.js';
import { CARDS, type Tools } from './trigger-tools.js';

/** Finds or makes the items that a recipe acts on. */
export type Subject = (tools: Tools) => Promise<Stored>;

const PLAIN: Value = { price: 20, enabled: true, is_shippable: false };

const isSoldOnce = (one: Value) => !one.subscription_profile && !one.trial_days;

/** A product with a new profile, so that its subscriptions are as the recipe needs them. */
const subscribed = (terms: Value) => ({
  fits: () => false,
  make: async (tools: Tools) => ({
    ...PLAIN,
    price_subscription: 15,
    subscription_profile: await profile(tools, terms),
  }),
});

/** Products that a recipe needs: how to recognise one, and how to make one if there is none. */
const GOODS = {
  plain: {
    fits: (one: Value) => !one.is_shippable && isSoldOnce(one),
    make: async () => PLAIN,
  },
  sent: {
    fits: (one: Value) => one.is_shippable === true && hasAccount(one) && isSoldOnce(one),
    make: async (tools: Tools) => ({
      ...PLAIN,
      is_shippable: true,
      shipping_attributes: { fulfillment_account: tools.find('fulfillment_accounts')?.id ?? '' },
    }),
  },
  shelved: {
    fits: (one: Value) => one.is_shippable === true && !hasAccount(one) && isSoldOnce(one),
    make: async () => ({ ...PLAIN, is_shippable: true }),
  },
  subscription: subscribed({ overdue_limit: 3 }),
  limited: subscribed({ occurrences: 'specific', occurrences_value: 1 }),
  trial: {
    fits: (one: Value) =>
      Number(one.trial_days) > 0 && Number(one.price_trial) > 0 && !one.subscription_profile && !one.is_shippable,
    make: async () => ({ ...PLAIN, trial_days: 14, price_trial: 10 }),
  },
} as const;

export type Good = keyof typeof GOODS;

function hasAccount(product: Value): boolean {
  return Boolean(objectUnder(product, 'shipping_attributes').fulfillment_account);
}

async function profile(tools: Tools, more: Value): Promise<string> {
  const frequency = { frequency: 'unit', frequency_unit: { unit: 'months', value: 1 } };
  const made = await tools.post('/subscription_profiles', { name: tools.word(), ...frequency, ...more });
  return String(made.subscription_profile_id);
}

/** A product of a kind: one already for sale, or a new one. */
async function product(tools: Tools, good: Good): Promise<string> {
  const { fits, make } = GOODS[good];
  const known = tools.find('products', (one) => one.enabled !== false && Number(one.price) > 0 && fits(one));
  if (known) return known.id;
  const made = await tools.post('/products', { name: tools.word(), ...(await make(tools)) });
  return String(made.product_id);
}

/** The buyer: the customer named on the command line, else a new one. */
function buyer(tools: Tools): Value {
  if (tools.item !== undefined) return { customer_id: tools.get('customers', tools.item).id };
  return {
    customer: {
      first_name: 'Jane',
      last_name: 'Doe',
      email: `${tools.word()}@example.com`,
      country: 'USA',
      city: 'Austin',
    },
  };
}

/** A card as bodies contain it. */
export function card(number: string): Value {
  return { card_number: number, exp_month: 12, exp_year: 35, card_code: '123' };
}

/** The body of a sale of one product by card. */
export async function orderBody(tools: Tools, good: Good = 'plain', more: Value = {}): Promise<Value> {
  const campaign = tools.find('campaigns')?.id;
  const isRouting = (one: Value) => one.enabled !== false && routeBy(tools.scene(), String(one.id)) !== undefined;
  return {
    campaign,
    payment_profile: tools.find('payment_profiles', isRouting)?.id,
    iso_currency: 'USD',
    tax_amount: 0,
    products: [{ id: await product(tools, good), quantity: 1 }],
    credit_card: card(CARDS.approved),
    ...buyer(tools),
    ...more,
  };
}

/** The same, paid by another means than a card. */
export async function orderBy(tools: Tools, word: string): Promise<Value> {
  const { credit_card: _card, ...body } = await orderBody(tools);
  const wallet = word === 'wallet' ? { wallet_transaction_id: tools.word() } : {};
  return { ...body, payment_type: word, ...wallet };
}

/** Sells one product by card and returns the sale. */
async function sell(tools: Tools, good: Good = 'plain', more: Value = {}): Promise<Stored> {
  const body = await orderBody(tools.alone(), good, more);
  return tools.get('sales', (await tools.post('/sales', body)).sale_id);
}

/** The first item of a family that a sale made. */
export async function part(tools: Tools, family: string, good: Good, more: Value = {}): Promise<Stored> {
  const sale = await sell(tools, good, more);
  return tools.get(family, (sale.value[family] as string[])[0]);
}

/** An item in one of these states that a sale made. */
export function inState(family: string, states: readonly string[], good: Good, what: string): Subject {
  const fits = ({ status }: Value) => states.includes(String(status));
  return (tools) => tools.subject(family, fits, () => part(tools, family, good), what);
}

/** A subscription whose card is declined from now on. */
export async function failing(tools: Tools): Promise<Stored> {
  const item = await inState('subscriptions', ['active', 'overdue'], 'subscription', 'can be renewed')(tools);
  await decline(tools, item);
  return item;
}

/** Makes the customer of an item pay with a card that is declined. */
export async function decline(tools: Tools, { value }: Stored): Promise<void> {
  const methods = `/customers/${String((value.customer as Value).id)}/payment_methods`;
  const added = await tools.post(methods, { payment: { credit_card: card(CARDS.declined) } });
  await tools.post(`${methods}/${String(added.customer_card_id)}/set_default`);
}

/** The salvage transaction of a declined renewal. */
export async function salvage(tools: Tools): Promise<Stored> {
  return tools.subject(
    'salvage_transactions',
    (one) => ['created', 'failed'].includes(String(one.status)),
    async () => {
      const item = await failing(tools.alone());
      await tools.post(`/subscriptions/${item.id}/renew`);
      const after = tools.get('subscriptions', item.id);
      return tools.get('salvage_transactions', (after.value.salvage_transactions as string[]).at(-1));
    },
    'can be processed',
  );
}

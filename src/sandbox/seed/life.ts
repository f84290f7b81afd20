import { DAY } from '../../base/time/units.js';
import {
  groundFields,
  type Links,
  moneyItem,
  type PurchaseFacts,
  paid,
  priceOf,
  productView,
  transaction,
} from '../rules/builders.js';
import { outcomeOfStored } from '../rules/cards.js';
import { type PaymentWord, paymentType } from '../rules/payment-types.js';
import type { Value } from '../store/item-values.js';
import { Chance } from '../store/prng.js';
import type { AccountData, SeedScene } from './seed-account.js';
import type { Person } from './seed-people.js';
import { list, type Made, seedSubscription, seedTrial } from './seed-recurring.js';

/** Sales tax in basis points for customers of the home country. */
const TAX_BASIS_POINTS = 825;
const SHIPPING_CENTS = 495;
const SOLD: Value = { status: 'paid', fraud_alert: false };

/**
 * Everything that one purchase makes: sale, line, shipment, tax, payment, trial, and subscription with its renewals.
 */
export function seedPurchase(
  scene: SeedScene,
  account: AccountData,
  person: Person,
  product: Value,
  at: number,
  made: Made,
  wanted: number,
): void {
  const { writer, chance, day } = scene;
  const { live } = account;
  const { customer, card } = person;
  const ground = purchaseGround(account, customer, chance.happens(0.7) ? account.shop : null);
  const trialDays = Number(product.trial_days);
  const quantity = product.subscription_profile || trialDays ? 1 : 1 + chance.int(3);
  const price = trialDays ? 0 : priceOf(product, 'price') * quantity;
  const ships = product.is_shippable === true && trialDays === 0;
  const shipping = ships ? SHIPPING_CENTS : 0;
  const taxed = customer.country === 'USA' && price > 0;
  const tax = taxed ? Math.round((price * TAX_BASIS_POINTS) / 10_000) : 0;
  const coupon = scene.isVaried && at % 3 === 0 ? 'FIVEOFF' : 'SAVE10';
  const off = coupon === 'FIVEOFF' ? 500 : Math.round(price / 10);
  const discount = price > 1000 && chance.happens(0.1) ? off : 0;
  const total = price + shipping + tax;
  const settled = day - at > 3 * DAY;
  const ids = {
    sale: chance.id(),
    line: chance.id(),
    transaction: total > 0 ? chance.id() : undefined,
    shipping: ships ? chance.id() : undefined,
    tax: taxed ? chance.id() : undefined,
    discount: discount > 0 ? chance.id() : undefined,
    trial: trialDays > 0 ? chance.id() : undefined,
    subscription: product.subscription_profile ? chance.id() : undefined,
  };
  const links = {
    sales: [ids.sale],
    product_sales: [ids.line],
    transactions: list(ids.transaction),
    shipping: list(ids.shipping),
    tax: list(ids.tax),
    discounts: list(ids.discount),
    trials: list(ids.trial),
    subscriptions: list(ids.subscription),
  };
  const fields = groundFields(ground);
  const filing = { customer: String(customer.id), part: writer.part(fields) };
  const add = (family: string, value: Value) => writer.add(family, live, value, filing);
  const line = productView(product, quantity, priceOf(product, 'price') / 100);
  const metadata = chance.happens(0.3) ? [{ name: 'channel', value: chance.pick(['web', 'phone', 'mail']) }] : [];
  const trialDue = trialDays > 0 ? priceOf(product, 'price_trial') : 0;
  const due = at + trialDays * DAY;
  const isCancelled = trialDays > 0 && chance.happens(0.15);
  const ended = due >= day ? 'active' : outcomeOfStored(card) === 'approved' ? 'paid' : 'failed';
  const trial = trialDays === 0 ? 'none' : isCancelled ? 'cancelled' : ended;
  // No event falls on the day of the reset, so that the same seed and day give the same data.
  const trialEnd = trial === 'active' ? Math.max(due, day + DAY + (due % DAY)) : due;
  const remaining = trial === 'active' || trial === 'failed' ? trialDue : 0;

  const sold: Sold = { scene, account, at, settled, links, add };
  const sale = moneyItem(ids.sale, at, { ...paid(total, settled, discount), remaining }, links, SOLD);
  sale.internal_id = `O-${++made.sold}`;
  sale.products = [line];
  sale.metadata = metadata;
  made.sales.push(ids.sale);
  add('sales', sale);
  const own = moneyItem(ids.line, at, paid(price, settled, discount), { ...links, product_sales: [] });
  own.product = line;
  own.status = 'paid';
  own.metadata = metadata;
  add('product_sales', own);
  if (ids.transaction) {
    const cents = total - discount;
    seedPayment(sold, { id: ids.transaction, cents, discount, ground, card });
    made.transactions.push({ id: ids.transaction, customer, at, cents, sale: ids.sale });
  }
  if (ids.shipping) seedShipment(sold, ids.shipping, [line]);
  if (ids.tax) {
    const own = moneyItem(ids.tax, at, paid(tax, settled), { ...links, tax: [] });
    own.tax_rate = 8.25;
    own.tax_profile = account.taxProfile;
    own.status = 'paid';
    add('tax', own);
  }
  if (ids.discount) {
    const own = moneyItem(ids.discount, at, paid(0, true), { ...links, discounts: [] });
    add('discounts', { ...own, amount: discount / 100, name: coupon, coupon_id: account.coupons[coupon] });
    made.coupons[coupon]++;
  }
  const purchase = { ids, person, product, line, ground, fields, filing, at, trial, trialEnd, trialDue } as const;
  if (ids.trial) seedTrial(scene, account, purchase, ids.trial);
  if (ids.subscription) seedSubscription(scene, account, purchase, ids.subscription, made, wanted);
}

/** What a person's purchase rests on. */
export function purchaseGround(
  account: AccountData,
  customer: Value,
  shop: PurchaseFacts['shop'],
  word: PaymentWord = 'credit_card',
): PurchaseFacts {
  return {
    live: account.live,
    campaign: { id: String(customer.campaign_id), name: String(customer.campaign_name) },
    currency: customer.country === 'GBR' ? 'GBP' : customer.country === 'CAN' ? 'CAD' : 'USD',
    customer,
    shop,
    paymentType: paymentType(word),
  };
}

/** One sale of two to five lines, in one payment and one shipment. */
export function seedOrder(scene: SeedScene, account: AccountData, person: Person, at: number, made: Made): void {
  const { writer, chance, day } = scene;
  const { live } = account;
  const { customer, card } = person;
  const ground = purchaseGround(account, customer, chance.happens(0.7) ? account.shop : null);
  const simple = account.products.filter((one) => !one.subscription_profile && !Number(one.trial_days));
  const lines = Array.from({ length: 2 + chance.int(4) }, () => {
    const product = chance.pick(simple);
    const quantity = 1 + chance.int(3);
    const cents = priceOf(product, 'price');
    return { id: chance.id(), cents: cents * quantity, product, view: productView(product, quantity, cents / 100) };
  });
  const goods = lines.filter(({ product }) => product.is_shippable === true).map(({ view }) => view);
  const settled = day - at > 3 * DAY;
  const [sale, payment] = [chance.id(), chance.id()];
  const shipping = goods.length > 0 ? chance.id() : undefined;
  const total = lines.reduce((sum, { cents }) => sum + cents, shipping ? SHIPPING_CENTS : 0);
  const links = {
    sales: [sale],
    product_sales: lines.map(({ id }) => id),
    transactions: [payment],
    shipping: list(shipping),
  };
  const filing = { customer: String(customer.id), part: writer.part(groundFields(ground)) };
  const add = (family: string, value: Value) => writer.add(family, live, value, filing);
  const order = moneyItem(sale, at, paid(total, settled), links, SOLD);
  add('sales', { ...order, internal_id: `O-${++made.sold}`, products: lines.map(({ view }) => view) });
  for (const { id, cents, view } of lines)
    add('product_sales', {
      ...moneyItem(id, at, paid(cents, settled), { ...links, product_sales: [] }),
      product: view,
      status: 'paid',
    });
  const sold: Sold = { scene, account, at, settled, links, add };
  seedPayment(sold, { id: payment, cents: total, ground, card });
  if (shipping) seedShipment(sold, shipping, goods);
}

/** What a payment and a shipment share with their sale. */
interface Sold {
  readonly scene: SeedScene;
  readonly account: AccountData;
  readonly at: number;
  readonly settled: boolean;
  readonly links: Links;
  add(family: string, value: Value): void;
}

/** An approved payment with a card; it settles later if it is young. */
function seedPayment(
  { scene, account, at, settled, links, add }: Sold,
  facts: Pick<Parameters<typeof transaction>[0], 'id' | 'cents' | 'discount' | 'ground' | 'card'>,
): void {
  const { own, fixed } = transaction({
    ...facts,
    at,
    result: 'approved',
    method: 'sale_create',
    gateway: account.gateway,
    settled,
    links: { ...links, transactions: [] },
  });
  add('transactions', Object.assign(own, fixed, { payment_profile: account.paymentProfile }));
  if (!settled) scene.writer.schedule('settle', facts.id, scene.day + DAY + (at % DAY));
}

function seedShipment({ scene, account, at, settled, links, add }: Sold, id: string, goods: readonly Value[]): void {
  const own = moneyItem(id, at, paid(SHIPPING_CENTS, settled), { ...links, shipping: [] });
  add('shipping', Object.assign(own, shipment(scene, account, at, goods, id)));
}

/** The state of a shipment by its age; in a varied account some are lost on the way. */
function shipment(scene: SeedScene, account: AccountData, at: number, goods: readonly Value[], id: string): Value {
  const age = scene.day - at;
  const fate = scene.isVaried ? new Chance(id).int(100) : 99;
  const late = fate === 0 ? 'error' : fate < 3 ? 'shipped' : 'delivered';
  const status = age > 8 * DAY ? late : age > 2 * DAY ? 'shipped' : 'notshipped';
  const carrier = scene.chance.pick(account.carriers);
  const method = ((carrier.methods as Value[])[0] as Value).name;
  const tracking = status === 'notshipped' ? '' : `1Z${scene.chance.int(1_000_000_000)}`;
  return {
    status,
    provider: { id: carrier.id, name: carrier.name },
    provider_method: method,
    tracking_number: tracking,
    provider_tracking: tracking,
    fulfillment_account: account.fulfillment,
    products: goods.map(({ id: product, name, quantity }) => ({ id: product, name, quantity })),
  };
}

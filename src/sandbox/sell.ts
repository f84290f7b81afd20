import {
  type Ground,
  groundFields,
  type Links,
  moneyItem,
  paid,
  priceOf,
  productView,
  profileView,
} from './builders.js';
import type { Scene } from './call.js';
import { cardView, outcomeOf } from './cards.js';
import { addCustomer } from './customers.js';
import { amounts, fromCents, type Ledger } from './money.js';
import type { Line, Order } from './orders.js';
import { type PaymentWord, paymentType } from './payment-types.js';
import { type Charge, charge, defaultCard } from './payments.js';
import { refer } from './references.js';
import { invalid } from './refusal.js';
import { nextRenewal } from './schedule.js';
import { ship, shippable } from './shipments.js';
import type { Stored } from './store.js';
import type { Value } from './text.js';

const DAY = 86_400;

/** Who buys: an existing customer by `customer_id`, else the one of that e-mail address, else a new one. */
export function findBuyer(scene: Scene, body: Value, order: Order): Stored {
  if (typeof body.customer_id === 'string') {
    const known = scene.store.get('customers', body.customer_id, scene.live);
    if (!known) throw invalid(`The customer ${body.customer_id} does not exist.`);
    return known;
  }
  const contact = body.customer as Value | undefined;
  if (!contact || typeof contact.email !== 'string')
    throw invalid('customer_id or customer with an email is required.');
  for (const one of scene.store.scan('customers', scene.live)) {
    if (String(one.value.email).toLowerCase() === contact.email.toLowerCase()) return one;
  }
  return addCustomer(scene, contact, order.campaign, {});
}

/** How an order is paid, checked as the published page tells. */
export interface Payment {
  readonly word: PaymentWord;
  readonly card?: Value;
  /** Number of a card that came with the request. */
  readonly number?: string;
  readonly walletTransaction?: string;
}

export function readPayment(scene: Scene, body: Value, buyer: Stored, keptNumber?: string): Payment {
  const word = (body.payment_type ?? 'credit_card') as PaymentWord;
  if (word === 'wallet') {
    if (typeof body.wallet_transaction_id !== 'string')
      throw invalid('payment_type wallet needs wallet_transaction_id.');
    return { word, walletTransaction: body.wallet_transaction_id };
  }
  if (word !== 'credit_card') return { word };
  if (typeof body.payment_profile === 'string') refer(scene, 'payment_profiles', body.payment_profile);
  else if (keptNumber === undefined) throw invalid('payment_type credit_card needs payment_profile.');
  const given = body.credit_card as Value | undefined;
  const number = given?.card_number ?? keptNumber;
  if (typeof number === 'string') {
    const known = scene.store
      .ofCustomer('customer_cards', buyer.id, scene.live)
      .find(({ value }) => value.first_6 === number.slice(0, 6) && value.last_4 === number.slice(-4));
    return { word, number, card: known?.value ?? addCard(scene, buyer.value, { ...given, card_number: number }) };
  }
  const stored = defaultCard(scene, buyer.id)?.value;
  if (!stored) throw invalid('credit_card is required: the customer has no card on file.');
  return { word, card: stored };
}

/** Files a card on a customer; only its first six and last four digits are kept. */
export function addCard(scene: Scene, customer: Value, card: Value): Value {
  const isFirst = defaultCard(scene, String(customer.id)) === undefined;
  const view = cardView(scene.newId(), scene.now, customer, card, isFirst);
  scene.store.insert('customer_cards', view, { live: scene.live, customer: String(customer.id) });
  return view;
}

export interface SaleResult {
  readonly saleId: string;
  readonly customerId: string;
  readonly charge?: Charge;
}

/**
 * Sells an order: charges what is due now and makes the sale with its lines, shipment, tax, discount, trials and
 * subscriptions. A payment that fails leaves a failed sale (unless `existing` is a pending one, which stays so).
 */
export function sell(scene: Scene, order: Order, buyer: Stored, payment: Payment, existing?: Stored): SaleResult {
  const { store, now, live } = scene;
  const ground: Ground = {
    live,
    campaign: order.campaign,
    currency: order.currency,
    customer: buyer.value,
    shop: null,
    paymentType: paymentType(payment.word),
  };
  const saleId = existing?.id ?? scene.newId();
  const paidBy = pay(scene, ground, order, payment, saleId, buyer);
  const failed = paidBy.charge !== undefined && paidBy.charge.outcome !== 'approved';
  const filing = { live, customer: buyer.id };
  const fields = groundFields(ground);
  if (failed) {
    if (!existing) {
      const ledger: Ledger = {
        original: order.total + order.discount,
        discount: order.discount,
        refunded: 0,
        paid: 0,
        settled: false,
        remaining: 0,
      };
      const outcome =
        paidBy.charge?.outcome === 'fraud'
          ? 'fraud_detected'
          : paidBy.charge?.outcome === 'held'
            ? 'merchant_hold'
            : paidBy.charge?.outcome;
      store.insert(
        'sales',
        {
          ...moneyItem(saleId, now, ledger, paidBy.links, {
            status: 'failed',
            failed_reason: outcome,
            fraud_alert: false,
          }),
          products: views(order),
          ...fields,
        },
        filing,
      );
    }
    return { saleId, customerId: buyer.id, ...(paidBy.charge ? { charge: paidBy.charge } : {}) };
  }
  const invoices = (existing?.value.invoices as string[] | undefined) ?? [];
  const links: { -readonly [name in keyof Links]: string[] } = {
    ...mutable(paidBy.links),
    sales: [saleId],
    invoices,
    product_sales: [],
    shipping: [],
    tax: [],
    discounts: [],
    trials: [],
    subscriptions: [],
  };
  const own = (): Links => ({ ...paidBy.links, sales: [saleId] });
  const paidNow = (cents: number, discount = 0) => paid(cents, payment.word !== 'credit_card', discount);
  let awaiting = 0;
  for (const line of order.lines) {
    const lineId = scene.newId();
    const made = startRecurring(scene, ground, line, saleId, lineId);
    awaiting += made.due;
    links.trials?.push(...made.trials);
    links.subscriptions?.push(...made.subscriptions);
    links.product_sales?.push(lineId);
    const view = productView(
      line.product,
      line.quantity,
      line.cents / 100 / line.quantity || priceOf(line.product, 'price') / 100,
    );
    store.insert(
      'product_sales',
      {
        ...moneyItem(lineId, now, paidNow(line.cents, line.discount), {
          ...own(),
          trials: made.trials,
          subscriptions: made.subscriptions,
        }),
        product: view,
        status: 'paid',
        ...fields,
      },
      filing,
    );
  }
  const parcels = shippable(order.lines).filter(({ product }) => shipsAtSale(product));
  if (order.shipping > 0 || parcels.length > 0) {
    const settled = payment.word !== 'credit_card';
    links.shipping?.push(ship(scene, { ground, parcels, links: own(), cents: order.shipping, settled }));
  }
  if (order.tax > 0) {
    const id = scene.newId();
    links.tax?.push(id);
    store.insert('tax', { ...moneyItem(id, now, paidNow(order.tax), own(), { status: 'paid' }), ...fields }, filing);
  }
  if (order.discount > 0) {
    const id = scene.newId();
    links.discounts?.push(id);
    store.insert(
      'discounts',
      {
        ...moneyItem(id, now, paidNow(0), own()),
        amount: fromCents(order.discount),
        name: order.coupon?.coupon_code ?? 'Discount',
        ...fields,
      },
      filing,
    );
  }
  const ledger = { ...paidNow(order.total + order.discount, order.discount), remaining: awaiting };
  const more = { status: 'paid', fraud_alert: existing?.value.fraud_alert ?? false };
  if (existing)
    store.update(
      existing,
      { ...moneyItem(saleId, existing.created, ledger, links, more), products: views(order), ...fields },
      now,
    );
  else
    store.insert(
      'sales',
      { ...moneyItem(saleId, now, ledger, links, more), products: views(order), ...fields },
      filing,
    );
  for (const id of invoices) {
    const invoice = store.get('invoices', id, live);
    if (invoice) store.update(invoice, { ...amounts({ ...ledger, remaining: 0 }), status: 'paid' }, now);
  }
  if (order.coupon) {
    const coupon = store.get('coupons', String(order.coupon.id), live);
    if (coupon) store.update(coupon, { uses: Number(coupon.value.uses ?? 0) + 1 }, now);
  }
  return { saleId, customerId: buyer.id, ...(paidBy.charge ? { charge: paidBy.charge } : {}) };
}

/** The lines of an order as a sale shows them. */
export function views(order: Order): Value[] {
  return order.lines.map((line) => productView(line.product, line.quantity, priceOf(line.product, 'price') / 100));
}

function pay(
  scene: Scene,
  ground: Ground,
  order: Order,
  payment: Payment,
  saleId: string,
  buyer: Stored,
): { links: Links; charge?: Charge } {
  if (order.total === 0) return { links: { sales: [saleId] } };
  if (payment.word === 'credit_card') {
    const result = charge(scene, {
      ground,
      cents: order.total,
      method: 'sale_create',
      card: payment.card,
      links: { sales: [saleId] },
      ...(payment.number === undefined ? {} : { outcome: outcomeOf(payment.number) }),
    });
    return { links: { sales: [saleId], transactions: [result.transactionId] }, charge: result };
  }
  const family =
    payment.word === 'wallet'
      ? 'wallet_transactions'
      : payment.word === 'check_direct'
        ? 'check_directs'
        : 'offline_payments';
  const id = scene.newId();
  const value: Value = {
    id,
    created_date_unix: scene.now,
    updated_date_unix: scene.now,
    status: 'completed',
    ...amounts(paid(order.total, true)),
    ...groundFields(ground),
    ...(payment.walletTransaction ? { wallet_transaction_id: payment.walletTransaction } : {}),
    sales: [saleId],
    metadata: [],
  };
  scene.store.insert(family, value, { live: scene.live, customer: buyer.id });
  return { links: { sales: [saleId], [family]: [id] } };
}

function mutable(links: Links): Record<string, string[]> {
  return Object.fromEntries(Object.entries(links).map(([name, ids]) => [name, [...(ids as string[])]]));
}

/** The trial and the subscription that a line brings with it. */
function startRecurring(
  scene: Scene,
  ground: Ground,
  line: Line,
  saleId: string,
  lineId: string,
): { trials: string[]; subscriptions: string[]; due: number } {
  const { store, now, live } = scene;
  const { product } = line;
  const days = Number(product.trial_days ?? 0);
  const profile = product.subscription_profile as Value | null | undefined;
  const trialId = days > 0 ? scene.newId() : undefined;
  const subscriptionId = profile ? scene.newId() : undefined;
  const filing = { live, customer: String(ground.customer.id) };
  const fields = groundFields(ground);
  const end = now + days * DAY;
  const due = trialId ? priceOf(product, 'price_trial') * line.quantity : 0;
  if (trialId) {
    const ledger: Ledger = { original: due, discount: 0, refunded: 0, paid: 0, settled: false, remaining: due };
    store.insert(
      'trials',
      {
        ...moneyItem(trialId, now, ledger, {
          sales: [saleId],
          product_sales: [lineId],
          subscriptions: subscriptionId ? [subscriptionId] : [],
        }),
        status: 'active',
        extended: false,
        shortened: false,
        expiration_date_unix: end,
        product: productView(product, line.quantity, due / 100),
        ...fields,
      },
      filing,
    );
    store.schedule('expire', trialId, end);
  }
  if (subscriptionId && profile) {
    const next = nextRenewal(profile, end);
    const amount = priceOf(product, 'price_subscription') * line.quantity;
    store.insert(
      'subscriptions',
      {
        id: subscriptionId,
        created_date_unix: now,
        updated_date_unix: now,
        status: 'active',
        amount: fromCents(amount),
        is_overdue: false,
        overdue_count: 0,
        renewal_count: 0,
        billing: { next_renewal_date_unix: next, last_renewal_date_unix: null, last_renewal_id: null },
        product: productView(product, line.quantity, amount / 100 / line.quantity),
        subscription_profile: profileView(profile),
        coupons: [],
        ...fields,
        sales: [saleId],
        product_sales: [lineId],
        trials: trialId ? [trialId] : [],
        subscription_renewals: [],
        transactions: [],
        salvage_transactions: [],
        metadata: [],
      },
      filing,
    );
    store.schedule('renew', subscriptionId, next);
  }
  return { trials: trialId ? [trialId] : [], subscriptions: subscriptionId ? [subscriptionId] : [], due };
}

/** A trial product ships when its trial begins, ends, or both (spec 2.2). */
function shipsAtSale(product: Value): boolean {
  return Number(product.trial_days ?? 0) === 0 || product.trial_shipping_setting !== 'trial_expiration';
}

import { HOUR } from '../../base/time/units.js';
import type { CardOutcome } from '../../catalogue/terms.js';
import type { Stored } from '../store/item-store.js';
import { idsUnder, objectUnder, type Value } from '../store/item-values.js';
import { groundFields, type Links, moneyItem, onGround, open, paid, productView } from './builders.js';
import { type Bought, groundOfOrder, type Payment } from './buyers.js';
import type { Scene } from './call.js';
import { isMerchantFault, outcomeOf, paysHalf } from './cards.js';
import { insertSalvage } from './left-to-collect.js';
import { type AmountBasis, amountsOf } from './money.js';
import { countSale } from './new-customer.js';
import { extrasOf, type Order, type OrderLine } from './order-lines.js';
import type { PaymentWord } from './payment-types.js';
import { type Charge, charge, chargeRefusal, recordPayment } from './payments.js';
import { startRecurring } from './recurring.js';
import { routeBy } from './routing.js';
import { ship, shippable } from './shipments.js';
import { fileTax } from './taxes.js';
import { fileDiscount, useCoupon } from './usable-coupon.js';

/** Hours until a wallet brand confirms a payment (service.md#other-items: 2 to 4). reading: wallet-confirmation */
const CONFIRMATION_HOURS = 3;

/**
 * The fields of an order that do not depend on its payment. `extras`: fields of the body that describe the sale and
 * that reads return.
 */
type Described = ReturnType<typeof described>;

/** The facts needed to make a sale. */
interface Selling extends Described {
  readonly payment: Payment;
  readonly saleId: string;
  readonly buyer: Stored;
  /** The amount that could not be collected and is left to salvage, cents. */
  readonly owed: number;
  /** The payments, and the sale. */
  readonly links: Links;
}

/** The items that the lines of a sale start. */
type Brought = Record<'product_sales' | 'trials' | 'subscriptions', string[]>;

/** The fields that a sale or invoice shows of its order. */
export function described(scene: Scene, bought: Bought, word?: PaymentWord) {
  return { ground: groundOfOrder(scene, bought, word), order: bought.order, extras: extrasOf(bought.body) };
}

/**
 * Sells an order: charges what is due now and makes the sale with its lines, shipment, tax, discount, trials and
 * subscriptions. A failed payment leaves a failed sale (unless `existing` is a pending one, which stays pending).
 * @returns the sale's id.
 * @throws Refusal 402 for a payment that fails.
 */
export function sell(scene: Scene, bought: Bought, payment: Payment, existing?: Stored): string {
  const { order, buyer } = bought;
  const saleId = existing?.id ?? scene.newId();
  const owed = existing ? 0 : owedOf(order, payment);
  const selling = { ...described(scene, bought, payment.word), payment, saleId, buyer, owed };
  if (waitsForWallet(selling)) return awaitWallet(scene, selling, bought, existing);
  const { links, charge } = pay(scene, selling);
  if (charge && charge.outcome !== 'approved') {
    if (!existing) leaveFailed(scene, { ...selling, links }, charge);
    throw chargeRefusal(charge);
  }
  fileSale(scene, { ...selling, links }, existing);
  sold(scene, bought);
  return saleId;
}

/** The counts that a paid sale changes. */
function sold(scene: Scene, { order, buyer }: Bought): void {
  if (order.coupon) useCoupon(scene, String(order.coupon.id));
  countSale(
    scene,
    buyer.id,
    order.lines.map(({ product }) => String(product.id)),
  );
}

function waitsForWallet({ payment, order }: Omit<Selling, 'links'>): boolean {
  return payment.wallet?.value.transaction_confirmation === true && order.total > 0;
}

/**
 * service.md#other-items: with `transaction_confirmation` a sale is marked paid after 2 to 4 hours.
 * reading: wallet-confirmation
 */
function awaitWallet(scene: Scene, selling: Omit<Selling, 'links'>, bought: Bought, existing?: Stored): string {
  const { saleId, buyer, payment } = selling;
  const { links } = pay(scene, selling);
  const value = unpaidItem(saleId, existing?.created ?? scene.now, selling, links, {
    status: 'pending',
    fraud_alert: existing?.value.fraud_alert ?? false,
  });
  if (existing) scene.store.update(existing, { ...value, invoices: existing.value.invoices ?? [] }, scene.now);
  else scene.store.insert('sales', value, { live: scene.live, customer: buyer.id });
  const { walletTransaction } = payment;
  scene.store.keepSecret(`${saleId}.wallet`, { order: bought.order, body: bought.body, walletTransaction } as Value);
  scene.store.schedule('confirm_wallet', saleId, scene.now + CONFIRMATION_HOURS * HOUR);
  return saleId;
}

/** Marks a sale paid when the wallet brand has confirmed its payment, unless it has been voided in the meantime. */
export function confirmWallet(scene: Scene, saleId: string): void {
  const sale = scene.store.get('sales', saleId, scene.live);
  const kept = scene.store.secret(`${saleId}.wallet`) as Pick<Bought, 'order' | 'body'> &
    Pick<Payment, 'walletTransaction'>;
  const buyer = scene.store.get('customers', String(objectUnder(sale?.value ?? {}, 'customer').id), scene.live);
  if (!sale || !kept || !buyer || sale.value.status !== 'pending') return;
  scene.store.forgetSecret(`${saleId}.wallet`);
  const bought: Bought = { order: kept.order, body: kept.body, buyer };
  const payment: Payment = { word: 'wallet', walletTransaction: kept.walletTransaction as string };
  const ids = idsUnder(sale.value, 'wallet_transactions');
  const { total, discount } = kept.order;
  for (const id of ids) {
    const made = scene.store.get('wallet_transactions', id, scene.live);
    const changes = { status: 'completed', ...amountsOf(paid(total + discount, true, discount)) };
    if (made) scene.store.update(made, changes, scene.now);
  }
  const links = { sales: [saleId], wallet_transactions: ids };
  const selling = { ...described(scene, bought, 'wallet'), payment, saleId, buyer, owed: 0, links };
  fileSale(scene, selling, sale);
  sold(scene, bought);
}

function leaveFailed(scene: Scene, selling: Selling, failed: Charge): void {
  const { saleId } = selling;
  const reasons: Readonly<Record<string, string>> = { fraud: 'fraud_detected', held: 'merchant_hold' };
  const merchant = failed.outcome === 'error' && isMerchantFault(selling.payment.card);
  const known = merchant ? 'merchant_error' : (reasons[failed.outcome] ?? failed.outcome);
  const reason = failed.isUnrouted ? 'no_gateway' : known;
  const state = { status: 'failed', failed_reason: reason, fraud_alert: false };
  const value = unpaidItem(saleId, scene.now, selling, selling.links, state);
  scene.store.insert('sales', value, { live: scene.live, customer: selling.buyer.id });
}

/** Makes the sale's lines and everything else that belongs to it, then the sale itself from their sums. */
function fileSale(scene: Scene, selling: Selling, existing: Stored | undefined): void {
  const { ground, order, saleId } = selling;
  const isCard = selling.payment.word === 'credit_card';
  const invoices = (existing?.value.invoices as string[] | undefined) ?? [];
  const own: Links = { ...selling.links, sales: [saleId] };
  const tax = fileTax(scene, { ground, tax: order.tax, links: own, settled: !isCard });
  const brought: Brought = { product_sales: [], trials: [], subscriptions: [] };
  let awaiting = 0;
  for (const line of order.lines) awaiting += fileLine(scene, selling, line, brought);
  // A trial product ships when its trial begins, ends, or both (service.md#products).
  const parcels = shippable(order.lines).filter(
    ({ product }) => Number(product.trial_days ?? 0) === 0 || product.trial_shipping_setting !== 'trial_expiration',
  );
  const parcel = { ground, parcels, links: own, cents: order.shipping, settled: !isCard, rate: order.rate };
  const shipping = order.shipping > 0 || parcels.length > 0 ? [ship(scene, parcel)] : [];
  const { coupon } = order;
  const discount = { ground, cents: order.discount, name: String(coupon?.coupon_code ?? 'Discount'), links: own };
  const discounts = order.discount > 0 ? [fileDiscount(scene, { ...discount, coupon: coupon?.id as string })] : [];
  const links: Links = { ...own, ...brought, invoices, shipping, tax, discounts };
  const ledger: AmountBasis = {
    ...short(paid(order.total + order.discount, !isCard, order.discount), selling.owed),
    remaining: awaiting + selling.owed,
  };
  const more = { status: 'paid', fraud_alert: existing?.value.fraud_alert ?? false };
  const sale = moneyItem(saleId, existing?.created ?? scene.now, ledger, links, more);
  const value = describing(sale, selling);
  if (existing) scene.store.update(existing, value, scene.now);
  else scene.store.insert('sales', value, { live: scene.live, customer: selling.buyer.id });
  payInvoices(scene, invoices, ledger, selling.links, groundFields(ground));
}

/** A sale or an invoice without any payment. */
export function unpaidItem(id: string, at: number, facts: Described, links: Links, state: Value): Value {
  const { total, discount } = facts.order;
  return describing(moneyItem(id, at, open(total + discount, discount), links, state), facts);
}

/** Adds the body's fields, the products and the shared fields to a new sale. */
function describing(sale: Value, { extras, order, ground }: Described): Value {
  // Named, as in `onGround`: nearly every sale has it, and few have anything else.
  const { payment_profile: profile, ...others } = extras;
  if (profile !== undefined) sale.payment_profile = profile;
  Object.assign(sale, others);
  sale.products = order.lines.map((line) => productView(line.product, line.quantity, line.unit / 100));
  return onGround(sale, ground);
}

/** Makes a product line with the trial and subscription it starts; returns what its trial still waits for, cents. */
function fileLine(scene: Scene, selling: Selling, line: OrderLine, brought: Brought): number {
  const id = scene.newId();
  const made = startRecurring(scene, selling.ground, line, { sale: selling.saleId, line: id });
  brought.trials.push(...made.trials);
  brought.subscriptions.push(...made.subscriptions);
  brought.product_sales.push(id);
  const ledger = short(paid(line.cents, selling.payment.word !== 'credit_card', line.discount), selling.owed);
  const own = { ...selling.links, sales: [selling.saleId], trials: made.trials, subscriptions: made.subscriptions };
  const product = productView(line.product, line.quantity, line.unit / 100);
  const value = moneyItem(id, scene.now, ledger, own);
  value.product = product;
  value.status = 'paid';
  onGround(value, selling.ground);
  scene.store.insert('product_sales', value, { live: scene.live, customer: selling.buyer.id });
  return made.due;
}

/** Marks the invoices of a sale as paid, with the figures of the sale. */
function payInvoices(scene: Scene, ids: readonly string[], ledger: AmountBasis, payments: Links, shared: Value): void {
  for (const id of ids) {
    const invoice = scene.store.get('invoices', id, scene.live);
    const { sales: _sales, ...paidBy } = payments;
    const changes = { ...amountsOf({ ...ledger, remaining: 0 }), ...paidBy, ...shared, status: 'paid' };
    if (invoice) scene.store.update(invoice, changes, scene.now);
  }
}

/** A ledger of which a part is still owed. */
function short(ledger: AmountBasis, owed: number): AmountBasis {
  return { ...ledger, paid: ledger.paid - owed, remaining: owed };
}

/** Only a sale with a single product and no shipping or tax can be collected in part (`cards.ts`). */
function owedOf(order: Order, payment: Payment): number {
  const isAlone = order.lines.length === 1 && order.shipping === 0 && order.tax.cents === 0;
  return isAlone && payment.word === 'credit_card' && paysHalf(payment.card) ? Math.floor(order.total / 2) : 0;
}

/** Charges a part of a sale, or all of it. */
function chargeSale(
  scene: Scene,
  selling: Omit<Selling, 'links'>,
  { cents, discount }: { cents: number; discount: number },
  outcome?: CardOutcome,
): Charge {
  const { payment, ground, extras } = selling;
  return charge(scene, {
    ground,
    cents,
    discount,
    address: extras.ip_address,
    method: 'sale_create',
    card: payment.card,
    links: { sales: [selling.saleId] },
    gateway: routeBy(scene, payment.profile),
    profile: payment.profile,
    outcome,
  });
}

function pay(scene: Scene, selling: Omit<Selling, 'links'>): { links: Links; charge?: Charge } {
  const { order, payment, saleId, ground } = selling;
  const sales = [saleId];
  if (order.total === 0) return { links: { sales } };
  if (payment.word !== 'credit_card') {
    const made = recordPayment(scene, {
      ground,
      word: payment.word,
      cents: order.total,
      discount: order.discount,
      saleId,
      walletTransaction: payment.walletTransaction,
      wallet: payment.wallet,
      isWaiting: waitsForWallet(selling),
    });
    return { links: { sales, [made.family]: [made.id] } };
  }
  const outcome = payment.number === undefined ? undefined : outcomeOf(payment.number);
  // Each part gets its share of the discount.
  const later = Math.floor(selling.owed > 0 ? order.discount / 2 : 0);
  const first = { cents: order.total - selling.owed, discount: order.discount - later };
  const result = chargeSale(scene, selling, first, outcome);
  const { transactionId } = result;
  if (selling.owed === 0 || result.outcome !== 'approved')
    return { links: { sales, transactions: [transactionId] }, charge: result };
  // The other part is declined, which leaves its attempt and a salvage transaction.
  const { transactionId: transaction } = chargeSale(
    scene,
    selling,
    { cents: selling.owed, discount: later },
    'declined',
  );
  const salvage = scene.newId();
  insertSalvage(scene, salvage, ground, selling.owed, 'sale_create', { sales, transactions: [transaction] });
  return {
    links: { sales, transactions: [transactionId, transaction], salvage_transactions: [salvage] },
    charge: result,
  };
}

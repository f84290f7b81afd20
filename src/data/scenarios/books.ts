import { idsUnder, objectUnder } from '../../sandbox/store/item-values.js';
import { KINDS_OF_ITEMS } from '../../sandbox/store/kinds.js';
import type { ItemSource } from './seen-items.js';

/*
 * The rules that the service's books obey after every write, to the cent and by currency: lines = sale, captured =
 * settled + pending, refunded <= captured, every refund is on its payment, every payment has a cause; and every id that
 * an item names exists.
 */

/** An item in the form that these checks use. */
export interface BookItem {
  readonly id: string;
  readonly created_date_unix: number;
  readonly updated_date_unix: number;
  readonly [name: string]: unknown;
}

const PAYMENTS = ['transactions', 'wallet_transactions', 'check_directs', 'offline_payments'];
/** What something is paid for. */
const CAUSES = ['sales', 'subscription_renewals', 'trials', 'invoices', 'salvage_transactions'];
const LINES = ['product_sales', 'shipping', 'tax'];
const ARRAYS = [
  ...PAYMENTS,
  ...LINES,
  ...['sales', 'discounts', 'trials', 'subscriptions', 'subscription_renewals', 'invoices', 'salvage_transactions'],
];

/** Thousandths: the smallest unit of any currency. */
const mills = (value: unknown) => Math.round(Number(value ?? 0) * 1000);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** All items of one mode, by family and id. A family is read the first time it is asked for. */
export class Books {
  readonly #items = new Map<string, Map<string, BookItem>>();

  constructor(
    private readonly source: ItemSource,
    protected readonly live: boolean,
  ) {}

  protected items(family: string): Map<string, BookItem> {
    const known = this.#items.get(family);
    if (known) return known;
    const items = new Map(Array.from(this.source.all(family, this.live), ({ id, value }) => [id, value as BookItem]));
    this.#items.set(family, items);
    return items;
  }

  all(family: string): BookItem[] {
    return [...this.items(family).values()];
  }

  get(family: string, id: string): BookItem | undefined {
    return this.items(family).get(id);
  }

  linked(item: BookItem, families: readonly string[]): BookItem[] {
    return families.flatMap((family) => idsUnder(item, family).flatMap((id) => this.get(family, id) ?? []));
  }
}

/** Violated rules in words; empty if all hold. `since`: only items changed at or after this moment. */
export function breaches(books: Books, since = 0): string[] {
  const found: string[] = [];
  const check = (holds: boolean, item: BookItem, what: string) => {
    if (!holds) found.push(`${item.id}: ${what} ${JSON.stringify(item).slice(0, 700)}`);
  };
  const money = ['sales', 'trials', 'subscription_renewals', 'invoices', ...LINES, ...PAYMENTS];
  for (const family of money) {
    for (const item of books.all(family)) {
      if (item.updated_date_unix < since) continue;
      const [captured, settled, refunded] = [item.amount_captured, item.amount_settled, item.amount_refunded].map(
        mills,
      );
      check((refunded as number) <= (captured as number), item, `${family}: refunded is above captured`);
      check((refunded as number) >= 0, item, `${family}: refunded is below zero`);
      check((settled as number) <= (captured as number), item, `${family}: settled is above captured`);
      check(mills(item.amount_remaining) >= 0, item, `${family}: remaining is below zero`);
      const discounted = mills(item.amount_original_total) - mills(item.amount_refunded) - mills(item.amount_total);
      check(discounted >= 0, item, `${family}: relation 1`);
      if (!PAYMENTS.includes(family)) againstPayments(books, family, item, check);
      else check(books.linked(item, CAUSES).length > 0, item, `${family}: paid for nothing`);
    }
  }
  for (const sale of books.all('sales')) if (sale.updated_date_unix >= since) checkSale(books, sale, check);
  checkRefunds(books, since, check);
  checkReferences(books, since, check);
  return found;
}

type Check = (holds: boolean, item: BookItem, what: string) => void;

function againstPayments(books: Books, family: string, item: BookItem, check: Check): void {
  const payments = books.linked(item, PAYMENTS).filter((one) => mills(one.amount_captured) > 0);
  if (family === 'invoices' && payments.length === 0) return;
  const captured = sum(payments.map((one) => mills(one.amount_captured)));
  check(mills(item.amount_captured) <= captured, item, `${family}: captured is above its payments`);
  check(
    payments.every((one) => one.iso_currency === item.iso_currency),
    item,
    `${family}: paid in another currency`,
  );
  if (['sales', 'trials', 'subscription_renewals'].includes(family)) {
    check(mills(item.amount_captured) === captured, item, `${family}: captured is not what its payments captured`);
    const settled = sum(payments.map((one) => mills(one.amount_settled)));
    check(mills(item.amount_settled) === settled, item, `${family}: settled is not what its payments settled`);
    const refunded = sum(payments.map((one) => mills(one.amount_refunded)));
    check(mills(item.amount_refunded) === refunded, item, `${family}: refunded is not what its payments returned`);
  }
}

function checkSale(books: Books, sale: BookItem, check: Check): void {
  if (sale.status !== 'paid' && sale.status !== 'voided') return;
  const lines = books.linked(sale, LINES);
  const total = (name: string) => sum(lines.map((one) => mills(one[name])));
  for (const name of ['amount', 'amount_original_total', 'amount_captured', 'amount_settled'])
    check(total(name) === mills(sale[name]), sale, `lines and sale differ in ${name}: ${total(name)}`);
  // A bare transaction refund is booked on the sale but on none of its lines.
  check(total('amount_refunded') <= mills(sale.amount_refunded), sale, 'lines are refunded more than the sale');
  check(
    lines.every((one) => one.iso_currency === sale.iso_currency),
    sale,
    'a line has another currency',
  );
  const discounts = sum(books.linked(sale, ['discounts']).map((one) => mills(one.amount)));
  check(
    discounts === mills(sale.amount_original_total) - mills(sale.amount),
    sale,
    `discounts differ from the reduction: ${discounts}`,
  );
  const salvages = books.linked(sale, ['salvage_transactions']).filter((one) => one.method === 'sale_create');
  const waiting = sum([...books.linked(sale, ['trials']), ...salvages].map((one) => mills(one.amount_remaining)));
  check(waiting === mills(sale.amount_remaining), sale, `remaining is not what is still due: ${waiting}`);
}

function checkRefunds(books: Books, since: number, check: Check): void {
  const over = new Map<string, number>();
  for (const refund of books.all('pending_refunds')) {
    const payments = books.linked(refund, PAYMENTS);
    const known = refund.transaction_id ? books.get('transactions', String(refund.transaction_id)) : undefined;
    const payment = payments[0] ?? known;
    check(payment !== undefined, refund, 'a refund without a payment');
    if (!payment) continue;
    over.set(payment.id, (over.get(payment.id) ?? 0) + mills(refund.amount));
    check(payment.iso_currency === refund.iso_currency, refund, 'a refund in another currency');
  }
  for (const family of PAYMENTS) {
    for (const payment of books.all(family)) {
      if (payment.updated_date_unix < since) continue;
      const refunds = over.get(payment.id) ?? 0;
      check(refunds === mills(payment.amount_refunded), payment, `${family}: its pending refunds add up to ${refunds}`);
    }
  }
}

function checkReferences(books: Books, since: number, check: Check): void {
  for (const family of KINDS_OF_ITEMS) {
    if (family === 'api_calls') continue;
    for (const item of books.all(family)) {
      if ((item.updated_date_unix ?? item.created_date_unix) < since) continue;
      for (const name of ARRAYS)
        for (const id of Array.isArray(item[name]) ? item[name] : [])
          check(books.get(name, id) !== undefined, item, `${family}.${name} names ${id}, which does not exist`);
      const { id: customer } = objectUnder(item, 'customer');
      if (customer)
        check(books.get('customers', String(customer)) !== undefined, item, `${family}: its customer does not exist`);
    }
  }
}

/**
 * Payments returned twice, to the bank and as a refund, in words. The service lets anybody refund what was charged
 * back, so this is the caller's fault. A won chargeback returned nothing.
 */
export function paidBackTwice(books: Books, since: number): string[] {
  const found: string[] = [];
  const back = new Map<string, number>();
  for (const chargeback of books.all('chargebacks')) {
    const payment = books.get('transactions', String(chargeback.transaction_id));
    if (!payment) found.push(`${chargeback.id}: a chargeback without a payment`);
    else if (payment.iso_currency !== chargeback.iso_currency)
      found.push(`${chargeback.id}: a chargeback in another currency than its payment`);
    if (!payment || objectUnder(chargeback, 'representment').outcome === 'won') continue;
    const before = back.get(payment.id) ?? mills(payment.amount_refunded);
    back.set(payment.id, before + mills(chargeback.amount));
    if (Math.max(chargeback.updated_date_unix, payment.updated_date_unix) < since) continue;
    if ((back.get(payment.id) ?? 0) > mills(payment.amount_captured))
      found.push(`${payment.id}: refunds and chargebacks exceed what was paid`);
  }
  return found;
}

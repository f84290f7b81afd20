import type { ItemStore } from '../../src/sandbox/store/item-store.js';
import { KINDS_OF_ITEMS } from '../../src/sandbox/store/kinds.js';

/*
 * What must hold in the sandbox's data after every write, to the cent and currency: lines = sale, captured = settled +
 * pending, refunded <= captured, every refund is on its payment; and that every id that an item names exists.
 */

// biome-ignore lint/suspicious/noExplicitAny: items of any shape
type Item = any;

const PAYMENTS = ['transactions', 'wallet_transactions', 'check_directs', 'offline_payments'];
const LINES = ['product_sales', 'shipping', 'tax'];
const ARRAYS = [
  ...PAYMENTS,
  ...LINES,
  ...['sales', 'discounts', 'trials', 'subscriptions', 'subscription_renewals', 'invoices', 'salvage_transactions'],
];

const cents = (value: unknown) => Math.round(Number(value ?? 0) * 100);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Everything of one mode by family and id. */
export class Books {
  readonly #items = new Map<string, Map<string, Item>>();

  constructor(store: ItemStore, live: boolean) {
    for (const family of KINDS_OF_ITEMS) {
      // Records of calls name what they did, and are many.
      if (family === 'api_calls') continue;
      const items = new Map<string, Item>();
      for (const { id, value } of store.scan(family, live)) items.set(id, value);
      this.#items.set(family, items);
    }
  }

  protected items(family: string): Map<string, Item> {
    return this.#items.get(family) as Map<string, Item>;
  }

  all(family: string): Item[] {
    return [...(this.#items.get(family)?.values() ?? [])];
  }

  get(family: string, id: string): Item | undefined {
    return this.#items.get(family)?.get(id);
  }

  linked(item: Item, families: readonly string[]): Item[] {
    return families.flatMap((family) =>
      ((item[family] ?? []) as string[]).map((id) => this.get(family, id)).filter((one) => one !== undefined),
    );
  }
}

/**
 * Books that are kept up: after the first reading only the rows that were written since are read again. What was
 * written is learnt from triggers in the database, inside the same transactions, so that nothing escapes them and
 * nothing is read that was taken back.
 */
export class KeptBooks extends Books {
  readonly #families = new Map<number, string>();
  readonly #rows = new Map<number, { family: string; id: string }>();

  constructor(
    private readonly store: ItemStore,
    private readonly live: boolean,
  ) {
    super(store, live);
    const { database } = store;
    for (const family of KINDS_OF_ITEMS)
      if (family !== 'api_calls') this.#families.set(store.kind(family, live), family);
    for (const [seq, kind, id] of database.prepare('SELECT seq, kind, id FROM items').all() as [
      number,
      number,
      string,
    ][])
      this.#note(seq, kind, id);
    database.exec('CREATE TEMP TABLE written (seq INTEGER PRIMARY KEY)');
    for (const [deed, row] of Object.entries({ INSERT: 'new', UPDATE: 'new', DELETE: 'old' }))
      database.exec(`CREATE TEMP TRIGGER written_${deed} AFTER ${deed} ON main.items
        BEGIN INSERT OR IGNORE INTO written VALUES (${row}.seq); END`);
  }

  /** Reads what was written since the last reading. */
  refresh(): this {
    const { database } = this.store;
    const written = database
      .prepare('SELECT w.seq, i.kind, i.id FROM written w LEFT JOIN items i ON i.seq = w.seq')
      .all();
    database.exec('DELETE FROM written');
    for (const [seq, kind, id] of written as [number, number | null, string | null][]) {
      const before = this.#rows.get(seq);
      if (before) this.items(before.family).delete(before.id);
      this.#rows.delete(seq);
      const family = kind === null || id === null ? undefined : this.#note(seq, kind, id);
      if (!family) continue;
      for (const item of this.store.rows(family, this.live, [seq])) this.items(family).set(item.id, item.value);
    }
    // They show others as those are now, without being written.
    for (const family of KINDS_OF_ITEMS.filter((one) => this.store.isCompleted(one)))
      for (const { id, value } of this.store.scan(family, this.live)) this.items(family).set(id, value);
    return this;
  }

  #note(seq: number, kind: number, id: string): string | undefined {
    const family = this.#families.get(kind);
    if (family) this.#rows.set(seq, { family, id });
    return family;
  }
}

/** Items that two readings have not alike. */
export function differences(one: Books, other: Books): string[] {
  return KINDS_OF_ITEMS.filter((family) => family !== 'api_calls').flatMap((family) => {
    const ids = new Set([...one.all(family), ...other.all(family)].map(({ id }) => String(id)));
    return [...ids].filter((id) => JSON.stringify(one.get(family, id)) !== JSON.stringify(other.get(family, id)));
  });
}

/** What does not hold, in words; empty when all does. `since`: only items changed at or after this moment. */
export function breaches(books: Books, since = 0): string[] {
  const found: string[] = [];
  const check = (holds: boolean, item: Item, what: string) => {
    if (!holds) found.push(`${item.id}: ${what} ${JSON.stringify(item).slice(0, 700)}`);
  };
  const money = ['sales', 'trials', 'subscription_renewals', 'invoices', ...LINES, ...PAYMENTS];
  for (const family of money) {
    for (const item of books.all(family)) {
      if (item.updated_date_unix < since) continue;
      const [captured, settled, refunded] = [item.amount_captured, item.amount_settled, item.amount_refunded].map(
        cents,
      );
      check((refunded as number) <= (captured as number), item, `${family}: refunded is above captured`);
      check((refunded as number) >= 0, item, `${family}: refunded is below zero`);
      check((settled as number) <= (captured as number), item, `${family}: settled is above captured`);
      check(cents(item.amount_remaining) >= 0, item, `${family}: remaining is below zero`);
      const discounted = cents(item.amount_original_total) - cents(item.amount_refunded) - cents(item.amount_total);
      check(discounted >= 0, item, `${family}: relation 1`);
      if (!PAYMENTS.includes(family)) againstPayments(books, family, item, check);
    }
  }
  for (const sale of books.all('sales')) if (sale.updated_date_unix >= since) checkSale(books, sale, check);
  checkRefunds(books, since, check);
  checkReferences(books, since, check);
  return found;
}

type Check = (holds: boolean, item: Item, what: string) => void;

function againstPayments(books: Books, family: string, item: Item, check: Check): void {
  const payments = books.linked(item, PAYMENTS).filter((one) => cents(one.amount_captured) > 0);
  if (family === 'invoices' && payments.length === 0) return;
  const captured = sum(payments.map((one) => cents(one.amount_captured)));
  check(cents(item.amount_captured) <= captured, item, `${family}: captured is above its payments`);
  check(
    payments.every((one) => one.iso_currency === item.iso_currency),
    item,
    `${family}: paid in another currency`,
  );
  if (['sales', 'trials', 'subscription_renewals'].includes(family)) {
    check(cents(item.amount_captured) === captured, item, `${family}: captured is not what its payments captured`);
    const settled = sum(payments.map((one) => cents(one.amount_settled)));
    check(cents(item.amount_settled) === settled, item, `${family}: settled is not what its payments settled`);
    const refunded = sum(payments.map((one) => cents(one.amount_refunded)));
    check(
      cents(item.amount_refunded) === refunded,
      item,
      `${family}: refunded is not what went back over its payments`,
    );
  }
}

function checkSale(books: Books, sale: Item, check: Check): void {
  if (!['paid', 'voided'].includes(sale.status)) return;
  const lines = books.linked(sale, LINES);
  const total = (name: string) => sum(lines.map((one) => cents(one[name])));
  for (const name of ['amount', 'amount_original_total', 'amount_captured', 'amount_settled'])
    check(total(name) === cents(sale[name]), sale, `lines and sale differ in ${name}: ${total(name)}`);
  // A bare transaction refund is booked on the sale and on no line of it.
  check(total('amount_refunded') <= cents(sale.amount_refunded), sale, 'lines are refunded more than the sale');
  check(
    lines.every((one) => one.iso_currency === sale.iso_currency),
    sale,
    'a line has another currency',
  );
  const discounts = sum(books.linked(sale, ['discounts']).map((one) => cents(one.amount)));
  check(
    discounts === cents(sale.amount_original_total) - cents(sale.amount),
    sale,
    `discounts differ from what was taken off: ${discounts}`,
  );
  const salvages = books.linked(sale, ['salvage_transactions']).filter((one) => one.method === 'sale_create');
  const waiting = sum([...books.linked(sale, ['trials']), ...salvages].map((one) => cents(one.amount_remaining)));
  check(waiting === cents(sale.amount_remaining), sale, `remaining is not what is still to come: ${waiting}`);
}

function checkRefunds(books: Books, since: number, check: Check): void {
  const over = new Map<string, number>();
  for (const refund of books.all('pending_refunds')) {
    const payments = books.linked(refund, PAYMENTS);
    const known = refund.transaction_id ? books.get('transactions', refund.transaction_id) : undefined;
    const payment = payments[0] ?? known;
    check(payment !== undefined, refund, 'a refund without a payment');
    if (!payment) continue;
    over.set(payment.id, (over.get(payment.id) ?? 0) + cents(refund.amount));
    check(payment.iso_currency === refund.iso_currency, refund, 'a refund in another currency');
  }
  for (const family of PAYMENTS) {
    for (const payment of books.all(family)) {
      if (payment.updated_date_unix < since) continue;
      const refunds = over.get(payment.id) ?? 0;
      check(refunds === cents(payment.amount_refunded), payment, `${family}: its pending refunds make ${refunds}`);
    }
  }
}

function checkReferences(books: Books, since: number, check: Check): void {
  for (const family of KINDS_OF_ITEMS) {
    if (family === 'api_calls') continue;
    for (const item of books.all(family)) {
      if ((item.updated_date_unix ?? item.created_date_unix) < since) continue;
      for (const name of ARRAYS) {
        for (const id of Array.isArray(item[name]) ? item[name] : [])
          check(books.get(name, id) !== undefined, item, `${family}.${name} names ${id}, which is not there`);
      }
      const customer = item.customer?.id;
      if (customer) check(books.get('customers', customer) !== undefined, item, `${family}: its customer is not there`);
    }
  }
}

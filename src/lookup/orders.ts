import type { Column } from '../catalogue/types.js';
import { type Lossless, parseLossless } from '../json/lossless.js';
import type { Found, Look } from './ask.js';
import { columnsOf } from './columns.js';
import { idsAt, textAt } from './item.js';

/** Columns of orders that were read. */
const WHOLE = columnsOf('id', 'created_date_unix', 'status', 'amount_total', 'amount_refunded');
/** Columns of orders that only a search and their payments tell of. */
const TOLD = columnsOf('id', 'created_date_unix', 'card_payment', 'result');

/** Orders that are read one by one, at most. */
const MOST_ORDERS = 20;

export interface Orders extends Found {
  readonly columns: readonly Column[];
}

/**
 * A customer's orders, newest first: those that the search found by the e-mail address, and those that the payments name
 * (the address may have been another then). Where requests are left for all of them, each is read; else an order shows
 * the card payment that is known of it.
 */
export async function ordersOf(look: Look, customer: string, hits: Found, payments: Found): Promise<Orders> {
  const made = new Map<string, string>();
  for (const raw of hits.items) {
    const hit = parseLossless(raw);
    made.set(textAt(hit, 'id'), textAt(hit, 'created_date_unix'));
  }
  const paid = paidOrders(payments);
  for (const [id, payment] of paid) if (!made.has(id)) made.set(id, textAt(payment, 'created_date_unix'));
  made.delete('');
  const ids = [...made].sort(([, a], [, b]) => Number(b) - Number(a)).map(([id]) => id);
  if ((hits.total ?? hits.items.length) >= 10)
    look.skip('further orders', 'a search shows ten at most', `cops sales list --all-time --customer ${customer}`);
  if (ids.length <= Math.min(MOST_ORDERS, look.left)) {
    const read = await Promise.all(
      ids.map((id) =>
        look.read(`order ${id}`, `cops sales get ${id}`, async () => ({ items: [await look.item('sales', id)] })),
      ),
    );
    if (read.every(({ items }) => items.length > 0))
      return { items: read.flatMap(({ items }) => items), columns: WHOLE };
  }
  return { items: ids.map((id) => rowOf(id, made.get(id) ?? '', paid.get(id))), columns: TOLD };
}

/** The payment of each order itself, not of its renewals; an approved one before a refused one. */
function paidOrders({ items }: Found): Map<string, Lossless> {
  const paid = new Map<string, Lossless>();
  for (const raw of items) {
    const payment = parseLossless(raw);
    if (idsAt(payment, 'subscription_renewals').length > 0 || idsAt(payment, 'trials').length > 0) continue;
    for (const id of idsAt(payment, 'sales')) {
      const known = paid.get(id);
      if (known === undefined || textAt(known, 'result') !== 'approved') paid.set(id, payment);
    }
  }
  return paid;
}

function rowOf(id: string, created: string, payment: Lossless | undefined): string {
  const members = [`"id":${JSON.stringify(id)}`, `"created_date_unix":${/^\d+$/.test(created) ? created : 'null'}`];
  const amount = payment === undefined ? '' : textAt(payment, 'amount');
  if (payment !== undefined && /^-?\d+(\.\d+)?$/.test(amount))
    members.push(
      `"card_payment":${amount}`,
      `"iso_currency":${JSON.stringify(textAt(payment, 'iso_currency'))}`,
      `"result":${JSON.stringify(textAt(payment, 'result'))}`,
    );
  return `{${members.join(',')}}`;
}

import { cops } from '../../base/text/command-line.js';
import { MOST_HITS } from '../../catalogue/terms.js';
import type { Column } from '../../catalogue/types.js';
import { idsAt, type Lossless, parseLossless } from '../../items/json/lossless.js';
import type { Found, Look } from './ask.js';
import { readNamed } from './one.js';
import { columnsOf, textAt } from './sheet.js';

/** Columns of orders that were read. */
const WHOLE = columnsOf('id', 'created_date_unix', 'status', 'amount_total', 'amount_refunded');
/** Columns of orders of which some are known only from a search and their payments. */
const TOLD = columnsOf(
  'id',
  'created_date_unix',
  'status',
  'amount_total',
  'amount_refunded',
  'card_payment',
  'result',
);

/** Most orders to read one by one. */
const MOST_ORDERS = 20;

export interface Orders extends Found {
  readonly columns: readonly Column[];
}

/** The orders of a customer that are known of so far. `ids`: newest first. `made`: when each was made, if known. */
function known(hits: Found, payments: Found) {
  const made = new Map<string, string>();
  for (const raw of hits.items) {
    const hit = parseLossless(raw);
    made.set(textAt(hit, 'id'), textAt(hit, 'created_date_unix'));
  }
  const paid = paidOrders(payments);
  for (const [id, payment] of paid) if (!made.has(id)) made.set(id, textAt(payment, 'created_date_unix'));
  made.delete('');
  const ids = [...made].sort(([, a], [, b]) => Number(b) - Number(a)).map(([id]) => id);
  return { ids, made, paid };
}

/** Reads the newest order if no payment shows it, and leaves requests for other things. */
export async function readNewest(look: Look, hits: Found, payments: Found): Promise<void> {
  const { ids, paid } = known(hits, payments);
  const newest = ids.slice(0, 1).filter((id) => !paid.has(id));
  if (look.left > 1) await readOrders(look, newest);
}

async function readOrders(look: Look, ids: readonly string[]): Promise<Map<string, string>> {
  const read = await readNamed(
    look,
    ids.map((id) => ({ family: 'sales', id })),
  );
  return new Map(read.map(({ id, raw }) => [id, raw]));
}

/**
 * A customer's orders, newest first: those found by the e-mail address, and those that the payments name, since the
 * address may have been different then. Reads each if requests are left for all; otherwise an unread order shows its
 * known card payment.
 */
export async function ordersOf(look: Look, customer: string, hits: Found, payments: Found): Promise<Orders> {
  const { ids, made, paid } = known(hits, payments);
  if ((hits.total ?? hits.items.length) >= MOST_HITS && hits.isWhole !== true)
    look.skip('further orders', 'a search shows at most ten', cops`sales list --all-time --customer ${customer}`);
  const unread = ids.filter((id) => !look.hasRead('sales', id));
  const all = unread.length <= look.mostSingle(MOST_ORDERS);
  const read = await readOrders(look, all ? ids : ids.filter((id) => look.hasRead('sales', id)));
  const items = ids.map((id) => read.get(id) ?? rowOf(id, made.get(id) ?? '', paid.get(id)));
  const isWhole = read.size === ids.length;
  return { items, columns: isWhole ? WHOLE : TOLD, isWhole, isCut: hits.isCut };
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

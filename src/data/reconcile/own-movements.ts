import type { Database } from '../../base/database/types.js';
import { rawName } from '../mirror/layout.js';
import { viewColumns } from '../mirror/views.js';
import type { OwnMovement } from './match-payouts.js';
import { orderWords } from './payout-columns.js';

const text = (cell: unknown): string => (cell === null || cell === undefined ? '' : String(cell).toLowerCase());
const big = (cell: unknown): bigint | undefined =>
  cell === null || cell === undefined ? undefined : BigInt(cell as number | bigint);

/** The charges and refunds within a span of time, as a gateway books them; leaves out refunds paid back elsewhere. */
export function ownMovements(database: Database, from: number, to: number): OwnMovement[] {
  const hasSales = viewColumns(database, rawName('sales')).includes('internal_id');
  // An order's names: its own number and id, and those of the paid renewal or trial.
  const sales = hasSales
    ? "(SELECT group_concat(coalesce(s.internal_id, ''), ' ') FROM json_each(coalesce(t.sales, '[]')) AS j JOIN raw_sales AS s ON s.id = j.value)"
    : 'NULL';
  const refs = `${sales}, t.sales, t.subscription_renewals, t.trials`;
  const rows = database
    .prepare(
      `SELECT t.id, t.gateway_transaction_id, t.gateway_auth_code, t.customer_card_last_4, t.gateway_name, t.iso_currency,
         t.created_date_unix, t.amount_minor, t.amount_fees_minor, ${refs}
       FROM raw_transactions AS t
       WHERE t.result = 'approved' AND coalesce(t.method, '') NOT LIKE '%refund%' AND t.amount_minor > 0
         AND t.created_date_unix >= ? AND t.created_date_unix < ?
       UNION ALL
       SELECT r.id, t.gateway_transaction_id, t.gateway_auth_code, t.customer_card_last_4, t.gateway_name, r.currency,
         coalesce(r.processed_unix, r.created_unix), -r.amount_minor, NULL, ${refs}
       FROM refunds AS r JOIN raw_transactions AS t ON t.id = r.transaction_id
       WHERE coalesce(r.is_offsite, 0) = 0 AND coalesce(r.processed_unix, r.created_unix) >= ?
         AND coalesce(r.processed_unix, r.created_unix) < ?`,
    )
    .all(from, to, from, to);
  return rows.map(([id, gatewayId, auth, last4, gateway, currency, at, amount, fee, ...named]) => ({
    id: String(id),
    gatewayId: text(gatewayId),
    auth: text(auth),
    last4: text(last4),
    gateway: gateway === null ? '' : String(gateway),
    currency: String(currency ?? ''),
    at: Number(at),
    amount: big(amount) ?? 0n,
    fee: big(fee),
    refs: named.flatMap((cell) => orderWords(text(cell))),
    ids: [text(gatewayId), text(id)].filter((one) => one !== ''),
  }));
}

import type { Value } from '../text.js';

/** The families whose items events are about, by the type of the event. */
export const EVENT_FAMILIES: Readonly<Record<string, string>> = {
  ai_memo: 'ai_memos',
  chargeback: 'chargebacks',
  check_direct: 'check_directs',
  customer: 'customers',
  discount: 'discounts',
  fraud_detection: 'fraud_detections',
  invoice: 'invoices',
  note: 'notes',
  offline_payment: 'offline_payments',
  wallet_dispute: 'wallet_disputes',
  wallet_transaction: 'wallet_transactions',
  pending_refund: 'pending_refunds',
  product: 'products',
  product_sale: 'product_sales',
  sale: 'sales',
  salvage_transaction: 'salvage_transactions',
  sentinel: 'fraud_detections',
  shipping: 'shipping',
  subscription: 'subscriptions',
  subscription_renewal: 'subscription_renewals',
  tax: 'tax',
  transaction: 'transactions',
  trial: 'trials',
};

/** What a function gets of an event; its payload is not published. reading: function-event */
export function eventObject(facts: {
  readonly source: 'account_event' | 'api_direct' | 'schedule' | 'email_template';
  readonly notation?: string | undefined;
  readonly itemType?: string | undefined;
  readonly itemId?: string | undefined;
  readonly item?: Value | undefined;
  readonly live: boolean;
  /** Unix seconds. */
  readonly now: number;
  /** Values of the custom arguments, by name. */
  readonly arguments?: Value | undefined;
}): Value {
  return {
    event_source: facts.source,
    notation: facts.notation ?? null,
    item_type: facts.itemType ?? null,
    item_id: facts.itemId ?? null,
    item: facts.item ?? null,
    live_mode: facts.live,
    created_date_unix: facts.now,
    custom_arguments: facts.arguments ?? {},
  };
}

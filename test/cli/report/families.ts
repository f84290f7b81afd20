/** The lists that reports read. */
export const REPORT_FAMILIES = [
  'sales',
  'product_sales',
  'subscription_renewals',
  'trials',
  'transactions',
  'wallet_transactions',
  'check_directs',
  'offline_payments',
  'pending_refunds',
  'chargebacks',
  'salvage_transactions',
  'tax',
  'shipping',
  'subscriptions',
  'customers',
  'discounts',
] as const;

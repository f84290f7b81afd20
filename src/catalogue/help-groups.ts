/** Groups of families by purpose, most used first; the order of the top-level help. Names as in paths. */
export const GROUPS: readonly (readonly [title: string, families: readonly string[], about: string])[] = [
  [
    'money',
    `sales subscription_renewals product_sales transactions pending_refunds chargebacks salvage_transactions
    trials shipping tax discounts invoices offline_payments check_directs wallet_accounts wallet_transactions
    wallet_disputes`.split(/\s+/),
    'sales, payments, refunds, chargebacks, shipping, tax',
  ],
  [
    'people',
    `customers subscriptions customer_cards customer_groups fraud_detections notes smtp_messages documents
    customer_portals tracking_visitors`.split(/\s+/),
    'customers, their subscriptions, cards, notes and mail',
  ],
  [
    'catalogue',
    `products product_groups coupons coupon_profiles subscription_profiles shipping_profiles tax_profiles
    campaigns`.split(/\s+/),
    'products, prices, coupons, campaigns',
  ],
  [
    'automation',
    `functions key_values ai_assistants ai_threads ai_memos ai_prompts ai_voice_agents ai_voice_calls
    ai_voice_snippets api_calls bigquery bigquery_tables`.split(/\s+/),
    'functions, AI assistants, API calls, BigQuery',
  ],
  ['settings', [], 'gateways, sites, profiles, templates, integrations'],
];

/** The families of each group; a family in no group goes under settings. */
export function groupedFamilies(
  names: readonly string[],
): readonly (readonly [title: string, families: string[], about: string])[] {
  const placed = new Set(GROUPS.flatMap(([, families]) => families));
  const rest = names.filter((name) => !placed.has(name));
  return GROUPS.map(([title, families, about]) => [
    title,
    title === 'settings' ? rest : families.filter((name) => names.includes(name)),
    about,
  ]);
}

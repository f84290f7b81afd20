/**
 * What the catalogue says beyond the gathered facts, each with its source: a section of the specification, or
 * the twin operation that shows the field. Nothing else may be extra.
 */

const spec41 = ['customer_id'];

/** Query parameters. */
export const ADDED_QUERY: Readonly<Record<string, readonly string[]>> = {
  // Every search that was seen takes the one term `search_term`.
  'documentation search': ['search_term'],
  'projects search': ['search_term'],
  'project_notes search': ['search_term'],
  'trials search': ['search_term'],
  // service.md#lists names the parameter; the lists are said to be narrowed to one customer.
  'transactions list': spec41,
  'pending_refunds list': spec41,
  'chargebacks list': spec41,
  'wallet_transactions list': spec41,
  'shipping list': spec41,
  // The same, and campaign, shop, currency and metadata by the names of service.md#lists.
  'offline_payments list': [...spec41, 'campaign_filter', 'shop_filter', 'currency_filter', 'metadata_filter'],
};

const display =
  'google_product_category msrp is_price_sale price_sale is_discount discount_rate in_stock stock brand material age_group condition rating_value rating_count upc isbn asin mpn ean'.split(
    ' ',
  );
const profile = [
  'frequency_calendar',
  'frequency_fiscal',
  'occurrences',
  'occurrences_value',
  'overdue_limit',
  'prefer_gateway',
  'shipping_profile',
  'payment_profile',
];

/** Body fields; a name covers everything under it. */
export const ADDED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  // service.md#assistants: the whole of settings and flow.
  'ai_assistants create': ['settings', 'flow'],
  'ai_assistants edit': ['settings', 'flow'],
  // service.md#new-customers: inner fields of billing details, card and metadata.
  'customers create': ['bill_to', 'metadata', 'customer', 'payment'],
  // service.md#customer-portals for the create as well.
  'customer_portals create': [
    'display_name',
    'footer_html',
    'smtp_profile',
    'customer_emails',
    'customer_filters',
    'customer_permissions',
    'create_non_existing_customer',
    'create_non_existing_customer_campaign',
  ],
  // service.md#other-items: names on reads.
  'functions create': ['name', 'description'],
  'functions edit': [
    'account_event_notations',
    'account_event_filters',
    'ip_restricted',
    'ip_whitelist',
    'timing_options',
    'cron_expression',
    'cron_timezone',
    'dependencies',
    'environment_variables',
    'custom_arguments',
  ],
  'functions trigger': ['custom_arguments'],
  // service.md#other-items: tracking switch of the account.
  'wallet_accounts create': ['add_tracking'],
  'wallet_accounts edit': ['add_tracking'],
  // service.md#products.
  'products create': ['cost', 'trial_days', 'is_shippable', ...display],
  'products edit': [
    ...'name description description_html enabled sku url internal_id cost price_trial price_subscription'.split(' '),
    ...['trial_days', 'trial_shipping_setting', 'is_shippable'],
    ...display,
  ],
  // service.md#subscription-profiles for the create as well.
  'subscription_profiles create': profile,
  // service.md#payments: the ship-to of reads.
  'subscriptions edit': ['ship_to'],
  // Elements of arrays and objects whose shape the twin operation or service.md#envelopes shows.
  'url_parameter_sets edit': ['url_parameters'],
  'tracking_domains edit': ['url_parameter_sets'],
  'user_gateways create': ['custom_descriptor'],
  'user_third_party_integrations edit': ['third_party_credentials'],
  'ai_assistants trigger': ['messages'],
  'email_templates create': ['custom_arguments'],
  // By the analogy of service.md#other-items, timing_options of a function.
  'email_templates edit': ['custom_arguments', 'timing'],
  'smtp_messages create': ['custom_arguments'],
  'tax_profiles create': ['campaign_filter'],
  'tax_profiles edit': ['campaign_filter'],
  'customers add-card': ['payment.credit_card'],
  'customers payment-methods create': ['bill_to', 'payment'],
  'sales pending create': ['credit_card.three_ds'],
  'sales pending process': ['credit_card.three_ds'],
  'salvage_transactions process': ['payment.credit_card.three_ds'],
  // Fields of the twin edit, where nothing of the create was seen.
  'payment_profiles create': ['name', 'description', 'enabled', 'payment_flow'],
  'ai_voice_agents create': ['name', 'description', 'enabled', 'call_method'],
  'ai_voice_snippets create': ['name', 'description', 'enabled', 'content'],
  'key_values create': ['key', 'value', 'description', 'key_type', 'pointer_type'],
  // The twin `extend` takes days.
  'trials shorten': ['days'],
};

/** Fields that are required. */
export const ADDED_REQUIRED: Readonly<Record<string, readonly string[]>> = {
  // service.md#customer-portals: a portal needs all three.
  'customer_portals create': ['tracking_domain', 'recaptcha'],
  // service.md#other-families: an item is named by its type and id; the operations mean nothing without.
  'notes create': ['item_type', 'item_id', 'text'],
  'documents create': ['item_type', 'item_value'],
  'projects associate-entity': ['entity_type', 'entity_id'],
  'projects disassociate-entity': ['entity_type', 'entity_id'],
  // An extension by nothing means nothing.
  'trials extend': ['days'],
  // service.md#other-families: pairs of a name and a value.
  'functions trigger': ['custom_arguments[].name'],
};

/** Bodies that are known further, or accepted without being known. */
export const BODY_CHANGED: Readonly<Record<string, { closed: boolean; complete: boolean }>> = {
  // service.md#new-customers, service.md#shipping-rates, service.md#assistants with 2.10: nothing is missing.
  'customers create': { closed: true, complete: true },
  'shipping_profiles create': { closed: false, complete: true },
  'ai_assistants create': { closed: false, complete: true },
  'ai_assistants edit': { closed: false, complete: true },
  // They surely take fields, of which none was seen: any is passed on.
  'gateway_groups add-user-gateway': { closed: false, complete: false },
  'gateway_groups remove-user-gateway': { closed: false, complete: false },
  'sites create': { closed: false, complete: false },
  'sites edit': { closed: false, complete: false },
  'sites add-tracking-domain': { closed: false, complete: false },
  'sites remove-tracking-domain': { closed: false, complete: false },
  'tracking_domains initialize-dns': { closed: false, complete: false },
};

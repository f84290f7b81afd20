// biome-ignore-all format: made by a script, which keeps its own form
// Made by scripts/generate-views.mjs from the SQL files. Do not edit by hand.
import type { ViewText } from '../mirror/view-text.js';

/** The views, one a SQL file, in the order of their names. */
export const VIEW_TEXTS: readonly ViewText[] = [
  {
    "name": "customers",
    "about": "One row a customer, as it was last read.",
    "needs": {
      "raw_customers": [
        "enabled",
        "blocked",
        "first_name",
        "last_name",
        "company",
        "email",
        "phone",
        "city",
        "state",
        "country",
        "internal_id",
        "campaign_id",
        "campaign_name",
        "created_date_unix",
        "updated_date_unix"
      ]
    },
    "columns": [
      [
        "id",
        "the customer's id"
      ],
      [
        "status",
        "enabled, disabled or blocked"
      ],
      [
        "name",
        "first and last name"
      ],
      [
        "email",
        "e-mail address"
      ],
      [
        "phone",
        "telephone number"
      ],
      [
        "company",
        "company"
      ],
      [
        "city",
        "city"
      ],
      [
        "state",
        "state or province"
      ],
      [
        "country",
        "ISO 3166-1 alpha-3 code"
      ],
      [
        "internal_id",
        "your own number of the customer"
      ],
      [
        "campaign_id",
        "the campaign it came by"
      ],
      [
        "campaign",
        "that campaign's name"
      ],
      [
        "created_unix",
        "when it was made, seconds since 1970"
      ],
      [
        "created",
        "the same, UTC"
      ],
      [
        "updated",
        "when it was changed last, UTC"
      ]
    ],
    "sql": "SELECT\n  c.id AS id, -- the customer's id\n  CASE WHEN c.blocked = 1 THEN 'blocked' WHEN c.enabled = 0 THEN 'disabled' WHEN c.enabled = 1 THEN 'enabled' END AS status, -- enabled, disabled or blocked\n  trim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) AS name, -- first and last name\n  c.email AS email, -- e-mail address\n  c.phone AS phone, -- telephone number\n  c.company AS company, -- company\n  c.city AS city, -- city\n  c.state AS state, -- state or province\n  c.country AS country, -- ISO 3166-1 alpha-3 code\n  c.internal_id AS internal_id, -- your own number of the customer\n  c.campaign_id AS campaign_id, -- the campaign it came by\n  c.campaign_name AS campaign, -- that campaign's name\n  c.created_date_unix AS created_unix, -- when it was made, seconds since 1970\n  strftime('%Y-%m-%dT%H:%M:%SZ', c.created_date_unix, 'unixepoch') AS created, -- the same, UTC\n  strftime('%Y-%m-%dT%H:%M:%SZ', c.updated_date_unix, 'unixepoch') AS updated -- when it was changed last, UTC\nFROM raw_customers AS c"
  },
  {
    "name": "failures",
    "about": "One row an attempt to charge a card that was not approved: declined, in error, held, or refused as fraud. An amount that was tried several times has several rows.",
    "needs": {
      "raw_transactions": [
        "result",
        "approved",
        "declined",
        "error",
        "held",
        "amount",
        "amount_minor",
        "iso_currency",
        "method",
        "response_text",
        "gateway_id",
        "gateway_name",
        "customer_card_type",
        "customer_card_last_4",
        "sales",
        "subscriptions",
        "subscription_renewals",
        "trials",
        "salvage_transactions",
        "customer_id",
        "customer_email",
        "customer_country",
        "campaign_id",
        "campaign_name",
        "created_date_unix"
      ]
    },
    "columns": [
      [
        "id",
        "the transaction's id"
      ],
      [
        "status",
        "declined, error, held, ..."
      ],
      [
        "reason",
        "the gateway's words, where they are shown"
      ],
      [
        "method",
        "what was being paid: sale_create, subscription_renew, ..."
      ],
      [
        "currency",
        "ISO 4217 code; amounts of different currencies are never added up"
      ],
      [
        "amount_minor",
        "what was not collected by this attempt, minor units"
      ],
      [
        "gateway_id",
        "the gateway that was asked"
      ],
      [
        "gateway",
        "that gateway's name"
      ],
      [
        "card_type",
        "visa, ..."
      ],
      [
        "card_last_4",
        "last digits of the card"
      ],
      [
        "sale_id",
        "the sale it belongs to"
      ],
      [
        "subscription_id",
        "the subscription it belongs to"
      ],
      [
        "renewal_id",
        "the renewal it was for"
      ],
      [
        "trial_id",
        "the trial it was for"
      ],
      [
        "salvage_id",
        "what is kept to collect it later"
      ],
      [
        "customer_id",
        "whose card it is"
      ],
      [
        "customer_email",
        "that customer's e-mail address"
      ],
      [
        "country",
        "that customer's country"
      ],
      [
        "campaign_id",
        "the campaign it came by"
      ],
      [
        "campaign",
        "that campaign's name"
      ],
      [
        "created_unix",
        "when it was tried, seconds since 1970"
      ],
      [
        "created",
        "the same, UTC"
      ],
      [
        "day",
        "its day, UTC"
      ],
      [
        "month",
        "its month, UTC"
      ]
    ],
    "sql": "SELECT\n  t.id AS id, -- the transaction's id\n  coalesce(t.result, CASE WHEN t.declined = 1 THEN 'declined' WHEN t.error = 1 THEN 'error' WHEN t.held = 1 THEN 'held' END) AS status, -- declined, error, held, ...\n  t.response_text AS reason, -- the gateway's words, where they are shown\n  t.method AS method, -- what was being paid: sale_create, subscription_renew, ...\n  t.iso_currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up\n  t.amount_minor AS amount_minor, -- what was not collected by this attempt, minor units\n  t.gateway_id AS gateway_id, -- the gateway that was asked\n  t.gateway_name AS gateway, -- that gateway's name\n  t.customer_card_type AS card_type, -- visa, ...\n  t.customer_card_last_4 AS card_last_4, -- last digits of the card\n  json_extract(t.sales, '$[0]') AS sale_id, -- the sale it belongs to\n  json_extract(t.subscriptions, '$[0]') AS subscription_id, -- the subscription it belongs to\n  json_extract(t.subscription_renewals, '$[0]') AS renewal_id, -- the renewal it was for\n  json_extract(t.trials, '$[0]') AS trial_id, -- the trial it was for\n  json_extract(t.salvage_transactions, '$[0]') AS salvage_id, -- what is kept to collect it later\n  t.customer_id AS customer_id, -- whose card it is\n  t.customer_email AS customer_email, -- that customer's e-mail address\n  t.customer_country AS country, -- that customer's country\n  t.campaign_id AS campaign_id, -- the campaign it came by\n  t.campaign_name AS campaign, -- that campaign's name\n  t.created_date_unix AS created_unix, -- when it was tried, seconds since 1970\n  strftime('%Y-%m-%dT%H:%M:%SZ', t.created_date_unix, 'unixepoch') AS created, -- the same, UTC\n  strftime('%Y-%m-%d', t.created_date_unix, 'unixepoch') AS day, -- its day, UTC\n  strftime('%Y-%m', t.created_date_unix, 'unixepoch') AS month -- its month, UTC\nFROM raw_transactions AS t\nWHERE (t.result IS NOT NULL AND t.result <> 'approved') OR t.declined = 1 OR t.error = 1 OR t.held = 1"
  },
  {
    "name": "payments",
    "about": "One row a sale, renewal or trial for which money was taken, refunded ones included; what was paid and is not told in whole minor units is a row with NULL. A trial counts with what was paid at its end: its beginning is part of the sale.",
    "needs": {
      "raw_sales": [
        "amount",
        "amount_minor",
        "amount_captured",
        "amount_captured_minor",
        "amount_refunded",
        "amount_refunded_minor",
        "amount_gross",
        "amount_gross_minor",
        "amount_fees",
        "amount_fees_minor",
        "amount_net",
        "amount_net_minor",
        "amount_settled",
        "amount_settled_minor",
        "amount_remaining",
        "amount_remaining_minor",
        "iso_currency",
        "customer_id",
        "customer_email",
        "customer_country",
        "campaign_id",
        "campaign_name",
        "payment_type_name",
        "created_date_unix",
        "status",
        "products"
      ],
      "raw_subscription_renewals": [
        "amount",
        "amount_minor",
        "amount_captured",
        "amount_captured_minor",
        "amount_refunded",
        "amount_refunded_minor",
        "amount_gross",
        "amount_gross_minor",
        "amount_fees",
        "amount_fees_minor",
        "amount_net",
        "amount_net_minor",
        "amount_settled",
        "amount_settled_minor",
        "amount_remaining",
        "amount_remaining_minor",
        "iso_currency",
        "customer_id",
        "customer_email",
        "customer_country",
        "campaign_id",
        "campaign_name",
        "payment_type_name",
        "created_date_unix",
        "subscription_id",
        "product_id",
        "product_name"
      ],
      "raw_trials": [
        "amount",
        "amount_minor",
        "amount_captured",
        "amount_captured_minor",
        "amount_refunded",
        "amount_refunded_minor",
        "amount_gross",
        "amount_gross_minor",
        "amount_fees",
        "amount_fees_minor",
        "amount_net",
        "amount_net_minor",
        "amount_settled",
        "amount_settled_minor",
        "amount_remaining",
        "amount_remaining_minor",
        "iso_currency",
        "customer_id",
        "customer_email",
        "customer_country",
        "campaign_id",
        "campaign_name",
        "payment_type_name",
        "created_date_unix",
        "status",
        "product_id",
        "product_name",
        "subscriptions"
      ]
    },
    "columns": [
      [
        "id",
        "id of the sale, renewal or trial"
      ],
      [
        "kind",
        "sale, renewal or trial"
      ],
      [
        "status",
        "as the service says it; renewals have none"
      ],
      [
        "product_id",
        "the product; the first one of a sale"
      ],
      [
        "product",
        "that product's name"
      ],
      [
        "subscription_id",
        "the subscription of a renewal or trial"
      ],
      [
        "currency",
        "ISO 4217 code; amounts of different currencies are never added up"
      ],
      [
        "amount_minor",
        "what was to be paid, minor units"
      ],
      [
        "paid_minor",
        "what was paid, minor units, before refunds"
      ],
      [
        "refunded_minor",
        "what of it was refunded or is about to be, minor units"
      ],
      [
        "gross_minor",
        "paid less refunded, minor units"
      ],
      [
        "fees_minor",
        "the processor's fees on the gross amount, minor units"
      ],
      [
        "net_minor",
        "gross less fees, minor units"
      ],
      [
        "settled_minor",
        "what of it was settled, minor units"
      ],
      [
        "remaining_minor",
        "still to be collected, minor units"
      ],
      [
        "customer_id",
        "who paid"
      ],
      [
        "customer_email",
        "that customer's e-mail address"
      ],
      [
        "country",
        "that customer's country"
      ],
      [
        "campaign_id",
        "the campaign it came by"
      ],
      [
        "campaign",
        "that campaign's name"
      ],
      [
        "payment_type",
        "card, check, ..."
      ],
      [
        "created_unix",
        "when it was made, seconds since 1970"
      ],
      [
        "created",
        "the same, UTC"
      ],
      [
        "day",
        "its day, UTC"
      ],
      [
        "month",
        "its month, UTC"
      ]
    ],
    "sql": "SELECT\n  s.id AS id, -- id of the sale, renewal or trial\n  'sale' AS kind, -- sale, renewal or trial\n  s.status AS status, -- as the service says it; renewals have none\n  json_extract(s.products, '$[0].id') AS product_id, -- the product; the first one of a sale\n  json_extract(s.products, '$[0].name') AS product, -- that product's name\n  NULL AS subscription_id, -- the subscription of a renewal or trial\n  s.iso_currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up\n  s.amount_minor AS amount_minor, -- what was to be paid, minor units\n  s.amount_captured_minor AS paid_minor, -- what was paid, minor units, before refunds\n  s.amount_refunded_minor AS refunded_minor, -- what of it was refunded or is about to be, minor units\n  s.amount_gross_minor AS gross_minor, -- paid less refunded, minor units\n  s.amount_fees_minor AS fees_minor, -- the processor's fees on the gross amount, minor units\n  s.amount_net_minor AS net_minor, -- gross less fees, minor units\n  s.amount_settled_minor AS settled_minor, -- what of it was settled, minor units\n  s.amount_remaining_minor AS remaining_minor, -- still to be collected, minor units\n  s.customer_id AS customer_id, -- who paid\n  s.customer_email AS customer_email, -- that customer's e-mail address\n  s.customer_country AS country, -- that customer's country\n  s.campaign_id AS campaign_id, -- the campaign it came by\n  s.campaign_name AS campaign, -- that campaign's name\n  s.payment_type_name AS payment_type, -- card, check, ...\n  s.created_date_unix AS created_unix, -- when it was made, seconds since 1970\n  strftime('%Y-%m-%dT%H:%M:%SZ', s.created_date_unix, 'unixepoch') AS created, -- the same, UTC\n  strftime('%Y-%m-%d', s.created_date_unix, 'unixepoch') AS day, -- its day, UTC\n  strftime('%Y-%m', s.created_date_unix, 'unixepoch') AS month -- its month, UTC\nFROM raw_sales AS s\nWHERE s.amount_captured IS NULL OR s.amount_captured <> 0\nUNION ALL\nSELECT\n  r.id, 'renewal', NULL, r.product_id, r.product_name, r.subscription_id,\n  r.iso_currency AS currency,\n  r.amount_minor AS amount_minor,\n  r.amount_captured_minor AS paid_minor,\n  r.amount_refunded_minor AS refunded_minor,\n  r.amount_gross_minor AS gross_minor,\n  r.amount_fees_minor AS fees_minor,\n  r.amount_net_minor AS net_minor,\n  r.amount_settled_minor AS settled_minor,\n  r.amount_remaining_minor AS remaining_minor,\n  r.customer_id AS customer_id,\n  r.customer_email AS customer_email,\n  r.customer_country AS country,\n  r.campaign_id AS campaign_id,\n  r.campaign_name AS campaign,\n  r.payment_type_name AS payment_type,\n  r.created_date_unix AS created_unix,\n  strftime('%Y-%m-%dT%H:%M:%SZ', r.created_date_unix, 'unixepoch') AS created,\n  strftime('%Y-%m-%d', r.created_date_unix, 'unixepoch') AS day,\n  strftime('%Y-%m', r.created_date_unix, 'unixepoch') AS month\nFROM raw_subscription_renewals AS r\nWHERE r.amount_captured IS NULL OR r.amount_captured <> 0\nUNION ALL\nSELECT\n  t.id, 'trial', t.status, t.product_id, t.product_name, json_extract(t.subscriptions, '$[0]'),\n  t.iso_currency AS currency,\n  t.amount_minor AS amount_minor,\n  t.amount_captured_minor AS paid_minor,\n  t.amount_refunded_minor AS refunded_minor,\n  t.amount_gross_minor AS gross_minor,\n  t.amount_fees_minor AS fees_minor,\n  t.amount_net_minor AS net_minor,\n  t.amount_settled_minor AS settled_minor,\n  t.amount_remaining_minor AS remaining_minor,\n  t.customer_id AS customer_id,\n  t.customer_email AS customer_email,\n  t.customer_country AS country,\n  t.campaign_id AS campaign_id,\n  t.campaign_name AS campaign,\n  t.payment_type_name AS payment_type,\n  t.created_date_unix AS created_unix,\n  strftime('%Y-%m-%dT%H:%M:%SZ', t.created_date_unix, 'unixepoch') AS created,\n  strftime('%Y-%m-%d', t.created_date_unix, 'unixepoch') AS day,\n  strftime('%Y-%m', t.created_date_unix, 'unixepoch') AS month\nFROM raw_trials AS t\nWHERE t.amount_captured IS NULL OR t.amount_captured <> 0"
  },
  {
    "name": "refunds",
    "about": "One row a refund that the service has accepted: pending, or processed by the payment processor. Every refund and void begins as one of these.",
    "needs": {
      "raw_pending_refunds": [
        "status",
        "type",
        "full",
        "source_id",
        "transaction_id",
        "refunded_offsite",
        "amount",
        "amount_minor",
        "iso_currency",
        "processed_date_unix",
        "reason",
        "customer_id",
        "customer_email",
        "customer_country",
        "campaign_id",
        "campaign_name",
        "payment_type_name",
        "created_date_unix"
      ]
    },
    "columns": [
      [
        "id",
        "the refund's id"
      ],
      [
        "status",
        "pending or processed"
      ],
      [
        "kind",
        "what was refunded: product_sale, shipping, tax, subscription_renewal, ..."
      ],
      [
        "is_full",
        "1 where all of it was"
      ],
      [
        "source_id",
        "id of what was refunded"
      ],
      [
        "transaction_id",
        "the card transaction that is paid back; NULL for other ways of paying"
      ],
      [
        "is_offsite",
        "1 where it was booked only, and paid back elsewhere"
      ],
      [
        "reason",
        "why, where the service shows it"
      ],
      [
        "currency",
        "ISO 4217 code; amounts of different currencies are never added up"
      ],
      [
        "amount_minor",
        "what is paid back, minor units"
      ],
      [
        "customer_id",
        "to whom"
      ],
      [
        "customer_email",
        "that customer's e-mail address"
      ],
      [
        "country",
        "that customer's country"
      ],
      [
        "campaign_id",
        "the campaign it came by"
      ],
      [
        "campaign",
        "that campaign's name"
      ],
      [
        "payment_type",
        "card, check, ..."
      ],
      [
        "created_unix",
        "when it was accepted, seconds since 1970"
      ],
      [
        "created",
        "the same, UTC"
      ],
      [
        "day",
        "its day, UTC"
      ],
      [
        "month",
        "its month, UTC"
      ],
      [
        "processed_unix",
        "when the processor had it, seconds since 1970; NULL before"
      ],
      [
        "processed",
        "the same, UTC"
      ]
    ],
    "sql": "SELECT\n  f.id AS id, -- the refund's id\n  f.status AS status, -- pending or processed\n  f.type AS kind, -- what was refunded: product_sale, shipping, tax, subscription_renewal, ...\n  f.full AS is_full, -- 1 where all of it was\n  f.source_id AS source_id, -- id of what was refunded\n  f.transaction_id AS transaction_id, -- the card transaction that is paid back; NULL for other ways of paying\n  f.refunded_offsite AS is_offsite, -- 1 where it was booked only, and paid back elsewhere\n  f.reason AS reason, -- why, where the service shows it\n  f.iso_currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up\n  f.amount_minor AS amount_minor, -- what is paid back, minor units\n  f.customer_id AS customer_id, -- to whom\n  f.customer_email AS customer_email, -- that customer's e-mail address\n  f.customer_country AS country, -- that customer's country\n  f.campaign_id AS campaign_id, -- the campaign it came by\n  f.campaign_name AS campaign, -- that campaign's name\n  f.payment_type_name AS payment_type, -- card, check, ...\n  f.created_date_unix AS created_unix, -- when it was accepted, seconds since 1970\n  strftime('%Y-%m-%dT%H:%M:%SZ', f.created_date_unix, 'unixepoch') AS created, -- the same, UTC\n  strftime('%Y-%m-%d', f.created_date_unix, 'unixepoch') AS day, -- its day, UTC\n  strftime('%Y-%m', f.created_date_unix, 'unixepoch') AS month, -- its month, UTC\n  f.processed_date_unix AS processed_unix, -- when the processor had it, seconds since 1970; NULL before\n  strftime('%Y-%m-%dT%H:%M:%SZ', f.processed_date_unix, 'unixepoch') AS processed -- the same, UTC\nFROM raw_pending_refunds AS f"
  },
  {
    "name": "subscriptions",
    "about": "One row a subscription, as it was last read, with its period and what it brings in a month. A month's amount is the amount times the renewals of a year, divided by twelve, rounded half up to a whole minor unit (a year has 365 days): every n months a/n, years a/12n, weeks a*365/84n, days a*365/12n; calendar and fiscal schedules by their renewals a year.",
    "needs": {
      "raw_subscriptions": [
        "status",
        "amount",
        "amount_minor",
        "iso_currency",
        "is_overdue",
        "overdue_count",
        "customer_id",
        "customer_email",
        "customer_country",
        "product_id",
        "product_name",
        "product_quantity",
        "subscription_profile_id",
        "subscription_profile_name",
        "subscription_profile_frequency",
        "subscription_profile_frequency_unit_unit",
        "subscription_profile_frequency_unit_unit_value",
        "subscription_profile_frequency_calendar_unit",
        "subscription_profile_frequency_calendar_value",
        "subscription_profile_frequency_calendar_parent",
        "subscription_profile_frequency_fiscal_unit",
        "subscription_profile_frequency_fiscal_setting",
        "subscription_profile_frequency_fiscal_value",
        "subscription_profile_occurrences",
        "billing_next_renewal_date_unix",
        "billing_last_renewal_date_unix",
        "billing_last_renewal_id",
        "campaign_id",
        "campaign_name",
        "created_date_unix",
        "updated_date_unix"
      ]
    },
    "columns": [
      [
        "id",
        "the subscription's id"
      ],
      [
        "status",
        "active, overdue, suspended, cancelled or occurrence_limit"
      ],
      [
        "customer_id",
        "whose it is"
      ],
      [
        "customer_email",
        "that customer's e-mail address"
      ],
      [
        "country",
        "that customer's country"
      ],
      [
        "product_id",
        "what is subscribed to"
      ],
      [
        "product",
        "that product's name"
      ],
      [
        "quantity",
        "how many of it"
      ],
      [
        "profile_id",
        "the schedule it runs on"
      ],
      [
        "profile",
        "that schedule's name"
      ],
      [
        "period",
        "how often it renews: 1 months, week 1 of each month, fiscal quarter"
      ],
      [
        "currency",
        "ISO 4217 code"
      ],
      [
        "amount_minor",
        "what a renewal charges, minor units"
      ],
      [
        "monthly_minor",
        "the same for a month, minor units; NULL where the schedule is not known"
      ],
      [
        "is_overdue",
        "1 while a renewal is overdue"
      ],
      [
        "overdue_count",
        "renewals that are overdue"
      ],
      [
        "next_renewal_unix",
        "the next renewal, seconds since 1970"
      ],
      [
        "next_renewal",
        "the same, UTC"
      ],
      [
        "last_renewal_unix",
        "the last renewal, seconds since 1970"
      ],
      [
        "last_renewal_id",
        "that renewal's id"
      ],
      [
        "campaign_id",
        "the campaign it came by"
      ],
      [
        "campaign",
        "that campaign's name"
      ],
      [
        "created_unix",
        "when it began, seconds since 1970"
      ],
      [
        "created",
        "the same, UTC"
      ],
      [
        "updated",
        "when it was changed last, UTC"
      ]
    ],
    "sql": "WITH periods AS (\n  SELECT\n    s.*,\n    -- Renewals a year as a fraction: top / bottom.\n    CASE s.subscription_profile_frequency\n      WHEN 'unit' THEN\n        CASE s.subscription_profile_frequency_unit_unit WHEN 'months' THEN 12 WHEN 'years' THEN 1 WHEN 'weeks' THEN 365 WHEN 'days' THEN 365 END\n      WHEN 'calendar' THEN\n        CASE s.subscription_profile_frequency_calendar_parent WHEN 'week' THEN 365 WHEN 'month' THEN 12 WHEN 'year' THEN 1 END\n      WHEN 'fiscal' THEN\n        CASE s.subscription_profile_frequency_fiscal_unit WHEN 'quarter' THEN 4 WHEN 'year' THEN 1 END\n    END AS top,\n    CASE s.subscription_profile_frequency\n      WHEN 'unit' THEN\n        CASE s.subscription_profile_frequency_unit_unit WHEN 'weeks' THEN 7 ELSE 1 END\n        * nullif(s.subscription_profile_frequency_unit_unit_value, 0)\n      WHEN 'calendar' THEN CASE s.subscription_profile_frequency_calendar_parent WHEN 'week' THEN 7 ELSE 1 END\n      WHEN 'fiscal' THEN\n        CASE s.subscription_profile_frequency_fiscal_setting\n          WHEN 'infrequent' THEN nullif(s.subscription_profile_frequency_fiscal_value, 0)\n          ELSE 1\n        END\n    END AS bottom\n  FROM raw_subscriptions AS s\n)\nSELECT\n  p.id AS id, -- the subscription's id\n  p.status AS status, -- active, overdue, suspended, cancelled or occurrence_limit\n  p.customer_id AS customer_id, -- whose it is\n  p.customer_email AS customer_email, -- that customer's e-mail address\n  p.customer_country AS country, -- that customer's country\n  p.product_id AS product_id, -- what is subscribed to\n  p.product_name AS product, -- that product's name\n  p.product_quantity AS quantity, -- how many of it\n  p.subscription_profile_id AS profile_id, -- the schedule it runs on\n  p.subscription_profile_name AS profile, -- that schedule's name\n  CASE p.subscription_profile_frequency\n    WHEN 'unit' THEN\n      p.subscription_profile_frequency_unit_unit_value || ' ' || p.subscription_profile_frequency_unit_unit\n    WHEN 'calendar' THEN\n      p.subscription_profile_frequency_calendar_unit || ' ' || coalesce(p.subscription_profile_frequency_calendar_value, '')\n      || ' of each ' || p.subscription_profile_frequency_calendar_parent\n    WHEN 'fiscal' THEN\n      'fiscal ' || CASE p.subscription_profile_frequency_fiscal_setting\n        WHEN 'infrequent' THEN coalesce(p.subscription_profile_frequency_fiscal_value, '') || ' ' ELSE '' END\n      || p.subscription_profile_frequency_fiscal_unit\n  END AS period, -- how often it renews: 1 months, week 1 of each month, fiscal quarter\n  p.iso_currency AS currency, -- ISO 4217 code\n  p.amount_minor AS amount_minor, -- what a renewal charges, minor units\n  CAST((2 * p.amount_minor * p.top + 12 * p.bottom) / (24 * p.bottom) AS INTEGER) AS monthly_minor, -- the same for a month, minor units; NULL where the schedule is not known\n  p.is_overdue AS is_overdue, -- 1 while a renewal is overdue\n  p.overdue_count AS overdue_count, -- renewals that are overdue\n  p.billing_next_renewal_date_unix AS next_renewal_unix, -- the next renewal, seconds since 1970\n  strftime('%Y-%m-%dT%H:%M:%SZ', p.billing_next_renewal_date_unix, 'unixepoch') AS next_renewal, -- the same, UTC\n  p.billing_last_renewal_date_unix AS last_renewal_unix, -- the last renewal, seconds since 1970\n  p.billing_last_renewal_id AS last_renewal_id, -- that renewal's id\n  p.campaign_id AS campaign_id, -- the campaign it came by\n  p.campaign_name AS campaign, -- that campaign's name\n  p.created_date_unix AS created_unix, -- when it began, seconds since 1970\n  strftime('%Y-%m-%dT%H:%M:%SZ', p.created_date_unix, 'unixepoch') AS created, -- the same, UTC\n  strftime('%Y-%m-%dT%H:%M:%SZ', p.updated_date_unix, 'unixepoch') AS updated -- when it was changed last, UTC\nFROM periods AS p"
  }
];

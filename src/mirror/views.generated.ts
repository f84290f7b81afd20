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
        "products",
        "transactions",
        "wallet_transactions",
        "check_directs",
        "offline_payments"
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
        "product_name",
        "transactions",
        "wallet_transactions",
        "check_directs",
        "offline_payments"
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
        "subscriptions",
        "expiration_date_unix",
        "transactions",
        "wallet_transactions",
        "check_directs",
        "offline_payments"
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
        "paid_unix",
        "when it was paid: when it was made, a trial when it ended; seconds since 1970"
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
        "the day it was paid (paid_unix), UTC: the reports count it there"
      ],
      [
        "month",
        "the month it was paid, UTC"
      ],
      [
        "transactions",
        "the card transactions it was paid by, a JSON list of ids; here and below failed ones too"
      ],
      [
        "wallet_transactions",
        "those of wallets"
      ],
      [
        "check_directs",
        "those of checks"
      ],
      [
        "offline_payments",
        "those that were made elsewhere and booked only"
      ]
    ],
    "sql": "SELECT\n  s.id AS id, -- id of the sale, renewal or trial\n  'sale' AS kind, -- sale, renewal or trial\n  s.status AS status, -- as the service says it; renewals have none\n  json_extract(s.products, '$[0].id') AS product_id, -- the product; the first one of a sale\n  json_extract(s.products, '$[0].name') AS product, -- that product's name\n  NULL AS subscription_id, -- the subscription of a renewal or trial\n  s.iso_currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up\n  s.amount_minor AS amount_minor, -- what was to be paid, minor units\n  s.amount_captured_minor AS paid_minor, -- what was paid, minor units, before refunds\n  s.amount_refunded_minor AS refunded_minor, -- what of it was refunded or is about to be, minor units\n  s.amount_gross_minor AS gross_minor, -- paid less refunded, minor units\n  s.amount_fees_minor AS fees_minor, -- the processor's fees on the gross amount, minor units\n  s.amount_net_minor AS net_minor, -- gross less fees, minor units\n  s.amount_settled_minor AS settled_minor, -- what of it was settled, minor units\n  s.amount_remaining_minor AS remaining_minor, -- still to be collected, minor units\n  s.customer_id AS customer_id, -- who paid\n  s.customer_email AS customer_email, -- that customer's e-mail address\n  s.customer_country AS country, -- that customer's country\n  s.campaign_id AS campaign_id, -- the campaign it came by\n  s.campaign_name AS campaign, -- that campaign's name\n  s.payment_type_name AS payment_type, -- card, check, ...\n  s.created_date_unix AS paid_unix, -- when it was paid: when it was made, a trial when it ended; seconds since 1970\n  s.created_date_unix AS created_unix, -- when it was made, seconds since 1970\n  strftime('%Y-%m-%dT%H:%M:%SZ', s.created_date_unix, 'unixepoch') AS created, -- the same, UTC\n  strftime('%Y-%m-%d', s.created_date_unix, 'unixepoch') AS day, -- the day it was paid (paid_unix), UTC: the reports count it there\n  strftime('%Y-%m', s.created_date_unix, 'unixepoch') AS month, -- the month it was paid, UTC\n  s.transactions AS transactions, -- the card transactions it was paid by, a JSON list of ids; here and below failed ones too\n  s.wallet_transactions AS wallet_transactions, -- those of wallets\n  s.check_directs AS check_directs, -- those of checks\n  s.offline_payments AS offline_payments -- those that were made elsewhere and booked only\nFROM raw_sales AS s\nWHERE s.amount_captured IS NULL OR s.amount_captured <> 0\nUNION ALL\nSELECT\n  r.id, 'renewal', NULL, r.product_id, r.product_name, r.subscription_id,\n  r.iso_currency AS currency,\n  r.amount_minor AS amount_minor,\n  r.amount_captured_minor AS paid_minor,\n  r.amount_refunded_minor AS refunded_minor,\n  r.amount_gross_minor AS gross_minor,\n  r.amount_fees_minor AS fees_minor,\n  r.amount_net_minor AS net_minor,\n  r.amount_settled_minor AS settled_minor,\n  r.amount_remaining_minor AS remaining_minor,\n  r.customer_id AS customer_id,\n  r.customer_email AS customer_email,\n  r.customer_country AS country,\n  r.campaign_id AS campaign_id,\n  r.campaign_name AS campaign,\n  r.payment_type_name AS payment_type,\n  r.created_date_unix AS paid_unix,\n  r.created_date_unix AS created_unix,\n  strftime('%Y-%m-%dT%H:%M:%SZ', r.created_date_unix, 'unixepoch') AS created,\n  strftime('%Y-%m-%d', r.created_date_unix, 'unixepoch') AS day,\n  strftime('%Y-%m', r.created_date_unix, 'unixepoch') AS month,\n  r.transactions, r.wallet_transactions, r.check_directs, r.offline_payments\nFROM raw_subscription_renewals AS r\nWHERE r.amount_captured IS NULL OR r.amount_captured <> 0\nUNION ALL\nSELECT\n  t.id, 'trial', t.status, t.product_id, t.product_name, json_extract(t.subscriptions, '$[0]'),\n  t.iso_currency AS currency,\n  t.amount_minor AS amount_minor,\n  t.amount_captured_minor AS paid_minor,\n  t.amount_refunded_minor AS refunded_minor,\n  t.amount_gross_minor AS gross_minor,\n  t.amount_fees_minor AS fees_minor,\n  t.amount_net_minor AS net_minor,\n  t.amount_settled_minor AS settled_minor,\n  t.amount_remaining_minor AS remaining_minor,\n  t.customer_id AS customer_id,\n  t.customer_email AS customer_email,\n  t.customer_country AS country,\n  t.campaign_id AS campaign_id,\n  t.campaign_name AS campaign,\n  t.payment_type_name AS payment_type,\n  coalesce(t.expiration_date_unix, t.created_date_unix) AS paid_unix,\n  t.created_date_unix AS created_unix,\n  strftime('%Y-%m-%dT%H:%M:%SZ', t.created_date_unix, 'unixepoch') AS created,\n  strftime('%Y-%m-%d', coalesce(t.expiration_date_unix, t.created_date_unix), 'unixepoch') AS day,\n  strftime('%Y-%m', coalesce(t.expiration_date_unix, t.created_date_unix), 'unixepoch') AS month,\n  t.transactions, t.wallet_transactions, t.check_directs, t.offline_payments\nFROM raw_trials AS t\nWHERE t.amount_captured IS NULL OR t.amount_captured <> 0"
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
    "name": "report_attempts",
    "about": "One row an attempt to charge a card, whatever came of it. An amount that was tried several times has several rows.",
    "needs": {
      "raw_transactions": [
        "result",
        "amount_minor",
        "iso_currency",
        "method",
        "gateway_name",
        "response_text",
        "customer_card_type",
        "campaign_name",
        "customer_country",
        "created_date_unix"
      ]
    },
    "columns": [
      [
        "at_unix",
        "when it was tried, seconds since 1970"
      ],
      [
        "id",
        "the transaction's id"
      ],
      [
        "currency",
        "ISO 4217 code"
      ],
      [
        "status",
        "approved, declined, error, held, ..."
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
        "gateway",
        "the gateway"
      ],
      [
        "card_type",
        "visa, ..."
      ],
      [
        "campaign",
        "the campaign"
      ],
      [
        "country",
        "the customer's country"
      ],
      [
        "amount_minor",
        "the amount, minor units"
      ],
      [
        "failed",
        "1 where it was not approved"
      ]
    ],
    "sql": "SELECT\n  t.created_date_unix AS at_unix, -- when it was tried, seconds since 1970\n  t.id AS id, -- the transaction's id\n  t.iso_currency AS currency, -- ISO 4217 code\n  coalesce(f.status, 'approved') AS status, -- approved, declined, error, held, ...\n  f.reason AS reason, -- the gateway's words, where they are shown\n  t.method AS method, -- what was being paid: sale_create, subscription_renew, ...\n  t.gateway_name AS gateway, -- the gateway\n  t.customer_card_type AS card_type, -- visa, ...\n  t.campaign_name AS campaign, -- the campaign\n  t.customer_country AS country, -- the customer's country\n  t.amount_minor AS amount_minor, -- the amount, minor units\n  f.id IS NOT NULL AS failed -- 1 where it was not approved\nFROM raw_transactions AS t\nLEFT JOIN failures AS f ON f.id = t.id"
  },
  {
    "name": "report_bookings",
    "about": "One row a booking: money taken (a sale is one row a product line, and one row for the rest of it), a refund, a chargeback, tax or shipping that was collected. Payments are booked on the day they were made, refunds on the day they were accepted, chargebacks on the day they were recorded.",
    "needs": {
      "raw_sales": [
        "campaign_name",
        "customer_country",
        "payment_type_name"
      ],
      "raw_product_sales": [
        "sales",
        "product_name",
        "amount_captured_minor",
        "amount_fees_minor"
      ],
      "raw_subscription_renewals": [
        "product_name"
      ],
      "raw_trials": [
        "product_name"
      ],
      "raw_transactions": [
        "subscription_renewals",
        "trials"
      ],
      "raw_tax": [
        "sales",
        "subscription_renewals",
        "trials",
        "amount_captured",
        "amount_captured_minor",
        "iso_currency",
        "campaign_name",
        "customer_country",
        "payment_type_name",
        "created_date_unix"
      ],
      "raw_shipping": [
        "sales",
        "subscription_renewals",
        "trials",
        "amount_captured",
        "amount_captured_minor",
        "iso_currency",
        "campaign_name",
        "customer_country",
        "payment_type_name",
        "created_date_unix"
      ],
      "raw_chargebacks": [
        "transaction_id",
        "amount_minor",
        "iso_currency",
        "campaign_name",
        "customer_country",
        "payment_type_name",
        "created_date_unix"
      ]
    },
    "columns": [
      [
        "at_unix",
        "when it is booked, seconds since 1970"
      ],
      [
        "what",
        "payment, refund, chargeback, tax or shipping"
      ],
      [
        "kind",
        "sale, renewal or trial: what the money was for"
      ],
      [
        "id",
        "the item that is booked"
      ],
      [
        "currency",
        "ISO 4217 code; amounts of different currencies are never added up"
      ],
      [
        "product",
        "the product; NULL for what belongs to no single one"
      ],
      [
        "campaign",
        "the campaign"
      ],
      [
        "country",
        "the customer's country"
      ],
      [
        "payment_type",
        "card, check, ..."
      ],
      [
        "payments",
        "1 for a payment, counted once"
      ],
      [
        "payment_id",
        "the payment; each line of a sale names it, and what is left of it where something is"
      ],
      [
        "gross_minor",
        "money taken, minor units"
      ],
      [
        "refunds_minor",
        "money given back, minor units"
      ],
      [
        "chargebacks_minor",
        "money taken back by the cardholder's bank, minor units"
      ],
      [
        "fees_minor",
        "the processor's fees as the payment shows them, minor units"
      ],
      [
        "tax_minor",
        "tax collected, less tax given back, minor units"
      ],
      [
        "shipping_minor",
        "shipping collected, less shipping given back, minor units"
      ]
    ],
    "sql": "WITH lines AS (\n  SELECT\n    CAST(json_extract(l.sales, '$[0]') AS TEXT) AS sale,\n    l.id, l.product_name,\n    coalesce(l.amount_captured_minor, 0) AS paid,\n    coalesce(l.amount_fees_minor, 0) AS fees\n  FROM raw_product_sales AS l\n),\nsums AS (SELECT sale, sum(paid) AS paid, sum(fees) AS fees FROM lines GROUP BY sale)\nSELECT\n  p.paid_unix AS at_unix, -- when it is booked, seconds since 1970\n  'payment' AS what, -- payment, refund, chargeback, tax or shipping\n  p.kind AS kind, -- sale, renewal or trial: what the money was for\n  p.id AS id, -- the item that is booked\n  p.currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up\n  CASE WHEN p.kind <> 'sale' THEN p.product END AS product, -- the product; NULL for what belongs to no single one\n  p.campaign AS campaign, -- the campaign\n  p.country AS country, -- the customer's country\n  p.payment_type AS payment_type, -- card, check, ...\n  1 AS payments, -- 1 for a payment, counted once\n  CASE WHEN s.sale IS NULL OR p.kind <> 'sale' OR p.paid_minor <> s.paid THEN p.id END AS payment_id, -- the payment; each line of a sale names it, and what is left of it where something is\n  p.paid_minor - CASE WHEN p.kind = 'sale' THEN coalesce(s.paid, 0) ELSE 0 END AS gross_minor, -- money taken, minor units\n  0 AS refunds_minor, -- money given back, minor units\n  0 AS chargebacks_minor, -- money taken back by the cardholder's bank, minor units\n  p.fees_minor - CASE WHEN p.kind = 'sale' THEN coalesce(s.fees, 0) ELSE 0 END AS fees_minor, -- the processor's fees as the payment shows them, minor units\n  0 AS tax_minor, -- tax collected, less tax given back, minor units\n  0 AS shipping_minor -- shipping collected, less shipping given back, minor units\nFROM payments AS p\nLEFT JOIN sums AS s ON s.sale = p.id\nUNION ALL\nSELECT\n  p.paid_unix, 'payment', 'sale', l.id, p.currency, l.product_name, p.campaign, p.country, p.payment_type,\n  0, p.id, l.paid, 0, 0, l.fees, 0, 0\nFROM lines AS l\nJOIN payments AS p ON p.id = l.sale AND p.kind = 'sale'\nUNION ALL\nSELECT\n  f.created_unix, 'refund',\n  CASE\n    WHEN f.kind = 'subscription_renewal' THEN 'renewal'\n    WHEN f.kind = 'trial' THEN 'trial'\n    WHEN json_array_length(coalesce(x.subscription_renewals, h.subscription_renewals, t.subscription_renewals, '[]')) > 0 THEN 'renewal'\n    WHEN json_array_length(coalesce(x.trials, h.trials, t.trials, '[]')) > 0 THEN 'trial'\n    ELSE 'sale'\n  END,\n  f.id, f.currency, coalesce(r.product_name, i.product_name, l.product_name), f.campaign, f.country, f.payment_type,\n  0, NULL, 0, f.amount_minor, 0, 0,\n  CASE WHEN f.kind = 'tax' THEN -f.amount_minor ELSE 0 END,\n  CASE WHEN f.kind = 'shipping' THEN -f.amount_minor ELSE 0 END\nFROM refunds AS f\nLEFT JOIN raw_subscription_renewals AS r ON r.id = f.source_id\nLEFT JOIN raw_trials AS i ON i.id = f.source_id\nLEFT JOIN raw_product_sales AS l ON l.id = f.source_id\nLEFT JOIN raw_tax AS x ON x.id = f.source_id\nLEFT JOIN raw_shipping AS h ON h.id = f.source_id\nLEFT JOIN raw_transactions AS t ON t.id = f.source_id\nUNION ALL\nSELECT\n  c.created_date_unix, 'chargeback',\n  CASE\n    WHEN json_array_length(coalesce(t.subscription_renewals, '[]')) > 0 THEN 'renewal'\n    WHEN json_array_length(coalesce(t.trials, '[]')) > 0 THEN 'trial'\n    ELSE 'sale'\n  END,\n  c.id, c.iso_currency, r.product_name, c.campaign_name, c.customer_country, c.payment_type_name,\n  0, NULL, 0, 0, c.amount_minor, 0, 0, 0\nFROM raw_chargebacks AS c\nLEFT JOIN raw_transactions AS t ON t.id = c.transaction_id\nLEFT JOIN raw_subscription_renewals AS r ON r.id = json_extract(t.subscription_renewals, '$[0]')\nUNION ALL\nSELECT\n  x.created_date_unix, 'tax',\n  CASE\n    WHEN json_array_length(coalesce(x.subscription_renewals, '[]')) > 0 THEN 'renewal'\n    WHEN json_array_length(coalesce(x.trials, '[]')) > 0 THEN 'trial'\n    ELSE 'sale'\n  END,\n  x.id, x.iso_currency, NULL, x.campaign_name, x.customer_country, x.payment_type_name,\n  0, NULL, 0, 0, 0, 0, x.amount_captured_minor, 0\nFROM raw_tax AS x\nWHERE x.amount_captured IS NULL OR x.amount_captured <> 0\nUNION ALL\nSELECT\n  h.created_date_unix, 'shipping',\n  CASE\n    WHEN json_array_length(coalesce(h.subscription_renewals, '[]')) > 0 THEN 'renewal'\n    WHEN json_array_length(coalesce(h.trials, '[]')) > 0 THEN 'trial'\n    ELSE 'sale'\n  END,\n  h.id, h.iso_currency, NULL, h.campaign_name, h.customer_country, h.payment_type_name,\n  0, NULL, 0, 0, 0, 0, 0, h.amount_captured_minor\nFROM raw_shipping AS h\nWHERE h.amount_captured IS NULL OR h.amount_captured <> 0"
  },
  {
    "name": "report_customer_payments",
    "about": "One row a payment, with the day on which that customer first paid in that currency.",
    "needs": {},
    "columns": [
      [
        "at_unix",
        "when it was paid, seconds since 1970"
      ],
      [
        "first_unix",
        "when the customer first paid, seconds since 1970"
      ],
      [
        "id",
        "id of the sale, renewal or trial"
      ],
      [
        "kind",
        "sale, renewal or trial"
      ],
      [
        "customer_id",
        "who paid"
      ],
      [
        "currency",
        "ISO 4217 code"
      ],
      [
        "campaign",
        "the campaign of the first payment"
      ],
      [
        "country",
        "the customer's country at the first payment"
      ],
      [
        "paid_minor",
        "what was paid, minor units"
      ],
      [
        "refunded_minor",
        "what of it was given back by now, minor units"
      ],
      [
        "fees_minor",
        "the processor's fees, minor units"
      ]
    ],
    "sql": "SELECT\n  p.paid_unix AS at_unix, -- when it was paid, seconds since 1970\n  min(p.paid_unix) OVER (PARTITION BY p.customer_id, p.currency) AS first_unix, -- when the customer first paid, seconds since 1970\n  p.id AS id, -- id of the sale, renewal or trial\n  p.kind AS kind, -- sale, renewal or trial\n  p.customer_id AS customer_id, -- who paid\n  p.currency AS currency, -- ISO 4217 code\n  first_value(p.campaign) OVER w AS campaign, -- the campaign of the first payment\n  first_value(p.country) OVER w AS country, -- the customer's country at the first payment\n  p.paid_minor AS paid_minor, -- what was paid, minor units\n  p.refunded_minor AS refunded_minor, -- what of it was given back by now, minor units\n  p.fees_minor AS fees_minor -- the processor's fees, minor units\nFROM payments AS p\n-- Who moves stays in one group: its customers are those that began there.\nWINDOW w AS (PARTITION BY p.customer_id, p.currency ORDER BY p.paid_unix, p.id)"
  },
  {
    "name": "report_differences",
    "about": "One row a sale, renewal or trial with money, what it says was paid beside what its payments say; and one row a payment that none of them names.",
    "needs": {
      "raw_transactions": [
        "amount_captured_minor",
        "iso_currency",
        "customer_email",
        "created_date_unix"
      ],
      "raw_wallet_transactions": [
        "amount_captured_minor",
        "iso_currency",
        "customer_email",
        "created_date_unix"
      ],
      "raw_check_directs": [
        "amount_captured_minor",
        "iso_currency",
        "customer_email",
        "created_date_unix"
      ],
      "raw_offline_payments": [
        "amount_captured_minor",
        "iso_currency",
        "customer_email",
        "created_date_unix"
      ]
    },
    "columns": [
      [
        "at_unix",
        "when it was paid, seconds since 1970"
      ],
      [
        "kind",
        "sale, renewal or trial; or transaction, wallet_transaction, check_direct, offline_payment"
      ],
      [
        "id",
        "its id"
      ],
      [
        "currency",
        "ISO 4217 code"
      ],
      [
        "customer_email",
        "who paid"
      ],
      [
        "items_minor",
        "what the sale, renewal or trial says was paid, minor units"
      ],
      [
        "payments_minor",
        "what its payments say was taken, minor units"
      ],
      [
        "difference_minor",
        "the first less the second, minor units"
      ]
    ],
    "sql": "WITH items AS (\n  SELECT p.id, p.kind, p.currency, p.paid_unix, p.paid_minor, p.customer_email,\n    p.transactions AS cards, p.wallet_transactions AS wallets, p.check_directs AS checks, p.offline_payments AS offline\n  FROM payments AS p\n),\n-- Most lists are empty: those are not taken apart.\nnamed AS (\n  SELECT i.id AS item, i.currency, CAST(j.value AS TEXT) AS payment FROM items AS i, json_each(i.cards) AS j WHERE i.cards <> '[]'\n  UNION SELECT i.id, i.currency, CAST(j.value AS TEXT) FROM items AS i, json_each(i.wallets) AS j WHERE i.wallets <> '[]'\n  UNION SELECT i.id, i.currency, CAST(j.value AS TEXT) FROM items AS i, json_each(i.checks) AS j WHERE i.checks <> '[]'\n  UNION SELECT i.id, i.currency, CAST(j.value AS TEXT) FROM items AS i, json_each(i.offline) AS j WHERE i.offline <> '[]'\n),\ntaken AS (\n  SELECT id, 'transaction' AS kind, iso_currency AS currency, created_date_unix AS at, amount_captured_minor AS minor, customer_email FROM raw_transactions\n  UNION ALL\n  SELECT id, 'wallet_transaction', iso_currency, created_date_unix, amount_captured_minor, customer_email FROM raw_wallet_transactions\n  UNION ALL\n  SELECT id, 'check_direct', iso_currency, created_date_unix, amount_captured_minor, customer_email FROM raw_check_directs\n  UNION ALL\n  SELECT id, 'offline_payment', iso_currency, created_date_unix, amount_captured_minor, customer_email FROM raw_offline_payments\n),\nsums AS (\n  SELECT n.item, t.currency, sum(t.minor) AS minor\n  FROM named AS n JOIN taken AS t ON t.id = n.payment\n  WHERE t.minor <> 0\n  GROUP BY n.item, t.currency\n)\nSELECT\n  i.paid_unix AS at_unix, -- when it was paid, seconds since 1970\n  i.kind AS kind, -- sale, renewal or trial; or transaction, wallet_transaction, check_direct, offline_payment\n  i.id AS id, -- its id\n  i.currency AS currency, -- ISO 4217 code\n  i.customer_email AS customer_email, -- who paid\n  i.paid_minor AS items_minor, -- what the sale, renewal or trial says was paid, minor units\n  coalesce(s.minor, 0) AS payments_minor, -- what its payments say was taken, minor units\n  i.paid_minor - coalesce(s.minor, 0) AS difference_minor -- the first less the second, minor units\nFROM items AS i\nLEFT JOIN sums AS s ON s.item = i.id AND s.currency = i.currency\nUNION ALL\nSELECT t.at, t.kind, t.id, t.currency, t.customer_email, 0, t.minor, -t.minor\nFROM taken AS t\n-- A join, whose index is made once; asked for each payment by itself it would be made as often.\nLEFT JOIN named AS k ON k.payment = t.id AND k.currency IS t.currency\nWHERE (t.minor IS NULL OR t.minor <> 0) AND k.payment IS NULL"
  },
  {
    "name": "report_disputes",
    "about": "One row a chargeback, or a card transaction that was approved: both sides of the ratio of chargebacks to transactions.",
    "needs": {
      "raw_chargebacks": [
        "amount_minor",
        "iso_currency",
        "status",
        "reason_code",
        "representment_outcome",
        "campaign_name",
        "customer_country",
        "created_date_unix"
      ],
      "raw_transactions": [
        "result",
        "amount_minor",
        "iso_currency",
        "campaign_name",
        "customer_country",
        "created_date_unix"
      ]
    },
    "columns": [
      [
        "at_unix",
        "when it was recorded or approved, seconds since 1970"
      ],
      [
        "what",
        "chargeback or transaction"
      ],
      [
        "id",
        "its id"
      ],
      [
        "currency",
        "ISO 4217 code"
      ],
      [
        "reason",
        "the reason code of a chargeback"
      ],
      [
        "status",
        "the state of a chargeback"
      ],
      [
        "campaign",
        "the campaign"
      ],
      [
        "country",
        "the customer's country"
      ],
      [
        "chargebacks",
        "1 for a chargeback"
      ],
      [
        "chargebacks_minor",
        "its amount, minor units"
      ],
      [
        "won",
        "1 for one that was fought and won"
      ],
      [
        "won_minor",
        "its amount, minor units"
      ],
      [
        "transactions",
        "1 for a transaction"
      ],
      [
        "transactions_minor",
        "its amount, minor units"
      ]
    ],
    "sql": "SELECT\n  c.created_date_unix AS at_unix, -- when it was recorded or approved, seconds since 1970\n  'chargeback' AS what, -- chargeback or transaction\n  c.id AS id, -- its id\n  c.iso_currency AS currency, -- ISO 4217 code\n  c.reason_code AS reason, -- the reason code of a chargeback\n  c.status AS status, -- the state of a chargeback\n  c.campaign_name AS campaign, -- the campaign\n  c.customer_country AS country, -- the customer's country\n  1 AS chargebacks, -- 1 for a chargeback\n  c.amount_minor AS chargebacks_minor, -- its amount, minor units\n  CASE WHEN c.representment_outcome = 'won' THEN 1 ELSE 0 END AS won, -- 1 for one that was fought and won\n  CASE WHEN c.representment_outcome = 'won' THEN c.amount_minor ELSE 0 END AS won_minor, -- its amount, minor units\n  0 AS transactions, -- 1 for a transaction\n  0 AS transactions_minor -- its amount, minor units\nFROM raw_chargebacks AS c\nUNION ALL\nSELECT\n  t.created_date_unix, 'transaction', t.id, t.iso_currency, NULL, t.result, t.campaign_name, t.customer_country,\n  0, 0, 0, 0, 1, t.amount_minor\nFROM raw_transactions AS t\nWHERE t.result = 'approved'"
  },
  {
    "name": "report_salvage",
    "about": "One row an amount that could not be collected when it was due, and what became of it since.",
    "needs": {
      "raw_salvage_transactions": [
        "status",
        "enabled",
        "method",
        "attempts",
        "amount_minor",
        "amount_remaining_minor",
        "iso_currency",
        "campaign_name",
        "customer_country",
        "customer_id",
        "created_date_unix"
      ]
    },
    "columns": [
      [
        "at_unix",
        "when the collection failed, seconds since 1970"
      ],
      [
        "id",
        "the salvage transaction's id"
      ],
      [
        "status",
        "created, processed or disabled"
      ],
      [
        "method",
        "what was being paid: subscription_renew, trial_expire, ..."
      ],
      [
        "currency",
        "ISO 4217 code"
      ],
      [
        "campaign",
        "the campaign"
      ],
      [
        "country",
        "the customer's country"
      ],
      [
        "customer_id",
        "who owes it"
      ],
      [
        "failed_minor",
        "what was not collected, minor units"
      ],
      [
        "recovered_minor",
        "what of it was collected since, minor units"
      ],
      [
        "open_minor",
        "what can still be collected, minor units"
      ],
      [
        "lost_minor",
        "what was given up, minor units"
      ]
    ],
    "sql": "SELECT\n  s.created_date_unix AS at_unix, -- when the collection failed, seconds since 1970\n  s.id AS id, -- the salvage transaction's id\n  s.status AS status, -- created, processed or disabled\n  s.method AS method, -- what was being paid: subscription_renew, trial_expire, ...\n  s.iso_currency AS currency, -- ISO 4217 code\n  s.campaign_name AS campaign, -- the campaign\n  s.customer_country AS country, -- the customer's country\n  s.customer_id AS customer_id, -- who owes it\n  s.amount_minor AS failed_minor, -- what was not collected, minor units\n  s.amount_minor - s.amount_remaining_minor AS recovered_minor, -- what of it was collected since, minor units\n  CASE WHEN s.enabled = 0 OR s.status = 'disabled' THEN 0 ELSE s.amount_remaining_minor END AS open_minor, -- what can still be collected, minor units\n  CASE WHEN s.enabled = 0 OR s.status = 'disabled' THEN s.amount_remaining_minor ELSE 0 END AS lost_minor -- what was given up, minor units\nFROM raw_salvage_transactions AS s"
  },
  {
    "name": "report_subscription_states",
    "about": "One row a state of a subscription and the time in which it is known to have held: the current one, and each that the history keeps. A state begins when the service says the subscription was last updated, where that is known. Months are computed as in `subscriptions`.",
    "needs": {
      "raw_subscriptions": [
        "status",
        "amount_minor",
        "iso_currency",
        "customer_id",
        "customer_country",
        "product_name",
        "campaign_name",
        "subscription_profile_frequency",
        "subscription_profile_frequency_unit_unit",
        "subscription_profile_frequency_unit_unit_value",
        "subscription_profile_frequency_calendar_parent",
        "subscription_profile_frequency_fiscal_unit",
        "subscription_profile_frequency_fiscal_setting",
        "subscription_profile_frequency_fiscal_value",
        "created_date_unix",
        "updated_date_unix",
        "_seen_at"
      ],
      "raw_subscription_renewals": [
        "subscription_id",
        "is_overdue",
        "created_date_unix"
      ]
    },
    "columns": [
      [
        "id",
        "the subscription's id"
      ],
      [
        "from_unix",
        "since when the state is known, seconds since 1970"
      ],
      [
        "until_unix",
        "when another one, or none, came in its place; NULL for the current one"
      ],
      [
        "created_unix",
        "when the subscription began, seconds since 1970"
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
        "country",
        "that customer's country"
      ],
      [
        "product",
        "what is subscribed to"
      ],
      [
        "campaign",
        "the campaign it came by"
      ],
      [
        "currency",
        "ISO 4217 code"
      ],
      [
        "monthly_minor",
        "what it brings in a month, minor units; NULL where the schedule is not known"
      ],
      [
        "overdue_since_unix",
        "since when it is overdue, seconds since 1970"
      ]
    ],
    "sql": "WITH shapes AS (\n  SELECT\n    s.id, s._seen_at AS seen, NULL AS gone, s.status, s.amount_minor AS amount, s.iso_currency AS currency,\n    s.customer_id AS customer, s.customer_country AS country, s.product_name AS product, s.campaign_name AS campaign,\n    s.created_date_unix AS created, s.updated_date_unix AS updated,\n    s.subscription_profile_frequency AS frequency,\n    s.subscription_profile_frequency_unit_unit AS unit, s.subscription_profile_frequency_unit_unit_value AS unit_value,\n    s.subscription_profile_frequency_calendar_parent AS parent,\n    s.subscription_profile_frequency_fiscal_unit AS fiscal, s.subscription_profile_frequency_fiscal_setting AS setting,\n    s.subscription_profile_frequency_fiscal_value AS fiscal_value\n  FROM raw_subscriptions AS s\n  UNION ALL\n  SELECT\n    h.id, h.seen_at, CASE WHEN h.is_gone = 1 THEN h.until_at END, h.json ->> '$.status',\n    CAST(round((h.json ->> '$.amount') * CASE\n      WHEN h.json ->> '$.iso_currency' IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN 1\n      WHEN h.json ->> '$.iso_currency' IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 1000\n      WHEN h.json ->> '$.iso_currency' IN ('CLF', 'UYW') THEN 10000\n      ELSE 100 END) AS INTEGER),\n    h.json ->> '$.iso_currency', h.json ->> '$.customer.id', h.json ->> '$.customer.country', h.json ->> '$.product.name',\n    h.json ->> '$.campaign_name', h.json ->> '$.created_date_unix', h.json ->> '$.updated_date_unix',\n    h.json ->> '$.subscription_profile.frequency',\n    h.json ->> '$.subscription_profile.frequency_unit.unit', h.json ->> '$.subscription_profile.frequency_unit.unit_value',\n    h.json ->> '$.subscription_profile.frequency_calendar.parent',\n    h.json ->> '$.subscription_profile.frequency_fiscal.unit', h.json ->> '$.subscription_profile.frequency_fiscal.setting',\n    h.json ->> '$.subscription_profile.frequency_fiscal.value'\n  FROM _history AS h\n  WHERE h.family = 'subscriptions'\n),\nbegun AS (\n  SELECT\n    s.*,\n    max(min(coalesce(s.updated, s.seen), s.seen), coalesce(s.created, 0), coalesce(lag(s.seen) OVER (PARTITION BY s.id ORDER BY s.seen, s.gone IS NULL), 0)) AS since\n  FROM shapes AS s\n),\nheld AS (\n  SELECT\n    b.*,\n    coalesce(b.gone, lead(b.since) OVER (PARTITION BY b.id ORDER BY b.seen, b.gone IS NULL)) AS until,\n    -- Renewals a year as a fraction: top / bottom.\n    CASE b.frequency\n      WHEN 'unit' THEN CASE b.unit WHEN 'months' THEN 12 WHEN 'years' THEN 1 WHEN 'weeks' THEN 365 WHEN 'days' THEN 365 END\n      WHEN 'calendar' THEN CASE b.parent WHEN 'week' THEN 365 WHEN 'month' THEN 12 WHEN 'year' THEN 1 END\n      WHEN 'fiscal' THEN CASE b.fiscal WHEN 'quarter' THEN 4 WHEN 'year' THEN 1 END\n    END AS top,\n    CASE b.frequency\n      WHEN 'unit' THEN CASE b.unit WHEN 'weeks' THEN 7 ELSE 1 END * nullif(b.unit_value, 0)\n      WHEN 'calendar' THEN CASE b.parent WHEN 'week' THEN 7 ELSE 1 END\n      WHEN 'fiscal' THEN CASE b.setting WHEN 'infrequent' THEN nullif(b.fiscal_value, 0) ELSE 1 END\n    END AS bottom\n  FROM begun AS b\n),\npaid AS (\n  SELECT r.subscription_id, max(r.created_date_unix) AS at\n  FROM raw_subscription_renewals AS r\n  WHERE coalesce(r.is_overdue, 0) = 0\n  GROUP BY r.subscription_id\n),\nlate AS (\n  SELECT r.subscription_id, min(r.created_date_unix) AS since\n  FROM raw_subscription_renewals AS r\n  LEFT JOIN paid AS p ON p.subscription_id = r.subscription_id\n  WHERE r.is_overdue = 1 AND r.created_date_unix > coalesce(p.at, 0)\n  GROUP BY r.subscription_id\n)\nSELECT\n  s.id AS id, -- the subscription's id\n  s.since AS from_unix, -- since when the state is known, seconds since 1970\n  s.until AS until_unix, -- when another one, or none, came in its place; NULL for the current one\n  s.created AS created_unix, -- when the subscription began, seconds since 1970\n  s.status AS status, -- active, overdue, suspended, cancelled or occurrence_limit\n  s.customer AS customer_id, -- whose it is\n  s.country AS country, -- that customer's country\n  s.product AS product, -- what is subscribed to\n  s.campaign AS campaign, -- the campaign it came by\n  s.currency AS currency, -- ISO 4217 code\n  CAST((2 * s.amount * s.top + 12 * s.bottom) / (24 * s.bottom) AS INTEGER) AS monthly_minor, -- what it brings in a month, minor units; NULL where the schedule is not known\n  CASE WHEN s.status = 'overdue' THEN coalesce(CASE WHEN s.until IS NULL THEN l.since END, s.since) END AS overdue_since_unix -- since when it is overdue, seconds since 1970\nFROM held AS s\nLEFT JOIN late AS l ON l.subscription_id = s.id"
  },
  {
    "name": "report_trials",
    "about": "One row a trial by the day it began, with what became of it.",
    "needs": {
      "raw_trials": [
        "status",
        "expired_result",
        "expiration_date_unix",
        "amount_captured_minor",
        "iso_currency",
        "product_name",
        "campaign_name",
        "customer_country",
        "customer_id",
        "created_date_unix"
      ]
    },
    "columns": [
      [
        "at_unix",
        "when it began, seconds since 1970"
      ],
      [
        "id",
        "the trial's id"
      ],
      [
        "outcome",
        "converted, failed, cancelled or running"
      ],
      [
        "currency",
        "ISO 4217 code"
      ],
      [
        "product",
        "the product"
      ],
      [
        "campaign",
        "the campaign"
      ],
      [
        "country",
        "the customer's country"
      ],
      [
        "customer_id",
        "whose it is"
      ],
      [
        "ends_unix",
        "when it ends or ended, seconds since 1970"
      ],
      [
        "paid_minor",
        "what was paid at its end, minor units"
      ]
    ],
    "sql": "SELECT\n  t.created_date_unix AS at_unix, -- when it began, seconds since 1970\n  t.id AS id, -- the trial's id\n  CASE\n    WHEN t.status = 'expired' AND t.expired_result = 'failed' THEN 'failed'\n    WHEN t.status = 'expired' THEN 'converted'\n    WHEN t.status = 'cancelled' THEN 'cancelled'\n    ELSE 'running'\n  END AS outcome, -- converted, failed, cancelled or running\n  t.iso_currency AS currency, -- ISO 4217 code\n  t.product_name AS product, -- the product\n  t.campaign_name AS campaign, -- the campaign\n  t.customer_country AS country, -- the customer's country\n  t.customer_id AS customer_id, -- whose it is\n  t.expiration_date_unix AS ends_unix, -- when it ends or ended, seconds since 1970\n  t.amount_captured_minor AS paid_minor -- what was paid at its end, minor units\nFROM raw_trials AS t"
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

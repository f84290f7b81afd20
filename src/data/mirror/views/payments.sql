-- One row per sale, renewal or trial that took money, even if it was refunded. A paid amount that is not in whole minor
-- units is NULL. A trial counts with what was paid at its end: its start is part of the sale.
-- needs raw_sales: amount, amount_minor, amount_captured, amount_captured_minor, amount_refunded, amount_refunded_minor, amount_gross, amount_gross_minor, amount_fees, amount_fees_minor, amount_net, amount_net_minor, amount_settled, amount_settled_minor, amount_remaining, amount_remaining_minor, iso_currency, customer_id, customer_email, customer_country, campaign_id, campaign_name, payment_type_name, created_date_unix, status, products, transactions, wallet_transactions, check_directs, offline_payments, customer_state, ship_to_state, ship_to_country
-- needs raw_subscription_renewals: amount, amount_minor, amount_captured, amount_captured_minor, amount_refunded, amount_refunded_minor, amount_gross, amount_gross_minor, amount_fees, amount_fees_minor, amount_net, amount_net_minor, amount_settled, amount_settled_minor, amount_remaining, amount_remaining_minor, iso_currency, customer_id, customer_email, customer_country, campaign_id, campaign_name, payment_type_name, created_date_unix, subscription_id, product_id, product_name, transactions, wallet_transactions, check_directs, offline_payments, customer_state, ship_to_state, ship_to_country
-- needs raw_trials: amount, amount_minor, amount_captured, amount_captured_minor, amount_refunded, amount_refunded_minor, amount_gross, amount_gross_minor, amount_fees, amount_fees_minor, amount_net, amount_net_minor, amount_settled, amount_settled_minor, amount_remaining, amount_remaining_minor, iso_currency, customer_id, customer_email, customer_country, campaign_id, campaign_name, payment_type_name, created_date_unix, status, product_id, product_name, subscriptions, expiration_date_unix, transactions, wallet_transactions, check_directs, offline_payments, customer_state, ship_to_state, ship_to_country
SELECT
  s.id AS id, -- id of the sale, renewal or trial
  'sale' AS kind, -- sale, renewal or trial
  s.status AS status, -- as the service shows it; renewals have none
  json_extract(s.products, '$[0].id') AS product_id, -- the product; the first one of a sale
  json_extract(s.products, '$[0].name') AS product, -- that product's name
  NULL AS subscription_id, -- the subscription of a renewal or trial
  s.iso_currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up
  s.amount_minor AS amount_minor, -- the amount to be paid, minor units
  s.amount_captured_minor AS paid_minor, -- what was paid, minor units, before refunds
  s.amount_refunded_minor AS refunded_minor, -- the part refunded or about to be, minor units
  s.amount_gross_minor AS gross_minor, -- paid less refunded, minor units
  s.amount_fees_minor AS fees_minor, -- the processor's fees on the gross amount, minor units
  s.amount_net_minor AS net_minor, -- gross less fees, minor units
  s.amount_settled_minor AS settled_minor, -- the part settled, minor units
  s.amount_remaining_minor AS remaining_minor, -- still to be collected, minor units
  s.customer_id AS customer_id, -- who paid
  s.customer_email COLLATE NOCASE AS customer_email, -- that customer's e-mail address
  s.customer_country AS country, -- that customer's country
  coalesce(nullif(s.ship_to_state, ''), nullif(s.customer_state, '')) AS state, -- the shipping address's state, otherwise the customer's
  CASE WHEN s.ship_to_state <> '' THEN nullif(s.ship_to_country, '') WHEN s.customer_state <> '' THEN nullif(s.customer_country, '') END AS state_country, -- the country of that state
  s.campaign_id AS campaign_id, -- the campaign it came from
  s.campaign_name AS campaign, -- that campaign's name
  s.payment_type_name AS payment_type, -- card, check, ...
  s.created_date_unix AS paid_unix, -- when it was paid: at its creation, a trial at its end; seconds since 1970
  s.created_date_unix AS created_unix, -- when it was created, seconds since 1970
  strftime('%Y-%m-%dT%H:%M:%SZ', s.created_date_unix, 'unixepoch') AS created, -- the same, UTC
  strftime('%Y-%m-%d', s.created_date_unix, 'unixepoch') AS day, -- the day it was paid (paid_unix), UTC: reports count it on this day
  strftime('%Y-%m', s.created_date_unix, 'unixepoch') AS month, -- the month it was paid, UTC
  s.transactions AS transactions, -- ids of its card transactions, a JSON list; here and below failed ones too
  s.wallet_transactions AS wallet_transactions, -- ids of its wallet transactions
  s.check_directs AS check_directs, -- ids of its checks
  s.offline_payments AS offline_payments -- ids of its offline payments, made elsewhere and only booked
FROM raw_sales AS s
WHERE s.amount_captured IS NULL OR s.amount_captured <> 0
UNION ALL
SELECT
  r.id, 'renewal', NULL, r.product_id, r.product_name, r.subscription_id,
  r.iso_currency AS currency,
  r.amount_minor AS amount_minor,
  r.amount_captured_minor AS paid_minor,
  r.amount_refunded_minor AS refunded_minor,
  r.amount_gross_minor AS gross_minor,
  r.amount_fees_minor AS fees_minor,
  r.amount_net_minor AS net_minor,
  r.amount_settled_minor AS settled_minor,
  r.amount_remaining_minor AS remaining_minor,
  r.customer_id AS customer_id,
  r.customer_email COLLATE NOCASE AS customer_email,
  r.customer_country AS country,
  coalesce(nullif(r.ship_to_state, ''), nullif(r.customer_state, '')) AS state,
  CASE WHEN r.ship_to_state <> '' THEN nullif(r.ship_to_country, '') WHEN r.customer_state <> '' THEN nullif(r.customer_country, '') END AS state_country,
  r.campaign_id AS campaign_id,
  r.campaign_name AS campaign,
  r.payment_type_name AS payment_type,
  r.created_date_unix AS paid_unix,
  r.created_date_unix AS created_unix,
  strftime('%Y-%m-%dT%H:%M:%SZ', r.created_date_unix, 'unixepoch') AS created,
  strftime('%Y-%m-%d', r.created_date_unix, 'unixepoch') AS day,
  strftime('%Y-%m', r.created_date_unix, 'unixepoch') AS month,
  r.transactions, r.wallet_transactions, r.check_directs, r.offline_payments
FROM raw_subscription_renewals AS r
WHERE r.amount_captured IS NULL OR r.amount_captured <> 0
UNION ALL
SELECT
  t.id, 'trial', t.status, t.product_id, t.product_name, json_extract(t.subscriptions, '$[0]'),
  t.iso_currency AS currency,
  t.amount_minor AS amount_minor,
  t.amount_captured_minor AS paid_minor,
  t.amount_refunded_minor AS refunded_minor,
  t.amount_gross_minor AS gross_minor,
  t.amount_fees_minor AS fees_minor,
  t.amount_net_minor AS net_minor,
  t.amount_settled_minor AS settled_minor,
  t.amount_remaining_minor AS remaining_minor,
  t.customer_id AS customer_id,
  t.customer_email COLLATE NOCASE AS customer_email,
  t.customer_country AS country,
  coalesce(nullif(t.ship_to_state, ''), nullif(t.customer_state, '')) AS state,
  CASE WHEN t.ship_to_state <> '' THEN nullif(t.ship_to_country, '') WHEN t.customer_state <> '' THEN nullif(t.customer_country, '') END AS state_country,
  t.campaign_id AS campaign_id,
  t.campaign_name AS campaign,
  t.payment_type_name AS payment_type,
  coalesce(t.expiration_date_unix, t.created_date_unix) AS paid_unix,
  t.created_date_unix AS created_unix,
  strftime('%Y-%m-%dT%H:%M:%SZ', t.created_date_unix, 'unixepoch') AS created,
  strftime('%Y-%m-%d', coalesce(t.expiration_date_unix, t.created_date_unix), 'unixepoch') AS day,
  strftime('%Y-%m', coalesce(t.expiration_date_unix, t.created_date_unix), 'unixepoch') AS month,
  t.transactions, t.wallet_transactions, t.check_directs, t.offline_payments
FROM raw_trials AS t
WHERE t.amount_captured IS NULL OR t.amount_captured <> 0

-- One row per sale, renewal or trial that took money, even if it was refunded. A paid amount that is not in whole minor
-- units is NULL. A trial counts with what was paid at its end: its start is part of the sale.
-- needs raw_sales: amount, amount_minor, amount_captured, amount_captured_minor, amount_refunded, amount_refunded_minor, amount_gross, amount_gross_minor, amount_fees, amount_fees_minor, amount_net, amount_net_minor, amount_settled, amount_settled_minor, amount_remaining, amount_remaining_minor, iso_currency, customer_id, customer_email, customer_country, campaign_id, campaign_name, payment_type_name, created_date_unix, status, products, transactions, wallet_transactions, check_directs, offline_payments, customer_state, ship_to_state, ship_to_country
-- needs raw_subscription_renewals: amount, amount_minor, amount_captured, amount_captured_minor, amount_refunded, amount_refunded_minor, amount_gross, amount_gross_minor, amount_fees, amount_fees_minor, amount_net, amount_net_minor, amount_settled, amount_settled_minor, amount_remaining, amount_remaining_minor, iso_currency, customer_id, customer_email, customer_country, campaign_id, campaign_name, payment_type_name, created_date_unix, subscription_id, product_id, product_name, transactions, wallet_transactions, check_directs, offline_payments, customer_state, ship_to_state, ship_to_country
-- needs raw_trials: amount, amount_minor, amount_captured, amount_captured_minor, amount_refunded, amount_refunded_minor, amount_gross, amount_gross_minor, amount_fees, amount_fees_minor, amount_net, amount_net_minor, amount_settled, amount_settled_minor, amount_remaining, amount_remaining_minor, iso_currency, customer_id, customer_email, customer_country, campaign_id, campaign_name, payment_type_name, created_date_unix, status, product_id, product_name, subscriptions, expiration_date_unix, transactions, wallet_transactions, check_directs, offline_payments, customer_state, ship_to_state, ship_to_country
SELECT
  p.id AS id, -- id of the sale, renewal or trial
  p.kind AS kind, -- sale, renewal or trial
  p.status AS status, -- as the service shows it; renewals have none
  p.product_id AS product_id, -- the product; the first one of a sale
  p.product AS product, -- that product's name
  p.subscription_id AS subscription_id, -- the subscription of a renewal or trial
  p.iso_currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up
  p.amount_minor AS amount_minor, -- the amount to be paid, minor units
  p.amount_captured_minor AS paid_minor, -- what was paid, minor units, before refunds
  p.amount_refunded_minor AS refunded_minor, -- the part refunded or about to be, minor units
  p.amount_gross_minor AS gross_minor, -- paid less refunded, minor units
  p.amount_fees_minor AS fees_minor, -- the processor's fees on the gross amount, minor units
  p.amount_net_minor AS net_minor, -- gross less fees, minor units
  p.amount_settled_minor AS settled_minor, -- the part settled, minor units
  p.amount_remaining_minor AS remaining_minor, -- still to be collected, minor units
  p.customer_id AS customer_id, -- who paid
  p.customer_email COLLATE NOCASE AS customer_email, -- that customer's e-mail address
  p.customer_country AS country, -- that customer's country
  coalesce(nullif(p.ship_to_state, ''), nullif(p.customer_state, '')) AS state, -- the shipping address's state, otherwise the customer's
  CASE WHEN p.ship_to_state <> '' THEN nullif(p.ship_to_country, '') WHEN p.customer_state <> '' THEN nullif(p.customer_country, '') END AS state_country, -- the country of that state
  p.campaign_id AS campaign_id, -- the campaign it came from
  p.campaign_name AS campaign, -- that campaign's name
  p.payment_type_name AS payment_type, -- card, check, ...
  p.paid_unix AS paid_unix, -- when it was paid: at its creation, a trial at its end; seconds since 1970
  p.created_date_unix AS created_unix, -- when it was created, seconds since 1970
  strftime('%Y-%m-%dT%H:%M:%SZ', p.created_date_unix, 'unixepoch') AS created, -- the same, UTC
  strftime('%Y-%m-%d', p.paid_unix, 'unixepoch') AS day, -- the day it was paid (paid_unix), UTC: reports count it on this day
  strftime('%Y-%m', p.paid_unix, 'unixepoch') AS month, -- the month it was paid, UTC
  p.transactions AS transactions, -- ids of its card transactions, a JSON list; here and below failed ones too
  p.wallet_transactions AS wallet_transactions, -- ids of its wallet transactions
  p.check_directs AS check_directs, -- ids of its checks
  p.offline_payments AS offline_payments -- ids of its offline payments, made elsewhere and only booked
FROM (
  SELECT
    id, 'sale' AS kind, status, json_extract(products, '$[0].id') AS product_id, json_extract(products, '$[0].name') AS product, NULL AS subscription_id, created_date_unix AS paid_unix,
    iso_currency, amount_minor, amount_captured, amount_captured_minor, amount_refunded_minor, amount_gross_minor, amount_fees_minor, amount_net_minor, amount_settled_minor, amount_remaining_minor,
    customer_id, customer_email, customer_country, customer_state, ship_to_state, ship_to_country, campaign_id, campaign_name, payment_type_name, created_date_unix,
    transactions, wallet_transactions, check_directs, offline_payments
  FROM raw_sales
  UNION ALL
  SELECT
    id, 'renewal', NULL, product_id, product_name, subscription_id, created_date_unix,
    iso_currency, amount_minor, amount_captured, amount_captured_minor, amount_refunded_minor, amount_gross_minor, amount_fees_minor, amount_net_minor, amount_settled_minor, amount_remaining_minor,
    customer_id, customer_email, customer_country, customer_state, ship_to_state, ship_to_country, campaign_id, campaign_name, payment_type_name, created_date_unix,
    transactions, wallet_transactions, check_directs, offline_payments
  FROM raw_subscription_renewals
  UNION ALL
  SELECT
    id, 'trial', status, product_id, product_name, json_extract(subscriptions, '$[0]'), coalesce(expiration_date_unix, created_date_unix),
    iso_currency, amount_minor, amount_captured, amount_captured_minor, amount_refunded_minor, amount_gross_minor, amount_fees_minor, amount_net_minor, amount_settled_minor, amount_remaining_minor,
    customer_id, customer_email, customer_country, customer_state, ship_to_state, ship_to_country, campaign_id, campaign_name, payment_type_name, created_date_unix,
    transactions, wallet_transactions, check_directs, offline_payments
  FROM raw_trials
) AS p
WHERE p.amount_captured IS NULL OR p.amount_captured <> 0

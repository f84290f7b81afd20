-- One row per charge: money taken from a customer by card, wallet or check, or booked as paid elsewhere, with what it
-- paid for. Leaves out failed charges, and refunds that are separate transactions.
-- needs raw_transactions: result, method, amount_minor, amount_captured_minor, amount_refunded_minor, iso_currency, customer_id, customer_email, campaign_name, sales, trials, subscriptions, subscription_renewals, salvage_transactions, created_date_unix
-- needs raw_wallet_transactions: amount_minor, amount_captured_minor, amount_refunded_minor, iso_currency, customer_id, customer_email, campaign_name, sales, trials, subscriptions, subscription_renewals, salvage_transactions, created_date_unix
-- needs raw_check_directs: amount_minor, amount_captured_minor, amount_refunded_minor, iso_currency, customer_id, customer_email, campaign_name, sales, trials, subscriptions, subscription_renewals, salvage_transactions, created_date_unix
-- needs raw_offline_payments: amount_minor, amount_captured_minor, amount_refunded_minor, iso_currency, customer_id, customer_email, campaign_name, sales, trials, subscriptions, subscription_renewals, salvage_transactions, created_date_unix
SELECT
  t.id AS id, -- the charge's id
  'card' AS way, -- card, wallet, check or offline
  t.created_date_unix AS at_unix, -- when it was created, seconds since 1970
  t.customer_id AS customer_id, -- who paid
  t.customer_email AS customer, -- that customer's e-mail address
  t.campaign_name AS campaign, -- the campaign
  t.iso_currency AS currency, -- ISO 4217 code
  t.amount_minor AS amount_minor, -- the amount, minor units
  coalesce(t.amount_refunded_minor, 0) AS refunded_minor, -- the part given back so far, minor units
  json_extract(t.subscriptions, '$[0]') AS subscription_id, -- the subscription, if there is one
  coalesce(t.salvage_transactions, '[]') <> '[]' OR coalesce(t.method, '') LIKE 'salvage%' AS is_salvage, -- 1 if it collected a payment that had failed before
  CASE WHEN json_array_length(coalesce(t.subscription_renewals, '[]')) > 0 THEN 'renewal' WHEN json_array_length(coalesce(t.trials, '[]')) > 0 AND coalesce(t.method, '') LIKE 'trial%' THEN 'trial' ELSE 'sale' END AS kind, -- sale, renewal or trial: what it was for
  coalesce(json_extract(t.subscription_renewals, '$[0]'), json_extract(t.sales, '$[0]'), json_extract(t.trials, '$[0]')) AS paid_for -- id of the renewal, sale or trial
FROM raw_transactions AS t
WHERE t.result = 'approved' AND coalesce(t.method, '') NOT LIKE '%refund%' AND t.amount_minor > 0
UNION ALL
SELECT
  t.id AS id,
  'wallet' AS way,
  t.created_date_unix AS at_unix,
  t.customer_id AS customer_id,
  t.customer_email AS customer,
  t.campaign_name AS campaign,
  t.iso_currency AS currency,
  t.amount_captured_minor AS amount_minor,
  coalesce(t.amount_refunded_minor, 0) AS refunded_minor,
  json_extract(t.subscriptions, '$[0]') AS subscription_id,
  coalesce(t.salvage_transactions, '[]') <> '[]' OR coalesce(NULL, '') LIKE 'salvage%' AS is_salvage,
  CASE WHEN json_array_length(coalesce(t.subscription_renewals, '[]')) > 0 THEN 'renewal' WHEN json_array_length(coalesce(t.trials, '[]')) > 0 AND coalesce(NULL, '') LIKE 'trial%' THEN 'trial' ELSE 'sale' END AS kind,
  coalesce(json_extract(t.subscription_renewals, '$[0]'), json_extract(t.sales, '$[0]'), json_extract(t.trials, '$[0]')) AS paid_for
FROM raw_wallet_transactions AS t
WHERE t.amount_captured_minor > 0
UNION ALL
SELECT
  t.id AS id,
  'check' AS way,
  t.created_date_unix AS at_unix,
  t.customer_id AS customer_id,
  t.customer_email AS customer,
  t.campaign_name AS campaign,
  t.iso_currency AS currency,
  t.amount_captured_minor AS amount_minor,
  coalesce(t.amount_refunded_minor, 0) AS refunded_minor,
  json_extract(t.subscriptions, '$[0]') AS subscription_id,
  coalesce(t.salvage_transactions, '[]') <> '[]' OR coalesce(NULL, '') LIKE 'salvage%' AS is_salvage,
  CASE WHEN json_array_length(coalesce(t.subscription_renewals, '[]')) > 0 THEN 'renewal' WHEN json_array_length(coalesce(t.trials, '[]')) > 0 AND coalesce(NULL, '') LIKE 'trial%' THEN 'trial' ELSE 'sale' END AS kind,
  coalesce(json_extract(t.subscription_renewals, '$[0]'), json_extract(t.sales, '$[0]'), json_extract(t.trials, '$[0]')) AS paid_for
FROM raw_check_directs AS t
WHERE t.amount_captured_minor > 0
UNION ALL
SELECT
  t.id AS id,
  'offline' AS way,
  t.created_date_unix AS at_unix,
  t.customer_id AS customer_id,
  t.customer_email AS customer,
  t.campaign_name AS campaign,
  t.iso_currency AS currency,
  t.amount_captured_minor AS amount_minor,
  coalesce(t.amount_refunded_minor, 0) AS refunded_minor,
  json_extract(t.subscriptions, '$[0]') AS subscription_id,
  coalesce(t.salvage_transactions, '[]') <> '[]' OR coalesce(NULL, '') LIKE 'salvage%' AS is_salvage,
  CASE WHEN json_array_length(coalesce(t.subscription_renewals, '[]')) > 0 THEN 'renewal' WHEN json_array_length(coalesce(t.trials, '[]')) > 0 AND coalesce(NULL, '') LIKE 'trial%' THEN 'trial' ELSE 'sale' END AS kind,
  coalesce(json_extract(t.subscription_renewals, '$[0]'), json_extract(t.sales, '$[0]'), json_extract(t.trials, '$[0]')) AS paid_for
FROM raw_offline_payments AS t
WHERE t.amount_captured_minor > 0

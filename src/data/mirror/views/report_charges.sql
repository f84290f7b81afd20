-- One row per charge: money taken from a customer by card, wallet or check, or booked as paid elsewhere, with what it
-- paid for. Leaves out failed charges, and refunds that are separate transactions.
-- needs raw_transactions: result, method, amount_minor, amount_captured_minor, amount_refunded_minor, iso_currency, customer_id, customer_email, campaign_name, sales, trials, subscriptions, subscription_renewals, salvage_transactions, created_date_unix
-- needs raw_wallet_transactions: amount_minor, amount_captured_minor, amount_refunded_minor, iso_currency, customer_id, customer_email, campaign_name, sales, trials, subscriptions, subscription_renewals, salvage_transactions, created_date_unix
-- needs raw_check_directs: amount_minor, amount_captured_minor, amount_refunded_minor, iso_currency, customer_id, customer_email, campaign_name, sales, trials, subscriptions, subscription_renewals, salvage_transactions, created_date_unix
-- needs raw_offline_payments: amount_minor, amount_captured_minor, amount_refunded_minor, iso_currency, customer_id, customer_email, campaign_name, sales, trials, subscriptions, subscription_renewals, salvage_transactions, created_date_unix
SELECT
  t.id AS id, -- the charge's id
  t.way AS way, -- card, wallet, check or offline
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
FROM (
  SELECT id, 'card' AS way, method, amount_minor, amount_refunded_minor, iso_currency, customer_id, customer_email, campaign_name, sales, trials, subscriptions, subscription_renewals, salvage_transactions, created_date_unix
  FROM raw_transactions
  WHERE result = 'approved' AND coalesce(method, '') NOT LIKE '%refund%' AND amount_minor > 0
  UNION ALL
  SELECT id, 'wallet', NULL, amount_captured_minor, amount_refunded_minor, iso_currency, customer_id, customer_email, campaign_name, sales, trials, subscriptions, subscription_renewals, salvage_transactions, created_date_unix FROM raw_wallet_transactions WHERE amount_captured_minor > 0
  UNION ALL
  SELECT id, 'check', NULL, amount_captured_minor, amount_refunded_minor, iso_currency, customer_id, customer_email, campaign_name, sales, trials, subscriptions, subscription_renewals, salvage_transactions, created_date_unix FROM raw_check_directs WHERE amount_captured_minor > 0
  UNION ALL
  SELECT id, 'offline', NULL, amount_captured_minor, amount_refunded_minor, iso_currency, customer_id, customer_email, campaign_name, sales, trials, subscriptions, subscription_renewals, salvage_transactions, created_date_unix FROM raw_offline_payments WHERE amount_captured_minor > 0
) AS t

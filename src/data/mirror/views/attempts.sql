-- One row per attempted payment, failed ones included: card transactions, wallet transactions, checks and offline
-- payments. A sale paid in several ways has several rows; reports count by sale, renewal and trial: payments.
-- needs raw_transactions: result, gateway_name, amount, amount_minor, amount_captured, amount_captured_minor, amount_refunded, amount_refunded_minor, amount_fees, amount_fees_minor, iso_currency, customer_id, customer_email, customer_country, campaign_name, created_date_unix
-- needs raw_wallet_transactions: status, amount, amount_minor, amount_captured, amount_captured_minor, amount_refunded, amount_refunded_minor, amount_fees, amount_fees_minor, iso_currency, customer_id, customer_email, customer_country, campaign_name, created_date_unix
-- needs raw_check_directs: status, amount, amount_minor, amount_captured, amount_captured_minor, amount_refunded, amount_refunded_minor, amount_fees, amount_fees_minor, iso_currency, customer_id, customer_email, customer_country, campaign_name, created_date_unix
-- needs raw_offline_payments: status, amount, amount_minor, amount_captured, amount_captured_minor, amount_refunded, amount_refunded_minor, amount_fees, amount_fees_minor, iso_currency, customer_id, customer_email, customer_country, campaign_name, created_date_unix
SELECT
  a.id AS id, -- id of the card transaction, wallet transaction, check or offline payment
  a.paid_by AS paid_by, -- card, wallet, check or offline
  a.status AS status, -- card payments: approved, declined, error or held; others: their own status
  a.iso_currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up
  a.amount_minor AS amount_minor, -- the amount to be paid, minor units
  a.amount_captured_minor AS paid_minor, -- what was paid, minor units, before refunds
  a.amount_refunded_minor AS refunded_minor, -- the part refunded or about to be, minor units
  a.amount_fees_minor AS fees_minor, -- the processor's fees, minor units
  a.gateway_name AS gateway, -- the gateway of a card payment
  a.customer_id AS customer_id, -- who was to pay
  a.customer_email COLLATE NOCASE AS customer_email, -- that customer's e-mail address
  a.customer_country AS country, -- that customer's country
  a.campaign_name AS campaign, -- the campaign it came from
  a.created_date_unix AS created_unix, -- when it was tried, seconds since 1970
  strftime('%Y-%m-%dT%H:%M:%SZ', a.created_date_unix, 'unixepoch') AS created, -- the same, UTC
  strftime('%Y-%m-%d', a.created_date_unix, 'unixepoch') AS day, -- its day, UTC
  strftime('%Y-%m', a.created_date_unix, 'unixepoch') AS month -- its month, UTC
FROM (
  SELECT id, 'card' AS paid_by, result AS status, gateway_name, amount_minor, amount_captured_minor, amount_refunded_minor, amount_fees_minor, iso_currency, customer_id, customer_email, customer_country, campaign_name, created_date_unix
  FROM raw_transactions
  UNION ALL
  SELECT id, 'wallet', status, NULL, amount_minor, amount_captured_minor, amount_refunded_minor, amount_fees_minor, iso_currency, customer_id, customer_email, customer_country, campaign_name, created_date_unix
  FROM raw_wallet_transactions
  UNION ALL
  SELECT id, 'check', status, NULL, amount_minor, amount_captured_minor, amount_refunded_minor, amount_fees_minor, iso_currency, customer_id, customer_email, customer_country, campaign_name, created_date_unix
  FROM raw_check_directs
  UNION ALL
  SELECT id, 'offline', status, NULL, amount_minor, amount_captured_minor, amount_refunded_minor, amount_fees_minor, iso_currency, customer_id, customer_email, customer_country, campaign_name, created_date_unix
  FROM raw_offline_payments
) AS a

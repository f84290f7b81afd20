-- One row per payment of any kind that was tried, failed ones too: card transactions, wallet transactions, checks and
-- offline payments. A sale paid in several ways has several rows; reports count by sale, renewal and trial: payments.
-- needs raw_transactions: result, gateway_name, amount, amount_minor, amount_captured, amount_captured_minor, amount_refunded, amount_refunded_minor, amount_fees, amount_fees_minor, iso_currency, customer_id, customer_email, customer_country, campaign_name, created_date_unix
-- needs raw_wallet_transactions: status, amount, amount_minor, amount_captured, amount_captured_minor, amount_refunded, amount_refunded_minor, amount_fees, amount_fees_minor, iso_currency, customer_id, customer_email, customer_country, campaign_name, created_date_unix
-- needs raw_check_directs: status, amount, amount_minor, amount_captured, amount_captured_minor, amount_refunded, amount_refunded_minor, amount_fees, amount_fees_minor, iso_currency, customer_id, customer_email, customer_country, campaign_name, created_date_unix
-- needs raw_offline_payments: status, amount, amount_minor, amount_captured, amount_captured_minor, amount_refunded, amount_refunded_minor, amount_fees, amount_fees_minor, iso_currency, customer_id, customer_email, customer_country, campaign_name, created_date_unix
SELECT
  t.id AS id, -- id of the card transaction, wallet transaction, check or offline payment
  'card' AS paid_by, -- card, wallet, check or offline
  t.result AS status, -- approved, declined, error or held; of what no card paid its own status
  t.iso_currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up
  t.amount_minor AS amount_minor, -- the amount to be paid, minor units
  t.amount_captured_minor AS paid_minor, -- what was paid, minor units, before refunds
  t.amount_refunded_minor AS refunded_minor, -- the part refunded or about to be, minor units
  t.amount_fees_minor AS fees_minor, -- the processor's fees, minor units
  t.gateway_name AS gateway, -- the gateway of a card
  t.customer_id AS customer_id, -- who was to pay
  t.customer_email COLLATE NOCASE AS customer_email, -- that customer's e-mail address
  t.customer_country AS country, -- that customer's country
  t.campaign_name AS campaign, -- the campaign it came from
  t.created_date_unix AS created_unix, -- when it was tried, seconds since 1970
  strftime('%Y-%m-%dT%H:%M:%SZ', t.created_date_unix, 'unixepoch') AS created, -- the same, UTC
  strftime('%Y-%m-%d', t.created_date_unix, 'unixepoch') AS day, -- its day, UTC
  strftime('%Y-%m', t.created_date_unix, 'unixepoch') AS month -- its month, UTC
FROM raw_transactions AS t
UNION ALL
SELECT
  w.id, 'wallet', w.status, w.iso_currency,
  w.amount_minor AS amount_minor,
  w.amount_captured_minor AS paid_minor,
  w.amount_refunded_minor AS refunded_minor,
  w.amount_fees_minor AS fees_minor,
  NULL, w.customer_id, w.customer_email COLLATE NOCASE, w.customer_country, w.campaign_name,
  w.created_date_unix AS created_unix,
  strftime('%Y-%m-%dT%H:%M:%SZ', w.created_date_unix, 'unixepoch') AS created,
  strftime('%Y-%m-%d', w.created_date_unix, 'unixepoch') AS day,
  strftime('%Y-%m', w.created_date_unix, 'unixepoch') AS month
FROM raw_wallet_transactions AS w
UNION ALL
SELECT
  c.id, 'check', c.status, c.iso_currency,
  c.amount_minor AS amount_minor,
  c.amount_captured_minor AS paid_minor,
  c.amount_refunded_minor AS refunded_minor,
  c.amount_fees_minor AS fees_minor,
  NULL, c.customer_id, c.customer_email COLLATE NOCASE, c.customer_country, c.campaign_name,
  c.created_date_unix AS created_unix,
  strftime('%Y-%m-%dT%H:%M:%SZ', c.created_date_unix, 'unixepoch') AS created,
  strftime('%Y-%m-%d', c.created_date_unix, 'unixepoch') AS day,
  strftime('%Y-%m', c.created_date_unix, 'unixepoch') AS month
FROM raw_check_directs AS c
UNION ALL
SELECT
  o.id, 'offline', o.status, o.iso_currency,
  o.amount_minor AS amount_minor,
  o.amount_captured_minor AS paid_minor,
  o.amount_refunded_minor AS refunded_minor,
  o.amount_fees_minor AS fees_minor,
  NULL, o.customer_id, o.customer_email COLLATE NOCASE, o.customer_country, o.campaign_name,
  o.created_date_unix AS created_unix,
  strftime('%Y-%m-%dT%H:%M:%SZ', o.created_date_unix, 'unixepoch') AS created,
  strftime('%Y-%m-%d', o.created_date_unix, 'unixepoch') AS day,
  strftime('%Y-%m', o.created_date_unix, 'unixepoch') AS month
FROM raw_offline_payments AS o

-- One row per chargeback, and per approved card transaction: both sides of the ratio of chargebacks to transactions.
-- needs raw_chargebacks: amount_minor, iso_currency, status, reason_code, representment_outcome, campaign_name, customer_country, created_date_unix, transaction_id, customer_id, customer_email, payment_type_name, customer_state, ship_to_state, ship_to_country
-- needs raw_transactions: result, method, amount_minor, iso_currency, campaign_name, customer_country, created_date_unix, gateway_name, customer_card_type, customer_id, customer_email, payment_type_name, customer_state, ship_to_state, ship_to_country
SELECT
  c.created_date_unix AS at_unix, -- when it was recorded or approved, seconds since 1970
  'chargeback' AS what, -- chargeback or transaction
  c.id AS id, -- its id
  c.iso_currency AS currency, -- ISO 4217 code
  c.reason_code AS reason, -- the reason code of a chargeback
  c.status AS status, -- the state of a chargeback
  c.campaign_name AS campaign, -- the campaign
  c.customer_country AS country, -- the customer's country
  c.payment_type_name AS payment_type, -- card, ...
  c.customer_id AS customer_id, -- the customer
  c.customer_email AS customer_email, -- that customer's e-mail address
  coalesce(nullif(c.ship_to_state, ''), nullif(c.customer_state, '')) AS state, -- the shipping address's state, otherwise the customer's
  CASE WHEN c.ship_to_state <> '' THEN nullif(c.ship_to_country, '') WHEN c.customer_state <> '' THEN nullif(c.customer_country, '') END AS state_country, -- the country of that state
  coalesce(nullif(o.gateway_name, ''), 'unknown') AS gateway, -- the gateway of the transaction
  coalesce(nullif(o.customer_card_type, ''), 'unknown') AS card_brand, -- visa, ...
  1 AS chargebacks, -- 1 for a chargeback
  c.amount_minor AS chargebacks_minor, -- its amount, minor units
  CASE WHEN c.representment_outcome = 'won' THEN 1 ELSE 0 END AS won, -- 1 if it was fought and won
  CASE WHEN c.representment_outcome = 'won' THEN c.amount_minor ELSE 0 END AS won_minor, -- its amount, minor units
  0 AS transactions, -- 1 for a transaction
  0 AS transactions_minor -- its amount, minor units
FROM raw_chargebacks AS c
LEFT JOIN raw_transactions AS o ON o.id = c.transaction_id
UNION ALL
SELECT
  t.created_date_unix, 'transaction', t.id, t.iso_currency, NULL, t.result, t.campaign_name, t.customer_country,
  t.payment_type_name, t.customer_id, t.customer_email,
  coalesce(nullif(t.ship_to_state, ''), nullif(t.customer_state, '')),
  CASE WHEN t.ship_to_state <> '' THEN nullif(t.ship_to_country, '') WHEN t.customer_state <> '' THEN nullif(t.customer_country, '') END,
  coalesce(nullif(t.gateway_name, ''), 'unknown'), coalesce(nullif(t.customer_card_type, ''), 'unknown'),
  0, 0, 0, 0, 1, t.amount_minor
FROM raw_transactions AS t
WHERE t.result = 'approved'
  -- A refund can be a separate transaction: it is not a payment.
  AND coalesce(t.method, '') NOT LIKE '%refund%' AND coalesce(t.amount_minor, 0) >= 0

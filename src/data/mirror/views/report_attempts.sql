-- One row per attempt to charge a card, whatever its result. An amount that was tried several times has several rows.
-- needs raw_transactions: result, amount_minor, iso_currency, method, gateway_name, response_text, customer_card_type, campaign_name, customer_country, created_date_unix, customer_id, customer_email, payment_type_name, customer_state, ship_to_state, ship_to_country
SELECT
  t.created_date_unix AS at_unix, -- when it was tried, seconds since 1970
  t.id AS id, -- the transaction's id
  t.iso_currency AS currency, -- ISO 4217 code
  coalesce(f.status, 'approved') AS status, -- approved, declined, error, held, ...
  f.reason AS reason, -- the gateway's words, if shown
  t.method AS method, -- what was to be paid: sale_create, subscription_renew, ...
  t.gateway_name AS gateway, -- the gateway
  t.customer_card_type AS card_type, -- visa, ...
  coalesce(nullif(t.customer_card_type, ''), 'unknown') AS card_brand, -- the same; unknown if not shown
  t.customer_id AS customer_id, -- whose card it is
  t.customer_email AS customer_email, -- that customer's e-mail address
  coalesce(nullif(t.ship_to_state, ''), nullif(t.customer_state, '')) AS state, -- the shipping address's state, otherwise the customer's
  CASE WHEN t.ship_to_state <> '' THEN nullif(t.ship_to_country, '') WHEN t.customer_state <> '' THEN nullif(t.customer_country, '') END AS state_country, -- the country of that state
  t.payment_type_name AS payment_type, -- card, ...
  t.campaign_name AS campaign, -- the campaign
  t.customer_country AS country, -- the customer's country
  t.amount_minor AS amount_minor, -- the amount, minor units
  f.id IS NOT NULL AS failed -- 1 if it was not approved
FROM raw_transactions AS t
LEFT JOIN failures AS f ON f.id = t.id
-- A refund can be a separate transaction: it is not an attempt.
WHERE coalesce(t.method, '') NOT LIKE '%refund%' AND coalesce(t.amount_minor, 0) >= 0

-- One row an attempt to charge a card, whatever came of it. An amount that was tried several times has several rows.
-- needs raw_transactions: result, amount_minor, iso_currency, method, gateway_name, response_text, customer_card_type, campaign_name, customer_country, created_date_unix
SELECT
  t.created_date_unix AS at_unix, -- when it was tried, seconds since 1970
  t.id AS id, -- the transaction's id
  t.iso_currency AS currency, -- ISO 4217 code
  coalesce(f.status, 'approved') AS status, -- approved, declined, error, held, ...
  f.reason AS reason, -- the gateway's words, where they are shown
  t.method AS method, -- what was being paid: sale_create, subscription_renew, ...
  t.gateway_name AS gateway, -- the gateway
  t.customer_card_type AS card_type, -- visa, ...
  t.campaign_name AS campaign, -- the campaign
  t.customer_country AS country, -- the customer's country
  t.amount_minor AS amount_minor, -- the amount, minor units
  f.id IS NOT NULL AS failed -- 1 where it was not approved
FROM raw_transactions AS t
LEFT JOIN failures AS f ON f.id = t.id
-- A refund that is a transaction of its own is no attempt.
WHERE coalesce(t.method, '') NOT LIKE '%refund%' AND coalesce(t.amount_minor, 0) >= 0

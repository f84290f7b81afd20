-- One row per attempt to charge a card that was not approved: declined, in error, held, or refused as fraud. An amount
-- that was tried several times has several rows.
-- needs raw_transactions: result, approved, declined, error, held, amount, amount_minor, iso_currency, method, response_text, gateway_id, gateway_name, customer_card_type, customer_card_last_4, sales, subscriptions, subscription_renewals, trials, salvage_transactions, customer_id, customer_email, customer_country, campaign_id, campaign_name, created_date_unix
SELECT
  t.id AS id, -- the transaction's id
  coalesce(t.result, CASE WHEN t.declined = 1 THEN 'declined' WHEN t.error = 1 THEN 'error' WHEN t.held = 1 THEN 'held' END) AS status, -- declined, error, held, ...
  t.response_text AS reason, -- the gateway's words, if shown
  t.method AS method, -- what was to be paid: sale_create, subscription_renew, ...
  t.iso_currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up
  t.amount_minor AS amount_minor, -- amount that this attempt failed to collect, minor units
  t.gateway_id AS gateway_id, -- the gateway that was used
  t.gateway_name AS gateway, -- that gateway's name
  t.customer_card_type AS card_type, -- visa, ...
  t.customer_card_last_4 AS card_last_4, -- last digits of the card
  json_extract(t.sales, '$[0]') AS sale_id, -- the sale it belongs to
  json_extract(t.subscriptions, '$[0]') AS subscription_id, -- the subscription it belongs to
  json_extract(t.subscription_renewals, '$[0]') AS renewal_id, -- the renewal it was for
  json_extract(t.trials, '$[0]') AS trial_id, -- the trial it was for
  json_extract(t.salvage_transactions, '$[0]') AS salvage_id, -- the salvage transaction that tries to collect it later
  t.customer_id AS customer_id, -- whose card it is
  t.customer_email COLLATE NOCASE AS customer_email, -- that customer's e-mail address
  t.customer_country AS country, -- that customer's country
  t.campaign_id AS campaign_id, -- the campaign it came from
  t.campaign_name AS campaign, -- that campaign's name
  t.created_date_unix AS created_unix, -- when it was tried, seconds since 1970
  strftime('%Y-%m-%dT%H:%M:%SZ', t.created_date_unix, 'unixepoch') AS created, -- the same, UTC
  strftime('%Y-%m-%d', t.created_date_unix, 'unixepoch') AS day, -- its day, UTC
  strftime('%Y-%m', t.created_date_unix, 'unixepoch') AS month -- its month, UTC
FROM raw_transactions AS t
WHERE ((t.result IS NOT NULL AND t.result <> 'approved') OR t.declined = 1 OR t.error = 1 OR t.held = 1)
  -- A refund can be a separate transaction: it is not an attempt.
  AND coalesce(t.method, '') NOT LIKE '%refund%' AND coalesce(t.amount_minor, 0) >= 0

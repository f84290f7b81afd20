-- One row per refund that the service has accepted: pending, or processed by the payment processor. Every refund and
-- void starts as one of these.
-- needs raw_pending_refunds: status, type, full, source_id, transaction_id, refunded_offsite, amount, amount_minor, iso_currency, processed_date_unix, reason, customer_id, customer_email, customer_country, campaign_id, campaign_name, payment_type_name, created_date_unix, customer_state, ship_to_state, ship_to_country
SELECT
  f.id AS id, -- the refund's id
  f.status AS status, -- pending or processed
  f.type AS kind, -- what was refunded: product_sale, shipping, tax, subscription_renewal, ...
  f.full AS is_full, -- 1 if all of it was refunded
  f.source_id AS source_id, -- id of what was refunded
  f.transaction_id AS transaction_id, -- the card transaction paid back; NULL for other payment methods
  f.refunded_offsite AS is_offsite, -- 1 if it was only booked, and paid back elsewhere
  f.reason AS reason, -- why, if the service shows it
  f.iso_currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up
  f.amount_minor AS amount_minor, -- what is paid back, minor units
  f.customer_id AS customer_id, -- to whom
  f.customer_email COLLATE NOCASE AS customer_email, -- that customer's e-mail address
  f.customer_country AS country, -- that customer's country
  coalesce(nullif(f.ship_to_state, ''), nullif(f.customer_state, '')) AS state, -- the shipping address's state, otherwise the customer's
  CASE WHEN f.ship_to_state <> '' THEN nullif(f.ship_to_country, '') WHEN f.customer_state <> '' THEN nullif(f.customer_country, '') END AS state_country, -- the country of that state
  f.campaign_id AS campaign_id, -- the campaign it came from
  f.campaign_name AS campaign, -- that campaign's name
  f.payment_type_name AS payment_type, -- card, check, ...
  f.created_date_unix AS created_unix, -- when it was accepted, seconds since 1970
  strftime('%Y-%m-%dT%H:%M:%SZ', f.created_date_unix, 'unixepoch') AS created, -- the same, UTC
  strftime('%Y-%m-%d', f.created_date_unix, 'unixepoch') AS day, -- its day, UTC
  strftime('%Y-%m', f.created_date_unix, 'unixepoch') AS month, -- its month, UTC
  f.processed_date_unix AS processed_unix, -- when the processor processed it, seconds since 1970; NULL before
  strftime('%Y-%m-%dT%H:%M:%SZ', f.processed_date_unix, 'unixepoch') AS processed -- the same, UTC
FROM raw_pending_refunds AS f

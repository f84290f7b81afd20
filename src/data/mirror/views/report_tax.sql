-- One row per tax line that took money, and per refund of tax: both sides of the tax that is left. The rate is that of
-- the line; the service shows no base.
-- needs raw_tax: sales, subscription_renewals, trials, tax_rate, tax_profile_name, amount_captured, amount_captured_minor, iso_currency, campaign_name, customer_id, customer_email, customer_country, payment_type_name, created_date_unix, customer_state, ship_to_state, ship_to_country
SELECT
  x.created_date_unix AS at_unix, -- when it was taken or given back, seconds since 1970
  'tax' AS what, -- tax or refund
  CASE
    WHEN json_array_length(coalesce(x.subscription_renewals, '[]')) > 0 THEN 'renewal'
    WHEN json_array_length(coalesce(x.trials, '[]')) > 0 THEN 'trial'
    ELSE 'sale'
  END AS kind, -- what was paid: sale, renewal or trial
  x.id AS id, -- the tax line, or the refund
  x.iso_currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up
  x.tax_rate AS rate, -- the rate in percent; NULL if not shown
  nullif(x.tax_profile_name, '') AS profile, -- the tax profile
  x.customer_id AS customer_id, -- who paid it
  x.customer_email AS customer_email, -- that customer's e-mail address
  x.customer_country AS country, -- that customer's country
  coalesce(nullif(x.ship_to_state, ''), nullif(x.customer_state, '')) AS state, -- the shipping address's state, otherwise the customer's
  CASE WHEN x.ship_to_state <> '' THEN nullif(x.ship_to_country, '') WHEN x.customer_state <> '' THEN nullif(x.customer_country, '') END AS state_country, -- the country of that state
  x.campaign_name AS campaign, -- the campaign
  x.payment_type_name AS payment_type, -- card, check, ...
  coalesce(json_extract(x.subscription_renewals, '$[0]'), json_extract(x.trials, '$[0]'), json_extract(x.sales, '$[0]')) AS paid_by, -- the payment it belongs to, or the transaction paid back
  x.amount_captured_minor AS collected_minor, -- amount taken, minor units
  0 AS refunded_minor -- amount given back, minor units
FROM raw_tax AS x
WHERE x.amount_captured IS NULL OR x.amount_captured <> 0
UNION ALL
SELECT
  f.at_unix, 'refund', f.paid_kind, f.id, f.currency, x.tax_rate, nullif(x.tax_profile_name, ''),
  f.customer_id, f.customer_email, f.country, f.state, f.state_country, f.campaign, f.payment_type, f.paid_by,
  0, f.amount_minor
FROM report_refunds AS f
LEFT JOIN raw_tax AS x ON x.id = f.source_id
WHERE f.kind = 'tax'

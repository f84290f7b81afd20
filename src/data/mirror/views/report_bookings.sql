-- One row per booking: money taken (a sale has one row per product line, and one for the rest), a refund, a chargeback,
-- collected tax or shipping. A renewal or trial has one product, and so have its tax and shipping; those of a sale have
-- none. Payments are booked on the day they were made, refunds on the day they were accepted, chargebacks on the day
-- they were recorded.
-- needs raw_sales: campaign_name, customer_country, payment_type_name
-- needs raw_product_sales: sales, product_name, amount_captured_minor, amount_fees_minor
-- needs raw_subscription_renewals: product_name
-- needs raw_trials: product_name
-- needs raw_transactions: subscription_renewals, trials
-- needs raw_tax: sales, subscription_renewals, trials, amount_captured, amount_captured_minor, iso_currency, campaign_name, customer_country, payment_type_name, created_date_unix, customer_id, customer_email, customer_state, ship_to_state, ship_to_country
-- needs raw_shipping: sales, subscription_renewals, trials, amount_captured, amount_captured_minor, iso_currency, campaign_name, customer_country, payment_type_name, created_date_unix, customer_id, customer_email, customer_state, ship_to_state, ship_to_country
-- needs raw_chargebacks: transaction_id, amount_minor, iso_currency, campaign_name, customer_country, payment_type_name, created_date_unix, customer_id, customer_email, customer_state, ship_to_state, ship_to_country
WITH lines AS (
  SELECT
    CAST(json_extract(l.sales, '$[0]') AS TEXT) AS sale,
    l.id, l.product_name,
    coalesce(l.amount_captured_minor, 0) AS paid,
    coalesce(l.amount_fees_minor, 0) AS fees
  FROM raw_product_sales AS l
),
sums AS (SELECT sale, sum(paid) AS paid, sum(fees) AS fees FROM lines GROUP BY sale)
SELECT
  p.paid_unix AS at_unix, -- when it is booked, seconds since 1970
  'payment' AS what, -- payment, refund, chargeback, tax or shipping
  p.kind AS kind, -- sale, renewal or trial: what the money was for
  p.id AS id, -- the booked item
  p.currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up
  CASE WHEN p.kind <> 'sale' THEN p.product END AS product, -- the product; NULL if there is no single one
  p.campaign AS campaign, -- the campaign
  p.country AS country, -- the customer's country
  p.payment_type AS payment_type, -- card, check, ...
  p.customer_id AS customer_id, -- the customer
  p.customer_email AS customer_email, -- that customer's e-mail address
  p.state AS state, -- the shipping address's state, otherwise the customer's
  p.state_country AS state_country, -- the country of that state
  p.id AS paid_by, -- the payment or transaction to split over gateways and cards (report_splits)
  1 AS payments, -- 1 on one row per payment, so that it counts once
  CASE WHEN s.sale IS NULL OR p.kind <> 'sale' OR p.paid_minor <> s.paid THEN p.id END AS payment_id, -- the payment; on each line of a sale, and on its rest if there is one
  p.paid_minor - CASE WHEN p.kind = 'sale' THEN coalesce(s.paid, 0) ELSE 0 END AS gross_minor, -- money taken, minor units
  0 AS refunds_minor, -- money given back, minor units
  0 AS chargebacks_minor, -- money taken back by the cardholder's bank, minor units
  p.fees_minor - CASE WHEN p.kind = 'sale' THEN coalesce(s.fees, 0) ELSE 0 END AS fees_minor, -- the processor's fees as the payment shows them, minor units
  0 AS tax_minor, -- tax collected, less tax given back, minor units
  0 AS shipping_minor -- shipping collected, less shipping given back, minor units
FROM payments AS p
LEFT JOIN sums AS s ON s.sale = p.id
UNION ALL
SELECT
  p.paid_unix, 'payment', 'sale', l.id, p.currency, l.product_name, p.campaign, p.country, p.payment_type,
  p.customer_id, p.customer_email, p.state, p.state_country, p.id,
  0, p.id, l.paid, 0, 0, l.fees, 0, 0
FROM lines AS l
JOIN payments AS p ON p.id = l.sale AND p.kind = 'sale'
UNION ALL
SELECT
  f.at_unix, 'refund', f.paid_kind, f.id, f.currency, f.product, f.campaign, f.country, f.payment_type,
  f.customer_id, f.customer_email, f.state, f.state_country, f.paid_by,
  0, NULL, 0, f.amount_minor, 0, 0,
  CASE WHEN f.kind = 'tax' THEN -f.amount_minor ELSE 0 END,
  CASE WHEN f.kind = 'shipping' THEN -f.amount_minor ELSE 0 END
FROM report_refunds AS f
UNION ALL
SELECT
  c.created_date_unix, 'chargeback',
  CASE
    WHEN json_array_length(coalesce(t.subscription_renewals, '[]')) > 0 THEN 'renewal'
    WHEN json_array_length(coalesce(t.trials, '[]')) > 0 THEN 'trial'
    ELSE 'sale'
  END,
  c.id, c.iso_currency, coalesce(r.product_name, i.product_name), c.campaign_name, c.customer_country, c.payment_type_name,
  c.customer_id, c.customer_email,
  coalesce(nullif(c.ship_to_state, ''), nullif(c.customer_state, '')),
  CASE WHEN c.ship_to_state <> '' THEN nullif(c.ship_to_country, '') WHEN c.customer_state <> '' THEN nullif(c.customer_country, '') END,
  nullif(c.transaction_id, ''),
  0, NULL, 0, 0, c.amount_minor, 0, 0, 0
FROM raw_chargebacks AS c
LEFT JOIN raw_transactions AS t ON t.id = c.transaction_id
LEFT JOIN raw_subscription_renewals AS r ON r.id = json_extract(t.subscription_renewals, '$[0]')
LEFT JOIN raw_trials AS i ON i.id = json_extract(t.trials, '$[0]')
UNION ALL
SELECT
  x.created_date_unix, 'tax',
  CASE
    WHEN json_array_length(coalesce(x.subscription_renewals, '[]')) > 0 THEN 'renewal'
    WHEN json_array_length(coalesce(x.trials, '[]')) > 0 THEN 'trial'
    ELSE 'sale'
  END,
  x.id, x.iso_currency, coalesce(r.product_name, i.product_name), x.campaign_name, x.customer_country, x.payment_type_name,
  x.customer_id, x.customer_email,
  coalesce(nullif(x.ship_to_state, ''), nullif(x.customer_state, '')),
  CASE WHEN x.ship_to_state <> '' THEN nullif(x.ship_to_country, '') WHEN x.customer_state <> '' THEN nullif(x.customer_country, '') END,
  coalesce(json_extract(x.subscription_renewals, '$[0]'), json_extract(x.trials, '$[0]'), json_extract(x.sales, '$[0]')),
  0, NULL, 0, 0, 0, 0, x.amount_captured_minor, 0
FROM raw_tax AS x
LEFT JOIN raw_subscription_renewals AS r ON r.id = json_extract(x.subscription_renewals, '$[0]')
LEFT JOIN raw_trials AS i ON i.id = json_extract(x.trials, '$[0]')
WHERE x.amount_captured IS NULL OR x.amount_captured <> 0
UNION ALL
SELECT
  h.created_date_unix, 'shipping',
  CASE
    WHEN json_array_length(coalesce(h.subscription_renewals, '[]')) > 0 THEN 'renewal'
    WHEN json_array_length(coalesce(h.trials, '[]')) > 0 THEN 'trial'
    ELSE 'sale'
  END,
  h.id, h.iso_currency, coalesce(r.product_name, i.product_name), h.campaign_name, h.customer_country, h.payment_type_name,
  h.customer_id, h.customer_email,
  coalesce(nullif(h.ship_to_state, ''), nullif(h.customer_state, '')),
  CASE WHEN h.ship_to_state <> '' THEN nullif(h.ship_to_country, '') WHEN h.customer_state <> '' THEN nullif(h.customer_country, '') END,
  coalesce(json_extract(h.subscription_renewals, '$[0]'), json_extract(h.trials, '$[0]'), json_extract(h.sales, '$[0]')),
  0, NULL, 0, 0, 0, 0, 0, h.amount_captured_minor
FROM raw_shipping AS h
LEFT JOIN raw_subscription_renewals AS r ON r.id = json_extract(h.subscription_renewals, '$[0]')
LEFT JOIN raw_trials AS i ON i.id = json_extract(h.trials, '$[0]')
WHERE h.amount_captured IS NULL OR h.amount_captured <> 0

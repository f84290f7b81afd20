-- One row per UTC day and what else most reports group bookings by: the sums of report_bookings.
SELECT
  v.at_unix / 86400 * 86400 AS at_unix, -- the start of the day, seconds since 1970
  v.what AS what, -- payment, refund, chargeback, tax or shipping
  v.kind AS kind, -- sale, renewal or trial: what the money was for
  v.currency AS currency, -- ISO 4217 code
  max(v.product) AS product, -- the product, whatever its case; NULL if there is no single one
  v.campaign AS campaign, -- the campaign
  v.country AS country, -- the customer's country
  v.payment_type AS payment_type, -- card, check, ...
  sum(v.payments) AS payments, -- payments, each counted once
  count(DISTINCT v.payment_id) AS payments_of_product, -- payments, each counted for each of its products
  sum(v.gross_minor) AS gross_minor, -- money taken, minor units
  sum(v.refunds_minor) AS refunds_minor, -- money given back, minor units
  sum(v.chargebacks_minor) AS chargebacks_minor, -- money taken back by cardholders' banks, minor units
  sum(v.fees_minor) AS fees_minor, -- processors' fees, minor units
  sum(v.tax_minor) AS tax_minor, -- tax collected, less tax given back, minor units
  sum(v.shipping_minor) AS shipping_minor -- shipping collected, less shipping given back, minor units
FROM report_bookings AS v
WHERE v.at_unix IS NOT NULL
GROUP BY 1, 2, 3, 4, v.product COLLATE NOCASE, 6, 7, 8

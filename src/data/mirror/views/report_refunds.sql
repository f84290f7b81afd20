-- One row per refund that the service has accepted, with its product: NULL for tax and shipping of a sale, which belong
-- to no single one.
-- needs raw_subscription_renewals: product_name, created_date_unix
-- needs raw_trials: product_name, expiration_date_unix
-- needs raw_product_sales: product_name, created_date_unix
-- needs raw_tax: subscription_renewals, trials, created_date_unix
-- needs raw_shipping: subscription_renewals, trials, created_date_unix
-- needs raw_transactions: subscription_renewals, trials, created_date_unix
SELECT
  f.created_unix AS at_unix, -- when it was accepted, seconds since 1970
  f.id AS id, -- the refund's id
  f.source_id AS source_id, -- id of what was refunded
  f.status AS status, -- pending or processed
  f.kind AS kind, -- what was refunded: product_sale, shipping, tax, subscription_renewal, ...
  CASE
    WHEN f.kind = 'subscription_renewal' THEN 'renewal'
    WHEN f.kind = 'trial' THEN 'trial'
    WHEN json_array_length(coalesce(x.subscription_renewals, h.subscription_renewals, t.subscription_renewals, '[]')) > 0 THEN 'renewal'
    WHEN json_array_length(coalesce(x.trials, h.trials, t.trials, '[]')) > 0 THEN 'trial'
    ELSE 'sale'
  END AS paid_kind, -- what had been paid: sale, renewal or trial
  f.reason AS reason, -- why, if the service shows it
  coalesce(r.created_date_unix, i.expiration_date_unix, l.created_date_unix, paid_r.created_date_unix, paid_i.expiration_date_unix, x.created_date_unix, h.created_date_unix, t.created_date_unix) AS paid_unix, -- when that was paid, as in cops report revenue, seconds since 1970
  f.is_offsite AS is_offsite, -- 1 if it was only booked, and paid back elsewhere
  f.currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up
  f.amount_minor AS amount_minor, -- the amount paid back, minor units
  coalesce(r.product_name, i.product_name, l.product_name, paid_r.product_name, paid_i.product_name) AS product, -- the refunded product, or that of the renewal or trial; NULL for tax and shipping of a sale
  f.customer_id AS customer_id, -- the customer who receives it
  f.customer_email AS customer_email, -- that customer's e-mail address
  f.country AS country, -- that customer's country
  f.state AS state, -- the shipping address's state, otherwise the customer's
  f.state_country AS state_country, -- the country of that state
  f.campaign AS campaign, -- the campaign
  f.payment_type AS payment_type, -- card, check, ...
  nullif(f.transaction_id, '') AS paid_by -- the card transaction paid back; NULL for other payment methods
FROM refunds AS f
LEFT JOIN raw_subscription_renewals AS r ON r.id = f.source_id
LEFT JOIN raw_trials AS i ON i.id = f.source_id
LEFT JOIN raw_product_sales AS l ON l.id = f.source_id
LEFT JOIN raw_tax AS x ON x.id = f.source_id
LEFT JOIN raw_shipping AS h ON h.id = f.source_id
LEFT JOIN raw_transactions AS t ON t.id = f.source_id
LEFT JOIN raw_subscription_renewals AS paid_r ON paid_r.id = json_extract(coalesce(x.subscription_renewals, h.subscription_renewals, t.subscription_renewals), '$[0]')
LEFT JOIN raw_trials AS paid_i ON paid_i.id = json_extract(coalesce(x.trials, h.trials, t.trials), '$[0]')

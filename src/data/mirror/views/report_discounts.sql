-- One row per discount of an order or renewal, with the product that it lowers if there is only one.
-- needs raw_discounts: name, sales, product_sales, subscription_renewals, trials, amount_minor, iso_currency, campaign_name, customer_id, customer_email, customer_country, payment_type_name, created_date_unix, customer_state, ship_to_state, ship_to_country
-- needs raw_product_sales: product_name
-- needs raw_subscription_renewals: product_name
SELECT
  d.created_date_unix AS at_unix, -- when it was given, seconds since 1970
  d.id AS id, -- the discount's id
  nullif(d.name, '') AS name, -- its name
  CASE
    WHEN json_array_length(coalesce(d.subscription_renewals, '[]')) > 0 THEN 'renewal'
    WHEN json_array_length(coalesce(d.trials, '[]')) > 0 THEN 'trial'
    ELSE 'sale'
  END AS kind, -- what it lowers: sale, renewal or trial
  d.iso_currency AS currency, -- ISO 4217 code; amounts of different currencies are never added up
  d.amount_minor AS amount_minor, -- the reduction, minor units
  CASE
    WHEN json_array_length(coalesce(d.subscription_renewals, '[]')) = 1 THEN r.product_name
    WHEN json_array_length(coalesce(d.product_sales, '[]')) = 1 THEN l.product_name
  END AS product, -- the product; NULL if it lowers several
  d.customer_id AS customer_id, -- the customer who receives it
  d.customer_email AS customer_email, -- that customer's e-mail address
  d.customer_country AS country, -- that customer's country
  coalesce(nullif(d.ship_to_state, ''), nullif(d.customer_state, '')) AS state, -- the shipping address's state, otherwise the customer's
  CASE WHEN d.ship_to_state <> '' THEN nullif(d.ship_to_country, '') WHEN d.customer_state <> '' THEN nullif(d.customer_country, '') END AS state_country, -- the country of that state
  d.campaign_name AS campaign, -- the campaign
  d.payment_type_name AS payment_type -- card, check, ...
FROM raw_discounts AS d
LEFT JOIN raw_product_sales AS l ON l.id = json_extract(d.product_sales, '$[0]')
LEFT JOIN raw_subscription_renewals AS r ON r.id = json_extract(d.subscription_renewals, '$[0]')

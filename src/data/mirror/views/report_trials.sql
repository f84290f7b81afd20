-- One row per trial by the day it began, with its outcome.
-- needs raw_trials: status, expired_result, expiration_date_unix, amount_captured_minor, iso_currency, product_name, campaign_name, customer_country, customer_id, created_date_unix, customer_email
SELECT
  t.created_date_unix AS at_unix, -- when it began, seconds since 1970
  t.id AS id, -- the trial's id
  CASE
    WHEN t.status = 'expired' AND t.expired_result = 'failed' THEN 'failed'
    WHEN t.status = 'expired' THEN 'converted'
    WHEN t.status = 'cancelled' THEN 'cancelled'
    ELSE 'running'
  END AS outcome, -- converted, failed, cancelled or running
  t.iso_currency AS currency, -- ISO 4217 code
  t.product_name AS product, -- the product
  t.campaign_name AS campaign, -- the campaign
  t.customer_country AS country, -- the customer's country
  t.customer_id AS customer_id, -- its customer
  t.customer_email AS customer_email, -- that customer's e-mail address
  t.expiration_date_unix AS ends_unix, -- when it ends or ended, seconds since 1970
  t.amount_captured_minor AS paid_minor -- amount paid at its end, minor units
FROM raw_trials AS t

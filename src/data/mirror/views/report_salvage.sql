-- One row an amount that could not be collected when it was due, and what became of it since.
-- needs raw_salvage_transactions: status, enabled, method, attempts, amount_minor, amount_remaining_minor, iso_currency, campaign_name, customer_country, customer_id, created_date_unix, customer_email
SELECT
  s.created_date_unix AS at_unix, -- when the collection failed, seconds since 1970
  s.id AS id, -- the salvage transaction's id
  s.status AS status, -- created, processed or disabled
  s.method AS method, -- what was being paid: subscription_renew, trial_expire, ...
  s.iso_currency AS currency, -- ISO 4217 code
  s.campaign_name AS campaign, -- the campaign
  s.customer_country AS country, -- the customer's country
  s.customer_id AS customer_id, -- who owes it
  s.customer_email AS customer_email, -- that customer's e-mail address
  s.amount_minor AS failed_minor, -- what was not collected, minor units
  s.amount_minor - s.amount_remaining_minor AS recovered_minor, -- what of it was collected since, minor units
  CASE WHEN s.enabled = 0 OR s.status = 'disabled' THEN 0 ELSE s.amount_remaining_minor END AS open_minor, -- what can still be collected, minor units
  CASE WHEN s.enabled = 0 OR s.status = 'disabled' THEN s.amount_remaining_minor ELSE 0 END AS lost_minor -- what was given up, minor units
FROM raw_salvage_transactions AS s

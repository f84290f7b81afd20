-- One row per amount that could not be collected when it was due, with what has been collected of it since.
-- needs raw_salvage_transactions: status, enabled, method, attempts, amount_minor, amount_remaining_minor, iso_currency, campaign_name, customer_country, customer_id, created_date_unix, customer_email
SELECT
  s.created_date_unix AS at_unix, -- when the collection failed, seconds since 1970
  s.id AS id, -- the salvage transaction's id
  s.status AS status, -- created, processed or disabled
  s.method AS method, -- what was to be paid: subscription_renew, trial_expire, ...
  s.iso_currency AS currency, -- ISO 4217 code
  s.campaign_name AS campaign, -- the campaign
  s.customer_country AS country, -- the customer's country
  s.customer_id AS customer_id, -- who owes it
  s.customer_email AS customer_email, -- that customer's e-mail address
  s.amount_minor AS failed_minor, -- amount not collected, minor units
  CASE WHEN g.is_given_up AND s.amount_remaining_minor = 0 THEN 0 ELSE s.amount_minor - s.amount_remaining_minor END AS recovered_minor, -- the part collected since, minor units
  CASE WHEN g.is_given_up THEN 0 ELSE s.amount_remaining_minor END AS open_minor, -- what can still be collected, minor units
  CASE WHEN g.is_given_up AND s.amount_remaining_minor = 0 THEN s.amount_minor WHEN g.is_given_up THEN s.amount_remaining_minor ELSE 0 END AS lost_minor -- the part given up, minor units; some of these show no remainder
FROM raw_salvage_transactions AS s
JOIN (SELECT id, coalesce(status <> 'processed' AND (enabled = 0 OR status = 'disabled'), 0) AS is_given_up FROM raw_salvage_transactions) AS g ON g.id = s.id

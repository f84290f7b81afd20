-- One row per state of a failed payment, and the time in which it was seen: its salvage, otherwise the renewal, never
-- both. Other awaited payments (a pending sale, an unpaid invoice without a sale, a check or offline payment that has not
-- arrived in full) have rows of their own. A trial that has not ended has none.
-- needs raw_salvage_transactions: status, enabled, method, amount_minor, amount_remaining_minor, iso_currency, campaign_name, customer_country, customer_id, customer_email, subscriptions, transactions, created_date_unix, _seen_at
-- needs raw_subscription_renewals: is_overdue, subscription_id, amount_minor, amount_remaining_minor, iso_currency, campaign_name, customer_country, customer_id, customer_email, transactions, salvage_transactions, created_date_unix, _seen_at
-- needs raw_sales: status, amount_minor, amount_captured_minor, iso_currency, campaign_name, customer_country, customer_id, customer_email, created_date_unix, _seen_at
-- needs raw_invoices: status, sales, amount_minor, amount_captured_minor, iso_currency, campaign_name, customer_country, customer_id, customer_email, created_date_unix, _seen_at
-- needs raw_check_directs: status, amount_minor, amount_captured_minor, amount_remaining_minor, iso_currency, campaign_name, customer_country, customer_id, customer_email, created_date_unix, _seen_at
-- needs raw_offline_payments: status, amount_minor, amount_captured_minor, amount_remaining_minor, iso_currency, campaign_name, customer_country, customer_id, customer_email, created_date_unix, _seen_at
-- needs raw_transactions: created_date_unix
WITH former AS (
  SELECT
    h.family, h.id, h.seen_at, h.until_at, h.json, h.json ->> '$.iso_currency' AS currency,
    CASE
      WHEN h.json ->> '$.iso_currency' IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN 1
      WHEN h.json ->> '$.iso_currency' IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 1000
      WHEN h.json ->> '$.iso_currency' IN ('CLF', 'UYW') THEN 10000
      ELSE 100 END AS factor
  FROM _history AS h
  WHERE h.family IN ('salvage_transactions', 'subscription_renewals', 'sales', 'invoices', 'check_directs', 'offline_payments')
),
states AS (
  SELECT 'salvage_transactions' AS family, s.id, s._seen_at AS seen, NULL AS until, s.status, s.enabled, s.method, 1 AS is_overdue,
    s.amount_minor AS amount, s.amount_remaining_minor AS remaining, 0 AS captured, s.iso_currency AS currency, s.campaign_name AS campaign,
    s.customer_country AS country, s.customer_id AS customer, s.customer_email AS email, s.subscriptions ->> '$[0]' AS subscription, s.transactions, '[]' AS salvages, s.created_date_unix AS created
  FROM raw_salvage_transactions AS s
  UNION ALL
  SELECT 'subscription_renewals', r.id, r._seen_at, NULL, NULL, 1, 'subscription_renew', r.is_overdue,
    r.amount_minor, r.amount_remaining_minor, 0, r.iso_currency, r.campaign_name,
    r.customer_country, r.customer_id, r.customer_email, r.subscription_id, r.transactions, r.salvage_transactions, r.created_date_unix
  FROM raw_subscription_renewals AS r
  UNION ALL
  SELECT 'sales', s.id, s._seen_at, NULL, s.status, 1, 'sale_create', 0,
    s.amount_minor, s.amount_minor, s.amount_captured_minor, s.iso_currency, s.campaign_name,
    s.customer_country, s.customer_id, s.customer_email, NULL, '[]', '[]', s.created_date_unix
  FROM raw_sales AS s
  UNION ALL
  SELECT 'invoices', i.id, i._seen_at, NULL, CASE WHEN coalesce(i.sales, '[]') = '[]' THEN i.status END, 1, 'invoice', 0,
    i.amount_minor, i.amount_minor - coalesce(i.amount_captured_minor, 0), i.amount_captured_minor, i.iso_currency, i.campaign_name,
    i.customer_country, i.customer_id, i.customer_email, NULL, '[]', '[]', i.created_date_unix
  FROM raw_invoices AS i
  UNION ALL
  SELECT 'check_directs', c.id, c._seen_at, NULL, c.status, 1, 'check', 0,
    c.amount_minor, c.amount_remaining_minor, c.amount_captured_minor, c.iso_currency, c.campaign_name,
    c.customer_country, c.customer_id, c.customer_email, NULL, '[]', '[]', c.created_date_unix
  FROM raw_check_directs AS c
  UNION ALL
  SELECT 'offline_payments', o.id, o._seen_at, NULL, o.status, 1, 'offline', 0,
    o.amount_minor, o.amount_remaining_minor, o.amount_captured_minor, o.iso_currency, o.campaign_name,
    o.customer_country, o.customer_id, o.customer_email, NULL, '[]', '[]', o.created_date_unix
  FROM raw_offline_payments AS o
  UNION ALL
  SELECT f.family, f.id, f.seen_at, f.until_at,
    CASE WHEN f.family <> 'invoices' OR coalesce(f.json ->> '$.sales', '[]') = '[]' THEN f.json ->> '$.status' END, coalesce(f.json ->> '$.enabled', 1),
    CASE f.family WHEN 'subscription_renewals' THEN 'subscription_renew' WHEN 'sales' THEN 'sale_create' WHEN 'invoices' THEN 'invoice'
      WHEN 'check_directs' THEN 'check' WHEN 'offline_payments' THEN 'offline' ELSE f.json ->> '$.method' END,
    f.json ->> '$.is_overdue',
    CAST(round((f.json ->> '$.amount') * f.factor) AS INTEGER),
    CASE WHEN f.family IN ('sales', 'invoices') THEN CAST(round((f.json ->> '$.amount') * f.factor) AS INTEGER)
      - CASE f.family WHEN 'invoices' THEN CAST(round(coalesce(f.json ->> '$.amount_captured', 0) * f.factor) AS INTEGER) ELSE 0 END
      ELSE CAST(round((f.json ->> '$.amount_remaining') * f.factor) AS INTEGER) END,
    CAST(round((f.json ->> '$.amount_captured') * f.factor) AS INTEGER),
    f.currency, f.json ->> '$.campaign_name', f.json ->> '$.customer.country', f.json ->> '$.customer.id', f.json ->> '$.customer.email',
    coalesce(f.json ->> '$.subscription_id', f.json ->> '$.subscriptions[0]'), coalesce(f.json -> '$.transactions', '[]'), coalesce(f.json -> '$.salvage_transactions', '[]'), f.json ->> '$.created_date_unix'
  FROM former AS f
),
chosen AS (
  SELECT s.*,
    CASE s.family WHEN 'sales' THEN 'pending sale' WHEN 'invoices' THEN 'invoice' WHEN 'check_directs' THEN 'check' WHEN 'offline_payments' THEN 'offline' ELSE 'failed' END AS what
  FROM states AS s
  WHERE CASE s.family
    WHEN 'salvage_transactions' THEN 1
    WHEN 'subscription_renewals' THEN s.is_overdue = 1 AND coalesce(s.salvages, '[]') = '[]'
    WHEN 'sales' THEN s.status = 'pending'
    WHEN 'invoices' THEN s.status = 'unpaid'
    ELSE s.remaining > 0
  END
)
SELECT
  c.what AS what, -- failed, or another awaited payment: pending sale, invoice, check, offline
  c.method AS method, -- what was to be paid: subscription_renew, trial_expire, sale_create, ...
  c.id AS id, -- the salvage transaction's id, else that of the renewal, sale, invoice, check or offline payment
  c.currency AS currency, -- ISO 4217 code
  c.campaign AS campaign, -- the campaign
  c.country AS country, -- the customer's country
  c.customer AS customer_id, -- who owes it
  c.email AS customer, -- that customer's e-mail address
  c.subscription AS subscription, -- id of the subscription whose renewal it is, if it is one
  c.created AS created_unix, -- when it was created, seconds since 1970
  min(c.created, coalesce((SELECT min(t.created_date_unix) FROM json_each(c.transactions) AS j JOIN raw_transactions AS t ON t.id = j.value), c.created)) AS first_unix, -- when it first failed or was created, seconds since 1970
  c.seen AS seen_unix, -- when this state was first seen
  c.until AS until_unix, -- when its next state was seen; NULL for the current one
  c.transactions AS transactions, -- ids of its attempts, a JSON list
  c.amount AS failed_minor, -- amount not collected when it was due, minor units
  c.what = 'failed' AND (coalesce(c.enabled, 1) = 0 OR c.status = 'disabled') AS is_disabled, -- 1 if the rest was given up
  c.remaining AS remaining_minor, -- what remains according to the item, minor units; may be nothing if given up
  CASE WHEN c.what IN ('check', 'offline', 'invoice') THEN coalesce(c.captured, 0) ELSE 0 END AS captured_minor -- the part of a check, offline payment or invoice that has arrived, minor units
FROM chosen AS c

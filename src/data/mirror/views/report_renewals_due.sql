-- One row per item that will be charged again: an active or overdue subscription, with its schedule and its last
-- charge, and a trial that has not ended. Suspended and ended subscriptions are left out.
-- needs raw_subscriptions: status, amount_minor, iso_currency, customer_id, customer_email, customer_country, product_name, campaign_name, subscription_profile_id, billing_next_renewal_date_unix, billing_last_renewal_date_unix, created_date_unix
-- needs raw_subscription_profiles: frequency
-- needs raw_subscription_renewals: subscription_id, is_overdue, amount_captured, amount_original_total, created_date_unix
-- needs raw_tax: subscription_renewals, amount_minor
-- needs raw_shipping: subscription_renewals, amount_minor
-- needs raw_trials: subscriptions, status, amount_remaining, amount_remaining_minor, iso_currency, customer_id, customer_email, customer_country, product_name, campaign_name, expiration_date_unix, created_date_unix
WITH paid AS (
  SELECT r.subscription_id AS subscription, r.id, count(*) OVER (PARTITION BY r.subscription_id) AS renewals,
    row_number() OVER (PARTITION BY r.subscription_id ORDER BY r.created_date_unix DESC, r.id DESC) AS n
  FROM raw_subscription_renewals AS r
  WHERE coalesce(r.is_overdue, 0) = 0 AND (r.amount_captured IS NULL OR r.amount_captured > 0 OR r.amount_original_total = 0)
),
extras AS (
  SELECT CAST(json_extract(x.subscription_renewals, '$[0]') AS TEXT) AS renewal, x.amount_minor AS minor
  FROM raw_tax AS x WHERE x.subscription_renewals <> '[]'
  UNION ALL
  SELECT CAST(json_extract(h.subscription_renewals, '$[0]') AS TEXT), h.amount_minor
  FROM raw_shipping AS h WHERE h.subscription_renewals <> '[]'
),
-- Days on which it was or should have been charged: a monthly schedule returns to the latest of them.
days AS (
  SELECT d.id, json_group_array(d.at) AS days FROM (
    SELECT r.subscription_id AS id, r.created_date_unix AS at,
      row_number() OVER (PARTITION BY r.subscription_id ORDER BY r.created_date_unix DESC) AS n
    FROM raw_subscription_renewals AS r
    UNION ALL SELECT j.value, t.expiration_date_unix, 1 FROM raw_trials AS t, json_each(t.subscriptions) AS j
  ) AS d WHERE d.n <= 2 GROUP BY d.id
),
charged AS (SELECT e.renewal, sum(e.minor) AS minor FROM extras AS e GROUP BY e.renewal)
SELECT
  'renewal' AS kind, -- renewal or trial
  s.id AS id, -- the subscription, or the trial
  s.status AS status, -- active or overdue
  s.billing_next_renewal_date_unix AS next_unix, -- when it is next charged, seconds since 1970
  s.iso_currency AS currency, -- ISO 4217 code
  s.amount_minor AS price_minor, -- what a renewal charges before coupons, tax and shipping, minor units
  CASE WHEN p.id IS NOT NULL THEN coalesce(c.minor, 0) END AS extras_minor, -- tax and shipping of the last paid renewal, minor units; NULL if there is none
  coalesce(f._json, s._json -> '$.subscription_profile') AS profile, -- the schedule, as JSON
  coalesce(s._json ->> '$.renewal_count', p.renewals, 0) AS renewals, -- paid renewals
  coalesce(s._json -> '$.coupons', '[]') AS coupons, -- its coupons, as JSON
  coalesce(d.days, json_array(s.created_date_unix)) AS days, -- when it was last charged (up to two times), its trial ended, or else it began, as JSON
  s.product_name AS product, -- the product
  s.campaign_name AS campaign, -- the campaign
  s.customer_country AS country, -- the customer's country
  s.customer_id AS customer_id, -- the customer
  s.customer_email AS customer_email -- that customer's e-mail address
FROM raw_subscriptions AS s
LEFT JOIN raw_subscription_profiles AS f ON f.id = s.subscription_profile_id
LEFT JOIN paid AS p ON p.subscription = s.id AND p.n = 1
LEFT JOIN charged AS c ON c.renewal = p.id
LEFT JOIN days AS d ON d.id = s.id
WHERE s.status IN ('active', 'overdue')
UNION ALL
SELECT
  'trial', t.id, t.status, t.expiration_date_unix, t.iso_currency, t.amount_remaining_minor, NULL, NULL, 0, '[]', '[]',
  t.product_name, t.campaign_name, t.customer_country, t.customer_id, t.customer_email
FROM raw_trials AS t
WHERE t.status = 'active' AND t.amount_remaining <> 0

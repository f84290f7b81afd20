-- One row per paid period: from a paid renewal, or from the start of a subscription, to the day until which it was
-- paid. The time after that is unpaid until the next payment, and overdue from the first failed renewal.
-- Of the states that syncs have seen only that of now is used: whether an overdue one is still tried.
-- needs raw_subscriptions: status, amount_minor, iso_currency, customer_id, customer_email, customer_country, product_name, campaign_name, subscription_profile_name, subscription_profile_frequency, subscription_profile_frequency_unit_unit, subscription_profile_frequency_unit_unit_value, subscription_profile_frequency_calendar_parent, subscription_profile_frequency_fiscal_unit, subscription_profile_frequency_fiscal_setting, subscription_profile_frequency_fiscal_value, created_date_unix, billing_next_renewal_date_unix
-- needs raw_subscription_renewals: subscription_id, is_overdue, transactions, created_date_unix, amount_captured, amount_refunded, amount_original_total, amount_original_total_minor, billing_next_renewal_date_unix, subscription_profile_frequency, subscription_profile_frequency_unit_unit, subscription_profile_frequency_unit_unit_value, subscription_profile_frequency_calendar_parent, subscription_profile_frequency_fiscal_unit, subscription_profile_frequency_fiscal_setting, subscription_profile_frequency_fiscal_value
-- needs raw_tax: subscription_renewals, amount_minor
-- needs raw_shipping: subscription_renewals, amount_minor
-- needs raw_trials: subscriptions, status, expired_result, expiration_date_unix
WITH tries AS (
  SELECT
    r.id, r.subscription_id AS subscription, r.created_date_unix AS at, r.amount_original_total_minor AS minor,
    coalesce(r.is_overdue, 0) = 0
      AND (r.amount_captured IS NULL OR r.amount_captured > 0 OR r.amount_refunded > 0 OR r.amount_original_total = 0) AS is_paid,
    r.is_overdue = 1 OR (r.amount_captured = 0 AND coalesce(r.amount_refunded, 0) = 0
      AND coalesce(r.amount_original_total, 1) > 0 AND coalesce(r.transactions, '[]') <> '[]') AS is_failed,
    r.billing_next_renewal_date_unix AS next,
    r.subscription_profile_frequency AS frequency,
    r.subscription_profile_frequency_unit_unit AS unit, r.subscription_profile_frequency_unit_unit_value AS unit_value,
    r.subscription_profile_frequency_calendar_parent AS parent,
    r.subscription_profile_frequency_fiscal_unit AS fiscal, r.subscription_profile_frequency_fiscal_setting AS setting,
    r.subscription_profile_frequency_fiscal_value AS fiscal_value
  FROM raw_subscription_renewals AS r
),
-- How many paid renewals a renewal follows, itself included: failed ones belong to the period that the last of them paid.
tried AS (SELECT t.*, sum(t.is_paid) OVER (PARTITION BY t.subscription ORDER BY t.at, t.id) AS run FROM tries AS t),
missed AS (
  SELECT t.subscription, t.run, min(t.at) AS at, max(t.at) AS last FROM tried AS t WHERE t.is_failed GROUP BY t.subscription, t.run
),
extras AS (
  SELECT CAST(json_extract(x.subscription_renewals, '$[0]') AS TEXT) AS renewal, x.amount_minor AS minor
  FROM raw_tax AS x WHERE x.subscription_renewals <> '[]'
  UNION ALL
  SELECT CAST(json_extract(h.subscription_renewals, '$[0]') AS TEXT), h.amount_minor
  FROM raw_shipping AS h WHERE h.subscription_renewals <> '[]'
),
charged AS (SELECT e.renewal, sum(e.minor) AS minor FROM extras AS e GROUP BY e.renewal),
firsts AS (SELECT t.subscription, min(t.at) AS at, min(CASE WHEN t.is_paid THEN t.at END) AS paid FROM tried AS t GROUP BY t.subscription),
begun_trials AS (
  SELECT
    j.value AS id,
    max(CASE WHEN t.status = 'expired' AND coalesce(t.expired_result, '') <> 'failed'
      THEN t.expiration_date_unix END) AS ended
  FROM raw_trials AS t, json_each(t.subscriptions) AS j GROUP BY j.value
),
paid AS (
  SELECT t.*, lead(t.at) OVER (PARTITION BY t.subscription ORDER BY t.at, t.id) AS paid_again FROM tried AS t WHERE t.is_paid
),
spans AS (
  SELECT
    t.subscription, t.run, t.paid_again, t.at AS begins,
    -- A renewal that came early begins a separate period.
    min(coalesce(t.next, s.billing_next_renewal_date_unix), coalesce(t.paid_again, 9000000000000)) AS ends,
    t.minor - coalesce(c.minor, 0) AS minor, t.next IS NULL AS is_assumed,
    t.frequency, t.unit, t.unit_value, t.parent, t.fiscal, t.setting, t.fiscal_value
  FROM paid AS t JOIN raw_subscriptions AS s ON s.id = t.subscription LEFT JOIN charged AS c ON c.renewal = t.id
  UNION ALL
  SELECT
    s.id, 0, f.paid, coalesce(b.ended, s.created_date_unix),
    -- A late renewal, or the next one of a subscription that ended or was moved, may lie far behind what was paid: one
    -- step of its schedule at most.
    min(coalesce(f.at, s.billing_next_renewal_date_unix), coalesce(unixepoch(coalesce(b.ended, s.created_date_unix), 'unixepoch',
      CASE s.subscription_profile_frequency
        WHEN 'unit' THEN '+' || (CASE s.subscription_profile_frequency_unit_unit WHEN 'weeks' THEN 7 ELSE 1 END
          * s.subscription_profile_frequency_unit_unit_value)
          || CASE s.subscription_profile_frequency_unit_unit WHEN 'months' THEN ' months' WHEN 'years' THEN ' years' ELSE ' days' END
        WHEN 'calendar' THEN CASE s.subscription_profile_frequency_calendar_parent
          WHEN 'week' THEN '+7 days' WHEN 'month' THEN '+1 month' WHEN 'year' THEN '+1 year' END
      END), 9000000000000)),
    s.amount_minor, 1,
    s.subscription_profile_frequency, s.subscription_profile_frequency_unit_unit,
    s.subscription_profile_frequency_unit_unit_value, s.subscription_profile_frequency_calendar_parent,
    s.subscription_profile_frequency_fiscal_unit, s.subscription_profile_frequency_fiscal_setting,
    s.subscription_profile_frequency_fiscal_value
  FROM raw_subscriptions AS s
  LEFT JOIN begun_trials AS b ON b.id = s.id
  LEFT JOIN firsts AS f ON f.subscription = s.id
  WHERE b.id IS NULL OR b.ended IS NOT NULL
),
parts AS (
  SELECT
    p.*,
    CASE p.frequency
      WHEN 'unit' THEN CASE p.unit WHEN 'months' THEN 12 WHEN 'years' THEN 1 WHEN 'weeks' THEN 365 WHEN 'days' THEN 365 END
      WHEN 'calendar' THEN CASE p.parent WHEN 'week' THEN 365 WHEN 'month' THEN 12 WHEN 'year' THEN 1 END
      WHEN 'fiscal' THEN CASE p.fiscal WHEN 'quarter' THEN 4 WHEN 'year' THEN 1 END
    END AS top,
    CASE p.frequency
      WHEN 'unit' THEN CASE p.unit WHEN 'weeks' THEN 7 ELSE 1 END * nullif(p.unit_value, 0)
      WHEN 'calendar' THEN CASE p.parent WHEN 'week' THEN 7 ELSE 1 END
      WHEN 'fiscal' THEN CASE p.setting WHEN 'infrequent' THEN nullif(p.fiscal_value, 0) ELSE 1 END
    END AS bottom
  FROM spans AS p WHERE p.ends IS NULL OR p.ends > p.begins
)
SELECT
  p.subscription AS id, -- the subscription
  s.customer_id AS customer_id, -- its customer
  s.customer_email AS customer_email, -- that customer's e-mail address
  s.customer_country AS country, -- that customer's country
  s.product_name AS product, -- its product, as now
  s.subscription_profile_name AS plan, -- the name of its schedule, as now
  s.campaign_name AS campaign, -- the campaign it came from
  s.iso_currency AS currency, -- ISO 4217 code
  p.begins AS from_unix, -- when the period begins, seconds since 1970
  coalesce(p.ends, 9000000000000) AS until_unix, -- when the paid period ends; far in the future if unknown
  CASE WHEN p.ends IS NOT NULL THEN CAST((2 * p.minor * p.top + 12 * p.bottom) / (24 * p.bottom) AS INTEGER) END AS monthly_minor, -- its monthly revenue, minor units; NULL if its end, amount or schedule is unknown
  coalesce(m.at, 9000000000000) AS overdue_unix, -- the first failed renewal after it; far in the future if there is none
  coalesce(p.paid_again, CASE WHEN s.status NOT IN ('active', 'overdue') THEN m.last END, 9000000000000) AS tried_until_unix, -- when it was paid again, or last tried if it is over; far in the future if neither
  p.is_assumed AS is_assumed -- 1 if it is based on the subscription's amount or schedule of today
FROM parts AS p JOIN raw_subscriptions AS s ON s.id = p.subscription
LEFT JOIN missed AS m ON m.subscription = p.subscription AND m.run = p.run

-- One row per state of a subscription, and the time in which it is known to have held: the current state, and each one
-- in the history. A state starts when the service says the subscription was last updated, if known. Months are computed
-- as in `subscriptions`. A subscription is overdue from its first failed renewal since the last paid one: further ones
-- change its state, not that day. One that began with a trial counts from the trial's paid end.
-- needs raw_subscriptions: status, amount_minor, iso_currency, customer_id, customer_email, customer_country, subscription_profile_name, product_name, campaign_name, subscription_profile_frequency, subscription_profile_frequency_unit_unit, subscription_profile_frequency_unit_unit_value, subscription_profile_frequency_calendar_parent, subscription_profile_frequency_fiscal_unit, subscription_profile_frequency_fiscal_setting, subscription_profile_frequency_fiscal_value, created_date_unix, updated_date_unix, _seen_at
-- needs raw_subscription_renewals: subscription_id, is_overdue, created_date_unix, amount_captured, amount_refunded, amount_original_total, transactions
-- needs raw_trials: subscriptions, status, expired_result, expiration_date_unix, created_date_unix, updated_date_unix, amount_captured
WITH shapes AS (
  SELECT
    s.id, s._seen_at AS seen, NULL AS gone, s.status, s.amount_minor AS amount, s.iso_currency AS currency,
    s.customer_id AS customer, s.customer_email AS email, s.subscription_profile_name AS plan, s.customer_country AS country, s.product_name AS product, s.campaign_name AS campaign,
    s.created_date_unix AS created, s.updated_date_unix AS updated,
    s.subscription_profile_frequency AS frequency,
    s.subscription_profile_frequency_unit_unit AS unit, s.subscription_profile_frequency_unit_unit_value AS unit_value,
    s.subscription_profile_frequency_calendar_parent AS parent,
    s.subscription_profile_frequency_fiscal_unit AS fiscal, s.subscription_profile_frequency_fiscal_setting AS setting,
    s.subscription_profile_frequency_fiscal_value AS fiscal_value
  FROM raw_subscriptions AS s
  UNION ALL
  SELECT
    h.id, h.seen_at, CASE WHEN h.is_gone = 1 THEN h.until_at END, h.json ->> '$.status',
    CAST(round((h.json ->> '$.amount') * CASE
      WHEN h.json ->> '$.iso_currency' IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN 1
      WHEN h.json ->> '$.iso_currency' IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 1000
      WHEN h.json ->> '$.iso_currency' IN ('CLF', 'UYW') THEN 10000
      ELSE 100 END) AS INTEGER),
    h.json ->> '$.iso_currency', h.json ->> '$.customer.id', h.json ->> '$.customer.email', h.json ->> '$.subscription_profile.name', h.json ->> '$.customer.country', h.json ->> '$.product.name',
    h.json ->> '$.campaign_name', h.json ->> '$.created_date_unix', h.json ->> '$.updated_date_unix',
    h.json ->> '$.subscription_profile.frequency',
    h.json ->> '$.subscription_profile.frequency_unit.unit', h.json ->> '$.subscription_profile.frequency_unit.unit_value',
    h.json ->> '$.subscription_profile.frequency_calendar.parent',
    h.json ->> '$.subscription_profile.frequency_fiscal.unit', h.json ->> '$.subscription_profile.frequency_fiscal.setting',
    h.json ->> '$.subscription_profile.frequency_fiscal.value'
  FROM _history AS h
  WHERE h.family = 'subscriptions'
),
begun AS (
  SELECT
    s.*,
    row_number() OVER (ORDER BY s.id, s.seen, s.gone IS NULL) AS n,
    -- Runs of consecutive overdue states.
    sum(s.status <> 'overdue') OVER (PARTITION BY s.id ORDER BY s.seen, s.gone IS NULL) AS run,
    max(min(coalesce(s.updated, s.seen), s.seen), coalesce(s.created, 0), coalesce(lag(s.seen) OVER (PARTITION BY s.id ORDER BY s.seen, s.gone IS NULL), 0)) AS since
  FROM shapes AS s
),
held AS (
  SELECT
    b.*,
    coalesce(b.gone, lead(b.since) OVER (PARTITION BY b.id ORDER BY b.seen, b.gone IS NULL)) AS until,
    -- Renewals a year as a fraction: top / bottom.
    CASE b.frequency
      WHEN 'unit' THEN CASE b.unit WHEN 'months' THEN 12 WHEN 'years' THEN 1 WHEN 'weeks' THEN 365 WHEN 'days' THEN 365 END
      WHEN 'calendar' THEN CASE b.parent WHEN 'week' THEN 365 WHEN 'month' THEN 12 WHEN 'year' THEN 1 END
      WHEN 'fiscal' THEN CASE b.fiscal WHEN 'quarter' THEN 4 WHEN 'year' THEN 1 END
    END AS top,
    CASE b.frequency
      WHEN 'unit' THEN CASE b.unit WHEN 'weeks' THEN 7 ELSE 1 END * nullif(b.unit_value, 0)
      WHEN 'calendar' THEN CASE b.parent WHEN 'week' THEN 7 ELSE 1 END
      WHEN 'fiscal' THEN CASE b.setting WHEN 'infrequent' THEN nullif(b.fiscal_value, 0) ELSE 1 END
    END AS bottom
  FROM begun AS b
),
tries AS (
  SELECT
    r.subscription_id AS id, r.created_date_unix AS at,
    coalesce(r.is_overdue, 0) = 0
      AND (r.amount_captured IS NULL OR r.amount_captured > 0 OR r.amount_refunded > 0 OR r.amount_original_total = 0) AS is_paid,
    r.is_overdue = 1 OR (r.amount_captured = 0 AND coalesce(r.amount_refunded, 0) = 0
      AND coalesce(r.amount_original_total, 1) > 0 AND coalesce(r.transactions, '[]') <> '[]') AS is_failed
  FROM raw_subscription_renewals AS r
),
-- Only those of a subscription that was not always active matter for its breaks.
late_tries AS MATERIALIZED (
  SELECT t.* FROM tries AS t WHERE t.id IN (SELECT h.id FROM held AS h WHERE h.status <> 'active')
),
runs AS (
  SELECT
    h.n, h.id, h.since, h.run, min(h.since) OVER (PARTITION BY h.id, h.run) AS began,
    -- A former state says what was known when it was seen; the current one knows everything.
    CASE WHEN h.until IS NULL THEN 9000000000000000 ELSE max(h.seen, h.since) END AS known
  FROM held AS h WHERE h.status = 'overdue'
),
paid AS (
  SELECT r.n, max(t.at) AS at FROM runs AS r JOIN late_tries AS t ON t.id = r.id AND t.is_paid AND t.at <= r.known GROUP BY r.n
),
late AS (
  SELECT r.n, min(t.at) AS at
  FROM runs AS r JOIN late_tries AS t ON t.id = r.id AND t.is_failed AND t.at <= r.known
  LEFT JOIN paid AS p ON p.n = r.n
  WHERE t.at > coalesce(p.at, 0) GROUP BY r.n
),
overdue AS (
  SELECT
    r.n,
    -- A payment within a run restarts it; the start of a run without an earlier state was not seen.
    CASE
      WHEN p.at >= r.began THEN coalesce(l.at, r.since)
      WHEN r.run = 0 THEN coalesce(l.at, r.began)
      ELSE min(r.began, coalesce(l.at, r.began))
    END AS since
  FROM runs AS r LEFT JOIN paid AS p ON p.n = r.n LEFT JOIN late AS l ON l.n = r.n
),
first_paid AS (
  SELECT t.id, min(t.at) AS at FROM tries AS t WHERE t.is_paid GROUP BY t.id
),
begun_trials AS (
  SELECT
    j.value AS id,
    max(CASE WHEN t.status = 'expired' AND coalesce(t.expired_result, '') <> 'failed'
      THEN min(t.expiration_date_unix, coalesce(t.updated_date_unix, t.expiration_date_unix)) END) AS ended
  FROM raw_trials AS t, json_each(t.subscriptions) AS j
  GROUP BY j.value
),
-- Breaks: overdue, suspended or ended states between two active ones.
placed AS (
  SELECT
    h.n, h.id, h.status, h.seen, h.gone, h.since, coalesce(o.since, h.since) AS at,
    CASE WHEN h.status = 'overdue' THEN h.until - o.since END AS late_for,
    sum(h.status = 'active') OVER (PARTITION BY h.id ORDER BY h.n) AS part,
    h.status <> 'active' AND coalesce(lag(h.status) OVER (PARTITION BY h.id ORDER BY h.n), 'active') = 'active' AS is_first
  FROM held AS h LEFT JOIN overdue AS o ON o.n = h.n
),
-- A part begins with its active state and has at most one break.
stopped AS (
  SELECT p.*, sum(p.status NOT IN ('active', 'overdue')) OVER (PARTITION BY p.id, p.part ORDER BY p.n) AS stops FROM placed AS p
),
breaks AS (
  SELECT
    p.id, p.part, min(p.at) AS at, coalesce(max(p.late_for), 0) AS late_for, max(p.status <> 'overdue') AS is_stop,
    max(p.is_first AND p.status = 'overdue') AS is_late
  FROM placed AS p WHERE p.status <> 'active' GROUP BY p.id, p.part
),
-- The renewal that made it overdue; if it shows as paid now, it was collected later.
missed AS (
  SELECT b.id, b.part, max(t.at) AS at, t.is_paid
  FROM breaks AS b JOIN late_tries AS t ON t.id = b.id AND t.at <= b.at WHERE b.is_late GROUP BY b.id, b.part
),
payments_made AS (
  SELECT t.id, t.at FROM late_tries AS t WHERE t.is_paid
  UNION ALL SELECT t.id, t.ended FROM begun_trials AS t WHERE t.ended IS NOT NULL
),
repaid AS (
  SELECT b.id, b.part, min(t.at) AS at
  FROM breaks AS b JOIN payments_made AS t ON t.id = b.id AND t.at > b.at GROUP BY b.id, b.part
),
mended AS (
  SELECT b.*, CASE WHEN m.is_paid THEN 0 ELSE coalesce(r.at, 9000000000000000) END AS paid
  FROM breaks AS b
  LEFT JOIN missed AS m ON m.id = b.id AND m.part = b.part
  LEFT JOIN repaid AS r ON r.id = b.id AND r.part = b.part
),
resumed AS (
  SELECT
    s.n,
    max(CASE WHEN m.part < s.part OR s.stops > 0 THEN m.is_stop * m.paid ELSE 0 END) AS stop_paid,
    max(CASE WHEN m.part < s.part AND m.paid > s.since THEN m.late_for ELSE 0 END) AS late_for,
    max(CASE WHEN m.part < s.part THEN m.paid ELSE 0 END) AS late_paid
  FROM stopped AS s JOIN mended AS m ON m.id = s.id AND m.part <= s.part
  WHERE s.status IN ('active', 'overdue') GROUP BY s.n
)
SELECT
  s.id AS id, -- the subscription's id
  s.since AS from_unix, -- when the state is known to start, seconds since 1970
  s.until AS until_unix, -- when the next state, or the subscription's absence, was seen; NULL for the current one
  s.created AS created_unix, -- when the subscription began, seconds since 1970
  s.status AS status, -- active, overdue, suspended, cancelled or occurrence_limit
  s.customer AS customer_id, -- its customer
  s.email AS customer_email, -- that customer's e-mail address
  s.plan AS plan, -- the name of its schedule
  s.country AS country, -- that customer's country
  s.product AS product, -- the product subscribed to
  s.campaign AS campaign, -- the campaign it came from
  s.currency AS currency, -- ISO 4217 code
  CAST((2 * s.amount * s.top + 12 * s.bottom) / (24 * s.bottom) AS INTEGER) AS monthly_minor, -- its monthly revenue, minor units; NULL if the schedule is unknown
  o.since AS overdue_since_unix, -- when it became overdue, seconds since 1970
  CASE WHEN t.id IS NOT NULL THEN coalesce(min(coalesce(t.ended, f.at), coalesce(f.at, t.ended)), 9000000000000000) ELSE 0 END AS counts_from_unix, -- its first payment after a trial, seconds since 1970; far in the future if unpaid, 0 without a trial
  coalesce(r.stop_paid, 0) AS resumed_unix, -- its first payment after it was suspended or ended, seconds since 1970; far in the future if unpaid, 0 if it never was
  coalesce(r.late_for, 0) AS was_late, -- how many seconds it had been overdue, still unpaid when this state began
  coalesce(r.late_paid, 0) AS caught_up_unix -- its first payment after that, like resumed_unix
FROM held AS s
LEFT JOIN overdue AS o ON o.n = s.n
LEFT JOIN begun_trials AS t ON t.id = s.id
LEFT JOIN first_paid AS f ON f.id = s.id
LEFT JOIN resumed AS r ON r.n = s.n

-- One row per subscription, as last read, with its period and its monthly revenue. A month's amount is the amount times
-- the renewals per year, divided by twelve, rounded half up to a whole minor unit (a year has 365 days): every n months
-- a/n, years a/12n, weeks a*365/84n, days a*365/12n; calendar and fiscal schedules by their renewals per year.
-- needs raw_subscriptions: status, amount, amount_minor, iso_currency, is_overdue, overdue_count, customer_id, customer_email, customer_country, product_id, product_name, product_quantity, subscription_profile_id, subscription_profile_name, subscription_profile_frequency, subscription_profile_frequency_unit_unit, subscription_profile_frequency_unit_unit_value, subscription_profile_frequency_calendar_unit, subscription_profile_frequency_calendar_value, subscription_profile_frequency_calendar_parent, subscription_profile_frequency_fiscal_unit, subscription_profile_frequency_fiscal_setting, subscription_profile_frequency_fiscal_value, subscription_profile_occurrences, billing_next_renewal_date_unix, billing_last_renewal_date_unix, billing_last_renewal_id, campaign_id, campaign_name, created_date_unix, updated_date_unix
WITH periods AS (
  SELECT
    s.*,
    -- Renewals a year as a fraction: top / bottom.
    CASE s.subscription_profile_frequency
      WHEN 'unit' THEN
        CASE s.subscription_profile_frequency_unit_unit WHEN 'months' THEN 12 WHEN 'years' THEN 1 WHEN 'weeks' THEN 365 WHEN 'days' THEN 365 END
      WHEN 'calendar' THEN
        CASE s.subscription_profile_frequency_calendar_parent WHEN 'week' THEN 365 WHEN 'month' THEN 12 WHEN 'year' THEN 1 END
      WHEN 'fiscal' THEN
        CASE s.subscription_profile_frequency_fiscal_unit WHEN 'quarter' THEN 4 WHEN 'year' THEN 1 END
    END AS top,
    CASE s.subscription_profile_frequency
      WHEN 'unit' THEN
        CASE s.subscription_profile_frequency_unit_unit WHEN 'weeks' THEN 7 ELSE 1 END
        * nullif(s.subscription_profile_frequency_unit_unit_value, 0)
      WHEN 'calendar' THEN CASE s.subscription_profile_frequency_calendar_parent WHEN 'week' THEN 7 ELSE 1 END
      WHEN 'fiscal' THEN
        CASE s.subscription_profile_frequency_fiscal_setting
          WHEN 'infrequent' THEN nullif(s.subscription_profile_frequency_fiscal_value, 0)
          ELSE 1
        END
    END AS bottom
  FROM raw_subscriptions AS s
)
SELECT
  p.id AS id, -- the subscription's id
  p.status AS status, -- active, overdue, suspended, cancelled or occurrence_limit
  p.customer_id AS customer_id, -- whose it is
  p.customer_email COLLATE NOCASE AS customer_email, -- that customer's e-mail address
  p.customer_country AS country, -- that customer's country
  p.product_id AS product_id, -- the product subscribed to
  p.product_name AS product, -- that product's name
  p.product_quantity AS quantity, -- the number of units
  p.subscription_profile_id AS profile_id, -- its schedule
  p.subscription_profile_name AS profile, -- that schedule's name
  CASE p.subscription_profile_frequency
    WHEN 'unit' THEN
      p.subscription_profile_frequency_unit_unit_value || ' ' || p.subscription_profile_frequency_unit_unit
    WHEN 'calendar' THEN
      p.subscription_profile_frequency_calendar_unit || ' ' || coalesce(p.subscription_profile_frequency_calendar_value, '')
      || ' of each ' || p.subscription_profile_frequency_calendar_parent
    WHEN 'fiscal' THEN
      'fiscal ' || CASE p.subscription_profile_frequency_fiscal_setting
        WHEN 'infrequent' THEN coalesce(p.subscription_profile_frequency_fiscal_value, '') || ' ' ELSE '' END
      || p.subscription_profile_frequency_fiscal_unit
  END AS period, -- how often it renews: 1 months, week 1 of each month, fiscal quarter
  p.iso_currency AS currency, -- ISO 4217 code
  p.amount_minor AS amount_minor, -- what a renewal charges, minor units
  CAST((2 * p.amount_minor * p.top + 12 * p.bottom) / (24 * p.bottom) AS INTEGER) AS monthly_minor, -- the same per month, minor units; NULL if the schedule is unknown
  p.is_overdue AS is_overdue, -- 1 while a renewal is overdue
  p.overdue_count AS overdue_count, -- overdue renewals
  p.billing_next_renewal_date_unix AS next_renewal_unix, -- the next renewal, seconds since 1970
  strftime('%Y-%m-%dT%H:%M:%SZ', p.billing_next_renewal_date_unix, 'unixepoch') AS next_renewal, -- the same, UTC
  p.billing_last_renewal_date_unix AS last_renewal_unix, -- the last renewal, seconds since 1970
  p.billing_last_renewal_id AS last_renewal_id, -- that renewal's id
  p.campaign_id AS campaign_id, -- the campaign it came from
  p.campaign_name AS campaign, -- that campaign's name
  p.created_date_unix AS created_unix, -- when it began, seconds since 1970
  strftime('%Y-%m-%dT%H:%M:%SZ', p.created_date_unix, 'unixepoch') AS created, -- the same, UTC
  strftime('%Y-%m-%dT%H:%M:%SZ', p.updated_date_unix, 'unixepoch') AS updated -- when it was last changed, UTC
FROM periods AS p

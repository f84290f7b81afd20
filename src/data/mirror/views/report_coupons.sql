-- One row per coupon, with its reduction and how often it can still be used.
-- needs raw_coupons: enabled, discount_type, discount_value, start_date_unix, end_date_unix, num_use, max_uses, coupon_code, coupon_profile_id
-- needs raw_coupon_profiles: enabled, max_uses
SELECT
  c.id AS id, -- the coupon
  c.coupon_code AS code, -- its code
  coalesce(c.enabled, 1) AND coalesce(p.enabled, 1) AS is_enabled, -- 1 if it and its profile are enabled
  c.start_date_unix AS begins_unix, -- from when it can be used, seconds since 1970; NULL for always
  c.end_date_unix AS ends_unix, -- until when
  c.discount_type AS type, -- percent or amount
  c.discount_value AS value, -- the percent, or the amount in the currency of what is charged
  CASE
    WHEN nullif(c.max_uses, 0) IS NULL AND nullif(p.max_uses, 0) IS NULL THEN NULL
    ELSE max(0, min(coalesce(nullif(c.max_uses, 0), 9000000000), coalesce(nullif(p.max_uses, 0), 9000000000)) - coalesce(c.num_use, 0))
  END AS uses_left -- how often it can still be used; NULL for no limit
FROM raw_coupons AS c
LEFT JOIN raw_coupon_profiles AS p ON p.id = c.coupon_profile_id

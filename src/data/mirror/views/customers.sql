-- One row per customer, as last read.
-- needs raw_customers: enabled, blocked, first_name, last_name, company, email, phone, city, state, country, internal_id, campaign_id, campaign_name, created_date_unix, updated_date_unix
SELECT
  c.id AS id, -- the customer's id
  CASE WHEN c.blocked = 1 THEN 'blocked' WHEN c.enabled = 0 THEN 'disabled' WHEN c.enabled = 1 THEN 'enabled' END AS status, -- enabled, disabled or blocked
  trim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) AS name, -- first and last name
  c.email COLLATE NOCASE AS email, -- e-mail address
  c.phone AS phone, -- telephone number
  c.company AS company, -- company
  c.city AS city, -- city
  c.state AS state, -- state or province
  c.country AS country, -- ISO 3166-1 alpha-3 code
  c.internal_id AS internal_id, -- your own reference of the customer
  c.campaign_id AS campaign_id, -- the campaign it came from
  c.campaign_name AS campaign, -- that campaign's name
  c.created_date_unix AS created_unix, -- when it was created, seconds since 1970
  strftime('%Y-%m-%dT%H:%M:%SZ', c.created_date_unix, 'unixepoch') AS created, -- the same, UTC
  strftime('%Y-%m-%dT%H:%M:%SZ', c.updated_date_unix, 'unixepoch') AS updated -- when it was last changed, UTC
FROM raw_customers AS c

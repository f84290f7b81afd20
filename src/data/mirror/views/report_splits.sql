-- One row per card transaction behind a payment, and one for what no card has paid: the shares that split a payment
-- over gateways and cards. A share of an amount is amount * until / whole - amount * since / whole, each rounded down,
-- so that the shares add up to the amount. A single transaction is whole.
-- needs raw_transactions: result, method, amount_minor, amount_captured_minor, amount_fees_minor, gateway_name, customer_card_type
WITH paid AS MATERIALIZED (
  SELECT p.id, p.paid_minor, p.fees_minor, p.transactions, p.wallet_transactions, p.check_directs, p.offline_payments
  FROM payments AS p
),
parts AS (
  SELECT
    p.id AS paid_by, p.paid_minor AS paid, coalesce(p.fees_minor, 0) AS fees, t.id, t.gateway_name, t.customer_card_type,
    -- Holds do not count if something was captured.
    CASE
      WHEN max(coalesce(t.amount_captured_minor, 0)) OVER (PARTITION BY p.id) > 0 THEN coalesce(t.amount_captured_minor, 0)
      ELSE coalesce(t.amount_minor, 0)
    END AS part,
    coalesce(t.amount_fees_minor, 0) AS fee
  FROM paid AS p, json_each(p.transactions) AS j
  JOIN raw_transactions AS t ON t.id = j.value
  WHERE t.result = 'approved' AND coalesce(t.method, '') NOT LIKE '%refund%' AND coalesce(t.amount_minor, 0) > 0
),
sums AS (
  SELECT
    s.*,
    sum(s.part) OVER w AS until, sum(s.fee) OVER w AS fees_until,
    sum(s.part) OVER (PARTITION BY s.paid_by) AS carded, sum(s.fee) OVER (PARTITION BY s.paid_by) AS fees_carded
  FROM parts AS s WHERE s.part > 0
  WINDOW w AS (PARTITION BY s.paid_by ORDER BY s.id)
),
-- Fees are split as the transactions show them if they add up to the payment's, otherwise like the amount.
shares AS (
  SELECT s.*, s.fees > 0 AND (s.fees_carded = s.fees OR (s.carded < s.paid AND s.fees_carded < s.fees)) AS by_fees FROM sums AS s
),
cards AS (
  SELECT s.paid_by, max(s.carded) AS carded, max(s.fees_carded) AS fees_carded, max(s.by_fees) AS by_fees FROM shares AS s GROUP BY s.paid_by
)
SELECT
  s.paid_by AS paid_by, -- the split payment or transaction
  coalesce(nullif(s.gateway_name, ''), 'unknown') AS gateway, -- the gateway; not a card, or unknown
  coalesce(nullif(s.customer_card_type, ''), 'unknown') AS card_brand, -- visa, ...; not a card, or unknown
  s.until - s.part AS since, -- where the share starts
  s.until AS until, -- where it ends
  max(s.carded, s.paid) AS whole, -- the sum of all shares
  CASE WHEN s.by_fees THEN s.fees_until - s.fee ELSE s.until - s.part END AS fees_since, -- the same for fees
  CASE WHEN s.by_fees THEN s.fees_until ELSE s.until END AS fees_until, -- the same for fees
  CASE WHEN s.by_fees THEN s.fees ELSE max(s.carded, s.paid) END AS fees_whole -- the same for fees
FROM shares AS s
UNION ALL
SELECT
  p.id,
  CASE WHEN coalesce(p.transactions, '[]') <> '[]' AND coalesce(p.wallet_transactions, '[]') = '[]' AND coalesce(p.check_directs, '[]') = '[]' AND coalesce(p.offline_payments, '[]') = '[]' THEN 'unknown' ELSE 'not a card' END,
  CASE WHEN coalesce(p.transactions, '[]') <> '[]' AND coalesce(p.wallet_transactions, '[]') = '[]' AND coalesce(p.check_directs, '[]') = '[]' AND coalesce(p.offline_payments, '[]') = '[]' THEN 'unknown' ELSE 'not a card' END,
  coalesce(c.carded, 0), p.paid_minor, p.paid_minor,
  CASE WHEN c.by_fees THEN c.fees_carded ELSE coalesce(c.carded, 0) END,
  CASE WHEN c.by_fees THEN p.fees_minor ELSE p.paid_minor END,
  CASE WHEN c.by_fees THEN p.fees_minor ELSE p.paid_minor END
FROM paid AS p
-- If no other payment method is named, a transaction is missing.
LEFT JOIN cards AS c ON c.paid_by = p.id
WHERE coalesce(c.carded, 0) < p.paid_minor
UNION ALL
SELECT
  t.id, coalesce(nullif(t.gateway_name, ''), 'unknown'), coalesce(nullif(t.customer_card_type, ''), 'unknown'),
  0, 1, 1, 0, 1, 1
FROM raw_transactions AS t

-- One row per card transaction behind a payment, and one for what no card has paid: the shares that split a payment
-- over gateways and cards. A share of an amount is amount * until / whole - amount * since / whole, each rounded down,
-- so that the shares add up to the amount. A single transaction is whole.
-- needs raw_transactions: result, method, amount_minor, amount_captured_minor, amount_fees_minor, gateway_name, customer_card_type
WITH approved AS MATERIALIZED (
  SELECT
    t.id, t.gateway_name, t.customer_card_type,
    coalesce(t.amount_captured_minor, 0) AS captured, coalesce(t.amount_minor, 0) AS amount, coalesce(t.amount_fees_minor, 0) AS fee
  FROM raw_transactions AS t
  WHERE t.result = 'approved' AND coalesce(t.method, '') NOT LIKE '%refund%' AND coalesce(t.amount_minor, 0) > 0
),
paid AS (
  SELECT
    p.id AS paid_by, p.paid_minor AS paid, p.fees_minor AS fees, p.transactions,
    -- If no other payment method is named, a transaction is missing.
    CASE WHEN coalesce(p.transactions, '[]') <> '[]' AND coalesce(p.wallet_transactions, '[]') = '[]' AND coalesce(p.check_directs, '[]') = '[]' AND coalesce(p.offline_payments, '[]') = '[]' THEN 'unknown' ELSE 'not a card' END AS otherwise,
    json_array_length(coalesce(p.transactions, '[]')) > 1 AS is_several
  FROM payments AS p
),
-- Most payments name one transaction, which is compared with no other.
ones AS MATERIALIZED (
  SELECT
    p.paid_by, p.paid, p.fees, p.otherwise, t.gateway_name, t.customer_card_type, t.fee,
    CASE WHEN t.captured > 0 THEN t.captured ELSE t.amount END AS part
  FROM paid AS p LEFT JOIN approved AS t ON t.id = json_extract(p.transactions, '$[0]')
  WHERE NOT p.is_several
),
parts AS (
  SELECT
    p.paid_by, p.paid, p.fees, t.gateway_name, t.customer_card_type, t.id, t.fee,
    -- Holds do not count if something was captured.
    CASE WHEN max(t.captured) OVER (PARTITION BY p.paid_by) > 0 THEN t.captured ELSE t.amount END AS part
  FROM paid AS p, json_each(p.transactions) AS j JOIN approved AS t ON t.id = j.value
  WHERE p.is_several
),
sums AS (
  SELECT o.paid_by, o.paid, o.fees, o.gateway_name, o.customer_card_type, o.part, o.fee, o.part AS until, o.fee AS fees_until, o.part AS carded, o.fee AS fees_carded
  FROM ones AS o WHERE o.part > 0
  UNION ALL
  SELECT
    s.paid_by, s.paid, s.fees, s.gateway_name, s.customer_card_type, s.part, s.fee, sum(s.part) OVER w, sum(s.fee) OVER w,
    sum(s.part) OVER (PARTITION BY s.paid_by), sum(s.fee) OVER (PARTITION BY s.paid_by)
  FROM parts AS s WHERE s.part > 0
  WINDOW w AS (PARTITION BY s.paid_by ORDER BY s.id)
),
-- Fees are split as the transactions show them if they add up to the payment's, otherwise like the amount.
shares AS (
  SELECT s.*, s.fees > 0 AND (s.fees_carded = s.fees OR (s.carded < s.paid AND s.fees_carded < s.fees)) AS by_fees FROM sums AS s
),
cards AS (
  SELECT o.paid_by, o.paid, o.fees, o.otherwise, coalesce(o.part, 0) AS carded, coalesce(o.fee, 0) AS fees_carded FROM ones AS o
  UNION ALL
  SELECT p.paid_by, p.paid, p.fees, p.otherwise, coalesce(s.carded, 0), coalesce(s.fees_carded, 0)
  FROM paid AS p
  LEFT JOIN (SELECT paid_by, sum(part) AS carded, sum(fee) AS fees_carded FROM parts WHERE part > 0 GROUP BY paid_by) AS s ON s.paid_by = p.paid_by
  WHERE p.is_several
),
rests AS (
  SELECT c.*, c.carded > 0 AND c.fees > 0 AND (c.fees_carded = c.fees OR c.fees_carded < c.fees) AS by_fees FROM cards AS c WHERE c.carded < c.paid
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
  c.paid_by, c.otherwise, c.otherwise, c.carded, c.paid, c.paid,
  CASE WHEN c.by_fees THEN c.fees_carded ELSE c.carded END,
  CASE WHEN c.by_fees THEN c.fees ELSE c.paid END,
  CASE WHEN c.by_fees THEN c.fees ELSE c.paid END
FROM rests AS c
UNION ALL
SELECT
  t.id, coalesce(nullif(t.gateway_name, ''), 'unknown'), coalesce(nullif(t.customer_card_type, ''), 'unknown'),
  0, 1, 1, 0, 1, 1
FROM raw_transactions AS t
WHERE t.id IN (SELECT f.transaction_id FROM raw_pending_refunds AS f UNION SELECT c.transaction_id FROM raw_chargebacks AS c)

-- One row per sale, renewal or trial with money, with the amount paid according to it and according to its payments;
-- one row per payment that no item names; and one row per chargeback in another currency than its payment.
-- needs raw_transactions: method, amount_minor, amount_captured_minor, iso_currency, customer_email, created_date_unix
-- needs raw_chargebacks: transaction_id, amount_minor, iso_currency, customer_email, created_date_unix
-- needs raw_wallet_transactions: amount_captured_minor, iso_currency, customer_email, created_date_unix
-- needs raw_check_directs: amount_captured_minor, iso_currency, customer_email, created_date_unix
-- needs raw_offline_payments: amount_captured_minor, iso_currency, customer_email, created_date_unix
WITH items AS (
  SELECT p.id, p.kind, p.currency, p.paid_unix, p.paid_minor, p.customer_email,
    p.transactions AS cards, p.wallet_transactions AS wallets, p.check_directs AS checks, p.offline_payments AS offline
  FROM payments AS p
),
-- Most lists are empty: skip them.
named AS (
  SELECT i.id AS item, i.currency, CAST(j.value AS TEXT) AS payment FROM items AS i, json_each(i.cards) AS j WHERE i.cards <> '[]'
  UNION SELECT i.id, i.currency, CAST(j.value AS TEXT) FROM items AS i, json_each(i.wallets) AS j WHERE i.wallets <> '[]'
  UNION SELECT i.id, i.currency, CAST(j.value AS TEXT) FROM items AS i, json_each(i.checks) AS j WHERE i.checks <> '[]'
  UNION SELECT i.id, i.currency, CAST(j.value AS TEXT) FROM items AS i, json_each(i.offline) AS j WHERE i.offline <> '[]'
),
taken AS (
  SELECT id, 'transaction' AS kind, iso_currency AS currency, created_date_unix AS at, amount_captured_minor AS minor, customer_email FROM raw_transactions AS t
  -- A refund can be a separate transaction: it is not a payment.
  WHERE coalesce(t.method, '') NOT LIKE '%refund%' AND coalesce(t.amount_minor, 0) >= 0
  UNION ALL
  SELECT id, 'wallet_transaction', iso_currency, created_date_unix, amount_captured_minor, customer_email FROM raw_wallet_transactions
  UNION ALL
  SELECT id, 'check_direct', iso_currency, created_date_unix, amount_captured_minor, customer_email FROM raw_check_directs
  UNION ALL
  SELECT id, 'offline_payment', iso_currency, created_date_unix, amount_captured_minor, customer_email FROM raw_offline_payments
),
sums AS (
  SELECT n.item, t.currency, sum(t.minor) AS minor
  FROM named AS n JOIN taken AS t ON t.id = n.payment
  WHERE t.minor <> 0
  GROUP BY n.item, t.currency
)
SELECT
  i.paid_unix AS at_unix, -- when it was paid, seconds since 1970
  i.kind AS kind, -- sale, renewal or trial; or transaction, wallet_transaction, check_direct, offline_payment
  i.id AS id, -- its id
  i.currency AS currency, -- ISO 4217 code
  i.customer_email AS customer_email, -- who paid
  i.paid_minor AS items_minor, -- what the sale, renewal or trial says was paid, minor units
  coalesce(s.minor, 0) AS payments_minor, -- what its payments say was taken, minor units
  i.paid_minor - coalesce(s.minor, 0) AS difference_minor -- the first less the second, minor units
FROM items AS i
LEFT JOIN sums AS s ON s.item = i.id AND s.currency = i.currency
UNION ALL
SELECT t.at, t.kind, t.id, t.currency, t.customer_email, 0, t.minor, -t.minor
FROM taken AS t
-- A join builds its index once; a lookup for each payment would build it each time.
LEFT JOIN named AS k ON k.payment = t.id AND k.currency IS t.currency
WHERE (t.minor IS NULL OR t.minor <> 0) AND k.payment IS NULL
UNION ALL
SELECT c.created_date_unix, 'chargeback', c.id, c.iso_currency, c.customer_email, 0, 0, c.amount_minor
FROM raw_chargebacks AS c JOIN raw_transactions AS t ON t.id = c.transaction_id
WHERE t.iso_currency <> c.iso_currency

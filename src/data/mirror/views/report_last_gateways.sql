-- One row per subscription that a card has paid: the gateway of its last payment.
-- needs raw_transactions: result, method, gateway_name, subscriptions, created_date_unix
SELECT
  j.value AS id, -- the subscription
  t.gateway_name AS gateway, -- the gateway of its last approved transaction
  max(t.created_date_unix) AS at_unix -- when that was, seconds since 1970
FROM raw_transactions AS t, json_each(t.subscriptions) AS j
WHERE t.result = 'approved' AND coalesce(t.method, '') NOT LIKE '%refund%'
GROUP BY j.value

-- One row per payment, with the day on which that customer first paid in that currency.
SELECT
  p.paid_unix AS at_unix, -- when it was paid, seconds since 1970
  first_value(p.paid_unix) OVER w AS first_unix, -- when the customer first paid, seconds since 1970
  p.id AS id, -- id of the sale, renewal or trial
  p.kind AS kind, -- sale, renewal or trial
  p.customer_id AS customer_id, -- who paid
  p.customer_email AS customer_email, -- that customer's e-mail address
  p.currency AS currency, -- ISO 4217 code
  first_value(p.campaign) OVER w AS campaign, -- the campaign of the first payment
  first_value(p.country) OVER w AS country, -- the customer's country at the first payment
  p.paid_minor AS paid_minor, -- what was paid, minor units
  p.refunded_minor AS refunded_minor, -- the part given back so far, minor units
  p.fees_minor AS fees_minor -- the processor's fees, minor units
FROM payments AS p
-- A customer who moves stays in the group of the first payment.
WINDOW w AS (PARTITION BY p.customer_id, p.currency ORDER BY p.paid_unix NULLS LAST, p.id)

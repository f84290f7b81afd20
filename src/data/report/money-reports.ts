import { dimensions } from './dimensions.js';
import { CARD_WORDS, count, groupedReport, moneySum, PLACE_WORDS, paidIn, percent, tableSum } from './measures.js';

const OF_SEVERAL = 'it may cover several products, and its row would count once for each';
const OF_ATTEMPTS = 'several cards and gateways may be tried for it, and its row would count once for each';
const NET = 'v.gross_minor - v.refunds_minor - v.chargebacks_minor - v.fees_minor - v.tax_minor - v.shipping_minor';

/** Card transactions other than refunds, which may be transactions of their own: attempts to charge a card. */
const ATTEMPTS =
  "(SELECT * FROM raw_transactions WHERE coalesce(method, '') NOT LIKE '%refund%' AND coalesce(amount_minor, 0) >= 0)";

/** What customers whose first payment lies in the period paid, whenever they paid it. */
export const PAID_BY_FIRST = `
SELECT currency, sum(paid) AS value FROM (
  SELECT currency, sum(paid_minor) AS paid, min(paid_unix) AS first_unix FROM payments GROUP BY customer_id, currency
) WHERE :in(first_unix) GROUP BY currency`;

export const REVENUE = groupedReport({
  name: 'revenue',
  leavesOut: ['unpaid'],
  definition:
    'gross is what was paid, with tax and shipping, before refunds. received = gross - refunds. net = gross - refunds - chargebacks - fees - tax - ' +
    'shipping. tax and shipping are what was collected less what was refunded of them: they are part of gross and ' +
    'of refunds. average is gross per payment.',
  basis:
    'Money in: a sale or renewal counts on the day it was made, a trial on the day it ended. A payment collected ' +
    'later counts on the day it was due. Refunds count on the day they were accepted, paid back or not yet; chargebacks on the ' +
    'day they were recorded, even those fought and won. Fees are as the payment shows them now, on its day: the service ' +
    'computes them on what is left after refunds. A sale is shown by its product lines; what belongs to no line (tax, ' +
    'shipping, and refunds of them) has no product. A renewal and a trial have one product: its gross holds their tax ' +
    'and shipping, which are subtracted there. By gateway or card, a payment is split over its approved ' +
    'transactions by their shares; what no card paid is a separate row. By product, a sale ' +
    'counts as a payment of each product in it, and likewise by gateway or card: those counts do not add up to the total.',
  view: 'report_bookings',
  groups: dimensions('kind', 'product', 'payment_type', ...PLACE_WORDS, ...CARD_WORDS),
  splits: true,
  always: ['kind'],
  measures: [
    count('payments', 'payments', 'count(DISTINCT v.payment_id)'),
    moneySum('gross', 'all that was paid, with tax and shipping'),
    moneySum('refunds', 'what was given back in the period, whenever it was paid'),
    moneySum('received', 'gross less refunds', 'sum(v.gross_minor - v.refunds_minor)'),
    moneySum('chargebacks', "money taken back by cardholders' banks"),
    moneySum('fees', "processors' fees as shown now: less once a payment is refunded"),
    moneySum('tax', 'tax collected, less tax refunded'),
    moneySum('shipping', 'shipping collected, less shipping refunded'),
    moneySum(
      'net',
      'gross less refunds, chargebacks, fees, tax and shipping (before tax and shipping: net + tax + shipping)',
      `sum(${NET})`,
    ),
    moneySum(
      'average',
      'gross per payment, rounded half up',
      '(2 * sum(v.gross_minor) + count(DISTINCT v.payment_id)) / (2 * nullif(count(DISTINCT v.payment_id), 0))',
    ),
  ],
  relations: [
    { total: 'net', plus: ['gross'], minus: ['refunds', 'chargebacks', 'fees', 'tax', 'shipping'] },
    { total: 'received', plus: ['gross'], minus: ['refunds'] },
  ],
  controls: {
    gross: paidIn('amount_captured_minor'),
    refunds: tableSum('raw_pending_refunds', 'amount_minor'),
    chargebacks: tableSum('raw_chargebacks', 'amount_minor'),
  },
  drawn: 'net',
});

/** Refunds beside what was paid: gross is of the same day, group and kind of payment as in `cops report revenue`. */
const RATED_REFUNDS = groupedReport({
  name: 'refunds',
  leavesOut: ['number-sold'],
  definition:
    'amount is what was refunded in the period, gross what was paid in it. rate = amount / gross, in percent.',
  basis:
    'Refunds count on the day they were accepted, payments on their day in cops report revenue: a refund may be of an ' +
    'earlier payment. Refunds of tax and shipping of a sale have no product, and neither has that part of its payment.',
  view: 'report_bookings',
  filter: "v.what IN ('payment', 'refund')",
  groups: REVENUE.groups,
  refused: {
    reason: 'payments have no reason, so that there is no rate',
    status: 'payments have no such status, so that there is no rate',
  },
  splits: true,
  measures: [
    count(
      'refunds',
      'how many were accepted in the period, whenever it was paid',
      "count(DISTINCT CASE WHEN v.what = 'refund' THEN v.id END)",
    ),
    moneySum('amount', 'what was refunded', 'sum(v.refunds_minor)'),
    moneySum('gross', 'all that was paid in the period, with tax and shipping'),
    percent('rate', 'sum(v.refunds_minor)', 'sum(v.gross_minor)', 'amount / gross, percent'),
  ],
  controls: {
    amount: tableSum('raw_pending_refunds', 'amount_minor'),
    gross: paidIn('amount_captured_minor'),
  },
  drawn: 'amount',
});

export const REFUNDS = groupedReport({
  name: 'refunds',
  definition:
    'What was refunded: amount = pending (not yet with the processor) + processed. offsite is the part that was only booked. ' +
    'Beside what was paid, with the rate: --sort rate.',
  rated: RATED_REFUNDS,
  basis:
    'Refunds count on the day they were accepted. A void of a sale is a refund of each thing that it paid for. Refunds of tax and ' +
    'shipping of a sale have no product, those of a renewal or trial have its product. Gateway and card are those of the transaction paid back.',
  view: 'report_refunds',
  groups: dimensions('kind', 'reason', 'status', 'payment_type', 'product', ...PLACE_WORDS, ...CARD_WORDS),
  splits: true,
  measures: [
    count('refunds', 'how many were accepted in the period, whenever it was paid', 'count(DISTINCT v.id)'),
    moneySum('amount', 'what was refunded', 'sum(v.amount_minor)'),
    moneySum(
      'pending',
      'the part not yet processed',
      "sum(CASE WHEN v.status = 'processed' THEN 0 ELSE v.amount_minor END)",
    ),
    moneySum('processed', 'the part processed', "sum(CASE WHEN v.status = 'processed' THEN v.amount_minor ELSE 0 END)"),
    moneySum(
      'offsite',
      'the part paid back elsewhere',
      'sum(CASE WHEN v.is_offsite = 1 THEN v.amount_minor ELSE 0 END)',
    ),
  ],
  relations: [{ total: 'amount', plus: ['pending', 'processed'], minus: [] }],
  controls: { amount: tableSum('raw_pending_refunds', 'amount_minor') },
  drawn: 'amount',
});

export const CHARGEBACKS = groupedReport({
  name: 'chargebacks',
  definition:
    'ratio = chargebacks / approved card transactions of the same period, by number, in percent; amount_ratio is the ' +
    'same by amount. won counts those fought and won.',
  basis:
    'Chargebacks count on the day they were recorded, transactions on the day they were approved. Wallet disputes do not concern cards and are left out.',
  rule: "Card brands divide a month's chargebacks by the transactions of that month (Mastercard: of the month before).",
  view: 'report_disputes',
  groups: dimensions('reason', 'status', 'payment_type', ...PLACE_WORDS, ...CARD_WORDS),
  refused: { product: OF_SEVERAL },
  outcomes: ['reason', 'status'],
  measures: [
    count('chargebacks', 'chargebacks'),
    moneySum('amount', 'their sum', 'sum(v.chargebacks_minor)'),
    count('won', 'those fought and won'),
    moneySum('won_amount', 'their sum', 'sum(v.won_minor)'),
    count('transactions', 'approved card transactions'),
    moneySum('transactions_amount', 'their sum', 'sum(v.transactions_minor)'),
    percent('ratio', 'sum(v.chargebacks)', 'sum(v.transactions)', 'chargebacks / transactions, percent'),
    percent(
      'amount_ratio',
      'sum(v.chargebacks_minor)',
      'sum(v.transactions_minor)',
      'amount / transactions_amount, percent',
    ),
  ],
  controls: {
    // By the currency of the original payment: a chargeback in another currency belongs to no ratio, and is a
    // difference.
    amount:
      'SELECT coalesce(t.iso_currency, c.iso_currency) AS currency, sum(c.amount_minor) AS value ' +
      'FROM raw_chargebacks AS c LEFT JOIN raw_transactions AS t ON t.id = c.transaction_id ' +
      'WHERE :in(c.created_date_unix) GROUP BY 1',
    transactions_amount: `SELECT iso_currency AS currency, sum(amount_minor) AS value FROM ${ATTEMPTS} WHERE result = 'approved' AND :in(created_date_unix) GROUP BY iso_currency`,
  },
  drawn: 'amount',
});

export const FAILURES = groupedReport({
  name: 'failures',
  leavesOut: ['kinds-of-failure', 'untried'],
  definition:
    'attempts = approved + failed, each attempt counted: an amount tried three times has three rows. rate is failed ' +
    '/ attempts in percent.',
  basis:
    'Attempts to charge a card on the day they were made: declined, in error, held, or refused as fraud (--by status tells them apart). For what was collected later: `cops report recovery`.',
  view: 'report_attempts',
  groups: dimensions(
    'status',
    'reason',
    'method',
    'gateway',
    'card_type',
    'card.brand',
    'payment_type',
    ...PLACE_WORDS,
  ),
  refused: { product: OF_SEVERAL },
  always: ['method'],
  outcomes: ['status', 'reason'],
  measures: [
    count('attempts', 'attempts to charge a card', 'count(*)'),
    count('approved', 'approved attempts', 'sum(1 - v.failed)'),
    count('failed', 'failed attempts'),
    moneySum('attempted_amount', 'amount to be charged', 'sum(v.amount_minor)'),
    moneySum('approved_amount', 'what was approved', 'sum(CASE WHEN v.failed THEN 0 ELSE v.amount_minor END)'),
    moneySum('failed_amount', 'what was not', 'sum(CASE WHEN v.failed THEN v.amount_minor ELSE 0 END)'),
    percent('rate', 'sum(v.failed)', 'count(*)', 'failed / attempts, percent'),
  ],
  relations: [{ total: 'attempted_amount', plus: ['approved_amount', 'failed_amount'], minus: [] }],
  controls: { attempted_amount: tableSum(ATTEMPTS, 'amount_minor') },
  drawn: 'failed_amount',
});

export const RECOVERY = groupedReport({
  name: 'recovery',
  leavesOut: ['untried'],
  definition:
    'failed_amount = recovered (collected by now) + open (can still be collected) + lost (given up). share is recovered / ' +
    'failed_amount in percent.',
  basis:
    'Each amount that could not be collected counts once, on the day its first collection failed, however often it was tried.',
  view: 'report_salvage',
  groups: dimensions('status', 'method', 'campaign', 'country', 'customer'),
  refused: { product: OF_SEVERAL, gateway: OF_ATTEMPTS, 'card.brand': OF_ATTEMPTS },
  outcomes: ['status'],
  measures: [
    count('failed', 'amounts that could not be collected', 'count(*)'),
    moneySum('failed_amount', 'their sum', 'sum(v.failed_minor)'),
    count('recovered', 'amounts of which something was collected', 'sum(v.recovered_minor > 0)'),
    moneySum('recovered_amount', 'what was collected', 'sum(v.recovered_minor)'),
    moneySum('open_amount', 'what can still be collected', 'sum(v.open_minor)'),
    moneySum('lost_amount', 'what was given up', 'sum(v.lost_minor)'),
    percent('share', 'sum(v.recovered_minor)', 'sum(v.failed_minor)', 'recovered / failed amount, percent'),
  ],
  relations: [{ total: 'failed_amount', plus: ['recovered_amount', 'open_amount', 'lost_amount'], minus: [] }],
  controls: { failed_amount: tableSum('raw_salvage_transactions', 'amount_minor') },
  drawn: 'failed_amount',
});

export const TRIALS = groupedReport({
  name: 'trials',
  definition:
    'begun = converted (ended and paid) + failed (ended, not paid) + cancelled + running. conversion is converted / those ' +
    'that have ended (converted + failed + cancelled) in percent.',
  basis: 'Trials count on the day they began: each is followed to its end, whenever that was.',
  view: 'report_trials',
  groups: dimensions('product', 'outcome', 'campaign', 'country', 'customer'),
  refused: { gateway: OF_ATTEMPTS, 'card.brand': OF_ATTEMPTS },
  outcomes: ['outcome'],
  measures: [
    count('begun', 'trials that began in the period', 'count(*)'),
    ...(['converted', 'failed', 'cancelled', 'running'] as const).map((word) =>
      count(word, `those of them that are ${word} by now`, `sum(v.outcome = '${word}')`),
    ),
    percent('conversion', "sum(v.outcome = 'converted')", "sum(v.outcome <> 'running')", 'converted / ended, percent'),
    moneySum('paid', 'what they paid at their end, whenever that was', 'sum(v.paid_minor)'),
  ],
  relations: [{ total: 'begun', plus: ['converted', 'failed', 'cancelled', 'running'], minus: [] }],
  controls: { paid: tableSum('raw_trials', 'amount_captured_minor') },
  drawn: 'paid',
});

export const LTV = groupedReport({
  name: 'ltv',
  definition:
    'kept = paid - refunded. value = kept per customer, rounded half up. It is what they have brought so far, not what ' +
    'they may still bring.',
  basis:
    'Customers by the day of their first payment in that currency; all their payments so far count, refunds as the ' +
    'payments show them. campaign and country are those of the first payment.',
  rule: 'Other tools divide revenue per account by the churn rate, which is a forecast. This is the sum actually paid.',
  view: 'report_customer_payments',
  at: 'first_unix',
  groups: dimensions('campaign', 'country', 'customer'),
  refused: { product: 'a customer may buy several products, and would count once for each' },
  range: 'all',
  measures: [
    count('customers', 'customers who paid', 'count(DISTINCT v.customer_id)'),
    count('payments', 'their payments', 'count(*)'),
    moneySum('paid', 'what they paid', 'sum(v.paid_minor)'),
    moneySum('refunded', 'the part given back', 'sum(v.refunded_minor)'),
    moneySum('kept', 'paid less refunded', 'sum(v.paid_minor - v.refunded_minor)'),
    moneySum(
      'value',
      'kept per customer, so far',
      '(2 * sum(v.paid_minor - v.refunded_minor) + count(DISTINCT v.customer_id)) / (2 * count(DISTINCT v.customer_id))',
    ),
  ],
  relations: [{ total: 'kept', plus: ['paid'], minus: ['refunded'] }],
  controls: { paid: PAID_BY_FIRST },
  drawn: 'value',
  // A single large customer must not hide where most of the money comes from.
  ordered: 'kept',
});

import { dimensions } from './dimensions.js';
import { CARD_WORDS, count, moneySum, PLACE_WORDS, paidIn, percent, tableSum } from './measures.js';
import type { GroupedReport } from './types.js';

const OF_SEVERAL = 'it may be for several products, and its row would count once for each';
const OF_ATTEMPTS = 'it is tried by several cards and gateways, and its row would count once for each';
const NET = 'v.gross_minor - v.refunds_minor - v.chargebacks_minor - v.fees_minor - v.tax_minor - v.shipping_minor';

/** Card transactions other than refunds, which may be transactions of their own: attempts to charge a card. */
const ATTEMPTS =
  "(SELECT * FROM raw_transactions WHERE coalesce(method, '') NOT LIKE '%refund%' AND coalesce(amount_minor, 0) >= 0)";

/** What customers whose first payment lies in the period paid, whenever they paid it. */
export const PAID_BY_FIRST = `
SELECT p.currency, sum(p.paid_minor) AS value FROM payments AS p
JOIN (SELECT customer_id AS who, currency AS code, min(paid_unix) AS first_unix FROM payments GROUP BY 1, 2) AS f
  ON f.who IS p.customer_id AND f.code IS p.currency
WHERE :in(f.first_unix) GROUP BY p.currency`;

export const REVENUE: GroupedReport = {
  kind: 'grouped',
  name: 'revenue',
  leavesOut: ['unpaid'],
  definition:
    'gross is what was paid (tax and shipping included), before refunds. net = gross - refunds - chargebacks - fees - tax - ' +
    'shipping. tax and shipping are what was collected of them less what of them was refunded: they are inside gross and ' +
    'inside refunds as well. average is gross by payment.',
  basis:
    'Money in: a sale and a renewal on the day they were made, a trial on the day it ended. A payment that was collected ' +
    'later counts on the day it was due. Refunds on the day they were accepted, paid back or not yet; chargebacks on the ' +
    'day they were recorded, those fought and won too. Fees are as the payment shows them now, on its day: the service ' +
    'counts them on what is left after refunds. A sale is shown by its product lines; what belongs to no line (tax, ' +
    'shipping, and refunds of them) has no product. A renewal and a trial have one product: its gross holds their tax ' +
    'and shipping, which come off it there. A payment is split over its approved ' +
    'transactions before it is told by gateway or card, each at its share; what no card paid is a row. By product a sale ' +
    'is counted as a payment of each product in it, and so by gateway or card: those counts do not add up to the total.',
  view: 'report_bookings',
  at: 'at_unix',
  groups: dimensions('kind', 'product', 'payment_type', ...PLACE_WORDS, ...CARD_WORDS),
  splits: true,
  always: ['kind'],
  range: 'month',
  measures: [
    count('payments', 'payments', 'count(DISTINCT v.payment_id)'),
    moneySum('gross', 'money taken'),
    moneySum('refunds', 'money given back'),
    moneySum('chargebacks', "money taken back by cardholders' banks"),
    moneySum('fees', "processors' fees"),
    moneySum('tax', 'tax collected, less tax refunded'),
    moneySum('shipping', 'shipping collected, less shipping refunded'),
    moneySum('net', 'what is left of gross', `sum(${NET})`),
    moneySum(
      'average',
      'gross by payment, rounded half up',
      '(2 * sum(v.gross_minor) + count(DISTINCT v.payment_id)) / (2 * nullif(count(DISTINCT v.payment_id), 0))',
    ),
  ],
  relations: [{ total: 'net', plus: ['gross'], minus: ['refunds', 'chargebacks', 'fees', 'tax', 'shipping'] }],
  controls: {
    gross: paidIn('amount_captured_minor'),
    refunds: tableSum('raw_pending_refunds', 'amount_minor'),
    chargebacks: tableSum('raw_chargebacks', 'amount_minor'),
  },
  drawn: 'net',
};

export const REFUNDS: GroupedReport = {
  kind: 'grouped',
  name: 'refunds',
  definition:
    'What was refunded: amount = pending (not yet with the processor) + processed. offsite is what of it was booked only.',
  basis:
    'Refunds on the day they were accepted. A void of a sale is a refund of each thing that it paid for. Refunds of tax and ' +
    'shipping of a sale have no product, those of a renewal or trial have its own. Gateway and card are those of the transaction that is paid back.',
  view: 'report_refunds',
  at: 'at_unix',
  groups: dimensions('kind', 'reason', 'status', 'payment_type', 'product', ...PLACE_WORDS, ...CARD_WORDS),
  splits: true,
  range: 'month',
  measures: [
    count('refunds', 'refunds', 'count(DISTINCT v.id)'),
    moneySum('amount', 'what was refunded', 'sum(v.amount_minor)'),
    moneySum(
      'pending',
      'what of it is not yet processed',
      "sum(CASE WHEN v.status = 'processed' THEN 0 ELSE v.amount_minor END)",
    ),
    moneySum(
      'processed',
      'what of it the processor has',
      "sum(CASE WHEN v.status = 'processed' THEN v.amount_minor ELSE 0 END)",
    ),
    moneySum(
      'offsite',
      'what of it was paid back elsewhere',
      'sum(CASE WHEN v.is_offsite = 1 THEN v.amount_minor ELSE 0 END)',
    ),
  ],
  relations: [{ total: 'amount', plus: ['pending', 'processed'], minus: [] }],
  controls: { amount: tableSum('raw_pending_refunds', 'amount_minor') },
  drawn: 'amount',
};

export const CHARGEBACKS: GroupedReport = {
  kind: 'grouped',
  name: 'chargebacks',
  definition:
    'ratio = chargebacks by approved card transactions of the same period, in percent of their number; amount_ratio the ' +
    'same of their amounts. won is what of them was fought and won.',
  basis:
    'Chargebacks on the day they were recorded, transactions on the day they were approved. Disputes of a wallet are not cards: they are not here.',
  rule: "Card brands count a month's chargebacks by the transactions of that month (Mastercard: of the month before).",
  view: 'report_disputes',
  at: 'at_unix',
  groups: dimensions('reason', 'status', 'payment_type', ...PLACE_WORDS, ...CARD_WORDS),
  refused: { product: OF_SEVERAL },
  range: 'month',
  measures: [
    count('chargebacks', 'chargebacks'),
    moneySum('amount', 'their sum', 'sum(v.chargebacks_minor)'),
    count('won', 'those fought and won'),
    moneySum('won_amount', 'their sum', 'sum(v.won_minor)'),
    count('transactions', 'approved card transactions'),
    moneySum('transactions_amount', 'their sum', 'sum(v.transactions_minor)'),
    percent('ratio', 'sum(v.chargebacks)', 'sum(v.transactions)', 'chargebacks by transactions, percent'),
    percent(
      'amount_ratio',
      'sum(v.chargebacks_minor)',
      'sum(v.transactions_minor)',
      'the same of their amounts, percent',
    ),
  ],
  relations: [],
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
};

export const FAILURES: GroupedReport = {
  kind: 'grouped',
  name: 'failures',
  leavesOut: ['kinds-of-failure', 'untried'],
  definition:
    'attempts = approved + failed, each attempt counted: an amount that was tried three times has three rows. rate is failed ' +
    'by attempts in percent.',
  basis:
    'Attempts to charge a card on the day they were made: declined, in error, held, or refused as fraud. What of it was collected later: `cops report recovery`.',
  view: 'report_attempts',
  at: 'at_unix',
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
  range: 'month',
  measures: [
    count('attempts', 'attempts to charge a card', 'count(*)'),
    count('approved', 'those that were approved', 'sum(1 - v.failed)'),
    count('failed', 'those that were not'),
    moneySum('attempted_amount', 'what was to be charged', 'sum(v.amount_minor)'),
    moneySum('approved_amount', 'what was approved', 'sum(CASE WHEN v.failed THEN 0 ELSE v.amount_minor END)'),
    moneySum('failed_amount', 'what was not', 'sum(CASE WHEN v.failed THEN v.amount_minor ELSE 0 END)'),
    percent('rate', 'sum(v.failed)', 'count(*)', 'failed by attempts, percent'),
  ],
  relations: [{ total: 'attempted_amount', plus: ['approved_amount', 'failed_amount'], minus: [] }],
  controls: { attempted_amount: tableSum(ATTEMPTS, 'amount_minor') },
  drawn: 'failed_amount',
};

export const RECOVERY: GroupedReport = {
  kind: 'grouped',
  name: 'recovery',
  leavesOut: ['untried'],
  definition:
    'failed_amount = recovered (collected by now) + open (can still be collected) + lost (given up). share is recovered by ' +
    'failed_amount in percent.',
  basis:
    'Each amount that could not be collected counts once, on the day its first collection failed, however often it was tried.',
  view: 'report_salvage',
  at: 'at_unix',
  groups: dimensions('status', 'method', 'campaign', 'country', 'customer'),
  refused: { product: OF_SEVERAL, gateway: OF_ATTEMPTS, 'card.brand': OF_ATTEMPTS },
  range: 'month',
  measures: [
    count('failed', 'amounts that could not be collected', 'count(*)'),
    moneySum('failed_amount', 'their sum', 'sum(v.failed_minor)'),
    count('recovered', 'those of which something was collected', 'sum(v.recovered_minor > 0)'),
    moneySum('recovered_amount', 'what was collected', 'sum(v.recovered_minor)'),
    moneySum('open_amount', 'what can still be collected', 'sum(v.open_minor)'),
    moneySum('lost_amount', 'what was given up', 'sum(v.lost_minor)'),
    percent('share', 'sum(v.recovered_minor)', 'sum(v.failed_minor)', 'recovered of the failed amount, percent'),
  ],
  relations: [{ total: 'failed_amount', plus: ['recovered_amount', 'open_amount', 'lost_amount'], minus: [] }],
  controls: { failed_amount: tableSum('raw_salvage_transactions', 'amount_minor') },
  drawn: 'failed_amount',
};

export const TRIALS: GroupedReport = {
  kind: 'grouped',
  name: 'trials',
  definition:
    'begun = converted (ended and paid) + failed (ended, not paid) + cancelled + running. conversion is converted by those ' +
    'that have ended (converted + failed + cancelled) in percent.',
  basis: 'Trials by the day they began: what a month began is followed to its end, whenever that was.',
  view: 'report_trials',
  at: 'at_unix',
  groups: dimensions('product', 'outcome', 'campaign', 'country', 'customer'),
  refused: { gateway: OF_ATTEMPTS, 'card.brand': OF_ATTEMPTS },
  range: 'month',
  measures: [
    count('begun', 'trials begun', 'count(*)'),
    ...(['converted', 'failed', 'cancelled', 'running'] as const).map((word) =>
      count(word, `those that are ${word}`, `sum(v.outcome = '${word}')`),
    ),
    percent('conversion', "sum(v.outcome = 'converted')", "sum(v.outcome <> 'running')", 'converted by ended, percent'),
    moneySum('paid', 'what was paid at their end', 'sum(v.paid_minor)'),
  ],
  relations: [{ total: 'begun', plus: ['converted', 'failed', 'cancelled', 'running'], minus: [] }],
  controls: { paid: tableSum('raw_trials', 'amount_captured_minor') },
  drawn: 'paid',
};

export const LTV: GroupedReport = {
  kind: 'grouped',
  name: 'ltv',
  definition:
    'kept = paid - refunded. value = kept by customer, rounded half up. It is what they have brought until now, not what ' +
    'they may bring yet.',
  basis:
    'Customers by the day of their first payment in that currency; all their payments until now count, refunds as the ' +
    'payments show them. campaign and country are those of the first payment.',
  rule: 'Others divide revenue per account by the churn rate: a forecast. This is the sum that was really paid.',
  view: 'report_customer_payments',
  at: 'first_unix',
  groups: dimensions('campaign', 'country', 'customer'),
  refused: { product: 'a customer buys several products, and would count once for each' },
  range: 'all',
  measures: [
    count('customers', 'customers who paid', 'count(DISTINCT v.customer_id)'),
    count('payments', 'their payments', 'count(*)'),
    moneySum('paid', 'what they paid', 'sum(v.paid_minor)'),
    moneySum('refunded', 'what of it was given back', 'sum(v.refunded_minor)'),
    moneySum('kept', 'what is left', 'sum(v.paid_minor - v.refunded_minor)'),
    moneySum(
      'value',
      'the same by customer',
      '(2 * sum(v.paid_minor - v.refunded_minor) + count(DISTINCT v.customer_id)) / (2 * count(DISTINCT v.customer_id))',
    ),
  ],
  relations: [{ total: 'kept', plus: ['paid'], minus: ['refunded'] }],
  controls: { paid: PAID_BY_FIRST },
  drawn: 'value',
  // A single large customer must not hide where most of the money comes from.
  ordered: 'kept',
};

import { dimensions } from './dimensions.js';
import { CARD_WORDS, count, groupedReport, moneySum, PLACE_WORDS, paidIn, percent, tableSum } from './measures.js';

/** Reports on parts of payments, and on what lowers them. */

export const FEES = groupedReport({
  name: 'fees',
  leavesOut: ['fees-refunded'],
  definition: 'fees is what processors took from the payments. rate is fees / gross, in percent. kept is gross - fees.',
  basis:
    'Payments count on their day in cops report revenue, with the fees they show now: the service computes them on what is ' +
    'left after refunds. By gateway or card, a payment is split over its approved transactions, with the fees ' +
    'that these show if they add up to those of the payment; fees of wallets, checks and offline payments are a separate row.',
  view: 'report_bookings',
  filter: "v.what = 'payment'",
  groups: dimensions('gateway', 'card.brand', 'kind', 'product', 'payment_type', ...PLACE_WORDS),
  splits: true,
  always: ['gateway'],
  measures: [
    count('payments', 'payments', 'count(DISTINCT v.payment_id)'),
    moneySum('gross', 'all that was paid, with tax and shipping'),
    moneySum('fees', 'what processors took from it, as shown now: less once a payment is refunded'),
    moneySum('kept', 'gross less fees, before refunds', 'sum(v.gross_minor - v.fees_minor)'),
    percent('rate', 'sum(v.fees_minor)', 'sum(v.gross_minor)', 'fees / gross, percent'),
  ],
  relations: [{ total: 'kept', plus: ['gross'], minus: ['fees'] }],
  controls: { gross: paidIn('amount_captured_minor'), fees: paidIn('amount_fees_minor') },
  drawn: 'fees',
});

export const TAX = groupedReport({
  name: 'tax',
  leavesOut: ['untaxed'],
  definition:
    'tax = collected - refunded. The rate is that of each tax line, if shown; the service shows no base, so there ' +
    'is none.',
  basis:
    'Tax counts on the day of its payment, refunds of tax on the day they were accepted. state is that of the ' +
    "shipping address, otherwise the customer's, otherwise unknown.",
  rule: 'Tax returns follow the rules of each state: this shows what was charged, not what is owed.',
  view: 'report_tax',
  groups: dimensions(
    'state',
    'rate',
    'profile',
    'kind',
    'payment_type',
    'campaign',
    'country',
    'customer',
    ...CARD_WORDS,
  ),
  refused: { product: 'a tax line covers a whole order, which may have several products' },
  splits: true,
  always: ['state'],
  measures: [
    count(
      'lines',
      'tax lines; a line paid by two cards is in the row of each',
      "count(DISTINCT CASE WHEN v.what = 'tax' THEN v.id END)",
    ),
    moneySum('collected', 'tax taken'),
    moneySum('refunded', 'tax given back'),
    moneySum('tax', 'collected less refunded', 'sum(v.collected_minor - v.refunded_minor)'),
  ],
  relations: [{ total: 'tax', plus: ['collected'], minus: ['refunded'] }],
  controls: {
    collected: tableSum('raw_tax', 'amount_captured_minor'),
    refunded: tableSum("(SELECT * FROM raw_pending_refunds WHERE type = 'tax')", 'amount_minor'),
  },
  drawn: 'tax',
});

export const DISCOUNTS = groupedReport({
  name: 'discounts',
  definition: 'amount is what discounts took off. average is amount per discount, rounded half up.',
  basis:
    'Discounts count on the day they were given, even for unpaid orders. A discount on several products has no product.',
  view: 'report_discounts',
  groups: dimensions('name', 'kind', 'product', 'payment_type', ...PLACE_WORDS),
  refused: {
    gateway: 'nobody pays a discount, so it has no gateway',
    'card.brand': 'nobody pays a discount, so it has no card',
  },
  always: ['name'],
  measures: [
    count('discounts', 'discounts', 'count(*)'),
    moneySum('amount', 'what they took off'),
    moneySum(
      'average',
      'amount per discount, rounded half up',
      '(2 * sum(v.amount_minor) + count(*)) / (2 * count(*))',
    ),
  ],
  controls: { amount: tableSum('raw_discounts', 'amount_minor') },
  drawn: 'amount',
});

export const CUSTOMERS = groupedReport({
  name: 'customers',
  leavesOut: ['days-of-payments'],
  definition:
    'paid is what a customer paid, refunds and chargebacks the part that went back. kept = paid - refunds - ' +
    'chargebacks. Customers without any of these are left out.',
  basis: 'Everything up to now, or the named period. Each counts on its day in cops report revenue.',
  view: 'report_bookings',
  filter: "v.what IN ('payment', 'refund', 'chargeback')",
  groups: dimensions('customer', 'kind', 'product', 'payment_type', 'campaign', 'country', 'state', ...CARD_WORDS),
  splits: true,
  always: ['customer'],
  range: 'all',
  measures: [
    count('customers', 'customers', 'count(DISTINCT v.customer_id)'),
    count('payments', 'their payments', 'count(DISTINCT v.payment_id)'),
    moneySum('paid', 'all they paid, with tax and shipping', 'sum(v.gross_minor)'),
    moneySum('refunds', 'what was given back in the period, whenever it was paid'),
    moneySum('chargebacks', "money taken back by cardholders' banks"),
    moneySum('kept', 'paid less refunds and chargebacks', 'sum(v.gross_minor - v.refunds_minor - v.chargebacks_minor)'),
  ],
  relations: [{ total: 'kept', plus: ['paid'], minus: ['refunds', 'chargebacks'] }],
  controls: { paid: paidIn('amount_captured_minor'), refunds: tableSum('raw_pending_refunds', 'amount_minor') },
  drawn: 'kept',
});

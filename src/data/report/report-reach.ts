import type { TimeRange } from '../../base/time/range.js';
import type { NamedIds, Reach } from '../mirror/reach.js';
import { isSplit } from './fact-source.js';
import type { ReportQuestion } from './report-question.js';
import type { Report } from './types.js';

/** The rows behind a fact's view, if its time is that of their creation. */
interface FactReach {
  /** Families whose rows of the period are the facts. */
  readonly facts: readonly string[];
  /** Families read whole: their rows count at a time other than that of their creation. */
  readonly whole?: readonly string[];
  /** Rows of other times that the facts refer to: ids by family, where `:in(column)` means the period. */
  readonly named?: readonly NamedIds[];
  /** The same if payments are split over gateways and cards. */
  readonly split?: readonly NamedIds[];
  readonly splitWhole?: readonly string[];
}

const REFUNDED = (family: string, ...types: string[]): NamedIds => ({
  family,
  ids: `SELECT source_id AS id FROM raw_pending_refunds WHERE :in(created_date_unix) AND type IN (${types.map((type) => `'${type}'`).join(', ')})`,
});

/** The item that a refund pays back: a row of one of these, by its kind. */
const REFUNDS: readonly NamedIds[] = [
  REFUNDED('subscription_renewals', 'subscription_renewal'),
  REFUNDED('product_sales', 'product_sale'),
  REFUNDED('tax', 'tax'),
  REFUNDED('shipping', 'shipping'),
  {
    family: 'transactions',
    ids: "SELECT source_id AS id FROM raw_pending_refunds WHERE :in(created_date_unix) AND coalesce(type, '') NOT IN ('subscription_renewal', 'product_sale', 'tax', 'shipping', 'trial', 'sale')",
  },
];
/** The renewal whose tax, shipping or whole charge is paid back: the refund has its product. */
const REFUNDED_RENEWALS = ['raw_tax', 'raw_shipping', 'raw_transactions'].map((table) => ({
  family: 'subscription_renewals',
  ids: `SELECT json_extract(x.subscription_renewals, '$[0]') AS id FROM raw_pending_refunds AS f JOIN ${table} AS x ON x.id = f.source_id WHERE :in(f.created_date_unix)`,
}));
const REFUNDED_BY: NamedIds = {
  family: 'transactions',
  ids: 'SELECT transaction_id AS id FROM raw_pending_refunds WHERE :in(created_date_unix)',
};
const CHARGED_BACK: NamedIds = {
  family: 'transactions',
  ids: 'SELECT transaction_id AS id FROM raw_chargebacks WHERE :in(created_date_unix)',
};
/** The renewals that tax and shipping belong to, and the sales. */
const renewalsOf = (table: string): NamedIds => ({
  family: 'subscription_renewals',
  ids: `SELECT j.value AS id FROM ${table} AS x, json_each(x.subscription_renewals) AS j WHERE :in(x.created_date_unix)`,
});
const salesOf = (table: string): NamedIds => ({
  family: 'sales',
  ids: `SELECT j.value AS id FROM ${table} AS x, json_each(x.sales) AS j WHERE :in(x.created_date_unix) AND coalesce(x.subscription_renewals, '[]') = '[]' AND coalesce(x.trials, '[]') = '[]'`,
});
const transactionsOf = (table: string, at: string): NamedIds => ({
  family: 'transactions',
  ids: `SELECT j.value AS id FROM ${table} AS p, json_each(p.transactions) AS j WHERE ${at}`,
});

/** Facts that need only their period and the rows they refer to; all others read their lists whole. */
const REACHES: Readonly<Record<string, FactReach>> = {
  report_bookings: {
    facts: [
      ...['sales', 'product_sales', 'subscription_renewals', 'tax', 'shipping'],
      ...['chargebacks', 'pending_refunds'],
    ],
    // A trial counts on the day it ended.
    whole: ['trials'],
    named: [
      ...REFUNDS,
      ...REFUNDED_RENEWALS,
      renewalsOf('raw_tax'),
      renewalsOf('raw_shipping'),
      CHARGED_BACK,
      {
        family: 'subscription_renewals',
        ids: "SELECT json_extract(t.subscription_renewals, '$[0]') AS id FROM raw_chargebacks AS c JOIN raw_transactions AS t ON t.id = c.transaction_id WHERE :in(c.created_date_unix)",
      },
      {
        family: 'product_sales',
        ids: 'SELECT j.value AS id FROM raw_sales AS s, json_each(s.product_sales) AS j WHERE :in(s.created_date_unix)',
      },
    ],
    split: [
      REFUNDED_BY,
      salesOf('raw_tax'),
      salesOf('raw_shipping'),
      // Payments of other times are needed only for tax and shipping.
      transactionsOf('raw_sales', '1'),
      transactionsOf('raw_subscription_renewals', '1'),
      transactionsOf('raw_trials', ':in(coalesce(p.expiration_date_unix, p.created_date_unix))'),
    ],
  },
  report_tax: {
    facts: ['tax', 'pending_refunds'],
    named: [REFUNDED('tax', 'tax')],
    split: [
      REFUNDED_BY,
      renewalsOf('raw_tax'),
      salesOf('raw_tax'),
      transactionsOf('raw_sales', '1'),
      transactionsOf('raw_subscription_renewals', '1'),
      transactionsOf('raw_trials', '1'),
    ],
    splitWhole: ['trials'],
  },
  report_refunds: {
    facts: ['pending_refunds'],
    whole: ['trials'],
    named: [...REFUNDS, ...REFUNDED_RENEWALS],
    split: [REFUNDED_BY],
  },
  report_disputes: { facts: ['chargebacks', 'transactions'], named: [CHARGED_BACK] },
  report_attempts: { facts: ['transactions'] },
  report_salvage: { facts: ['salvage_transactions'] },
  report_trials: { facts: ['trials'] },
  report_discounts: {
    facts: ['discounts'],
    named: [
      {
        family: 'product_sales',
        ids: 'SELECT j.value AS id FROM raw_discounts AS d, json_each(d.product_sales) AS j WHERE :in(d.created_date_unix)',
      },
      {
        family: 'subscription_renewals',
        ids: 'SELECT j.value AS id FROM raw_discounts AS d, json_each(d.subscription_renewals) AS j WHERE :in(d.created_date_unix)',
      },
    ],
  },
};

/**
 * The part of its lists that a report needs: the windows of its periods, and the rows they refer to. Undefined if it
 * needs all of them.
 */
export function reachOf(report: Report, question: ReportQuestion, periods: readonly TimeRange[]): Reach | undefined {
  const reach = report.kind === 'grouped' ? REACHES[report.view] : undefined;
  if (reach === undefined || report.kind !== 'grouped' || periods.some(({ from }) => from <= 0)) return undefined;
  const { by, where, currency, period, across } = question;
  const groups = [...by, ...(across ? [across.across] : [])];
  const isShared = isSplit(report, { period, currency, where, groups, texts: [] });
  const named = [...(reach.named ?? []), ...(isShared ? (reach.split ?? []) : [])];
  const whole = [...(reach.whole ?? []), ...(isShared ? (reach.splitWhole ?? []) : [])];
  // Rows that many rows of the period refer to mostly belong to the period too.
  const beside = isShared && reach.facts.includes('sales') ? ['transactions'] : [];
  return { periods, facts: reach.facts, beside, whole, named };
}

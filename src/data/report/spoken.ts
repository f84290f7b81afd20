import { cops, say, type Text } from '../../base/text/command-line.js';
import type { Only } from './report-question.js';

/** What people call a report, or look for among the reports. Plain data. */
interface Spoken {
  readonly words: readonly string[];
  /** The report that the words mean. */
  readonly means?: string;
  /** True if they mean the report's entries, not its figures. */
  readonly isJournal?: boolean;
  /** The column that they mean. */
  readonly column?: string;
  /** The part that they mean, unless the line names that group itself. */
  readonly only?: Only & { readonly says: Text };
  /** What the report calls it: one sentence. */
  readonly says?: Text;
  /** The list that answers instead, ready to paste except for its range. */
  readonly list?: string;
}

const SPOKEN: readonly Spoken[] = [
  {
    words: ['sales', 'turnover', 'income', 'takings', 'earnings', 'payments', 'orders', 'money'],
    means: 'revenue',
  },
  { words: ['gross', 'gross-revenue', 'gross-sales'], means: 'revenue', column: 'gross' },
  { words: ['net', 'net-revenue', 'net-sales'], means: 'revenue', column: 'net' },
  {
    words: ['aov', 'average', 'average-order-value', 'order-value', 'basket'],
    means: 'revenue',
    column: 'average',
    only: {
      group: 'kind',
      value: 'sale',
      says: say`only orders (kind sale): for renewals and trials too, use ${cops`report revenue`}, or add --by kind`,
    },
    says: 'column average, gross per payment',
  },
  { words: ['fee', 'costs', 'processing-fees'], means: 'fees' },
  {
    words: ['products', 'product', 'by-product', 'top-products', 'best-sellers', 'bestsellers'],
    means: 'revenue',
    says: 'add --by product',
  },
  { words: ['countries', 'country', 'by-country'], means: 'revenue', says: 'add --by country' },
  { words: ['refund', 'returns', 'money-back'], means: 'refunds' },
  { words: ['disputes', 'dispute', 'chargeback', 'chargeback-ratio'], means: 'chargebacks' },
  { words: ['declines', 'declined', 'failed', 'failed-payments', 'failure', 'failed-renewals'], means: 'failures' },
  { words: ['dunning', 'salvage', 'recovered', 'collections'], means: 'recovery' },
  { words: ['doubles', 'double-charges', 'charged-twice'], means: 'duplicates' },
  {
    words: ['arrears', 'receivables', 'outstanding', 'unpaid', 'owed', 'ageing', 'past-due', 'overdue'],
    means: 'aging',
  },
  { words: ['recurring', 'arr', 'recurring-revenue', 'subscriptions', 'monthly-recurring-revenue'], means: 'mrr' },
  { words: ['cohorts', 'cohort', 'cohort-retention', 'loyalty', 'new', 'returning', 'repeat'], means: 'retention' },
  { words: ['trial', 'conversion', 'conversions'], means: 'trials' },
  { words: ['lifetime-value', 'clv', 'customer-value', 'customer-lifetime-value'], means: 'ltv' },
  { words: ['cancellations', 'cancelled', 'attrition'], means: 'churn' },
  {
    words: ['bookkeeping', 'accounting'],
    means: 'close',
    says: 'its journal for a bookkeeping program: add --journal hledger or --journal csv',
  },
  { words: ['journal', 'ledger', 'general-ledger', 'postings'], means: 'close', isJournal: true },
  { words: ['month-end', 'closing', 'month-close', 'monthly'], means: 'close' },
  {
    words: ['renewals', 'renewal', 'rebills'],
    says: say`For failed ones: ${cops`report failures`}. For what the others brought: ${cops`report revenue`}.`,
  },
  {
    words: ['forecasts', 'projection', 'projections', 'expected', 'upcoming', 'due', 'outlook', 'expected-revenue'],
    means: 'forecast',
  },
  {
    words: ['arpu', 'arpc', 'revenue-per-customer', 'revenue-per-user'],
    says: say`For what a payment brings: ${cops`report revenue`}, column average. For what a customer has brought so far: ${cops`report ltv`}.`,
  },
  { words: ['top-customers', 'best-customers', 'largest-customers', 'top', 'customer'], means: 'customers' },
  {
    words: ['payouts', 'payout', 'settlements', 'deposits', 'balance', 'cash'],
    says: say`The service does not show what a gateway pays out. For what was taken and kept, and what is pending: ${cops`report close`}.`,
  },
  {
    words: ['deferred', 'deferred-revenue', 'deferrals', 'unearned', 'unearned-revenue', 'revenue-recognition'],
    says: say`Payments cannot be spread over the time they cover, because the service does not show it. For each payment with its day, to spread in your books: ${cops`report revenue --month last --rows`}. For what falls due from now on: ${cops`report forecast`}.`,
  },
  {
    words: ['changes', 'changed', 'audit'],
    says: say`To see what changed between two syncs: ${cops`changes --since yesterday`}.`,
  },
  {
    words: ['reconcile', 'reconciliation', 'bank', 'statement'],
    says: say`To compare a bank's or gateway's file with transactions: ${cops`reconcile payouts.csv --month last`}.`,
  },
  { words: ['invoices', 'invoice', 'unpaid-invoices'], list: 'invoices list --status unpaid --sum amount_total' },
  { words: ['taxes', 'vat', 'sales-tax'], means: 'tax' },
  { words: ['coupons', 'discount'], means: 'discounts' },
  { words: ['shipping', 'shipments', 'postage'], list: 'shipping list --group-by status --sum amount' },
  { words: ['pending', 'pending-refunds', 'open-refunds'], list: 'pending-refunds list --status pending --sum amount' },
  { words: ['new-customers', 'signups'], list: 'customers list --group-by created:month' },
];

/** Words that are answered like reports, one per entry. */
export const ANSWERED: readonly string[] = SPOKEN.flatMap(({ words: [word = ''], column, list, isJournal }) =>
  column !== undefined || list !== undefined || isJournal ? [word] : [],
);

/** What a word that names no report stands for; undefined for unknown words. */
export function spokenReport(word: string): Spoken | undefined {
  const spoken = word.toLowerCase().replaceAll(/[\s_]+/g, '-');
  return SPOKEN.find(({ words }) => words.includes(spoken));
}

/** Every word that people may type for a report. */
export const SPOKEN_WORDS: readonly string[] = SPOKEN.flatMap(({ words }) => words);

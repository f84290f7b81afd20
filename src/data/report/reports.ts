import { AGING } from './aging.js';
import { DUPLICATES } from './duplicates.js';
import { CHARGEBACKS, FAILURES, LTV, RECOVERY, REFUNDS, REVENUE, TRIALS } from './money-reports.js';
import { CUSTOMERS, DISCOUNTS, FEES, TAX } from './part-measures.js';
import type { ReportName } from './report-names.js';
import { CHURN, MRR, RETENTION } from './subscription-reports.js';
import type { Report } from './types.js';

/** Each report that is one table, by its name; a close is several. */
const BY_NAME: Readonly<Record<Exclude<ReportName, 'close'>, Report>> = {
  revenue: REVENUE,
  fees: FEES,
  tax: TAX,
  discounts: DISCOUNTS,
  customers: CUSTOMERS,
  refunds: REFUNDS,
  chargebacks: CHARGEBACKS,
  failures: FAILURES,
  recovery: RECOVERY,
  aging: AGING,
  duplicates: DUPLICATES,
  mrr: MRR,
  retention: RETENTION,
  trials: TRIALS,
  ltv: LTV,
  churn: CHURN,
};

/** All reports that are one table, in the order in which they are listed. */
export const REPORTS: readonly Report[] = Object.values(BY_NAME);

export function findReport(name: string): Report | undefined {
  return REPORTS.find((report) => report.name === name);
}

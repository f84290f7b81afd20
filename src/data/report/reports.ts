import { AGING } from './aging.js';
import { CLOSE } from './close.js';
import { DUPLICATES } from './duplicates.js';
import { FORECAST } from './forecast.js';
import { CHARGEBACKS, FAILURES, LTV, RECOVERY, REFUNDS, REVENUE, TRIALS } from './money-reports.js';
import { CUSTOMERS, DISCOUNTS, FEES, TAX } from './part-measures.js';
import type { ReportName } from './report-names.js';
import { RETENTION } from './retention.js';
import type { AnyReport } from './sectioned-report.js';
import { CHURN, MRR } from './subscription-reports.js';
import type { Report } from './types.js';

/** Each report by name. */
const BY_NAME: Readonly<Record<ReportName, AnyReport>> = {
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
  forecast: FORECAST,
  close: CLOSE,
};

/** All reports in listing order. */
export const REPORTS: readonly AnyReport[] = Object.values(BY_NAME);

/** Reports of one table. */
export const TABLE_REPORTS: readonly Report[] = REPORTS.filter((report): report is Report => !('figures' in report));

export function findReport(name: string): AnyReport | undefined {
  return REPORTS.find((report) => report.name === name);
}

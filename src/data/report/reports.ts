import { CHARGEBACKS, FAILURES, LTV, RECOVERY, REFUNDS, REVENUE, TRIALS } from './money-reports.js';
import { CHURN, MRR, RETENTION } from './subscription-reports.js';
import type { Report } from './types.js';

/** All reports that are one table, in the order in which they are listed. */
export const REPORTS: readonly Report[] = [
  REVENUE,
  REFUNDS,
  CHARGEBACKS,
  FAILURES,
  RECOVERY,
  MRR,
  RETENTION,
  TRIALS,
  LTV,
  CHURN,
];

export function findReport(name: string): Report | undefined {
  return REPORTS.find((report) => report.name === name);
}

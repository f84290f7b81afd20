/** All reports in listing order, each with a short description. Loaded at every start, so it imports nothing. */
export const REPORT_NAMES = {
  revenue: 'money taken, given back and kept',
  fees: 'what processors took',
  tax: 'tax collected, less tax given back',
  discounts: 'what coupons and discounts took off',
  customers: 'what each customer paid, and what was kept',
  refunds: 'money given back',
  chargebacks: 'disputed card payments, and their ratio',
  failures: 'card payments that were not approved',
  recovery: 'failed payments, and what was collected later',
  aging: 'failed payments that are still open, by age',
  duplicates: 'charges that may have been made twice',
  mrr: 'recurring revenue of a month, and what moved it',
  retention: 'customers of a month who paid again later',
  trials: 'trials that began, and how they ended',
  ltv: 'what a customer has brought so far',
  churn: 'customers who left',
  forecast: 'coming renewals and ends of trials',
  close: 'everything for the end of a month',
} as const;

export type ReportName = keyof typeof REPORT_NAMES;

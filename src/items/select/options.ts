/** Options that filter, sort and count the items of a list after reading them. */
export const SELECT_OPTIONS: readonly { readonly flags: string; readonly about: string; readonly many?: boolean }[] = [
  {
    flags: '--where <condition>',
    about:
      "keep what fits: status=active,overdue (any of them), 'amount>20', customer.country=CAN, 'card.expires<{next_renewal}', 'a=1 or b=2'; repeat for more",
    many: true,
  },
  {
    flags: '--with <family [conditions]>',
    about: "keep what has such rows of another family: chargebacks, 'subscriptions status=active', 'sales count>3'",
    many: true,
  },
  {
    flags: '--without <family [conditions]>',
    about: "keep what has no such row: 'subscriptions status=active'",
    many: true,
  },
  { flags: '--sort <fields>', about: 'put in order, the largest first with a dash: -amount,created', many: true },
  { flags: '--count', about: 'print how many there are' },
  {
    flags: '--group-by <fields>',
    about: 'count by these fields, moments by day, week, month, quarter or year: currency,created:month',
    many: true,
  },
  {
    flags: '--having <condition>',
    about: "of groups keep what fits: 'count>1', 'customers>1' (different ones), 'sum_amount>100'; repeat for more",
    many: true,
  },
  { flags: '--sum <fields>', about: 'add these fields up exactly, each currency apart', many: true },
];

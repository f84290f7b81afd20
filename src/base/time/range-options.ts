import { rowsBy } from '../text/rows.js';

/** The options of `RangeOptions` as help and completion show them. */
export const RANGE_OPTIONS = rowsBy<'flags', never>('flags')({
  '--from <when>': 'start of the range: 2026-01-31, 2026-01, "last month", 90d, RFC 3339, unix seconds',
  '--to <when>': 'end of the range, in the same forms (default: now)',
  '--last <span>': 'the range that ends now: 30d, 12h, 6w, 3mo, 1q, 1y',
  '--week <week>': 'a calendar week, Monday to Sunday: 2026-W48, last, this',
  '--month <month>': 'a calendar month: 2026-09, september, last, this',
  '--quarter <quarter>': 'a calendar quarter: 2026-Q3, last, this',
  '--year <year>': 'a calendar year: 2026, last, this',
});

/** The same, plus the option that begins a range on the account's first day. */
export const WHOLE_RANGE_OPTIONS = [
  ...RANGE_OPTIONS,
  { flags: '--all-time', about: "everything: the range starts on the account's first day" },
  { flags: '--first-day <when>', about: "the account's first day, remembered for this key; start there" },
] as const;

/** How the value of a field is read. */
type Reads = 'words' | 'choices' | 'operations' | 'amounts' | 'count' | 'hours' | 'flag';

/** One field of a rule. Reading, showing, writing and offering rules all use this table. */
export interface RuleField {
  /** Its name in the file. */
  readonly name: string;
  readonly reads: Reads;
  /** True if it forbids something; other fields say where the rule applies. */
  readonly isLimit?: true;
  /** The allowed values of a choice. */
  readonly values?: readonly string[];
  /** For operations: each names one operation, not a family. */
  readonly exact?: true;
  /** For operations: an empty list is meaningful. */
  readonly mayBeNone?: true;
  /** The option of `policy add` that gives it. */
  readonly option?: { readonly flags: string; readonly about: string; readonly many?: true };
}

/** In display order; `judge.ts` defines what each limit stops. */
export const RULE_FIELDS: readonly RuleField[] = [
  { name: 'profiles', reads: 'words' },
  {
    name: 'modes',
    reads: 'choices',
    values: ['test', 'live'],
    option: { flags: '--modes <mode>', about: 'modes: test, live (default: both)', many: true },
  },
  {
    name: 'who',
    reads: 'choices',
    values: ['person', 'agent'],
    option: { flags: '--who <who>', about: 'whose writes: person, agent (cops mcp only); default: all', many: true },
  },
  {
    name: 'operations',
    reads: 'operations',
    option: {
      flags: '--operations <list>',
      about: 'what the rule applies to: "transactions refund", sales, refund (of all families); default: all',
      many: true,
    },
  },
  {
    name: 'only',
    reads: 'operations',
    isLimit: true,
    mayBeNone: true,
    option: {
      flags: '--only <list>',
      about: 'only these may be written: refund, "customers edit", sales',
      many: true,
    },
  },
  {
    name: 'never',
    reads: 'operations',
    isLimit: true,
    option: {
      flags: '--never [list]',
      about: 'these may not be written: "subscriptions cancel"; all for every write',
      many: true,
    },
  },
  {
    name: 'most',
    reads: 'amounts',
    isLimit: true,
    option: {
      flags: '--most <amount>',
      about: 'limit for one write: "100 USD"; other currencies may not move',
      many: true,
    },
  },
  {
    name: 'most_a_day',
    reads: 'amounts',
    isLimit: true,
    option: { flags: '--most-a-day <amount>', about: 'limit for a day: "500 USD"', many: true },
  },
  {
    name: 'writes_an_hour',
    reads: 'count',
    isLimit: true,
    option: { flags: '--writes-an-hour <n>', about: 'limit of writes within any hour' },
  },
  { name: 'hours', reads: 'hours', isLimit: true },
  { name: 'reason', reads: 'flag', isLimit: true },
  { name: 'alone', reads: 'operations', isLimit: true, exact: true },
];

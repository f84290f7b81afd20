/** How the value of a field is read. */
type Reads = 'words' | 'choices' | 'operations' | 'amounts' | 'count' | 'hours' | 'flag';

/** One field of a rule. What reads, shows, writes and offers rules is made from the table of them. */
export interface RuleField {
  /** Its name in the file. */
  readonly name: string;
  readonly reads: Reads;
  /** True for what forbids something; all else says where the rule holds. */
  readonly isLimit?: true;
  /** The allowed values of a choice. */
  readonly values?: readonly string[];
  /** Of operations: each names one operation, not a family. */
  readonly exact?: true;
  /** Of operations: an empty list says something. */
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
    option: { flags: '--modes <mode>', about: 'of which mode: test, live; both without it', many: true },
  },
  {
    name: 'who',
    reads: 'choices',
    values: ['person', 'agent'],
    option: { flags: '--who <who>', about: 'whose writes: person, agent; all without it', many: true },
  },
  {
    name: 'operations',
    reads: 'operations',
    option: {
      flags: '--operations <list>',
      about: 'what the rule speaks of: "transactions refund", sales, refund (of all families); all without it',
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
      about: 'nothing but these may be written: refund, "customers edit", sales',
      many: true,
    },
  },
  {
    name: 'never',
    reads: 'operations',
    isLimit: true,
    option: { flags: '--never [list]', about: 'these may not be written: "subscriptions cancel"', many: true },
  },
  {
    name: 'most',
    reads: 'amounts',
    isLimit: true,
    option: {
      flags: '--most <amount>',
      about: 'most for one write: "100 USD"; other currencies may not move',
      many: true,
    },
  },
  {
    name: 'most_a_day',
    reads: 'amounts',
    isLimit: true,
    option: { flags: '--most-a-day <amount>', about: 'most for a day: "500 USD"', many: true },
  },
  {
    name: 'writes_an_hour',
    reads: 'count',
    isLimit: true,
    option: { flags: '--writes-an-hour <n>', about: 'most writes within any hour' },
  },
  { name: 'hours', reads: 'hours', isLimit: true },
  { name: 'reason', reads: 'flag', isLimit: true },
  { name: 'alone', reads: 'operations', isLimit: true, exact: true },
];

import { rowsBy } from '../../base/text/rows.js';

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
  readonly option?: readonly [flags: string, about: string];
}

/** In display order; `judge.ts` defines what each limit stops. */
export const RULE_FIELDS: readonly RuleField[] = rowsBy<'name', Omit<RuleField, 'name'>>('name')({
  profiles: { reads: 'words' },
  modes: {
    reads: 'choices',
    values: ['test', 'live'],
    option: ['--modes <mode>', 'modes: test, live (default: both)'],
  },
  who: {
    reads: 'choices',
    values: ['person', 'agent'],
    option: ['--who <who>', 'whose writes: person, agent (cops mcp only); default: all'],
  },
  operations: {
    reads: 'operations',
    option: [
      '--operations <list>',
      'what the rule applies to: "transactions refund", sales, refund (of all families); default: all',
    ],
  },
  only: {
    reads: 'operations',
    isLimit: true,
    mayBeNone: true,
    option: ['--only <list>', 'only these may be written: refund, "customers edit", sales'],
  },
  never: {
    reads: 'operations',
    isLimit: true,
    option: ['--never [list]', 'these may not be written: "subscriptions cancel"; all for every write'],
  },
  most: {
    reads: 'amounts',
    isLimit: true,
    option: ['--most <amount>', 'limit for one write: "100 USD"; other currencies may not move'],
  },
  most_a_day: { reads: 'amounts', isLimit: true, option: ['--most-a-day <amount>', 'limit for a day: "500 USD"'] },
  writes_an_hour: {
    reads: 'count',
    isLimit: true,
    option: ['--writes-an-hour <n>', 'limit of writes within any hour'],
  },
  hours: { reads: 'hours', isLimit: true },
  reason: { reads: 'flag', isLimit: true },
  alone: { reads: 'operations', isLimit: true, exact: true },
});

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
  /** What the field does, in the terms of the file. */
  readonly about: string;
  /** The option of `policy add` that gives it. */
  readonly option?: readonly [flags: string, about: string];
}

/** The days of the week as rules name them, in JavaScript's order. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/**
 * The values that a typed word stands for, in upper or lower case. Days can be shortened to three letters, given as a
 * range (`friday-sunday`) or as `weekend`. An unknown word is returned as it is.
 */
export function choicesMeant(typed: string, values: readonly string[]): readonly string[] {
  const word = typed.trim().toLowerCase();
  if (values !== WEEKDAYS) return [word];
  const day = (name = '') => (name.length < 3 ? -1 : values.findIndex((one) => one.startsWith(name)));
  const [first, last] = (word === 'weekend' ? 'saturday-sunday' : word).split(/\s*(?:-|\.\.|to|\u2013)\s*/).map(day);
  if (first === undefined || first < 0 || last === -1) return [word];
  const count = last === undefined ? 1 : ((last - first + 7) % 7) + 1;
  return Array.from({ length: count }, (_, at) => values[(first + at) % 7] as string);
}

/** In display order; `judge.ts` defines what each limit stops. */
export const RULE_FIELDS: readonly RuleField[] = rowsBy<'name', Omit<RuleField, 'name'>>('name')({
  profiles: {
    reads: 'words',
    about: 'The profiles that the rule applies to; all if left out.',
    option: ['--profiles <profile>', 'profiles that the rule is about (default: all)'],
  },
  modes: {
    reads: 'choices',
    about: 'The modes that the rule is about; both if left out.',
    values: ['test', 'live'],
    option: ['--modes <mode>', 'modes: test, live (default: both)'],
  },
  who: {
    reads: 'choices',
    about: 'Whose writes the rule is about: people, or agents (cops mcp); all if left out.',
    values: ['person', 'agent'],
    option: ['--who <who>', 'whose writes: person, agent (cops mcp only); default: all'],
  },
  operations: {
    reads: 'operations',
    about:
      'The writes that the rule is about: families (sales), operations (transactions refund), or an action of all families (refund); all if left out.',
    option: [
      '--operations <list>',
      'what the rule applies to: "transactions refund", sales, refund (of all families); default: all',
    ],
  },
  only: {
    reads: 'operations',
    about: 'Nothing but these families, operations or actions may be written; an empty list forbids every write.',
    isLimit: true,
    mayBeNone: true,
    option: ['--only <list>', 'only these may be written: refund, "customers edit", sales'],
  },
  never: {
    reads: 'operations',
    about: 'These families, operations or actions may not be written.',
    isLimit: true,
    option: ['--never [list]', 'these may not be written: "subscriptions cancel"; all for every write'],
  },
  most: {
    reads: 'amounts',
    about: 'Most that one write may move, by currency: {USD: 100}; no other currency may move.',
    isLimit: true,
    option: ['--most <amount>', 'limit for one write: "100 USD"; other currencies may not move'],
  },
  most_a_day: {
    reads: 'amounts',
    about: 'Most that all writes of a day in the zone may move together, by currency; no other currency may move.',
    isLimit: true,
    option: ['--most-a-day <amount>', 'limit for a day: "500 USD"'],
  },
  writes_an_hour: {
    reads: 'count',
    about: 'Most writes within any hour.',
    isLimit: true,
    option: ['--writes-an-hour <n>', 'limit of writes within any hour'],
  },
  never_on: {
    reads: 'choices',
    about: 'No writes on these days of the week, in the zone.',
    isLimit: true,
    values: WEEKDAYS,
    option: ['--never-on <day>', `no such write on these days: ${WEEKDAYS.join(', ')}`],
  },
  hours: {
    reads: 'hours',
    about: 'Writes only at these hours of the day, in the zone: "08:00-18:00"; "22:00-06:00" is a night.',
    isLimit: true,
    option: ['--hours <span>', 'such writes only at these hours: 08:00-18:00'],
  },
  reason: {
    reads: 'flag',
    about: 'True if each write needs --reason.',
    isLimit: true,
    option: ['--reason', 'each such write needs --reason <text>'],
  },
  alone: {
    reads: 'operations',
    about: 'Operations, never whole families, that an agent may write with nobody there to ask.',
    isLimit: true,
    exact: true,
    option: ['--alone <operation>', 'an agent may do this with nobody there to ask: "transactions refund"'],
  },
});

/**
 * The words that people know and the service does not, and the pager: what each has to have. `WHO` is the e-mail
 * address of a customer of the sandbox, `CUSTOMER` the id, `SUBSCRIPTION` one that is active.
 */
export interface Word {
  /** As it is typed. */
  readonly word: string;
  /** A line that answers with JSON. */
  readonly json: string;
  /** What Tab offers: the beginning of the word that its last letters are typed of, and options behind it. */
  readonly typed: string;
  readonly options: readonly string[];
  /** The name of its golden screens. */
  readonly screen: string;
  /** What a real terminal shows of `screen`'s line. */
  readonly line: string;
  readonly shows: RegExp;
}

export const WORDS: readonly Word[] = [
  {
    word: 'find',
    json: 'find WHO',
    typed: 'fi',
    options: ['--in', '--all'],
    screen: 'find',
    line: 'find WHO',
    shows: /CUSTOMER/,
  },
  {
    word: 'customers show',
    json: 'customers show WHO',
    typed: 'customers sh',
    options: ['--since', '--all'],
    screen: 'customers-show',
    line: 'customers show WHO',
    shows: /SUBSCRIPTIONS/,
  },
  {
    word: 'why',
    json: 'why SUBSCRIPTION',
    typed: 'wh',
    options: ['--family', '--all'],
    screen: 'why',
    line: 'why SUBSCRIPTION',
    shows: /active/,
  },
  {
    word: 'timeline',
    json: 'timeline WHO',
    typed: 'timel',
    options: ['--family', '--from', '--to'],
    screen: 'timeline',
    line: 'timeline WHO',
    shows: /TIME +FAMILY +WHAT/,
  },
  {
    word: 'customers note',
    json: 'customers note WHO Called',
    typed: 'customers no',
    options: ['--idempotency-key', '--again', '--reason'],
    screen: 'customers-note',
    line: 'customers note WHO Called',
    shows: /Created \w{20}\./,
  },
  {
    word: 'subscriptions postpone',
    json: 'subscriptions postpone SUBSCRIPTION --by 1mo',
    typed: 'subscriptions po',
    options: ['--by', '--again'],
    screen: 'postpone',
    line: 'subscriptions postpone SUBSCRIPTION --by 2w',
    shows: /Postponed \w{20}\.\s+Next renewal: /,
  },
  {
    word: 'products copy',
    json: 'products copy PRODUCT --to sandbox:live',
    typed: 'products co',
    options: ['--to', '--from', '--overwrite-drift'],
    screen: 'products-copy',
    line: 'products copy PRODUCT --to sandbox:live',
    shows: /sandbox:live/,
  },
  {
    word: 'alias',
    json: 'alias',
    typed: 'ali',
    options: ['set', 'unset', 'list'],
    screen: 'alias',
    line: 'alias',
    shows: /late +cops subscriptions list/,
  },
  {
    word: 'bulk list',
    json: 'bulk list',
    typed: 'bulk li',
    options: ['--columns', '--output'],
    screen: 'bulk-list',
    line: 'bulk list',
    shows: /customers-disable/,
  },
  {
    word: 'history',
    json: 'history',
    typed: 'hist',
    options: ['--unknown', '--last', '--limit'],
    screen: 'history',
    line: 'history',
    shows: /OPERATION/,
  },
];

import { UNITS } from '../../../base/time/periods.js';
import { DIMENSIONS, LOCAL } from '../../../data/report/dimensions.js';
import { REPORT_NAMES } from '../../../data/report/report-names.js';
import {
  argumentRows,
  type Choice,
  type CommandSpec,
  DEFAULTS,
  KEEPING,
  optionRows,
} from '../../../session/context/spec.js';

/** The words for `--by`, for completion; each report defines which of them it has. */
const BY_WORDS: readonly Choice[] = [
  ...Object.entries(DIMENSIONS).map(([name, { about }]): Choice => [name, about]),
  ...Object.entries(LOCAL).map(([name, { about }]): Choice => [name, about]),
  ...UNITS.map((unit): Choice => [unit, `the ${unit}`]),
  ['currency', 'ISO 4217 code'],
];

export const spec: CommandSpec = {
  name: 'report',
  noCurl:
    'its figures come from the mirror, and only the mirror knows which windows it must read again; cops sync --dry-run counts them',
  dryRun: 'shows',
  place: 112,
  about: 'revenue, refunds, recurring revenue, a closed month',
  description: 'Figures of the business, from a mirror: each proven to the cent, each currency separate.',
  arguments: argumentRows({
    '[name]': { about: 'the report; without it, list all reports', values: Object.entries(REPORT_NAMES) },
  }),
  options: [
    ...optionRows({
      '--week <week>': 'one week, Monday to Sunday: 2026-W48, last',
      '--month <month>': 'one month: 2026-10, september, last (default: the current one)',
      '--quarter <quarter>': 'one quarter: 2026-Q3, last',
      '--year <year>': 'one year: 2026, last',
      '--from <when>': 'start of a range instead',
      '--to <when>': 'end of the range (default: now)',
      '--last <span>': 'the range that ends now: 30d, 12w, 3mo',
      '--by <words>': {
        about:
          'one row per product, campaign, gateway, card, state, currency, day, month, ...: up to three, product,month',
        many: true,
        values: BY_WORDS,
      },
      '--across <word>': {
        about: 'show the values of one such word as columns, with one figure: month, card.brand',
        values: BY_WORDS,
      },
      '--rows': 'show the rows behind the figures instead',
      '--top <n>': 'the n largest, and one row for all others',
      '--sort <figure>': 'the figure that orders rows and ranks for --top: net, refunds, rate',
      '--share': "also each row's share of the figure that orders the rows, in percent",
      '--where <condition>': {
        about: "only matching rows: country=USA, 'amount>20', product~tea; repeat for more",
        many: true,
      },
      '--having <condition>': { about: "only rows with such a figure: 'amount>1000', 'rate>5'", many: true },
      '--against <period>':
        'also show another period and the change: previous, last-year, 2026-09, 2026-Q3, 2025, or the same length before: 4w',
      '--compare <period>': { about: 'another name of --against', sameAs: '--against' },
      '--as-of <when>': 'as the mirror knew it then; the mirror must be older than that',
      '--currency <code>': 'this currency only: USD',
      '--buckets <days>': 'aging: where the age buckets end, 7,30,60 (default 30,60,90)',
      '--next <span>': `forecast: from now on, 90d, 6mo (default ${DEFAULTS.forecast})`,
      '--overdue-days <n>': `mrr and churn: overdue for longer counts as gone (default ${DEFAULTS.overdueDays})`,
      '--with-trials': 'mrr and churn: count subscriptions while their trial is not paid',
      '--journal <form>': { about: 'close: the double-entry journal instead', values: ['hledger', 'csv'] },
      '--lock': 'close: freeze a month that is over, with its rows',
      '--as <state>': {
        about: 'closed: a locked month as it was frozen, whatever has been synced since',
        values: [['closed', 'as it was when locked']],
      },
      '--adjustments': 'close: rows added to or changed in a locked month since: locked + adjustments = now',
      '--unlock': 'close: allow a month to be locked again; the previous lock is kept',
      '--reason <text>': 'reason for unlocking it',
      '--restore <file>': 'close: restore the lock of a month from a copy of its file',
    }),
    ...KEEPING,
    ...optionRows({
      '--html [file]': 'write a page that works offline: tables and bars; retention as a shaded table',
      '--out <file>': 'write the rows as .csv or .xlsx, or the page of --html',
      '--chart': 'draw as text: bars, or a curve for rows in order of time',
      '--sql': 'print the query, and read nothing',
      '--explain': 'print what the figures mean and where they come from, and read nothing',
    }),
  ],
  examples: [
    'report revenue --month last',
    'report fees --month last --by gateway',
    'report tax --quarter last --by state',
    'report customers --top 20',
    'report revenue --last 6mo --by card.brand --across month',
    'report refunds --quarter last --by product --top 5 --chart',
    'report retention --html retention.html',
    'report aging --by customer',
    'report forecast --next 90d --by week,product',
    'report close --month last --journal hledger',
    'report close --month last --lock',
    'report close --month 2026-10 --adjustments',
    'report revenue --month 2026-10 --as closed',
  ],
};

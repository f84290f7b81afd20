import { WHOLE_RANGE_OPTIONS } from '../../../base/time/range-options.js';
import {
  argumentRows,
  type CommandSpec,
  DEFAULTS,
  optionRows,
  STRICT_IDS_OPTION,
} from '../../../session/context/spec.js';

/** Options that take the rows from a list instead of a file. */
const CHOICE_OPTIONS = [
  {
    flags: '--where <condition>',
    about: 'matching rows of the list, each read again right before its request; repeat for more',
    many: true,
  },
  {
    flags: '--with <family [conditions]>',
    about: "rows of the list that have matching rows in another family: 'sales count>3'",
    many: true,
  },
  { flags: '--without <family [conditions]>', about: 'rows of the list that have no matching row', many: true },
  ...WHOLE_RANGE_OPTIONS,
  { flags: '--as-of <when>', about: 'refused (12): a write uses the current state, never a past one' },
] as const;

export const spec = {
  name: 'bulk',
  dryRun: 'shows',
  place: 90,
  about: 'run one write over many ids or rows, with a journal',
  description: 'One write over many ids or rows, with a journal from which any interrupted run can be resumed.',
  arguments: argumentRows({
    '<family-or-command>': {
      about: 'a family, or list, status, resume, reconcile, retry-failed, report',
      values: 'written family',
      instead: [
        ['list', 'list the journals of this machine'],
        ['status', 'what a journal says'],
        ['resume', 'continue after a stop'],
        ['reconcile', 'look up rows whose outcome is unknown'],
        ['retry-failed', 'run failed rows again'],
        ['report', 'show every row with its outcome'],
      ],
    },
    '[words...]': { about: 'the action, or the journal', values: 'written action' },
  }),
  options: [
    ...optionRows({
      '--ids <file>': 'ids or names, one per line; - reads standard input',
      '--input <file>': 'rows: .csv, .tsv or .jsonl; - reads standard input; with resume: where the file is now',
    }),
    ...CHOICE_OPTIONS,
    ...optionRows({
      '-d, --data <path=value>': {
        about:
          "a field to set in every row; {column} is a cell, {item.customer.email} a value of the row's item (for bare ids, {amount} too); both can be calculated with: '{amount}+5%', '{next_renewal}+7d'",
        many: true,
        values: 'body field',
      },
      '--id-column <name>': 'the column with the ids or names, if its heading does not show it',
      '--skip-unresolved': 'leave out rows that name no item, or several (exit code 10); without it nothing is sent',
      '--latest': 'for rows that name people: the newest item of each; never an earlier one',
    }),
    STRICT_IDS_OPTION,
    ...optionRows({
      '--empty <skip|null>': 'an empty cell omits the field, or sets null (default: an error)',
      '--concurrency <n>': `requests at once (default ${DEFAULTS.bulkConcurrency})`,
      '--max-failures <n>': 'stop after this many failures; rows in flight are finished (fewer with --concurrency 1)',
      '--stop-on-fraud': 'stop at the first fraud decision',
      '--expect <count>': 'the exact number of rows required; with --yes it confirms a live run',
      '--journal <file>': 'where to write the journal',
      '--again': 'include rows whose outcome is unknown, that another command or run has done, or that a gateway holds',
      '--reason <text>': 'reason, kept in the history with every row and not sent to the service',
      '--no-idempotency-key': 'send without keys; nothing is ever retried then',
      '--no-validate': 'send bodies without checking them',
      '--limit <n>': 'list: at most this many',
      '--apply': 'reconcile: record what was found',
    }),
  ],
  examples: [
    'bulk customers disable --ids ids.txt --dry-run',
    'bulk subscriptions edit --input rows.csv -d amount={amount} --dry-run',
    "bulk subscriptions suspend --where status=active --with 'customer country=CAN' --dry-run",
    "bulk subscriptions edit --where 'next_renewal=this week' -d 'next_renewal_date={next_renewal}+7d' --dry-run",
    'bulk list',
    'bulk list -o json',
    'bulk list --columns operation,rows,unknown',
  ],
} as const satisfies CommandSpec;

import { WHOLE_RANGE_OPTIONS } from '../../../base/time/range-options.js';
import { type CommandSpec, DEFAULTS, STRICT_IDS_OPTION } from '../../../session/context/spec.js';

/** Options that take the rows from a list instead of a file. */
const CHOICE_OPTIONS = [
  {
    flags: '--where <condition>',
    about: 'rows of the list that fit, each read again right before its request; repeat for more',
    many: true,
  },
  {
    flags: '--with <family [conditions]>',
    about: "rows of the list that have such rows of another family: 'sales count>3'",
    many: true,
  },
  { flags: '--without <family [conditions]>', about: 'rows of the list that have no such row', many: true },
  ...WHOLE_RANGE_OPTIONS,
  { flags: '--as-of <when>', about: 'refused (12): a write goes by what is now, never by what was' },
] as const;

export const spec: CommandSpec = {
  name: 'bulk',
  dryRun: 'shows',
  place: 90,
  about: 'run one write over many ids or rows, with a journal',
  description: 'One write over many ids or rows, with a journal that any stop can be resumed from.',
  arguments: [
    {
      name: '<family-or-command>',
      about: 'a family, or list, status, resume, reconcile, retry-failed, report',
      values: 'written family',
      instead: [
        ['list', 'the journals of this machine'],
        ['status', 'what a journal says'],
        ['resume', 'go on after a stop'],
        ['reconcile', 'look up rows whose outcome is unknown'],
        ['retry-failed', 'run failed rows again'],
        ['report', 'every row with its outcome'],
      ],
    },
    { name: '[words...]', about: 'the action, or the journal', values: 'written action' },
  ],
  options: [
    { flags: '--ids <file>', about: 'ids, or what items are called by, one a line; - reads standard input' },
    {
      flags: '--input <file>',
      about: 'rows: .csv, .tsv or .jsonl; - reads standard input; of a resume: where they lie now',
    },
    ...CHOICE_OPTIONS,
    {
      flags: '-d, --data <path=value>',
      about: 'a field of every row; {column} stands for a cell',
      many: true,
      values: 'body field',
    },
    {
      flags: '--id-column <name>',
      about: 'the column that holds the ids or names, where its own name does not say so',
    },
    {
      flags: '--skip-unresolved',
      about: 'leave out rows that name no item, or more than one (then 10); without it nothing is sent',
    },
    STRICT_IDS_OPTION,
    {
      flags: '--empty <skip|null>',
      about: 'what an empty cell means: its field left out, or null (default: a fault)',
    },
    { flags: '--concurrency <n>', about: `requests at once (default ${DEFAULTS.bulkConcurrency})` },
    {
      flags: '--max-failures <n>',
      about: 'stop after this many failures; rows in flight are finished (fewer with --concurrency 1)',
    },
    { flags: '--stop-on-fraud', about: 'stop at the first fraud decision' },
    {
      flags: '--expect <count>',
      about: 'the number of rows that there must be; confirms a live run together with --yes',
    },
    { flags: '--journal <file>', about: 'where the journal goes' },
    { flags: '--again', about: 'also rows that are unknown from earlier, or were done by another command meanwhile' },
    { flags: '--reason <text>', about: 'why, kept in the history with every row' },
    { flags: '--no-idempotency-key', about: 'send without keys: nothing is sent twice then' },
    { flags: '--no-validate', about: 'send bodies without checking them' },
    { flags: '--limit <n>', about: 'list: at most this many' },
    { flags: '--apply', about: 'reconcile: record what was found' },
  ],
  examples: [
    'bulk customers disable --ids ids.txt --dry-run',
    'bulk subscriptions edit --input rows.csv -d amount={amount} --dry-run',
    "bulk subscriptions suspend --where status=active --with 'customer country=CAN' --dry-run",
    'bulk list',
    'bulk list -o json',
    'bulk list --columns operation,rows,unknown',
  ],
};

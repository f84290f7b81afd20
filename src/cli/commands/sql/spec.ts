import {
  type CommandSpec,
  DEFAULTS,
  KEEPING,
  type OptionSpec,
  type OptionsOf,
  subcommandRows,
} from '../../../session/context/spec.js';

const options = [
  {
    flags: '--with <file>',
    about: 'a CSV, JSONL or Parquet file as a table with its name; name=<file> gives another name',
    many: true,
  },
  ...KEEPING,
  { flags: '--as-of <when>', about: 'as the mirror knew it then; the mirror must be older than that' },
  { flags: '--limit <n>', about: `at most this many rows (default on a terminal: ${DEFAULTS.terminalRows})` },
] as const satisfies readonly OptionSpec[];

export const spec = {
  name: 'sql',
  noCurl: 'it reads the mirror and sends nothing itself',
  place: 82,
  about: 'query a mirror with SQL',
  description: 'Query a mirror with SQL, read-only: no query can change it, or anything else.',
  usage: '[query | -] [options]',
  arguments: [{ name: '[query]' }, { name: '[rest...]' }],
  options: [
    ...options,
    { flags: '--file <file>', about: 'read the query from a file' },
    { flags: '--tables', about: 'show the tables and views with their columns' },
  ],
  commands: subcommandRows({
    save: {
      about: 'Save a query under a name.',
      arguments: [{ name: '<name>' }, { name: '[query]' }],
      options: [{ flags: '--file <file>', about: 'read the query from a file' }],
    },
    run: { about: 'Run a saved query.', arguments: [{ name: '<name>' }], options },
    saved: { dryRun: 'reads', about: 'Show the saved queries.' },
    forget: { about: 'Remove a saved query.', arguments: [{ name: '<name>' }] },
  }),
  notes: [
    'Without a query it opens a prompt; end each query there with ";". Views for',
    'people: customers, subscriptions, payments, refunds, failures; one view',
    'for each list, under its name. Amounts are in minor units (cents).',
    '--with payouts.csv creates a table payouts for this query; a column is numeric if every value in it',
    'is a number; decimals are inexact: round(amount * 100) compares with an amount in cents.',
    'DuckDB reads the same data: cops sync copies/ --format parquet, then',
    '  duckdb -c "select * from \'copies/sales/*.parquet\' limit 5"',
  ].join('\n'),
  examples: [
    'sql "select currency, count(*) as n, sum(paid_minor) as paid from payments group by 1"',
    'sql "select customer_email, currency, sum(paid_minor) as paid from payments group by 1, 2 order by 3 desc limit 10"',
    'sql "select status, count(*) as n from subscriptions group by 1" --as-of yesterday',
    'sql "select p.* from payouts p left join transactions t on t.gateway_transaction_id = p.[transaction id] where t.id is null" --with payouts.csv',
    'sql "select currency, sum(round(amount * 100)) as cents from bank group by 1" --with bank=payouts.csv',
    'sql --tables --with payouts.csv',
    'sql --tables',
    'sql save failures "select * from failures limit 20"',
  ],
} as const satisfies CommandSpec;

export type SqlOptions = OptionsOf<typeof spec>;

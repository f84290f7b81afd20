import { type CommandSpec, subcommandRows } from '../../../session/context/spec.js';

const ADDRESS = [{ name: '<address>', about: 'postgres://<user>@<host>/<database>, without a password' }] as const;

export const spec: CommandSpec = {
  name: 'team',
  dryRun: 'reads',
  place: 99,
  about: 'one history, guard, limits and pace for several people and machines',
  description:
    'A ledger in PostgreSQL for the writes of several people and machines. It stops overlapping writes, and keeps one history and one set of limits. Without arguments: show the ledger in use.',
  arguments: [],
  commands: subcommandRows({
    init: {
      dryRun: 'shows',
      about: 'Create a ledger in a database for the account and mode of the profile, and use it.',
      arguments: ADDRESS,
    },
    join: { dryRun: 'shows', about: 'Use a ledger that others created.', arguments: ADDRESS },
    status: { dryRun: 'reads', about: 'Show the ledger in use: its owner, who holds runs, open writes.' },
    leave: { dryRun: 'shows', about: "Return to this machine's own records for writes." },
    migrate: { dryRun: 'shows', about: "Update the ledger's schema to this version; nothing else changes it." },
  }),
  notes: `
The profile keeps the address of the ledger; a runner without a profile names it
in COPS_LEDGER. While the database is away nothing is written (exit code 12),
and reads go on. Rules that bind every user and machine are a row of the ledger,
in the format of policy.yaml: INSERT INTO cops_ledger.policy (rules) VALUES (...)
as a cops_policy. From an empty database to a second machine: docs/team.md.
`,
  examples: ['team status', "team init 'postgres://anna@db.example.com/shop' --dry-run", 'team leave --dry-run'],
};

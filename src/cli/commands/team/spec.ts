import type { CommandSpec } from '../../../session/context/spec.js';

const ADDRESS = [{ name: '<address>', about: 'postgres://<user>@<host>/<database>, without a password' }] as const;

export const spec: CommandSpec = {
  name: 'team',
  dryRun: 'reads',
  place: 99,
  about: 'one history, guard, limits and pace for several people and machines',
  description:
    'A ledger in PostgreSQL that several people and machines write through: no write twice, one history, one set of limits. Without more words: the ledger in use.',
  arguments: [],
  commands: [
    {
      name: 'init',
      dryRun: 'shows',
      about: 'Make a ledger for the account and mode of the profile in a database, and use it.',
      arguments: ADDRESS,
    },
    { name: 'join', dryRun: 'shows', about: 'Write through the ledger that others made.', arguments: ADDRESS },
    { name: 'status', dryRun: 'reads', about: 'The ledger in use: of whom it is, who holds runs, what is open.' },
    { name: 'leave', dryRun: 'shows', about: 'Write by the records of this machine alone again.' },
    {
      name: 'migrate',
      dryRun: 'shows',
      about: "Bring the ledger's schema to this version; nothing else changes it.",
    },
  ],
  notes: `
The profile keeps the address of the ledger; a runner without a profile names it
in COPS_LEDGER. While the database is away nothing is written (exit code 12),
and reads go on. From an empty database to a second machine: docs/team.md.
`,
  examples: ['team status', "team init 'postgres://anna@db.example.com/shop' --dry-run", 'team leave --dry-run'],
};

import { RANGE_OPTIONS } from '../../../base/time/range-options.js';
import { type CommandSpec, optionRows, subcommandRows } from '../../../session/context/spec.js';

const LIST_OPTIONS = [
  ...optionRows({
    '--limit <n>': 'at most this many',
    '--failed':
      'only writes that were not done: refused, failed, not sent or unknown; reads, and writes stopped by a policy or a used key (12), are not in the history',
    '--outcome <list>': { about: 'only these: done, refused, unknown, ...; failed is all but done', many: true },
    '--key <key>': 'only writes with this idempotency key',
    '--count': 'only the number of writes, by outcome',
    '--unknown': 'only writes whose outcome is unknown',
    '--user <name>': "in a team's ledger: only this member's writes",
  }),
  ...RANGE_OPTIONS,
] as const;

export const spec = {
  name: 'history',
  dryRun: 'reads',
  place: 100,
  about: 'writes made from this machine, or by the team whose ledger is in use, and how they ended',
  description:
    "Writes made from this machine, and how they ended; with a team's ledger, those of the whole team. Without arguments: the list, newest first.",
  arguments: [],
  options: LIST_OPTIONS,
  examples: ['history', 'history --unknown', 'history list --last 1d'],
  commands: subcommandRows({
    list: { dryRun: 'reads', about: 'List writes, newest first.', options: LIST_OPTIONS },
    show: {
      dryRun: 'reads',
      about: 'Show everything known about one write.',
      arguments: [{ name: '<id>', about: 'the id of the entry, or its idempotency key' }],
    },
    settle: {
      about: 'Record the outcome of a write that was unknown.',
      arguments: [{ name: '<id>' }],
      options: [
        { flags: '--as <outcome>', about: 'done or not-done', required: true },
        { flags: '--note <text>', about: 'how you know the outcome' },
      ],
    },
  }),
} as const satisfies CommandSpec;

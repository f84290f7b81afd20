import { RANGE_OPTIONS } from '../../../base/time/range-options.js';
import type { CommandSpec } from '../../../session/context/spec.js';

const LIST_OPTIONS = [
  { flags: '--limit <n>', about: 'at most this many' },
  { flags: '--failed', about: 'only those that were not done: refused, failed, not sent or unknown' },
  { flags: '--unknown', about: 'only those whose outcome is unknown' },
  { flags: '--user <name>', about: "of a team's ledger: only those of this member" },
  ...RANGE_OPTIONS,
] as const;

export const spec: CommandSpec = {
  name: 'history',
  dryRun: 'reads',
  place: 100,
  about: 'what was written from this machine, and how it ended',
  description: 'What was written from this machine, and how it ended. Without more words: the list, newest first.',
  arguments: [],
  options: LIST_OPTIONS,
  examples: ['history', 'history --unknown', 'history list --last 1d'],
  commands: [
    {
      name: 'list',
      dryRun: 'reads',
      about: 'Writes, newest first.',
      options: LIST_OPTIONS,
    },
    {
      name: 'show',
      dryRun: 'reads',
      about: 'One write with everything that is known of it.',
      arguments: [{ name: '<id>' }],
    },
    {
      name: 'settle',
      about: 'Record what became of a write whose outcome was unknown.',
      arguments: [{ name: '<id>' }],
      options: [
        { flags: '--as <outcome>', about: 'done or not-done', required: true },
        { flags: '--note <text>', about: 'how that was found out' },
      ],
    },
  ],
};

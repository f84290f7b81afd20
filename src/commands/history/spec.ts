import type { CommandSpec } from '../../command/spec.js';

export const spec: CommandSpec = {
  name: 'history',
  place: 100,
  about: 'what was written from this machine, and how it ended',
  description: 'What was written from this machine, and how it ended.',
  commands: [
    {
      name: 'list',
      about: 'Writes, newest first.',
      options: [
        { flags: '--limit <n>', about: 'at most this many' },
        { flags: '--unknown', about: 'only those whose outcome is unknown' },
      ],
    },
    {
      name: 'show',
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

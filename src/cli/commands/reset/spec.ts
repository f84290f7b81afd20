import type { CommandSpec } from '../../../session/context/spec.js';

export const spec = {
  name: 'reset',
  dryRun: 'shows',
  place: 147,
  about: 'remove everything that cops keeps on this machine',
  description:
    'Remove everything that cops keeps on this machine: profiles, keys, history, journals, the sandbox. Lists the files and asks first; removes only its own files.',
  options: [
    { flags: '--everything', about: 'remove all of it', required: true },
    { flags: '--forget-unknown', about: 'even if the outcome of a write is unknown' },
  ],
  examples: ['reset --everything --dry-run', 'reset --everything', 'reset --everything --yes'],
} as const satisfies CommandSpec;

import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'whoami',
  dryRun: 'reads',
  place: 30,
  about: 'show profile, mode and key in use, and where each comes from',
  description: 'Profile, mode and key in use; with --verbose where each value comes from.',
  examples: ['whoami', 'whoami --verbose', 'whoami -o json'],
};

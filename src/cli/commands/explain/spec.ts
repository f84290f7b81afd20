import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'explain',
  dryRun: 'reads',
  place: 150,
  about: 'explain an error code, exit code, event, field or family',
  description: 'What an error code, exit code, HTTP status, event, state, field or family means.',
  arguments: [{ name: '<word>', values: 'family' }],
  examples: ['explain E0583', 'explain subscriptions', 'explain transactions'],
};

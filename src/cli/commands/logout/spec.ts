import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'logout',
  dryRun: 'shows',
  place: 20,
  about: "remove a profile's keys",
  description: "Forget a profile's keys (one of them with --live or --test); its settings stay.",
  arguments: [{ name: '[name]', values: 'profile' }],
  examples: ['logout acme', 'logout acme --yes', 'logout -p acme'],
};

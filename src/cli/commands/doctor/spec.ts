import { type CommandSpec, optionRows } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'doctor',
  dryRun: 'reads',
  place: 170,
  about: 'check configuration, keys and connection',
  description: 'Check configuration, keys and connection.',
  options: optionRows({
    '--online': 'call each service with each key (reachable, accepted, mode, clock, TLS), and the databases of a team',
  }),
  examples: ['doctor', 'doctor --online', 'doctor -o json'],
};

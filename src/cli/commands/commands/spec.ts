import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'commands',
  dryRun: 'reads',
  place: 190,
  about: 'every command as data, for tools',
  description: 'Every command of the families as data: cops commands -o json',
  examples: ['commands', 'commands -o jsonl', `commands --query "[?family=='sales']" -o json`],
};

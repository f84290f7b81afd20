import type { CommandSpec } from '../../command/spec.js';

export const spec: CommandSpec = {
  name: 'update',
  place: 146,
  about: 'how to get a newer cops',
  description: 'How to get a newer version of this program. Nothing is downloaded or changed.',
  examples: ['update', 'update -o json', 'update --verbose'],
};

import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'update',
  dryRun: 'reads',
  place: 146,
  about: 'show how to get a newer cops',
  description: 'How to get a newer version of this program. Nothing is downloaded or changed.',
  notes: [
    'A notice of a newer version comes at most once a day, at a terminal only, and only from the address that the setting',
    'update_url or COPS_UPDATE_URL names; its answer is a version, or JSON with one. None is built in.',
  ].join('\n'),
  examples: ['update', 'update -o json', 'update --verbose'],
};

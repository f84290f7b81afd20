import type { CommandSpec } from '../../../session/context/spec.js';

export const spec: CommandSpec = {
  name: 'update',
  dryRun: 'reads',
  place: 146,
  about: 'show how to get a newer cops',
  description: 'Show how to get a newer version of this program. Downloads and changes nothing.',
  notes: [
    'A notice of a newer version appears at most once a day, only at a terminal, and only from the address that the setting',
    'update_url or COPS_UPDATE_URL names; it answers with a version, or JSON with one. No address is built in.',
  ].join('\n'),
  examples: ['update', 'update -o json', 'update --verbose'],
};

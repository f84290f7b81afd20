import type { CommandSpec } from '../../../session/context/spec.js';
import { REFERENCE_TOPICS } from '../../help/reference-topics.js';

export const spec: CommandSpec = {
  name: 'reference',
  dryRun: 'reads',
  place: 140,
  about: 'events, filters, error codes, states and limits, offline',
  description: `The fixed terms of the service, offline: ${Object.keys(REFERENCE_TOPICS).join(', ')}. Without a topic: list the topics.`,
  arguments: [
    { name: '[topic]', values: Object.entries(REFERENCE_TOPICS) },
    { name: '[family]', about: 'for relations: only this family', values: 'family' },
  ],
  formats: ['dot'],
  examples: ['reference', 'reference events -o json', 'reference errors', 'reference relations subscriptions'],
};

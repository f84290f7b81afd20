import type { FamilySpec } from '../conventions.js';
import { text } from '../fields.js';

export default {
  name: 'documentation',
  summary: 'The documentation of the service.',
  columns: 'id title url',
  nature: 'set-up',
  item: { id: text, title: text, url: { ...text, format: 'url' } },
  operations: {
    search: {
      operationId: '',
      summary: 'Search the documentation',
      example: 'documentation search "refund a shipment"',
      evidence: 'convention',
    },
  },
} as const satisfies FamilySpec;

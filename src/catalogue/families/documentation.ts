import type { FamilySpec } from '../conventions.js';

export default {
  name: 'documentation',
  summary: 'The documentation of the service.',
  columns: [{ path: 'id' }, { path: 'title' }, { path: 'url' }],
  nature: 'set-up',
  operations: [
    {
      action: 'search',
      operationId: '',
      summary: 'Search the documentation',
      example: 'documentation search "refund a shipment"',
      evidence: 'convention',
    },
  ],
} as const satisfies FamilySpec;

import { searchTerm } from '../fields.js';
import type { Family } from '../types.js';

export default {
  name: 'documentation',
  summary: 'The documentation of the service.',
  columns: [{ path: 'id' }, { path: 'title' }, { path: 'url' }],
  idField: 'id',
  nature: 'set-up',
  keys: [],
  operations: [
    {
      action: 'search',
      method: 'GET',
      path: '/documentation/search',
      operationId: '',
      summary: 'Search the documentation',
      risk: 'read',
      list: { style: 'search' },
      query: { search_term: searchTerm },
      rules: ['Built from the naming convention; no description of it was seen.'],
      example: 'documentation search "refund a shipment"',
      evidence: 'convention',
    },
  ],
} as const satisfies Family;

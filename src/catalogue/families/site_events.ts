import type { Family } from '../types.js';

export default {
  name: 'site_events',
  summary: 'Events recorded on sites.',
  columns: [{ path: 'id' }, { path: 'created_date_unix', title: 'created', as: 'time' }],
  idField: 'id',
  nature: 'event',
  keys: [],
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/site_events',
      operationId: 'GetSiteEvents',
      summary: 'List site events',
      risk: 'read',
      list: { style: 'windowed', spanDays: 90, datesUnproven: true },
      rules: [
        'Whether this list takes dates was not seen: `--no-range` sends it without.',
        'Built from the naming convention; no description of it was seen.',
      ],
      example: 'site-events list --last 30d',
      evidence: 'convention',
    },
  ],
} as const satisfies Family;

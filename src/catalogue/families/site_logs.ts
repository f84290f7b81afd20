import type { Family } from '../types.js';

export default {
  name: 'site_logs',
  summary: 'Log entries of sites.',
  columns: [{ path: 'id' }, { path: 'created_date_unix', title: 'created', as: 'time' }],
  idField: 'id',
  nature: 'event',
  keys: [],
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/site_logs',
      operationId: 'GetSiteLogs',
      summary: 'List site log entries',
      risk: 'read',
      list: { style: 'windowed', spanDays: 90, datesUnproven: true },
      rules: [
        'Whether this list takes dates was not seen: `--no-range` sends it without.',
        'Built from the naming convention; no description of it was seen.',
      ],
      example: 'site-logs list --last 30d',
      evidence: 'convention',
    },
  ],
} as const satisfies Family;

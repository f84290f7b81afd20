import type { FamilySpec } from '../conventions.js';
import { id, unix } from '../fields.js';

export default {
  name: 'site_logs',
  summary: 'Log entries of sites.',
  columns: 'id created_date_unix',
  nature: 'event',
  onlyNamed: true,
  item: { id, created_date_unix: unix },
  operations: {
    list: {
      summary: 'List site log entries',
      list: { style: 'windowed', spanDays: 90, datesUnproven: true },
      evidence: 'convention',
    },
  },
} as const satisfies FamilySpec;

import type { FamilySpec } from '../conventions.js';
import { aboutSomeItem, id, unix } from '../fields.js';

export default {
  name: 'site_events',
  summary: 'Events recorded on sites.',
  columns: 'id created_date_unix',
  nature: 'event',
  item: { id, created_date_unix: unix },
  assumed: { customer_id: id, ...aboutSomeItem },
  operations: {
    list: { list: { style: 'windowed', spanDays: 90, datesUnproven: true }, evidence: 'convention' },
  },
} as const satisfies FamilySpec;

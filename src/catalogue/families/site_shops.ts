import type { FamilySpec } from '../conventions.js';
import { id, text } from '../fields.js';

export default {
  name: 'site_shops',
  summary: 'Shop platforms that the service can connect to.',
  columns: ['id', 'name', 'description'],
  one: 'shop platform',
  exampleId: 'jwg4BAC87kBF7Taecajw',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'nothing says that it is' }],
  item: { id, name: text, description: text },
  operations: [
    { action: 'list', list: { style: 'paged' }, evidence: 'convention' },
    { action: 'get', evidence: 'convention' },
  ],
} as const satisfies FamilySpec;

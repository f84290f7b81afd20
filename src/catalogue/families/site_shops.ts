import type { FamilySpec } from '../conventions.js';
import { id, text } from '../fields.js';

export default {
  name: 'site_shops',
  summary: 'Shop platforms that the service can connect to.',
  columns: 'id name description',
  one: 'shop platform',
  exampleId: 'jwg4BAC87kBF7Taecajw',
  nature: 'set-up',
  item: { id, name: text, description: text },
  evidence: 'convention',
  operations: {
    list: {},
    get: {},
  },
} as const satisfies FamilySpec;

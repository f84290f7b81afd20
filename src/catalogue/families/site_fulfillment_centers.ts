import type { FamilySpec } from '../conventions.js';
import { anyObject, array, id, text } from '../fields.js';

export default {
  name: 'site_fulfillment_centers',
  summary: 'Fulfillment services that the service knows.',
  columns: 'id name description',
  one: 'fulfillment center',
  exampleId: 't3xDeARnBaa9zbKdyNbG',
  nature: 'set-up',
  item: { id, name: text, description: text, required_fields: array(anyObject) },
  evidence: 'spec',
  operations: {
    list: {},
    get: { rules: ['`required_fields` names the credential fields of an account.'] },
  },
} as const satisfies FamilySpec;

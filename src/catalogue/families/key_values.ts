import type { FamilySpec } from '../conventions.js';
import { completeBody, each, emptyBody, partlySeenBody, text, unix } from '../fields.js';

export default {
  name: 'key_values',
  summary: 'Values stored by key for the whole account.',
  columns: 'key key_type description created_date_unix',
  idField: 'key',
  exampleId: 'support_phone',
  nature: 'set-up',
  risk: 'money',
  keys: [{ field: 'key', unique: true, source: 'the key is the id' }],
  item: {
    ...each(text, 'key value key_type pointer_type description'),
    created_date_unix: unix,
    updated_date_unix: unix,
  },
  evidence: 'spec',
  operations: {
    list: {},
    get: {},
    create: {
      body: partlySeenBody({
        key: {
          ...text,
          common: true,
          minLength: 2,
          maxLength: 100,
          note: 'Letters with single inner underscores; cannot be renamed.',
        },
        value: { ...text, common: true, refersBy: { field: 'pointer_type' }, nameOk: true, note: 'At most 5 MB.' },
        description: { ...text, maxLength: 255 },
        key_type: { ...text, enum: ['string', 'pointer'], default: 'string' },
        pointer_type: { ...text, enum: ['payment_profile'] },
      }),
      checks: ['key-value'],
      rules: ['A key cannot be renamed later.', 'Not metadata: a key value belongs to the account.'],
      example: 'key-values create --key support_hours --value 9-17',
    },
    edit: {
      body: completeBody({
        description: { ...text, maxLength: 255 },
        value: {
          ...text,
          common: true,
          refersBy: { field: 'pointer_type' },
          nameOk: true,
          note: 'At most 5 MB; for a pointer the id or name of its target.',
        },
        key_type: { ...text, enum: ['string', 'pointer'], default: 'string' },
        pointer_type: { ...text, enum: ['payment_profile'], note: 'Only with key_type pointer.' },
      }),
      checks: ['key-value'],
      rules: ['A pointer can route payments: with `key_type` pointer the value must be an existing target.'],
      example: 'key-values edit support_phone --value 5550199',
    },
    delete: { body: emptyBody },
  },
} as const satisfies FamilySpec;

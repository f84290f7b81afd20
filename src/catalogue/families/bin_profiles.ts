import type { FamilySpec } from '../conventions.js';
import { array, flag, id, partlySeenBody, text, texts, unix } from '../fields.js';
import type { Field } from '../types.js';

const prefixes = {
  ...array({ type: 'string', format: 'digits', minLength: 6, maxLength: 6 }),
  maxItems: 5000,
} as const satisfies Field;

export default {
  name: 'bin_profiles',
  summary: 'Lists of card prefixes used in payment routing.',
  columns: 'id name enabled bin_6 created_date_unix',
  exampleId: 'SfPsVDDxPAXRNjczbZfr',
  nature: 'set-up',
  risk: 'money',
  item: { id, created_date_unix: unix, name: text, description: text, enabled: flag, bin_6: texts },
  operations: {
    list: { evidence: 'convention' },
    get: {},
    create: {
      body: partlySeenBody({
        name: { ...text, common: true },
        description: text,
        enabled: { ...flag, common: true },
        bin_6: { ...prefixes, note: 'First six digits of the cards.' },
      }),
      checks: ['bin-prefixes'],
      rules: [
        'Holds six-digit prefixes only, never a card number; at most 5000 of them.',
        'Does nothing until a payment profile or gateway refers to it.',
      ],
      example: 'bin-profiles create --name "Prepaid cards" -d bin_6:=\'["411111","510510"]\'',
    },
    edit: {
      body: {
        asCreate: true,
        fields: {
          bin_6: { ...prefixes, onEdit: 'replaces', note: 'Replaces the whole list.' },
        },
      },
      checks: ['bin-prefixes'],
      rules: ['`bin_6` replaces the whole stored list.', 'Payment routing that refers to it changes at once.'],
      example: 'bin-profiles edit SfPsVDDxPAXRNjczbZfr -d bin_6:=\'["411111"]\'',
    },
    delete: { evidence: 'convention', answerId: undefined },
  },
} as const satisfies FamilySpec;

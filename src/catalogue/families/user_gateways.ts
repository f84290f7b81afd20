import type { FamilySpec } from '../conventions.js';
import {
  anyObject,
  closedBody,
  credentialFields,
  each,
  flag,
  id,
  namedItem,
  namedObject,
  number,
  object,
  text,
} from '../fields.js';
import type { Field } from '../types.js';

/** The processor's share of a payment, in percent. */
const share = { ...number, min: 0, max: 100 } as const satisfies Field;

/** The text on the buyer's statement. */
const descriptor = {
  ...object({
    enabled: flag,
    ...each(text, 'name email url phone address city state postal_code'),
  }),
  note: 'Descriptor for gateways that support it.',
} as const satisfies Field;

export default {
  name: 'user_gateways',
  summary: 'Your merchant accounts at payment gateways.',
  columns: 'id name enabled description created_date_unix',
  exampleId: 'AdyRc4hYihXBDUpHSyD9',
  nature: 'set-up',
  risk: 'money',
  words: ['gateways'],
  keys: [{ field: 'name', unique: true, source: 'published page' }],
  item: {
    ...namedItem,
    site_gateway: namedObject,
    custom_descriptor: anyObject,
    discount_rate: { ...number, means: 'share' },
  },
  operations: {
    list: { evidence: 'convention' },
    get: {},
    create: {
      body: closedBody({
        name: { ...text, required: true, common: true, note: 'Unique among user gateways.' },
        site_gateway_id: { ...id, required: true, common: true, readFrom: 'site_gateway.id' },
        fields: credentialFields,
        custom_descriptor: descriptor,
        secure_form_id: { ...text, unread: true, note: 'Form through which the credentials were entered.' },
      }),
      further: { processor_fee_percentage: share },
      rules: [
        'Look up the site gateway first to learn its credential fields.',
        'Enter credentials through a secure form.',
      ],
      example: 'user-gateways create --name "Main account" --site-gateway-id FKpVWnTwW5ZhfAkKE8FV',
    },
    edit: {
      body: closedBody({
        custom_descriptor: descriptor,
        description: text,
        discount_rate: { ...number, note: 'Rate of this merchant account.' },
        enabled: { ...flag, common: true },
        global_cascade_rules: anyObject,
      }),
      further: { name: text, processor_fee_percentage: share },
      rules: ['Takes effect immediately on payments routed here.'],
      example: 'user-gateways edit AdyRc4hYihXBDUpHSyD9 --no-enabled',
    },
  },
} as const satisfies FamilySpec;

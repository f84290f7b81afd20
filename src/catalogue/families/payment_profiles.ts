import type { FamilySpec } from '../conventions.js';
import {
  anyObject,
  anything,
  array,
  closedBody,
  flag,
  ids,
  namedItem,
  openObject,
  partlySeenBody,
  text,
} from '../fields.js';

export default {
  name: 'payment_profiles',
  summary: 'Flows that route card payments to gateways.',
  columns: 'id name enabled description created_date_unix',
  exampleId: 'TFxvTVDoJZZn9n9xTNxG',
  nature: 'set-up',
  risk: 'money',
  keys: [{ field: 'name', unique: true, source: 'published page' }],
  item: { ...namedItem, payment_flow: array(anyObject) },
  assumed: {
    payment_flow: array(openObject({ settings: openObject({ user_gateway: ids, gateway_group: ids }) })),
  },
  operations: {
    list: {
      rules: ['The list leaves `payment_flow` out; `get` shows it.'],
      evidence: 'convention',
    },
    get: { evidence: 'convention' },
    create: {
      body: partlySeenBody({
        name: { ...text, common: true },
        description: text,
        enabled: { ...flag, common: true },
        payment_flow: array(anyObject),
      }),
      rules: [
        'A bad flow stops card payments: create it disabled, enable it after review.',
        'A flow has exactly one `start_payment_request` node; to work it needs `action_choose_gateway` and `action_process_payment`.',
      ],
      example: 'payment-profiles create --name "Renewals" --no-enabled',
    },
    edit: {
      body: closedBody({
        name: { ...text, common: true, note: 'Unique among payment profiles.' },
        description: text,
        enabled: { ...flag, common: true },
        payment_flow: { ...array(openObject({ id: anything })), note: 'Graph of nodes.' },
      }),
      rules: [
        'The profile may be in use by live checkout, renewals and trials.',
        'A flow has exactly one `start_payment_request` node.',
      ],
      example: 'payment-profiles edit TFxvTVDoJZZn9n9xTNxG --description "Routes all renewals"',
    },
  },
} as const satisfies FamilySpec;

import type { FamilySpec } from '../conventions.js';
import { array, completeBody, flag, ids, namedItem, namedObject, text, unseenBody } from '../fields.js';

/** What adding a gateway and taking one out have in common. */
const membership = {
  body: unseenBody,
  assumed: { user_gateway: { ...ids, oneOk: true } },
  further: { user_gateway_id: { ...ids, oneOk: true } },
  rules: ['Payment routing that uses the group changes at once.'],
  evidence: 'convention',
} as const;

export default {
  name: 'gateway_groups',
  summary: 'Groups of user gateways for payment routing.',
  columns: 'id name enabled description created_date_unix',
  exampleId: 'LPyhjdiNLcLBymXuDeDa',
  nature: 'set-up',
  risk: 'money',
  keys: [{ field: 'name', unique: true, source: 'published page' }],
  item: { ...namedItem, user_gateway: array(namedObject) },
  operations: {
    list: { evidence: 'convention' },
    get: { evidence: 'convention' },
    create: {
      body: completeBody({
        name: { ...text, required: true, common: true, note: 'Unique among gateway groups.' },
        description: text,
        enabled: { ...flag, common: true },
        user_gateway: ids,
      }),
      rules: ['May start empty.'],
      example: 'gateway-groups create --name "EU cards"',
    },
    edit: {
      body: {
        asCreate: true,
        fields: {
          user_gateway: { ...ids, onEdit: 'replaces', note: 'Replaces all members; an empty array empties the group.' },
        },
      },
      rules: ['`user_gateway` replaces all members; use `add-user-gateway` or `remove-user-gateway` for one.'],
      example: 'gateway-groups edit LPyhjdiNLcLBymXuDeDa --description "Cards from the EU"',
    },
    'add-user-gateway': {
      operationId: 'AddUserGatewayToGatewayGroup',
      summary: 'Add a user gateway to a gateway group',
      ...membership,
      example: 'gateway-groups add-user-gateway LPyhjdiNLcLBymXuDeDa -d user_gateway=AdyRc4hYihXBDUpHSyD9',
    },
    'remove-user-gateway': {
      operationId: 'RemoveUserGatewayFromGatewayGroup',
      summary: 'Remove a user gateway from a gateway group',
      ...membership,
      example: 'gateway-groups remove-user-gateway LPyhjdiNLcLBymXuDeDa -d user_gateway=AdyRc4hYihXBDUpHSyD9',
    },
    delete: { evidence: 'convention', answerId: undefined },
  },
} as const satisfies FamilySpec;

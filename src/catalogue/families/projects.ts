import type { FamilySpec } from '../conventions.js';
import { anyObject, completeBody, id, partlySeenBody, text, unix, unseenBody } from '../fields.js';
import { wordList } from '../references.js';
import type { Field } from '../types.js';

const entityTypes = wordList(
  'campaign ai_assistant ai_voice_agent ai_voice_snippet ai_prompt key_value bin_profile customer_group customer_portal email_template fulfillment_account product product_group custom_function gateway gateway_group smtp_profile wallet_account payment_profile shipping_profile subscription_profile url_parameter_set third_party_shop third_party_integration tracking_domain tax_profile',
);

const entity = {
  entity_type: { ...text, required: true, common: true, enum: entityTypes },
  entity_id: {
    ...text,
    refersBy: { field: 'entity_type' },
    required: true,
    common: true,
    note: 'The id; for a key_value the key itself.',
  },
} as const satisfies Record<string, Field>;

export default {
  name: 'projects',
  summary: 'Places for context: text, linked entities, notes.',
  columns: 'id name description created_date_unix',
  exampleId: 'dLsQB8G7BqacoVp42in7',
  nature: 'set-up',
  left: {
    entities: 'linked with cops projects associate-entity',
  },
  item: { id, name: text, description: text, created_date_unix: unix, entities: anyObject },
  operations: {
    list: { rules: ['Names and descriptions; `get` shows the linked entities.'] },
    get: {},
    create: {
      body: partlySeenBody({ name: { ...text, common: true }, description: { ...text, common: true } }),
      noOther: true,
      example: 'projects create --name "Spring campaign"',
    },
    edit: {
      body: partlySeenBody({ name: { ...text, common: true }, description: { ...text, common: true } }),
      noOther: true,
      example: 'projects edit dLsQB8G7BqacoVp42in7 --description "Ends in June"',
    },
    delete: {
      operationId: '',
      body: unseenBody,
      rules: ['Its effect on its notes is not documented.'],
      evidence: 'convention',
    },
    'associate-entity': {
      operationId: 'ProjectAssociateEntity',
      summary: 'Link an entity to a project',
      risk: 'write',
      body: partlySeenBody(entity),
      example: 'projects associate-entity dLsQB8G7BqacoVp42in7 --entity-type product --entity-id kWfxjbQvgWYQUKRf48L9',
    },
    'disassociate-entity': {
      operationId: 'ProjectDisassociateEntity',
      summary: 'Unlink an entity from a project',
      risk: 'write',
      body: completeBody(entity),
      rules: ['Only the link goes.'],
      example:
        'projects disassociate-entity dLsQB8G7BqacoVp42in7 --entity-type product --entity-id kWfxjbQvgWYQUKRf48L9',
    },
    search: { example: 'projects search spring' },
  },
} as const satisfies FamilySpec;

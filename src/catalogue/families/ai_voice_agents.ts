import type { FamilySpec } from '../conventions.js';
import {
  anyObject,
  closedBody,
  completeBody,
  flag,
  id,
  namedItem,
  openObject,
  partlySeenBody,
  runItemTypes,
  text,
} from '../fields.js';

export default {
  name: 'ai_voice_agents',
  summary: 'Agents that talk to customers on the phone.',
  columns: 'id name enabled call_method created_date_unix',
  exampleId: 'TwDLHghZJjiKXLVc6g2a',
  nature: 'set-up',
  item: { ...namedItem, call_method: text, settings: anyObject },
  operations: {
    list: { evidence: 'convention' },
    get: { evidence: 'convention' },
    create: {
      body: partlySeenBody({
        name: { ...text, common: true },
        description: text,
        enabled: { ...flag, common: true },
        call_method: { ...text, common: true, enum: ['inbound', 'outbound'] },
      }),
      rules: ['Needs two own integrations: one of type ai, one of type ai_voice.'],
      example: 'ai-voice-agents create --name "Reminder calls" --call-method outbound',
    },
    edit: {
      body: closedBody({
        name: { ...text, common: true },
        description: text,
        enabled: { ...flag, common: true },
        call_method: { ...text, common: true, enum: ['inbound', 'outbound'] },
        pre_agent_function: {
          ...id,
          emptyOk: true,
          note: 'Function with source api_direct that runs before the call; an empty string removes it.',
        },
        settings: openObject({ voice: text }),
      }),
      rules: ['Send enough of `settings` that nothing is lost.'],
      example: 'ai-voice-agents edit TwDLHghZJjiKXLVc6g2a --no-enabled',
    },
    trigger: {
      summary: 'Have a voice agent call a customer',
      risk: 'money',
      body: completeBody({
        source_type: { ...text, required: true, common: true, enum: ['item'] },
        item_type: { ...text, required: true, common: true, enum: runItemTypes },
        item_id: { ...id, refersBy: { field: 'item_type' }, required: true, common: true },
      }),
      checks: ['item-pair'],
      rules: [
        'Dials the phone number of the customer of the item at once: a real call.',
        'Only outbound agents whose trigger is `on_demand`.',
      ],
      example:
        'ai-voice-agents trigger TwDLHghZJjiKXLVc6g2a --source-type item --item-type subscription --item-id ybP42YwUfmk7cXYiKmwJ',
      answerId: undefined,
    },
    delete: { operationId: '', evidence: 'convention', answerId: undefined },
  },
} as const satisfies FamilySpec;

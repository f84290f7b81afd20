import type { FamilySpec } from '../conventions.js';
import { flag, namedItem, partlySeenBody, text } from '../fields.js';

export default {
  name: 'ai_voice_snippets',
  summary: 'Text blocks that voice agents use in their instructions.',
  columns: 'id name enabled description created_date_unix',
  one: 'voice snippet',
  exampleId: '8MQeK3FcwEqNjKENumJt',
  nature: 'set-up',
  keys: [{ field: 'name', unique: true, source: 'published page: agents use it as {{snippets.<name>}}' }],
  item: { ...namedItem, content: text },
  evidence: 'convention',
  operations: {
    list: { operationId: '' },
    get: { operationId: '' },
    create: {
      body: partlySeenBody({
        name: { ...text, common: true, note: 'Unique, strictly formed: used as {{snippets.<name>}}.' },
        description: text,
        enabled: { ...flag, common: true },
        content: { ...text, common: true },
      }),
      example: 'ai-voice-snippets create --name greeting --content "Thank you for calling."',
      evidence: 'published',
    },
    edit: {
      body: { asCreate: true },
      rules: ['The change reaches every agent that uses the snippet.'],
      example: 'ai-voice-snippets edit 8MQeK3FcwEqNjKENumJt --content "Thanks for calling."',
      evidence: 'published',
    },
    delete: { operationId: '', answerId: undefined },
  },
} as const satisfies FamilySpec;

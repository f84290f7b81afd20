import type { FamilySpec } from '../conventions.js';
import { itemHead, partlySeenBody, text } from '../fields.js';

export default {
  name: 'ai_prompts',
  summary: 'Saved messages for assistants.',
  columns: 'id name created_date_unix',
  exampleId: 'D2yWP3q6KhxggLKELMFU',
  nature: 'set-up',
  item: { ...itemHead, name: text, prompt: text },
  evidence: 'spec',
  operations: {
    list: {
      operationId: '',
      rules: ['Names only; `get` shows the text.'],
    },
    get: { operationId: '' },
    create: {
      body: partlySeenBody({
        name: { ...text, required: true, common: true },
        prompt: { ...text, required: true, common: true },
      }),
      example: 'ai-prompts create --name "Tone" --prompt "Answer briefly and kindly."',
    },
    edit: { body: { asCreate: true }, example: 'ai-prompts edit D2yWP3q6KhxggLKELMFU --name "Tone of voice"' },
    delete: { operationId: '', answerId: undefined },
  },
} as const satisfies FamilySpec;

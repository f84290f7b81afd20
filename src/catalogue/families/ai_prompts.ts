import type { FamilySpec } from '../conventions.js';
import { itemHead, text } from '../fields.js';

export default {
  name: 'ai_prompts',
  summary: 'Saved messages for assistants.',
  columns: ['id', 'name', 'created_date_unix'],
  exampleId: 'D2yWP3q6KhxggLKELMFU',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'nothing says that it is' }],
  item: { ...itemHead, name: text, prompt: text },
  operations: [
    {
      action: 'list',
      operationId: '',
      list: { style: 'paged' },
      rules: ['Names only; `get` shows the text.'],
      evidence: 'spec',
    },
    { action: 'get', operationId: '', evidence: 'spec' },
    {
      action: 'create',
      body: {
        fields: { name: { ...text, required: true, common: true }, prompt: { ...text, required: true, common: true } },
      },
      example: 'ai-prompts create --name "Tone" --prompt "Answer briefly and kindly."',
      evidence: 'spec',
    },
    {
      action: 'edit',
      body: {
        asCreate: true,
      },
      example: 'ai-prompts edit D2yWP3q6KhxggLKELMFU --name "Tone of voice"',
      evidence: 'spec',
    },
    { action: 'delete', operationId: '', evidence: 'spec', answerId: undefined },
  ],
} as const satisfies FamilySpec;

import type { FamilySpec } from '../conventions.js';
import { id, milliseconds, namedObject, text, unix } from '../fields.js';

export default {
  name: 'ai_voice_calls',
  summary: 'Calls answered or made by voice agents.',
  columns: 'id call_method call_duration_ms ai_model created_date_unix',
  exampleId: 'UWJURUpHWqomwcTZEJem',
  nature: 'event',
  item: {
    created_date_unix: unix,
    id,
    ai_model: text,
    ai_source: text,
    ai_source_session_id: text,
    call_duration_ms: milliseconds,
    call_method: { ...text, enum: ['inbound', 'outbound'] },
  },
  assumed: { ai_voice_agent: namedObject },
  operations: {
    list: {
      rules: ['Filters by agent and status exist; their names are not documented.'],
      example: 'ai-voice-calls list --last 30d',
    },
    get: {},
  },
} as const satisfies FamilySpec;

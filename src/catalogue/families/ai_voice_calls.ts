import { id, integer, text, unix } from '../fields.js';
import type { Family } from '../types.js';

export default {
  name: 'ai_voice_calls',
  summary: 'Calls that voice agents took or made.',
  columns: [
    { path: 'id' },
    { path: 'call_method', title: 'call method' },
    { path: 'call_duration_ms', title: 'call duration ms' },
    { path: 'ai_model', title: 'ai model' },
    { path: 'created_date_unix', title: 'created', as: 'time' },
  ],
  idField: 'id',
  nature: 'event',
  keys: [],
  item: {
    created_date_unix: unix,
    id,
    ai_model: text,
    ai_source: text,
    ai_source_session_id: text,
    call_duration_ms: integer,
    call_method: { ...text, enum: ['inbound', 'outbound'] },
  },
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/ai_voice_calls',
      operationId: 'GetAIVoiceCalls',
      summary: 'List AI voice calls',
      risk: 'read',
      list: { style: 'windowed', spanDays: 90 },
      rules: ['Filters by agent and status exist; their names were not seen.'],
      example: 'ai-voice-calls list --last 30d',
      evidence: 'published',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/ai_voice_calls/{ai_voice_call_id}',
      operationId: 'GetAIVoiceCall',
      summary: 'Show one AI voice call',
      risk: 'read',
      rules: [],
      example: 'ai-voice-calls get UWJURUpHWqomwcTZEJem',
      evidence: 'published',
    },
  ],
} as const satisfies Family;

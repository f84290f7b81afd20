import { emptyBody, id, idFilter, text, unix } from '../fields.js';
import type { Family } from '../types.js';

export default {
  name: 'ai_threads',
  summary: 'Runs of assistants.',
  columns: [
    { path: 'id' },
    { path: 'status', as: 'status' },
    { path: 'created_date_unix', title: 'created', as: 'time' },
  ],
  idField: 'id',
  nature: 'event',
  keys: [],
  item: {
    id,
    status: { ...text, enum: ['Running', 'Complete', 'Timer', 'Cancelled', 'Error'] },
    messages: {
      type: 'array',
      items: {
        type: 'object',
        open: true,
        fields: { role: { ...text, enum: ['user', 'assistant', 'system'] }, content: text, tool_call_id: text },
      },
    },
    created_date_unix: unix,
  },
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/ai_threads',
      operationId: 'GetAIThreads',
      summary: 'List AI threads',
      risk: 'read',
      list: { style: 'windowed', spanDays: 2 },
      query: { ai_assistant_filter: idFilter, status_filter: { type: 'string', many: true, note: 'Values not seen.' } },
      rules: [
        'One window spans at most 2 days here; threads are kept 60 days.',
        'The values of `--status` were not seen; threads show Running, Timer, Complete, Cancelled, Error.',
      ],
      example: 'ai-threads list --last 2d',
      evidence: 'published',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/ai_threads/{ai_thread_id}',
      operationId: 'GetAIThread',
      summary: 'Show one AI thread',
      risk: 'read',
      rules: [],
      example: 'ai-threads get baJcYkWJJ6gTMkrqBe6x',
      evidence: 'published',
    },
    {
      action: 'cancel',
      method: 'POST',
      path: '/ai_threads/{ai_thread_id}/cancel',
      operationId: 'CancelAIThread',
      summary: 'Cancel a running AI thread',
      risk: 'irreversible',
      body: emptyBody,
      answerId: 'ai_thread_id',
      preview: {
        show: [
          { path: 'status', label: 'status' },
          { path: 'created_date_unix', label: 'started' },
        ],
        says: ['A cancelled thread cannot be resumed.'],
      },
      rules: ['Only a thread that is Running or in a Timer.', 'A cancelled thread does not run again.'],
      example: 'ai-threads cancel baJcYkWJJ6gTMkrqBe6x',
      evidence: 'published',
    },
  ],
} as const satisfies Family;

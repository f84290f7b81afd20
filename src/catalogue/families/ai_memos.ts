import type { FamilySpec } from '../conventions.js';
import { completeBody, id, idFilter, namedObject, status, text, unix } from '../fields.js';

export default {
  name: 'ai_memos',
  summary: 'Alerts that assistants write for people.',
  columns: 'id subject status ai_thread_id created_date_unix',
  exampleId: 'xSPjyVdVQNQu5maXTaCD',
  nature: 'event',
  item: { id, subject: text, message: text, ai_thread_id: id, created_date_unix: unix, status },
  assumed: { ai_assistant_id: id, ai_assistant: namedObject },
  evidence: 'spec',
  operations: {
    list: {
      list: { style: 'windowed', spanDays: 7, keepsDays: 7 },
      query: { ai_assistant_filter: idFilter, status_filter: { type: 'string', many: true, enum: ['unread', 'read'] } },
      rules: ['One window spans at most 7 days; memos are kept 7 days at most.'],
      example: 'ai-memos list --last 7d --status unread',
    },
    get: {},
    create: {
      body: completeBody({
        ai_thread_id: { ...id, required: true, common: true },
        subject: { ...text, required: true, common: true, minLength: 1, maxLength: 100 },
        message: { ...text, required: true, common: true, minLength: 1, maxLength: 1000 },
      }),
      rules: ['Only an assistant creates memos, during a thread: a call with a plain key is presumably refused.'],
      example:
        'ai-memos create --subject "Refund due" --message "The customer waits for an answer" --ai-thread-id baJcYkWJJ6gTMkrqBe6x',
      evidence: 'published',
    },
    delete: { operationId: '', answerId: undefined },
    'mark-as-read': {
      operationId: '',
      summary: 'Mark an AI memo as read',
      risk: 'write',
      rules: ['There is no documented way back to unread.'],
      answerId: undefined,
    },
  },
} as const satisfies FamilySpec;

import type { FamilySpec } from '../conventions.js';
import {
  aboutSomeItem,
  array,
  emptyBody,
  id,
  idFilter,
  namedObject,
  openObject,
  status,
  text,
  unix,
} from '../fields.js';

export default {
  name: 'ai_threads',
  summary: 'Runs of assistants.',
  columns: 'id status created_date_unix',
  exampleId: 'baJcYkWJJ6gTMkrqBe6x',
  nature: 'event',
  onlyNamed: true,
  open: ['Running', 'Timer'],
  item: {
    id,
    status: { ...status, enum: ['Running', 'Complete', 'Timer', 'Cancelled', 'Error'] },
    messages: array(
      openObject({ role: { ...text, enum: ['user', 'assistant', 'system'] }, content: text, tool_call_id: text }),
    ),
    created_date_unix: unix,
  },
  assumed: { ...aboutSomeItem, ai_assistant_id: id, ai_assistant: namedObject },
  operations: {
    list: {
      list: { style: 'windowed', spanDays: 2, keepsDays: 60 },
      query: {
        ai_assistant_filter: idFilter,
        status_filter: { type: 'string', many: true, note: 'Its values are not documented.' },
      },
      rules: [
        'One window spans at most 2 days here; threads are kept 60 days.',
        'The values of `--status` are not documented; threads show Running, Timer, Complete, Cancelled, Error.',
      ],
      example: 'ai-threads list --last 2d',
    },
    get: {},
    cancel: {
      summary: 'Cancel a running AI thread',
      risk: 'irreversible',
      body: emptyBody,
      preview: {
        show: 'status created_date_unix=started',
        says: ['A cancelled thread cannot be resumed.'],
      },
      rules: ['Only a thread that is Running or in a Timer.', 'A cancelled thread does not run again.'],
    },
  },
} as const satisfies FamilySpec;

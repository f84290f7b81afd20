import type { FamilySpec } from '../conventions.js';
import { anything, id, idFilter, integer, text, unix } from '../fields.js';

export default {
  name: 'api_calls',
  summary: 'Look up calls made to the service.',
  columns: 'id created_date_unix type method path http_status error_code=error api_account.name=account ip_address',
  exampleId: '9GHR5oyRCjoqbWBhhvf4',
  nature: 'event',
  onlyNamed: true,
  item: {
    id,
    created_date_unix: unix,
    type: text,
    method: text,
    path: text,
    http_status: {
      ...integer,
      spoken: { failed: '>=400', failure: '>=400', error: '>=400', ok: '<400', success: '<400', done: '<400' },
    },
    error_code: text,
    api_account: anything,
    ip_address: text,
  },
  operations: {
    list: {
      list: { style: 'windowed', spanDays: 2, growsByReading: true },
      query: {
        api_account_filter: { ...idFilter, refers: [] },
        api_call_source_filter: {
          type: 'string',
          many: true,
          enum: ['direct', 'web_app', 'webhook', 'account_link', 'ai_assistant', 'system'],
        },
      },
      rules: [
        'One window spans at most 2 days here; longer ranges are cut.',
        'More filters exist; their names are not documented.',
      ],
      example: 'api-calls list --last 12h --api-call-source direct',
    },
    get: {
      rules: [
        '`id` is the call you look up, `api_call_id` the look-up itself.',
        'Also shows the raw request, the raw answer, the source and related items.',
      ],
    },
  },
} as const satisfies FamilySpec;

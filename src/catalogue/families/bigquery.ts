import type { FamilySpec } from '../conventions.js';
import { partlySeenBody, text } from '../fields.js';

export default {
  name: 'bigquery',
  summary: 'SQL queries over the data of the account.',
  columns: 'id',
  nature: 'set-up',
  instead: { create: 'Use bigquery query.', run: 'Use bigquery query.' },
  operations: {
    query: {
      path: '/bigquery',
      operationId: 'BigQueryRunQuery',
      summary: 'Run an SQL query over the data of the account',
      risk: 'read',
      body: partlySeenBody({
        bigquery_sql: { ...text, required: true, note: 'Standard SQL; full table names inside backticks.' },
      }),
      positionalBody: 'bigquery_sql',
      sqlBody: 'bigquery_sql',
      rules: [
        'A run may take 30 seconds in all, then it is stopped.',
        'Numbers may come back as strings.',
        'Look at `bigquery-tables` first.',
      ],
      example: 'bigquery query "SELECT 1"',
      answerId: undefined,
    },
  },
} as const satisfies FamilySpec;

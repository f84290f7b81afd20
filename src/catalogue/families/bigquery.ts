import { text } from '../fields.js';
import type { Family } from '../types.js';

export default {
  name: 'bigquery',
  summary: 'SQL queries over the data of the account.',
  columns: [{ path: 'id' }],
  idField: 'id',
  nature: 'set-up',
  keys: [],
  instead: { create: 'Use bigquery query.', run: 'Use bigquery query.' },
  operations: [
    {
      action: 'query',
      method: 'POST',
      path: '/bigquery',
      operationId: 'BigQueryRunQuery',
      summary: 'Run an SQL query over the data of the account',
      risk: 'read',
      body: {
        closed: false,
        complete: false,
        fields: { bigquery_sql: { ...text, required: true, note: 'Standard SQL; full table names inside backticks.' } },
      },
      positionalBody: 'bigquery_sql',
      sqlBody: 'bigquery_sql',
      rules: [
        'A run may take 30 seconds in all, then it is stopped.',
        'Numbers may come back as strings.',
        'Look at `bigquery-tables` first.',
        'Further body fields exist that were not seen.',
      ],
      example: 'bigquery query "SELECT 1"',
      evidence: 'published',
    },
  ],
} as const satisfies Family;

import type { FamilySpec } from '../conventions.js';
import { text } from '../fields.js';

export default {
  name: 'bigquery_tables',
  summary: 'Tables that `bigquery query` can read.',
  columns: 'table_name description',
  idField: 'table_name',
  exampleId: 'sale',
  nature: 'set-up',
  keys: [{ field: 'table_name', unique: true, source: 'the name is the id' }],
  item: { table_name: text, description: text },
  evidence: 'convention',
  operations: {
    list: {
      operationId: 'GetBigQueryTables',
      summary: 'List tables',
      list: { style: 'single' },
      rules: ['It is not documented whether this list is paged.'],
      example: 'bigquery-tables list',
    },
    get: { operationId: 'GetBigQueryTable', summary: 'Show the schema of one table', params: { table_name: 'table' } },
  },
} as const satisfies FamilySpec;

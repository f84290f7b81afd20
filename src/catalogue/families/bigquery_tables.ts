import type { Family } from '../types.js';

export default {
  name: 'bigquery_tables',
  summary: 'Tables that `bigquery query` can read.',
  columns: [{ path: 'table_name', title: 'table name' }, { path: 'description' }],
  idField: 'table_name',
  nature: 'set-up',
  keys: [{ field: 'table_name', unique: true, source: 'the name is the id' }],
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/bigquery_tables',
      operationId: 'GetBigQueryTables',
      summary: 'List tables',
      risk: 'read',
      list: { style: 'single' },
      rules: [
        'Whether this list is paged was not seen.',
        'Built from the naming convention; no description of it was seen.',
      ],
      example: 'bigquery-tables list',
      evidence: 'convention',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/bigquery_tables/{table_name}',
      operationId: 'GetBigQueryTable',
      summary: 'Show the schema of one table',
      risk: 'read',
      params: { table_name: 'table' },
      rules: ['Built from the naming convention; no description of it was seen.'],
      example: 'bigquery-tables get sale',
      evidence: 'convention',
    },
  ],
} as const satisfies Family;

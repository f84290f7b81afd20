import type { Family } from '../types.js';

export default {
  name: 'tracking_visitors',
  summary: 'Visitors that a tracking domain saw.',
  columns: [{ path: 'id' }, { path: 'created_date_unix', title: 'created', as: 'time' }],
  idField: 'id',
  nature: 'event',
  keys: [],
  operations: [
    {
      action: 'get',
      method: 'GET',
      path: '/tracking_visitors/{tracking_visitor_id}',
      operationId: 'GetTrackingVisitor',
      summary: 'Show one tracking visitor',
      risk: 'read',
      rules: [
        'There is no list: the id must be known.',
        'Shows metadata, address and browser, related sales and page visits.',
      ],
      example: 'tracking-visitors get 9FoBT8dfQ4guKYzeYLRT',
      evidence: 'published',
    },
  ],
} as const satisfies Family;

import type { Family } from '../types.js';

export default {
  name: 'site_fulfillment_centers',
  summary: 'Fulfillment services that the service knows.',
  columns: [{ path: 'id' }, { path: 'name' }, { path: 'description' }],
  idField: 'id',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'nothing says that it is' }],
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/site_fulfillment_centers',
      operationId: 'GetSiteFulfillmentCenters',
      summary: 'List fulfillment centers',
      risk: 'read',
      list: { style: 'paged' },
      permission: 'site_fulfillment_center:retrieve',
      rules: [],
      example: 'site-fulfillment-centers list --limit 50',
      evidence: 'spec',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/site_fulfillment_centers/{site_fulfillment_center_id}',
      operationId: 'GetSiteFulfillmentCenter',
      summary: 'Show one fulfillment center',
      risk: 'read',
      permission: 'site_fulfillment_center:retrieve',
      rules: ['`required_fields` names the credential fields of an account.'],
      example: 'site-fulfillment-centers get t3xDeARnBaa9zbKdyNbG',
      evidence: 'spec',
    },
  ],
} as const satisfies Family;

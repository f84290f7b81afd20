import type { Family } from '../types.js';

export default {
  name: 'site_gateways',
  summary: 'Payment gateways that the service knows.',
  columns: [{ path: 'id' }, { path: 'name' }, { path: 'description' }],
  idField: 'id',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'nothing says that it is' }],
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/site_gateways',
      operationId: 'GetSiteGateways',
      summary: 'List site gateways',
      risk: 'read',
      list: { style: 'paged' },
      permission: 'site_gateway:retrieve',
      rules: ['Built from the naming convention; no description of it was seen.'],
      example: 'site-gateways list --limit 50',
      evidence: 'convention',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/site_gateways/{site_gateway_id}',
      operationId: 'GetSiteGateway',
      summary: 'Show one site gateway',
      risk: 'read',
      permission: 'site_gateway:retrieve',
      rules: [
        'Tells which credential fields a user gateway of this kind needs.',
        'Built from the naming convention; no description of it was seen.',
      ],
      example: 'site-gateways get FKpVWnTwW5ZhfAkKE8FV',
      evidence: 'convention',
    },
  ],
} as const satisfies Family;

import type { Family } from '../types.js';

export default {
  name: 'site_shipping_providers',
  summary: 'Carriers that the service knows, with their methods.',
  columns: [{ path: 'id' }, { path: 'name' }, { path: 'description' }],
  idField: 'id',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'nothing says that it is' }],
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/site_shipping_providers',
      operationId: 'GetSiteShippingProviders',
      summary: 'List shipping providers',
      risk: 'read',
      list: { style: 'paged' },
      rules: ['Built from the naming convention; no description of it was seen.'],
      example: 'site-shipping-providers list --limit 50',
      evidence: 'convention',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/site_shipping_providers/{site_shipping_provider_id}',
      operationId: 'GetSiteShippingProvider',
      summary: 'Show one shipping provider',
      risk: 'read',
      rules: [
        'Rates and shipments take the ids of the provider and method shown here, never the codes of a fulfillment center.',
        'Built from the naming convention; no description of it was seen.',
      ],
      example: 'site-shipping-providers get tSNiPTrn5cRVGyAhpDSv',
      evidence: 'convention',
    },
  ],
} as const satisfies Family;

import type { Family } from '../types.js';

export default {
  name: 'site_shops',
  summary: 'Shop platforms that the service can connect to.',
  columns: [{ path: 'id' }, { path: 'name' }, { path: 'description' }],
  idField: 'id',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'nothing says that it is' }],
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/site_shops',
      operationId: 'GetSiteShops',
      summary: 'List shop platforms',
      risk: 'read',
      list: { style: 'paged' },
      rules: ['Built from the naming convention; no description of it was seen.'],
      example: 'site-shops list --limit 50',
      evidence: 'convention',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/site_shops/{site_shop_id}',
      operationId: 'GetSiteShop',
      summary: 'Show one shop platform',
      risk: 'read',
      rules: ['Built from the naming convention; no description of it was seen.'],
      example: 'site-shops get jwg4BAC87kBF7Taecajw',
      evidence: 'convention',
    },
  ],
} as const satisfies Family;

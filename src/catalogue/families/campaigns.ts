import type { Family } from '../types.js';

export default {
  name: 'campaigns',
  summary: 'Campaigns, to which every sale and customer belongs.',
  columns: [
    { path: 'id' },
    { path: 'name' },
    { path: 'enabled', as: 'flag' },
    { path: 'created_date_unix', title: 'created', as: 'time' },
  ],
  idField: 'id',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'spec 4.10 takes a name in place of the id' }],
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/campaigns',
      operationId: 'GetCampaigns',
      summary: 'List campaigns',
      risk: 'read',
      list: { style: 'paged' },
      rules: [
        'The ids are what `--campaign` takes on other lists.',
        'Built from the naming convention; no description of it was seen.',
      ],
      example: 'campaigns list --limit 50',
      evidence: 'convention',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/campaigns/{campaign_id}',
      operationId: 'GetCampaign',
      summary: 'Show one campaign',
      risk: 'read',
      rules: ['Built from the naming convention; no description of it was seen.'],
      example: 'campaigns get HD5Dc7voDsVRj7XENW7a',
      evidence: 'convention',
    },
  ],
} as const satisfies Family;

import { flag, id, text, texts } from '../fields.js';
import type { Family } from '../types.js';

export default {
  name: 'site_third_party_integrations',
  summary: 'Third-party services that the service can connect to.',
  columns: [
    { path: 'id' },
    { path: 'name' },
    { path: 'integration_type', title: 'integration type' },
    { path: 'description' },
  ],
  idField: 'id',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'nothing says that it is' }],
  item: {
    id,
    name: text,
    description: text,
    integration_type: { ...text, enum: ['ai', 'ai_voice', 'offline_payment', 'tax', 'shipping'] },
    third_party_credentials: {
      type: 'object',
      open: true,
      fields: {
        id: text,
        name: text,
        description: text,
        fields: {
          type: 'array',
          items: { type: 'object', open: true, fields: { id: text, name: text, required: flag } },
        },
      },
    },
    third_party_options: {
      type: 'array',
      items: {
        type: 'object',
        open: true,
        fields: {
          id: text,
          name: text,
          description: text,
          required: flag,
          fields: {
            type: 'array',
            items: {
              type: 'object',
              open: true,
              fields: {
                id: text,
                name: text,
                field_type: { ...text, enum: ['select', 'input'] },
                required: flag,
                select_settings: {
                  type: 'object',
                  open: true,
                  fields: { third_party_asset: flag, options: texts, multiple: flag },
                },
              },
            },
          },
        },
      },
    },
  },
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/site_third_party_integrations',
      operationId: 'GetSiteThirdPartyIntegrations',
      summary: 'List the third-party services',
      risk: 'read',
      list: { style: 'single' },
      rules: [
        'Whether this list takes parameters was not seen; it is read without, like the list of user integrations.',
        'Built from the naming convention; no description of it was seen.',
      ],
      example: 'site-third-party-integrations list',
      evidence: 'convention',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/site_third_party_integrations/{site_third_party_integration_id}',
      operationId: 'GetSiteThirdPartyIntegration',
      summary: 'Show one site integration',
      risk: 'read',
      rules: ['Built from the naming convention; no description of it was seen.'],
      example: 'site-third-party-integrations get yHDEDujochKSTSRZVbEz',
      evidence: 'convention',
    },
  ],
} as const satisfies Family;

import type { FamilySpec } from '../conventions.js';
import { flag, id, text, texts } from '../fields.js';

export default {
  name: 'site_third_party_integrations',
  summary: 'Third-party services that the service can connect to.',
  columns: ['id', 'name', { path: 'integration_type', title: 'type' }, 'description'],
  one: 'site integration',
  exampleId: 'yHDEDujochKSTSRZVbEz',
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
      summary: 'List the third-party services',
      list: { style: 'single' },
      rules: [
        'Whether this list takes parameters was not seen; it is read without, like the list of user integrations.',
      ],
      example: 'site-third-party-integrations list',
      evidence: 'convention',
    },
    { action: 'get', evidence: 'convention' },
  ],
} as const satisfies FamilySpec;

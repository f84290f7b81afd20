import type { FamilySpec } from '../conventions.js';
import { closedBody, flag, id, text, unix } from '../fields.js';
import { wordList } from '../references.js';

/** The families whose entries declare which credentials a form asks for. */
const siteLevel = {
  third_party_integration: 'site_third_party_integrations',
  third_party_shop: 'site_shops',
  gateway: 'site_gateways',
  fulfillment_center: 'site_fulfillment_centers',
} as const;

export default {
  name: 'secure_forms',
  summary: 'Forms through which a person enters credentials.',
  columns: 'id form_source completed:flag expiration_date_unix=ends:time created_date_unix',
  exampleId: 'YVH7M3mtg5ZRgnwaRWyg',
  nature: 'event',
  item: { created_date_unix: unix, id, completed: flag, form_source: text, form_url: text, expiration_date_unix: unix },
  operations: {
    create: {
      body: closedBody({
        form_source: {
          ...text,
          common: true,
          enum: wordList(
            'third_party_integration third_party_shop gateway fulfillment_center smtp_profile wallet_account',
          ),
          note: 'The credentials that the form asks for.',
        },
        form_source_id: {
          ...text,
          common: true,
          refersBy: { field: 'form_source', families: siteLevel },
          note: 'Site-level id; not for smtp_profile and wallet_account.',
        },
      }),
      checks: ['secure-form'],
      rules: [
        'The form lives one hour; then form and data are deleted.',
        'A person opens `form_url` and types the secrets; then name the form in the create or edit that needs them.',
      ],
      example: 'secure-forms create --form-source smtp_profile',
    },
    get: { rules: ['`completed` true: filled in, stored encrypted, fixed for good.'] },
    list: {
      list: { style: 'single' },
      rules: ['This list is not documented.'],
      example: 'secure-forms list',
      evidence: 'convention',
    },
  },
} as const satisfies FamilySpec;

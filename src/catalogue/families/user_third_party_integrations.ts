import type { FamilySpec } from '../conventions.js';
import {
  array,
  closedBody,
  credentialFields,
  flag,
  id,
  object,
  openObject,
  siteIntegration,
  text,
  texts,
  unix,
} from '../fields.js';

const thirdPartyCredentials = object({
  id: { ...text, required: true },
  fields: { ...credentialFields, required: true },
});

/** Values of the options that the site integration has, as reads show them saved (service.md#integrations). */
const thirdPartyOptions = array(
  object({
    id: { ...text, required: true },
    fields: array(object({ id: { ...text, required: true }, value: { ...texts, oneOk: true } })),
  }),
);

export default {
  name: 'user_third_party_integrations',
  summary: 'Your connections to third-party services.',
  columns:
    'id name enabled site_third_party_integration.name=service site_third_party_integration.integration_type=type',
  one: 'user integration',
  exampleId: 'Sm5Cza7rFhZrQy9EzjKy',
  nature: 'set-up',
  words: ['integrations'],
  keys: [{ field: 'name', unique: true, source: 'published page' }],
  left: {
    third_party_options_saved: 'entered in the pages of the service',
  },
  shape: 'spec',
  item: {
    id,
    name: text,
    description: text,
    enabled: flag,
    third_party_credentials_saved: texts,
    third_party_options_saved: array(
      openObject({
        id: text,
        fields: array(openObject({ id: text, value: texts })),
      }),
    ),
    site_third_party_integration: openObject(siteIntegration),
    created_date_unix: unix,
    updated_date_unix: unix,
  },
  operations: {
    list: {
      list: { style: 'single' },
      rules: ['Takes no parameters; one answer holds everything.'],
      example: 'user-third-party-integrations list',
      evidence: 'spec',
    },
    get: { rules: ['Choices that come from the third party are filled in once credentials are saved.'] },
    create: {
      body: closedBody({
        name: { ...text, common: true, note: 'Unique among user integrations.' },
        description: text,
        enabled: { ...flag, common: true },
        site_third_party_integration: { ...id, common: true },
      }),
      further: {
        third_party_credentials: thirdPartyCredentials,
        third_party_options: thirdPartyOptions,
        secure_form_id: text,
      },
      noOther: true,
      rules: [
        'A site integration must be named.',
        'Where it has options: create, `get` to see the choices, then `edit` to save them.',
        'Enter credentials through a secure form.',
      ],
      example: 'user-third-party-integrations create --name "Tax" --site-third-party-integration yHDEDujochKSTSRZVbEz',
    },
    edit: {
      risk: 'money',
      body: closedBody({
        name: { ...text, common: true, note: 'Unique among user integrations.' },
        description: text,
        enabled: { ...flag, common: true },
        third_party_credentials: {
          ...thirdPartyCredentials,
          note: 'Only to replace saved credentials; stored encrypted.',
        },
      }),
      further: { third_party_options: thirdPartyOptions, secure_form_id: text },
      noOther: true,
      rules: [
        'The id and fields of `third_party_credentials` must be those of the site integration.',
        'Tax, shipping and offline payment charges may depend on it.',
      ],
      example: 'user-third-party-integrations edit Sm5Cza7rFhZrQy9EzjKy --no-enabled',
    },
    delete: { evidence: 'convention', answerId: undefined },
  },
} as const satisfies FamilySpec;

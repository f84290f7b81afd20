import type { FamilySpec } from '../conventions.js';
import { siteIntegration } from '../fields.js';

export default {
  name: 'site_third_party_integrations',
  summary: 'Third-party services that the service can connect to.',
  columns: 'id name integration_type=type description',
  one: 'site integration',
  exampleId: 'yHDEDujochKSTSRZVbEz',
  nature: 'set-up',
  item: siteIntegration,
  evidence: 'convention',
  operations: {
    list: {
      summary: 'List the third-party services',
      list: { style: 'single' },
      rules: [
        'It is not documented whether this list takes parameters; it is read without any, like the list of user integrations.',
      ],
      example: 'site-third-party-integrations list',
    },
    get: {},
  },
} as const satisfies FamilySpec;

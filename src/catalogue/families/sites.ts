import type { FamilySpec } from '../conventions.js';
import { array, assumedHead, ids, namedItem, namedObject, unseenBody } from '../fields.js';

export default {
  name: 'sites',
  summary: 'Sites of the business and their tracking domains.',
  columns: 'id name enabled created_date_unix',
  exampleId: 'xGBZdgCcmrU3jYnNLMp7',
  nature: 'set-up',
  left: {
    tracking_domains: 'linked with cops sites add-tracking-domain',
  },
  item: namedItem,
  assumed: { tracking_domains: array(namedObject) },
  evidence: 'convention',
  operations: {
    list: {},
    get: {},
    create: {
      body: unseenBody,
      assumed: assumedHead,
      example: 'sites create -d name="Main site"',
    },
    edit: {
      body: unseenBody,
      example: 'sites edit xGBZdgCcmrU3jYnNLMp7 -d name="Main site"',
    },
    'add-tracking-domain': {
      operationId: '',
      summary: 'Attach a tracking domain to a site',
      risk: 'write',
      body: unseenBody,
      assumed: { tracking_domain: { ...ids, oneOk: true } },
      further: { tracking_domain_id: { ...ids, oneOk: true } },
      example: 'sites add-tracking-domain xGBZdgCcmrU3jYnNLMp7 -d tracking_domain=c7Ue4mSf46UzmZgH8doQ',
    },
    'remove-tracking-domain': {
      operationId: '',
      summary: 'Detach a tracking domain from a site',
      risk: 'write',
      body: unseenBody,
      assumed: { tracking_domain: { ...ids, oneOk: true } },
      further: { tracking_domain_id: { ...ids, oneOk: true } },
      example: 'sites remove-tracking-domain xGBZdgCcmrU3jYnNLMp7 -d tracking_domain=c7Ue4mSf46UzmZgH8doQ',
    },
    delete: {},
  },
} as const satisfies FamilySpec;

import type { FamilySpec } from '../conventions.js';
import { anything, array, emptyBody, ids, itemHead, namedObject, partlySeenBody, text, unseenBody } from '../fields.js';

/** The states that end the wait are not documented. */
const wait = {
  read: { family: 'tracking_domains', action: 'get' },
  done: ['active', 'complete', 'completed', 'enabled', 'issued', 'ready', 'success', 'valid'],
  failed: ['error', 'failed'],
  limitSeconds: 900,
} as const;

export default {
  name: 'tracking_domains',
  summary: 'Your own domains for visitor tracking and customer portals.',
  columns: 'id name ssl.status=ssl:status dns.status=dns:status created_date_unix',
  exampleId: 'c7Ue4mSf46UzmZgH8doQ',
  nature: 'set-up',
  keys: [
    { field: 'domain_name', unique: false, source: 'nothing says that it is' },
    { field: 'name', unique: false, source: 'nothing says that it is' },
  ],
  item: {
    ...itemHead,
    name: text,
    description: text,
    domain_name: text,
    a_records: array(anything),
    ssl: anything,
    dns: anything,
  },
  assumed: { url_parameter_sets: array(namedObject) },
  operations: {
    list: { evidence: 'convention' },
    get: {
      rules: [
        'Shows the A and CNAME records that must exist, and whether SSL and DNS are ready.',
        'The values of `ssl.status` and `dns.status` are not documented.',
      ],
    },
    create: {
      body: unseenBody,
      assumed: {
        name: text,
        description: text,
        domain_name: text,
        url_parameter_sets: { ...ids, readFrom: 'url_parameter_sets.id' },
      },
      further: { root_domain: text, domain: text },
      noOther: true,
      rules: [
        'Not usable immediately: add the A records from the answer, `initialize-ssl`, add the CNAME records, `initialize-dns`.',
      ],
      example: 'tracking-domains create -d name=shop.example.com',
    },
    edit: {
      body: partlySeenBody({
        name: { ...text, common: true },
        description: text,
        url_parameter_sets: {
          ...ids,
          readFrom: 'url_parameter_sets.id',
          note: 'URL parameter sets to attach.',
        },
      }),
      noOther: true,
      example: 'tracking-domains edit c7Ue4mSf46UzmZgH8doQ --name shop.example.com',
      evidence: 'convention',
    },
    'initialize-ssl': {
      operationId: 'InitializeTrackingDomainSSL',
      summary: 'Start the SSL set-up of a tracking domain',
      risk: 'write',
      body: emptyBody,
      wait: { ...wait, field: 'ssl.status' },
      rules: [
        'Run it only after the A records exist in DNS.',
        'The answer lists the CNAME records to add under `ssl.cname_records`; then run `initialize-dns`.',
        'The final states are not documented: in doubt, `--wait` ends at its time limit.',
      ],
    },
    'initialize-dns': {
      operationId: 'InitializeTrackingDomainDNS',
      summary: 'Start the DNS set-up of a tracking domain',
      risk: 'write',
      body: unseenBody,
      wait: { ...wait, field: 'dns.status' },
      rules: [
        'The last step: A records, the SSL certificate and CNAME records must be in place.',
        'The final states are not documented: in doubt, `--wait` ends at its time limit.',
      ],
      evidence: 'convention',
    },
  },
} as const satisfies FamilySpec;

import type { Stored } from '../store/item-store.js';
import type { Value } from '../store/item-values.js';
import type { Call, Rules } from './call.js';
import { changeMembers, create, done, edit, required, requireItem } from './generic.js';
import { refer } from './item-references.js';
import { invalid } from './refusals.js';
import { PORTAL, type RecordState, recordsOf } from './shapes.js';

/** Rules for customer portals, their domains, and the sites that use them. */
export const PORTAL_RULES: Rules = {
  'POST /customer_portals': (call) => {
    checkPortal(call.body);
    return done(call, create(call, domainOf(call), PORTAL).id);
  },
  'POST /customer_portals/{}': (call) => {
    const item = required(call);
    checkPortal(call.body);
    return done(call, edit(call, item, domainOf(call)).id);
  },

  'POST /sites/{}/add_tracking_domain': (call) => changeMembers(call, 'tracking_domains', 'tracking_domains', true),
  'POST /sites/{}/remove_tracking_domain': (call) => changeMembers(call, 'tracking_domains', 'tracking_domains', false),
  'POST /tracking_domains': (call) => {
    const { root_domain: root, domain, ...rest } = call.body;
    const own = rest.domain_name ?? root ?? domain ?? rest.name ?? '';
    const records = recordsOf(String(own), ...setUpElsewhere(call, String(own)));
    const defaults = { name: own, description: '', url_parameter_sets: [] };
    const body = { ...rest, domain_name: own };
    const item = create({ ...call, body }, records, defaults);
    return done(call, item.id, { a_records: records.a_records });
  },
  'POST /tracking_domains/{}/initialize_ssl': (call) => {
    const item = required(call);
    const { a_records, ssl } = setUp(call, item, isActive(item.value.dns) ? 'active' : 'none');
    return done(call, item.id, { a_records, ssl });
  },
  'POST /tracking_domains/{}/initialize_dns': (call) => {
    const item = required(call);
    if (!isActive(item.value.ssl))
      throw invalid('The domain needs issued SSL first: initialize_ssl comes before initialize_dns.');
    return done(call, item.id, { dns: setUp(call, item, 'active').dns });
  },
};

/** service.md#customer-portals: the mails of a portal contain a code. */
function checkPortal(body: Value): void {
  for (const [name, mail] of Object.entries((body.customer_emails ?? {}) as Record<string, Value>))
    if (!String(mail.html).includes('{{email_code}}'))
      throw invalid(`customer_emails.${name}.html must contain the shortcode {{email_code}}.`);
}

/** service.md#customer-portals: a portal's domain has active SSL, and reads also show its name. */
function domainOf(call: Call): Value {
  const id = call.body.tracking_domain;
  if (typeof id !== 'string') return {};
  const { name } = refer(call, 'tracking_domains', id);
  const domain = requireItem(call, 'tracking_domains', id).value;
  if (!isActive(domain.ssl)) throw invalid('tracking_domain must have active SSL.');
  return { tracking_domain: { id, name, domain_name: domain.domain_name ?? name } };
}

/** Gives a domain its SSL and the current state of its DNS. */
function setUp(call: Call, item: Stored, dns: RecordState): Value {
  const records = recordsOf(String(item.value.domain_name ?? item.value.name), 'active', dns);
  call.store.update(item, records, call.now);
  return records;
}

/** Whether a part of a domain's records is set up. */
function isActive(part: unknown): boolean {
  return (part as Value | undefined)?.status === 'active';
}

/** The set-up state of a name that the other mode already has: its records serve both modes. reading: domain-records */
function setUpElsewhere(call: Call, name: string): [ssl: RecordState, dns: RecordState] {
  const other = call.store.all('tracking_domains', !call.live).find(({ value }) => value.domain_name === name);
  const state = (part: 'ssl' | 'dns'): RecordState => (isActive(other?.value[part]) ? 'active' : 'none');
  return [state('ssl'), state('dns')];
}

import type { Scene } from './call.js';
import type { Stored } from './store.js';
import type { Value } from './text.js';

const CONTACT = [
  'first_name',
  'last_name',
  'company',
  'email',
  'phone',
  'address_line_1',
  'address_line_2',
  'city',
  'state',
  'zip',
  'country',
];

/** Files a new customer out of contact fields. */
export function addCustomer(scene: Scene, contact: Value, campaign: { id: string; name: string }, more: Value): Stored {
  const id = scene.newId();
  const value: Value = {
    id,
    created_date_unix: scene.now,
    updated_date_unix: scene.now,
    live_mode: scene.live,
    enabled: true,
    blocked: false,
    internal_id: '',
    ...contactFields(contact, true),
    campaign_id: campaign.id,
    campaign_name: campaign.name,
    customer_group: [],
    metadata: [],
    sales_count: 0,
    ...more,
  };
  return scene.store.insert('customers', value, { live: scene.live, customer: id });
}

/** The contact fields of a body; with `whole`, absent ones are empty. */
export function contactFields(contact: Value, whole = false): Value {
  return Object.fromEntries(
    CONTACT.filter((name) => whole || contact[name] !== undefined).map((name) => [name, contact[name] ?? '']),
  );
}

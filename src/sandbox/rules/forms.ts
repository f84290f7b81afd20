import { HOUR } from '../../base/time/units.js';
import type { Value } from '../store/item-values.js';
import { newItemHead, type Rules } from './call.js';
import { invalid } from './refusals.js';

/** Families of the items that a form asks credentials for (published). */
const SOURCES: Readonly<Record<string, string>> = {
  third_party_integration: 'site_third_party_integrations',
  third_party_shop: 'site_shops',
  gateway: 'site_gateways',
  fulfillment_center: 'site_fulfillment_centers',
};

/** Rules for secure forms, which stay open for an hour. */
export const FORM_RULES: Rules = {
  'POST /secure_forms': (call) => {
    const { id, ...dates } = newItemHead(call);
    const { form_source: source, form_source_id: sourceId } = call.body;
    if (typeof source !== 'string') throw invalid('form_source is required.');
    const bare = source === 'smtp_profile' || source === 'wallet_account';
    if (!bare && typeof sourceId !== 'string') throw invalid(`form_source ${source} needs form_source_id.`);
    if (!bare && !call.store.get(SOURCES[source] as string, String(sourceId), null))
      throw invalid(`form_source_id: there is no ${source.replaceAll('_', ' ')} ${String(sourceId)}.`);
    const value: Value = {
      id,
      ...dates,
      completed: false,
      form_source: source,
      form_source_id: typeof sourceId === 'string' ? sourceId : undefined,
      form_url: `https://forms.example.com/${id}`,
      expiration_date_unix: call.now + HOUR,
    };
    call.store.insert('secure_forms', value, { live: call.live });
    call.store.schedule('forget_form', id, call.now + HOUR);
    return {
      secure_form_id: id,
      form_url: value.form_url,
      expiration_date_unix: value.expiration_date_unix,
      completed: false,
      result: 'success',
    };
  },
};

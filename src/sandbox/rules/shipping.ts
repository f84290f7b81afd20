import type { Value } from '../store/item-values.js';
import type { Call, Rules } from './call.js';
import { checking, done, edit, given, required } from './generic.js';
import { refer } from './item-references.js';
import { invalid } from './refusals.js';
import { checkTransition } from './transitions.js';

/** Rules for shipments and the profiles of rates that charge for them. */
export const SHIPPING_RULES: Rules = {
  'POST /shipping/{}': (call) => {
    const item = required(call);
    const { shipped, delivered, provider, provider_tracking: tracking, ...body } = call.body;
    const status = body.status ?? (delivered === true ? 'delivered' : shipped === true ? 'shipped' : undefined);
    // A body may mark a shipment shipped or delivered by its state or by a flag. reading: shipment-edit
    if (status !== undefined && status !== item.value.status)
      checkTransition('shipping', item.value.status, 'edit', String(status));
    const number = tracking ?? body.tracking_number;
    const extra = given({
      status,
      provider: provider === undefined ? undefined : refer(call, 'site_shipping_providers', String(provider)),
      tracking_number: number,
      provider_tracking: number,
    });
    return done(call, edit({ ...call, body }, item, extra).id);
  },
  ...checking('shipping_profiles', (call) => {
    const { rates = call.ids.length === 0 ? [] : undefined } = call.body;
    if (rates !== undefined) checkRates(call, rates);
  }),
};

/**
 * service.md#shipping-rates: at least one rate, each with a method of its provider and at least one enabled qualifier.
 */
function checkRates(call: Call, rates: unknown): void {
  if (!Array.isArray(rates) || rates.length === 0) throw invalid('rates must hold at least one rate.');
  for (const [index, rate] of (rates as Value[]).entries()) {
    const carrier = call.store.get('site_shipping_providers', String(rate.provider), null);
    const methods = (carrier?.value.methods ?? []) as Value[];
    if (!methods.some(({ id }) => id === rate.provider_method))
      throw invalid(`rates[${index}].provider_method is no method of its provider.`);
    const lists = Object.values((rate.qualifiers ?? {}) as Record<string, unknown>).filter(Array.isArray) as Value[][];
    if (!lists.some((list) => list.some((one) => one.enabled === true)))
      throw invalid(`rates[${index}] needs at least one enabled qualifier.`);
  }
}

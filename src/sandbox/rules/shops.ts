import { toText, type Value } from '../store/item-values.js';
import { every } from '../store/query-fields.js';
import { remoteProducts } from '../sync.js';
import type { Call, Rules } from './call.js';
import { change, create, done, required } from './generic.js';
import { invalid } from './refusals.js';

const REMOTE = ['products', 'shipping_methods', 'offline_payment_methods'];

/** Rules for the merchant's shops: connections, and their answers. */
export const SHOP_RULES: Rules = {
  'GET /user_shops/{}': (call) => {
    const { value } = required(call);
    const wanted = every(call.query, 'remote_data');
    const strange = wanted.find((one) => !REMOTE.includes(one));
    if (strange !== undefined) throw invalid(`remote_data does not know the value ${JSON.stringify(strange)}.`);
    if (wanted.length === 0) return toText(value);
    return toText({ ...value, remote_data: Object.fromEntries(wanted.map((one) => [one, remote(call, one)])) });
  },
  'POST /user_shops': (call) => done(call, create(call, { connection_valid: false }).id),
  'POST /user_shops/{}/validate': (call) => change(call, { connection_valid: true }, { valid: true, errors: [] }),
  'POST /user_shops/{}/fix': (call) => change(call, { connection_valid: true }),
};

/** The answer of the connected shop: its products, and two methods of each kind. reading: remote-data */
function remote(call: Call, what: string): Value[] {
  if (what === 'shipping_methods')
    return [
      { id: 'flat_rate', name: 'Flat rate' },
      { id: 'pickup', name: 'Pick-up' },
    ];
  if (what === 'offline_payment_methods')
    return [
      { id: 'bank', name: 'Bank transfer' },
      { id: 'cash', name: 'Cash' },
    ];
  return remoteProducts(call, String(call.ids[0])) as unknown as Value[];
}

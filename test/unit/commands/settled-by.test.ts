/** What an operator is told to look at when the outcome of a write is unknown (command-line.md#writes). */
import { expect, it } from 'vitest';
import { FAMILY_INDEX, loadFamily, pathParameters } from '../../../src/catalogue/index.js';
import { settledBy } from '../../../src/session/write/write-end.js';

async function told(name: string, action: string, ids: readonly string[] = ['ID'], body = {}): Promise<string> {
  const family = await loadFamily(name);
  const operation = family.operations.find((one) => one.action === action);
  if (!operation) throw new RangeError(`${name} ${action}`);
  return String(settledBy({ family, operation, ids, body }));
}

it.each([
  ['subscriptions', 'cancel', ['ID'], {}, 'status in: cops subscriptions get ID;'],
  ['subscriptions', 'renew', ['ID'], {}, 'billing.next_renewal_date_unix in: cops subscriptions get ID;'],
  ['trials', 'extend', ['ID'], { days: 3 }, 'expiration_date_unix in: cops trials get ID;'],
  ['product_sales', 'refund', ['ID'], {}, 'amount_refunded in: cops product-sales get ID;'],
  ['sales', 'void', ['ID'], {}, 'status in: cops sales get ID;'],
  ['customers', 'disable', ['ID'], {}, 'enabled in: cops customers get ID;'],
  ['customers', 'edit', ['ID'], { email: 'a@b.c', phone: '1' }, 'email, phone in: cops customers get ID;'],
  ['customers', 'edit', ['ID'], { a: 1, b: 2, c: 3, d: 4 }, 'updated_date_unix in: cops customers get ID;'],
  [
    'customers',
    'payment-methods set-default',
    ['C', 'P'],
    {},
    'is_default in: cops customers payment-methods get C P;',
  ],
  ['customer_groups', 'delete', ['ID'], {}, 'still exists: cops customer-groups get ID;'],
  ['products', 'images delete', ['P', 'I'], {}, 'still exists: cops products images get P I;'],
  ['tracking_domains', 'initialize-ssl', ['ID'], {}, 'ssl.status in: cops tracking-domains get ID;'],
] as const)('%s %s', async (name, action, ids, body, wanted) => {
  expect(await told(name, action, ids, body)).toContain(wanted);
});

it('names no secret and no key of its own among the fields of an edit', async () => {
  expect(await told('customers', 'edit', ['ID'], { idempotency_key: 'k', secret_key: 's', email: 'e' })).toMatch(
    /^Check email in/,
  );
});

it('names a read that exists and takes the ids, or the calls of that minute, for every write', async () => {
  for (const entry of FAMILY_INDEX) {
    const family = await loadFamily(entry.name);
    for (const operation of family.operations) {
      if (operation.method !== 'POST' || operation.risk === 'read') continue;
      const ids = pathParameters(operation).map((name) => `<${name}>`);
      const text = String(settledBy({ family, operation, ids: ids.map(() => 'ID'), body: {} }));
      expect(text, operation.path).toContain('cops api-calls list --last 1h');
      const read = /: cops ([^;]*?)((?: ID)+);/.exec(text);
      if (!read) continue;
      const action = read[1]?.slice(family.name.length + 1);
      const get = family.operations.find((one) => one.action === action);
      expect([get?.method, get && pathParameters(get).length], text).toEqual([
        'GET',
        read[2]?.trim().split(' ').length,
      ]);
    }
  }
});

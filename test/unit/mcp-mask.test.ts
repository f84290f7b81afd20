import { expect, it } from 'vitest';
import { isPersonal } from '../../src/cli/mcp/mask.js';

it.each([
  ['first_name', 'customers'],
  ['customer.email', 'transactions'],
  ['ship_to.zip', 'shipping'],
  ['recipient_name', 'shipping'],
  ['account_holder_name', 'check_directs'],
  ['cardholder_name', 'transactions'],
  ['expiry_month', 'customer_cards'],
  ['payment_method.exp_year', 'customers'],
  ['metadata[0].value', 'products'],
])('%s of %s is personal', (path, family) => {
  expect(isPersonal(path, family)).toBe(true);
});

it.each([
  ['name', 'products'],
  ['shipping_profile_name', 'subscriptions'],
  ['campaign_name', 'transactions'],
  ['expiry_date', 'coupons'],
  ['customer.id', 'transactions'],
  ['amount', 'transactions'],
])('%s of %s is not', (path, family) => {
  expect(isPersonal(path, family)).toBe(false);
});

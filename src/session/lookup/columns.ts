import type { Column } from '../../catalogue/types.js';

/** The states in which a subscription renews no more: the date that is stored is none (lifecycle of subscriptions). */
export const ENDED: NonNullable<Column['unless']> = { path: 'status', values: ['cancelled', 'occurrence_limit'] };

/** How fields are shown that several families have; all others as they are. */
const SHOWN: Readonly<Record<string, Omit<Column, 'path'>>> = {
  amount: { as: 'money' },
  amount_refunded: { title: 'refunded', as: 'money' },
  amount_remaining: { title: 'left', as: 'money' },
  amount_total: { title: 'total', as: 'money' },
  'billing.next_renewal_date_unix': { title: 'next renewal', as: 'time', unless: ENDED },
  card_payment: { title: 'card payment', as: 'money' },
  case_number: { title: 'case number' },
  created_date_unix: { title: 'created', as: 'time' },
  'customer_card.last_4': { title: 'card' },
  enabled: { as: 'flag' },
  expiration_date_unix: { title: 'ends', as: 'time' },
  expiry_date: { title: 'expires' },
  first_name: { title: 'first name' },
  gateway_name: { title: 'gateway' },
  is_default: { title: 'default', as: 'flag' },
  is_overdue: { title: 'overdue', as: 'flag' },
  last_4: { title: 'last four' },
  last_name: { title: 'last name' },
  overdue_count: { title: 'overdue' },
  'product.name': { title: 'product' },
  provider_tracking: { title: 'tracking' },
  result: { as: 'status' },
  status: { as: 'status' },
};

/** The columns of a section, in their order. */
export function columnsOf(...paths: readonly string[]): readonly Column[] {
  return paths.map((path) => ({ path, ...SHOWN[path] }));
}

import type { Answer, Call } from './call.js';
import { keptAs, modeOf, singular } from './kinds.js';
import { found } from './lists.js';
import { checkQuery, first } from './query.js';
import { invalid } from './refusal.js';
import type { Value } from './text.js';

/** Where each search looks (published lists of fields); `metadata` means the values of the pairs. */
const PEOPLE = ['first_name', 'last_name', 'address_line_1', 'email', 'phone'];
const OWN: Readonly<Record<string, readonly string[]>> = {
  customers: [...PEOPLE, 'internal_id'],
  customer_cards: ['first_6', 'last_4'],
  transactions: ['gateway_transaction_id', 'customer_card.first_6', 'customer_card.last_4'],
  chargebacks: ['case_number', 'arn', 'third_party_chargeback_id', 'gateway_transaction_id', 'first_6', 'last_4'],
  products: ['name', 'sku', 'internal_id', 'description'],
  projects: ['name', 'description'],
  project_notes: ['title', 'content'],
  sales: ['internal_id', 'status', 'product.name', 'product.sku'],
  documentation: ['title', 'text'],
  wallet_transactions: ['wallet_transaction_id'],
  pending_refunds: ['transaction_id', 'source_id', 'sales'],
  shipping: ['tracking_number'],
};
const WITH_CUSTOMER = new Set([
  'subscriptions',
  'trials',
  'sales',
  'shipping',
  'wallet_transactions',
  'pending_refunds',
  'fraud_detections',
]);

/** Answers a search: one term, at most ten hits with a score and highlights (published). */
export function answerSearch(call: Call): Answer {
  checkQuery(call.operation, call.query);
  const name = Object.keys(call.operation.query ?? {}).find((one) => /term|query|search/.test(one)) ?? 'search_term';
  const term = (first(call.query, name) ?? '').trim().toLowerCase();
  if (term === '') throw invalid(`The parameter ${name} is required.`);
  const family = keptAs(call.operation.path, call.family.name);
  const paths = [
    'id',
    ...(OWN[family] ?? ['name']),
    ...(WITH_CUSTOMER.has(family) ? PEOPLE.map((field) => `customer.${field}`) : []),
  ];
  const project = first(call.query, 'project_id');
  return found(call.store, family, modeOf(family, call.live), (item) => {
    if (project && item.project_id !== project) return undefined;
    return match(item, paths, term, singular(family));
  });
}

function match(item: Value, paths: readonly string[], term: string, itemType: string): Value | undefined {
  let score = 0;
  const highlights: Value = {};
  const weigh = (path: string, value: unknown) => {
    const text = String(value ?? '');
    const lower = text.toLowerCase();
    if (text === '' || !lower.includes(term)) return;
    score += lower === term ? 10 : lower.startsWith(term) ? 3 : 1;
    highlights[path] = text;
  };
  for (const path of paths) {
    const value = path.split('.').reduce<unknown>((inner, name) => (inner as Value | undefined)?.[name], item);
    for (const one of Array.isArray(value) ? value : [value]) weigh(path, one);
  }
  const name = `${item.first_name ?? ''} ${item.last_name ?? ''}`.trim();
  if (name) weigh('name', name);
  for (const pair of Array.isArray(item.metadata) ? (item.metadata as Value[]) : []) weigh('metadata', pair.value);
  if (score === 0) return undefined;
  const customer = (item.customer ?? item) as Value;
  return {
    item_type: itemType,
    id: item.id,
    created_date_unix: item.created_date_unix,
    ...(customer.email !== undefined
      ? { first_name: customer.first_name, last_name: customer.last_name, email: customer.email }
      : {}),
    name: item.name,
    customer_id: item.customer_id,
    score,
    highlights,
  };
}

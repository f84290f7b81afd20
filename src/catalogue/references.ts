import type { Family, Field, Operation, QueryField, Relation } from './types.js';

/** Words for a family in the service's field names that differ from the family's own name. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  shop: 'user_shops',
  third_party_shop: 'user_shops',
  third_party_integration: 'user_third_party_integrations',
  gateway: 'user_gateways',
  filter_function: 'functions',
  pre_agent_function: 'functions',
  fulfillment_center: 'site_fulfillment_centers',
  provider: 'site_shipping_providers',
  shipping_provider: 'site_shipping_providers',
  create_non_existing_customer_campaign: 'campaigns',
  last_renewal: 'subscription_renewals',
  payment_method: 'customer_cards',
};

/** Names that sound like a family but are not: metadata pairs, and a filter with a closed set of words. */
const NO_REFERENCES: ReadonlySet<string> = new Set(['metadata', 'metadata_filter', 'shipping_provider_filter']);

/**
 * The family that the name of a field, query parameter or path placeholder refers to: `customer_id`, `sales` and
 * `campaign_filter` refer to `customers`, `sales` and `campaigns`. Undefined when it refers to none.
 */
export function spokenFamily(name: string, families: ReadonlySet<string>): string | undefined {
  if (NO_REFERENCES.has(name)) return undefined;
  const stem = name.replace(/_(?:filter|id)$/, '');
  if (Object.hasOwn(OTHER_WORDS, stem)) return OTHER_WORDS[stem];
  return [stem, `${stem}s`, stem.replace(/y$/, 'ies')].find((word) => families.has(word));
}

const REFERRING: ReadonlySet<string> = new Set(['string', 'array', 'object', 'any']);

/** An id, a list of ids, an object that holds one, or a value of unknown shape: any of these may name an item. */
function mayRefer(field: Field): boolean {
  if (!REFERRING.has(field.type)) return false;
  const { items } = field;
  if (items !== undefined) return mayRefer(items) && items.enum === undefined;
  if (field.enum !== undefined) return false;
  return field.fields === undefined || Object.hasOwn(field.fields, 'id') || Object.keys(field.fields).length === 0;
}

/** The same fields with `refers` filled in wherever the name implies a family. */
function referringFields(fields: Fields, families: ReadonlySet<string>): Fields {
  return mapValues(fields, (field, name) => referringField(name, field, families));
}

function referringField(name: string, field: Field, families: ReadonlySet<string>): Field {
  const spoken = field.refers === undefined && mayRefer(field) ? spokenFamily(name, families) : undefined;
  return {
    ...field,
    ...(spoken && { refers: [spoken] }),
    ...(field.fields && { fields: referringFields(field.fields, families) }),
    ...(field.items && { items: referringField('', field.items, families) }),
  };
}

type Fields = Readonly<Record<string, Field>>;

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}

function referringQuery(name: string, field: QueryField, families: ReadonlySet<string>): QueryField {
  const spoken = field.refers === undefined && field.type === 'string' ? spokenFamily(name, families) : undefined;
  return spoken && !field.enum ? { ...field, refers: [spoken] } : field;
}

function referringOperation(operation: Operation, families: ReadonlySet<string>): Operation {
  const { query, body, assumed, further } = operation;
  return {
    ...operation,
    ...(query && { query: mapValues(query, (field, name) => referringQuery(name, field, families)) }),
    ...(body && { body: { ...body, fields: referringFields(body.fields, families) } }),
    ...(assumed && { assumed: referringFields(assumed, families) }),
    ...(further && { further: referringFields(further, families) }),
  };
}

/**
 * The family with `refers` filled in wherever a name implies the family of its value.
 * @param families the names of all families
 */
export function withReferences(family: Family, families: ReadonlySet<string>): Family {
  return {
    ...family,
    ...(family.item && { item: referringFields(family.item, families) }),
    ...(family.assumed && { assumed: referringFields(family.assumed, families) }),
    operations: family.operations.map((operation) => referringOperation(operation, families)),
  };
}

/** The parts of a sale that can be refunded separately. */
export const REFUNDED_PARTS: readonly string[] = ['product_sales', 'shipping', 'tax'];

/** What a sale and its parts refer to (service.md#payments, the related id arrays), by relation word. */
export const OF_SALE = [
  'customer',
  'sales',
  'product_sales',
  'shipping',
  'tax',
  'discounts',
  'trials',
  'subscriptions',
  'renewals',
  'invoices',
  'transactions',
  'salvage',
  'wallet_transactions',
  'offline_payments',
  'check_directs',
] as const;

/** Where an item holds the ids for a relation word, if not only in the array of that name. */
const PLACES = {
  customer: ['customer.id', 'customer_id'],
  product: ['product.id'],
  subscription: ['subscription_id', 'subscriptions'],
  subscriptions: ['subscriptions', 'subscription_id'],
  renewals: ['subscription_renewals'],
  transactions: ['transactions', 'transaction_id'],
  salvage: ['salvage_transactions'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The field that holds the newest id of a list: the order of the list alone does not tell. */
const NEWEST: Readonly<Record<string, string>> = { renewals: 'billing.last_renewal_id' };

/** A word for a relation of an item. */
export type RelationWord = (typeof OF_SALE)[number] | keyof typeof PLACES;

/** The relations of a family's items by word, without the family itself, in the order of help and sections. */
export function alongOf(
  own: string,
  words: readonly RelationWord[],
  families: ReadonlySet<string>,
): Readonly<Record<string, Relation>> {
  const relations = words.map((word): [string, Relation] => {
    const from = word in PLACES ? PLACES[word as keyof typeof PLACES] : [word];
    const [first = word] = from;
    const family = spokenFamily(first.replace(/\.id$/, ''), families) ?? word;
    return [word, { family, from, one: /[._]id$/.test(first) || undefined, newest: NEWEST[word] }];
  });
  return Object.fromEntries(relations.filter(([, { family }]) => family !== own));
}

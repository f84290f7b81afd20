import { loadFamily } from '../catalogue/index.js';
import type { Column } from '../catalogue/types.js';
import { looksLikeId } from '../catalogue/value-formats.js';
import { get, type Lossless, parseLossless, plain } from '../json/lossless.js';
import { fullName } from '../resolve/keys.js';
import { resolveName } from '../resolve/resolve.js';
import { type Found, type Look, MOST_REQUESTS } from './ask.js';
import { ordersOf } from './orders.js';
import type { Section, Sheet } from './sheet.js';

const CARDS: readonly Column[] = [
  { path: 'id' },
  { path: 'type' },
  { path: 'last_4', title: 'last four' },
  { path: 'expiry_date', title: 'expires' },
  { path: 'is_default', title: 'default', as: 'flag' },
  { path: 'enabled', as: 'flag' },
];
const SUBSCRIPTIONS: readonly Column[] = [
  { path: 'id' },
  { path: 'status', as: 'status' },
  { path: 'product.name', title: 'product' },
  { path: 'amount', as: 'money' },
  { path: 'billing.next_renewal_date_unix', title: 'next renewal', as: 'time' },
];
const RENEWALS: readonly Column[] = [
  { path: 'id' },
  { path: 'created_date_unix', title: 'created', as: 'time' },
  { path: 'amount_total', title: 'total', as: 'money' },
  { path: 'amount_refunded', title: 'refunded', as: 'money' },
  { path: 'is_overdue', title: 'overdue', as: 'flag' },
  { path: 'product.name', title: 'product' },
];
const PAYMENTS: readonly Column[] = [
  { path: 'id' },
  { path: 'created_date_unix', title: 'created', as: 'time' },
  { path: 'result', as: 'status' },
  { path: 'amount', as: 'money' },
  { path: 'amount_refunded', title: 'refunded', as: 'money' },
  { path: 'gateway_name', title: 'gateway' },
];
const REFUNDS: readonly Column[] = [
  { path: 'id' },
  { path: 'created_date_unix', title: 'created', as: 'time' },
  { path: 'status', as: 'status' },
  { path: 'amount', as: 'money' },
  { path: 'type' },
];
const SALVAGE: readonly Column[] = [
  { path: 'id' },
  { path: 'status', as: 'status' },
  { path: 'amount_remaining', title: 'left', as: 'money' },
  { path: 'created_date_unix', title: 'created', as: 'time' },
];
const CHARGEBACKS: readonly Column[] = [
  { path: 'id' },
  { path: 'created_date_unix', title: 'created', as: 'time' },
  { path: 'amount', as: 'money' },
  { path: 'case_number', title: 'case number' },
];
const PARCELS: readonly Column[] = [
  { path: 'id' },
  { path: 'created_date_unix', title: 'created', as: 'time' },
  { path: 'status', as: 'status' },
  { path: 'provider_tracking', title: 'tracking' },
  { path: 'amount', as: 'money' },
  { path: 'amount_refunded', title: 'refunded', as: 'money' },
];
const TRIALS: readonly Column[] = [
  { path: 'id' },
  { path: 'status', as: 'status' },
  { path: 'product.name', title: 'product' },
  { path: 'amount', as: 'money' },
  { path: 'expiration_date_unix', title: 'ends', as: 'time' },
  { path: 'created_date_unix', title: 'created', as: 'time' },
];
const OTHER_PAYMENTS: readonly Column[] = [
  { path: 'id' },
  { path: 'created_date_unix', title: 'created', as: 'time' },
  { path: 'status', as: 'status' },
  { path: 'amount', as: 'money' },
  { path: 'amount_refunded', title: 'refunded', as: 'money' },
];
/** Sections of the rest that stand before the payments. */
const BEFORE_PAYMENTS: ReadonlySet<string> = new Set(['trials', 'renewals']);
const FRAUD: readonly Column[] = [{ path: 'id' }, { path: 'created_date_unix', title: 'created', as: 'time' }];
const NOTES: readonly Column[] = [{ path: 'created_date_unix', title: 'created', as: 'time' }, { path: 'text' }];

/** Subscriptions and salvages that are read one by one, at most. */
const MOST_SINGLE = 20;

/**
 * The customer that a word names: an id, an e-mail address, an internal id, an exact name.
 * @throws CopsError `usage` when it means none or several; `not_found`
 */
export async function findPerson(look: Look, who: string, warn: (text: string) => void): Promise<string> {
  if (looksLikeId(who)) return look.item('customers', who);
  const family = await loadFamily('customers');
  const { id } = await resolveName(family, who, { asker: look.asker, now: look.now, prove: false, warn });
  return look.item('customers', id);
}

/** Everything about a customer that one screen holds; the reads go out at once. */
export async function personSheet(look: Look, customer: string): Promise<Sheet> {
  const person = parseLossless(customer);
  const id = plain(get(person, 'id')) ?? '';
  const email = plain(get(person, 'email')) ?? '';
  const { bySearch, listed } = readersFor(look, id, email);
  const [cards, hits, sales, payments, refunds, parcels, fraud] = await Promise.all([
    look.read('cards', `cops customers payment-methods list ${id}`, () =>
      look.list('customers', [], 'payment-methods list', [id]),
    ),
    bySearch('subscriptions', 'subscriptions'),
    bySearch('orders', 'sales'),
    listed('card payments', 'transactions'),
    listed('pending refunds', 'pending_refunds'),
    listed('parcels', 'shipping'),
    bySearch('fraud detections', 'fraud_detections'),
  ]);
  const [subscriptions, salvage] = await readSingles(look, id, hits, payments);
  const groups = await groupsOf(look, person);
  const rest = await readRest(look, id, email);
  const orders = await ordersOf(look, id, sales, payments);
  skipCut(look, id, hits);
  const of = (family: string) => listOf(family, id);
  const sections: Section[] = [
    { ...section('subscriptions', SUBSCRIPTIONS, subscriptions, subscriptionsOf(id)), fewest: 5 },
    section('cards', CARDS, cards, `cops customers payment-methods list ${id}`),
    section('orders', orders.columns, orders, of('sales')),
    section('parcels', PARCELS, parcels, of('shipping')),
    ...rest.filter(({ word }) => BEFORE_PAYMENTS.has(word)),
    { ...section('payments', PAYMENTS, payments, of('transactions')), fewest: 3 },
    section('pending_refunds', REFUNDS, { ...refunds, items: refunds.items.filter(isPending) }, of('pending-refunds')),
    section('to_collect', SALVAGE, salvage, 'cops salvage-transactions list --last 90d'),
    ...rest.filter(({ word }) => !BEFORE_PAYMENTS.has(word)),
    section('fraud_detections', FRAUD, fraud, `cops fraud-detections search ${email}`),
    ...notesOf(person, id),
  ];
  return {
    heading: headingOf(person, id, groups),
    facts: [['customer', customer]],
    sections,
    notRead: look.notRead,
    next: nextOf(
      id,
      email,
      subscriptions.items,
      rest.find(({ word }) => word === 'renewals')?.items ?? [],
      salvage.items,
    ),
  };
}

const listOf = (family: string, id: string): string => `cops ${family} list --last 90d --customer ${id}`;

/** The two ways to what is a customer's: a search by the e-mail address, a list that is filtered by the customer. */
function readersFor(look: Look, id: string, email: string) {
  const bySearch = (what: string, family: string): Promise<Found> => {
    const command = `cops ${family.replaceAll('_', '-')} search ${email || '<email>'}`;
    if (email !== '') return look.read(what, command, () => look.search(family, email));
    look.skip(what, 'the customer has no e-mail address to search by', command);
    return Promise.resolve({ items: [] });
  };
  const listed = (what: string, family: string): Promise<Found> =>
    look.read(what, listOf(family.replaceAll('_', '-'), id), () => look.ofCustomer(family, id));
  return { bySearch, listed };
}

/** What is read with the requests that are left, in this order: the payments of the rest are known already. */
const REST = [
  { word: 'trials', what: 'trials', family: 'trials', columns: TRIALS },
  { word: 'renewals', what: 'renewals', family: 'subscription_renewals', columns: RENEWALS },
  { word: 'chargebacks', what: 'chargebacks', family: 'chargebacks', columns: CHARGEBACKS },
  { word: 'wallet_payments', what: 'wallet payments', family: 'wallet_transactions', columns: OTHER_PAYMENTS },
  { word: 'offline_payments', what: 'offline payments', family: 'offline_payments', columns: OTHER_PAYMENTS },
] as const;

/** The sections of `REST` that were read; what no request was left for is told in one line. */
async function readRest(look: Look, id: string, email: string): Promise<Section[]> {
  const { bySearch, listed } = readersFor(look, id, email);
  const room = Math.max(0, Math.min(REST.length, look.left));
  const found = await Promise.all(
    REST.slice(0, room).map(async ({ word, what, family, columns }) => {
      if (family !== 'trials') {
        const command = listOf(family.replaceAll('_', '-'), id);
        return section(word, columns, await listed(what, family), command);
      }
      return section(word, columns, await bySearch(what, family), `cops trials search ${email}`);
    }),
  );
  const left = REST.slice(room).map(({ what }) => what);
  if (left.length > 0)
    look.skip(
      left.join(', '),
      `${MOST_REQUESTS} requests are the most of one screen`,
      `cops customers show ${id} --since 90d`,
    );
  const [trials, ...others] = found;
  if (!trials) return [];
  const ids = trials.items.map((raw) => textAt(raw, 'id'));
  // A hit of a search shows only when the trial began.
  const read = ids.length <= Math.min(MOST_SINGLE, look.left) ? await readEach(look, 'trials', ids, ids.length) : [];
  return [read.length === ids.length ? { ...trials, items: read } : trials, ...others];
}

/** What a search cuts. */
function skipCut(look: Look, id: string, hits: Found): void {
  if ((hits.total ?? hits.items.length) >= 10)
    look.skip('further subscriptions', 'a search shows ten at most', subscriptionsOf(id));
}

const subscriptionsOf = (id: string): string => `cops subscriptions list --customer ${id}`;

function section(word: string, columns: readonly Column[], found: Found, command: string): Section {
  const { items, total, since } = found;
  return {
    word,
    columns,
    items,
    total: total === undefined || total < items.length ? items.length : total,
    since,
    command,
  };
}

/** Refunds that are through are no news: what is shown is what still waits. */
function isPending(raw: string): boolean {
  return plain(get(parseLossless(raw), 'status'))?.toLowerCase() !== 'processed';
}

/** Subscriptions and amounts to collect have no list of a customer: they are read one by one, newest first. */
async function readSingles(look: Look, customer: string, hits: Found, payments: Found): Promise<[Found, Found]> {
  // Those that were paid of late come first: not all may be read.
  const subscriptions = new Set<string>();
  const salvages = new Set<string>();
  for (const raw of payments.items) {
    const payment = parseLossless(raw);
    for (const one of listAt(payment, 'subscriptions')) subscriptions.add(one);
    for (const one of listAt(payment, 'salvage_transactions')) salvages.add(one);
  }
  for (const raw of hits.items) subscriptions.add(textAt(raw, 'id'));
  subscriptions.delete('');
  const wanted = [...subscriptions];
  // Both kinds get some of the requests that are left.
  const room = Math.min(MOST_SINGLE, look.left);
  const forSalvage = Math.min(salvages.size, Math.max(room - wanted.length, Math.floor(room / 3)));
  const first = await readEach(look, 'subscriptions', wanted, room - forSalvage);
  for (const raw of first) for (const one of listAt(parseLossless(raw), 'salvage_transactions')) salvages.add(one);
  const second = await readEach(look, 'salvage_transactions', [...salvages], look.left);
  const own = first.filter((raw) => {
    const owner = textAt(raw, 'customer.id');
    return owner === '' || owner === customer;
  });
  own.sort((a, b) => rankOf(a) - rankOf(b));
  return [
    { items: own, total: first.length === own.length ? wanted.length : own.length },
    { items: second.filter((raw) => textAt(raw, 'status') !== 'processed'), total: undefined },
  ];
}

/** What runs stands before what has ended. */
const ORDER = ['active', 'overdue', 'suspended'];

function rankOf(raw: string): number {
  const at = ORDER.indexOf(textAt(raw, 'status').toLowerCase());
  return at === -1 ? ORDER.length : at;
}

async function readEach(look: Look, family: string, ids: readonly string[], most: number): Promise<string[]> {
  const command = family.replaceAll('_', '-');
  const texts = await Promise.all(
    ids.slice(0, Math.max(0, most)).map(async (id) => {
      const found = await look.read(`${command} ${id}`, `cops ${command} get ${id}`, async () => ({
        items: [await look.item(family, id)],
      }));
      return found.items;
    }),
  );
  const rest = ids.slice(Math.max(0, most));
  if (rest.length > 0)
    look.skip(
      `${rest.length} more of ${command}`,
      'no request was left',
      `cops ${command} get ${rest.slice(0, 3).join(' ')}`,
    );
  return texts.flat();
}

function notesOf(person: Lossless, id: string): Section[] {
  const notes = get(person, 'notes');
  if (!Array.isArray(notes)) return [];
  const items = notes.map((note) => {
    const made = plain(get(note, 'created_date_unix')) ?? '';
    const text = JSON.stringify(plain(get(note, 'text')) ?? plain(note) ?? '');
    return /^\d+$/.test(made) ? `{"created_date_unix":${made},"text":${text}}` : `{"text":${text}}`;
  });
  return [section('notes', NOTES, { items }, `cops customers get ${id}`)];
}

function headingOf(person: Lossless, id: string, groups: readonly string[]): string[] {
  const at = (path: string) => plain(get(person, path)) ?? '';
  const states = [
    at('enabled') === 'false' ? 'DISABLED' : 'enabled',
    ...(at('blocked') === 'true' ? ['BLOCKED'] : []),
    ...(at('internal_id') ? [`internal id ${at('internal_id')}`] : []),
    ...groups,
  ];
  const town = [at('city'), at('state'), at('zip')].filter((part) => part !== '').join(' ');
  const place = [at('phone'), at('company'), at('address_line_1'), at('address_line_2'), town, at('country')].filter(
    (part) => part !== '',
  );
  return [
    [fullName(person), at('email'), id].filter((part) => part !== '').join('  '),
    `  ${states.join(', ')}`,
    ...(place.length > 0 ? [`  ${place.join(', ')}`] : []),
  ];
}

/** Groups that are asked for their names, at most. */
const MOST_GROUPS = 3;

/** The groups by name; by id where a customer holds ids alone and no request is left to ask for more. */
async function groupsOf(look: Look, person: Lossless): Promise<string[]> {
  const groups = get(person, 'customer_group') ?? get(person, 'customer_groups');
  if (!Array.isArray(groups) || groups.length === 0) return [];
  const names = await Promise.all(
    groups.map(async (group, at) => {
      const id = plain(get(group, 'id')) ?? plain(group) ?? '';
      const known = plain(get(group, 'name'));
      if (known !== undefined || !looksLikeId(id) || at >= Math.min(MOST_GROUPS, look.left)) return known ?? id;
      const found = await look.read(`customer-groups ${id}`, `cops customer-groups get ${id}`, async () => ({
        items: [await look.item('customer_groups', id)],
      }));
      return found.items.map((raw) => textAt(raw, 'name')).find(Boolean) ?? id;
    }),
  );
  return [`groups ${names.join(', ')}`];
}

/** What may follow, by what was found: reads, and writes that ask. */
function nextOf(
  id: string,
  email: string,
  subscriptions: readonly string[],
  renewals: readonly string[],
  salvage: readonly string[],
): string[] {
  const failed = renewals.find((raw) => textAt(raw, 'is_overdue') === 'true');
  const overdue = subscriptions.some((raw) => textAt(raw, 'status').toLowerCase() === 'overdue');
  const active = subscriptions.find((raw) => textAt(raw, 'status') === 'active');
  const [open] = salvage;
  return [
    ...(failed === undefined ? (overdue ? [`cops why ${email || id}`] : []) : [`cops why ${textAt(failed, 'id')}`]),
    ...(open === undefined ? [] : [`cops why ${textAt(open, 'id')}`]),
    `cops timeline ${email || id}`,
    ...(active === undefined ? [] : [`cops subscriptions postpone ${textAt(active, 'id')} --by 1mo`]),
    `cops customers note ${id} "..."`,
  ];
}

function textAt(raw: string, path: string): string {
  return plain(get(parseLossless(raw), path)) ?? '';
}

function listAt(item: Lossless, path: string): string[] {
  const value = get(item, path);
  return Array.isArray(value) ? value.flatMap((one) => plain(get(one, 'id') ?? one) ?? []) : [];
}

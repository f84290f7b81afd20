import { loadFamily } from '../catalogue/index.js';
import type { Column } from '../catalogue/types.js';
import { get, type Lossless, parseLossless } from '../json/lossless.js';
import { fullName, looksLikeId, plain } from '../resolve/keys.js';
import { resolveName } from '../resolve/resolve.js';
import type { Found, Look } from './ask.js';
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
  const of = (family: string) => `cops ${family} list --last 90d --customer ${id}`;
  const bySearch = (what: string, family: string): Promise<Found> => {
    const command = `cops ${family.replaceAll('_', '-')} search ${email || '<email>'}`;
    if (email !== '') return look.read(what, command, () => look.search(family, email));
    look.skip(what, 'the customer has no e-mail address to search by', command);
    return Promise.resolve({ items: [] });
  };
  const listed = (what: string, family: string): Promise<Found> =>
    look.read(what, of(family.replaceAll('_', '-')), () => look.ofCustomer(family, id));
  const [cards, hits, renewals, payments, refunds, chargebacks, fraud] = await Promise.all([
    look.read('cards', `cops customers payment-methods list ${id}`, () =>
      look.list('customers', [], 'payment-methods list', [id]),
    ),
    bySearch('subscriptions', 'subscriptions'),
    listed('renewals', 'subscription_renewals'),
    listed('card payments', 'transactions'),
    listed('pending refunds', 'pending_refunds'),
    listed('chargebacks', 'chargebacks'),
    bySearch('fraud detections', 'fraud_detections'),
  ]);
  const [subscriptions, salvage] = await readSingles(look, id, hits, renewals);
  const groups = await groupsOf(look, person);
  look.skip('orders, trials and parcels', 'not looked at', ['sales', 'trials', 'shipping'].map(of).join('; '));
  look.skip('wallet and offline payments', 'not looked at', `${of('wallet-transactions')}; ${of('offline-payments')}`);
  if ((hits.total ?? hits.items.length) >= 10)
    look.skip('further subscriptions', 'a search shows ten at most', subscriptionsOf(id));
  const sections: Section[] = [
    { ...section('subscriptions', SUBSCRIPTIONS, subscriptions, subscriptionsOf(id)), fewest: 5 },
    section('cards', CARDS, cards, `cops customers payment-methods list ${id}`),
    section('renewals', RENEWALS, renewals, of('subscription-renewals')),
    { ...section('payments', PAYMENTS, payments, of('transactions')), fewest: 3 },
    section('pending_refunds', REFUNDS, { ...refunds, items: refunds.items.filter(isPending) }, of('pending-refunds')),
    section('to_collect', SALVAGE, salvage, 'cops salvage-transactions list --last 90d'),
    section('chargebacks', CHARGEBACKS, chargebacks, of('chargebacks')),
    section('fraud_detections', FRAUD, fraud, `cops fraud-detections search ${email}`),
    ...notesOf(person, id),
  ];
  return {
    heading: headingOf(person, id, groups),
    facts: [['customer', customer]],
    sections,
    notRead: look.notRead,
    next: nextOf(id, email, subscriptions.items, renewals.items, salvage.items),
  };
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
async function readSingles(look: Look, customer: string, hits: Found, renewals: Found): Promise<[Found, Found]> {
  // Those that renewed of late come first: not all may be read.
  const subscriptions = new Set<string>();
  const salvages = new Set<string>();
  for (const raw of renewals.items) {
    const renewal = parseLossless(raw);
    subscriptions.add(plain(get(renewal, 'subscription_id')) ?? '');
    for (const one of listAt(renewal, 'salvage_transactions')) salvages.add(one);
  }
  for (const raw of hits.items) subscriptions.add(textAt(raw, 'id'));
  subscriptions.delete('');
  const wanted = [...subscriptions];
  // Both kinds get some of the requests that are left.
  const room = Math.min(MOST_SINGLE, look.left);
  const forSalvage = Math.min(salvages.size, Math.max(room - wanted.length, Math.floor(room / 3)));
  const first = await readEach(look, 'subscriptions', wanted, room - forSalvage);
  const second = await readEach(look, 'salvage_transactions', [...salvages], Math.min(forSalvage, look.left));
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
  if (!Array.isArray(notes) || notes.length === 0) return [];
  const items = notes.map((note) => JSON.stringify(note instanceof Map ? Object.fromEntries(note) : { text: note }));
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
  const place = [at('phone'), at('company'), at('city'), at('country')].filter((part) => part !== '');
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
  const active = subscriptions.find((raw) => textAt(raw, 'status') === 'active');
  const [open] = salvage;
  return [
    ...(failed === undefined ? [] : [`cops why ${textAt(failed, 'id')}`]),
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

import { type CommandLine, cops, placeholder, type Text } from '../../base/text/command-line.js';
import { isoDay } from '../../base/time/units.js';
import { loadFamily } from '../../catalogue/index.js';
import { MOST_HITS } from '../../catalogue/terms.js';
import type { Column } from '../../catalogue/types.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { get, idsAt, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { asMeant } from '../../items/text/typed-value.js';
import { fullName } from '../names/natural-keys.js';
import { type Named, type ResolveOptions, resolveName } from '../names/resolve-name.js';
import { type Found, type Look, MOST_REQUESTS } from './ask.js';
import { paidByCurrency } from './charges.js';
import { everythingElse, furtherFamilies } from './everything.js';
import { type Known, knownOf, type NamedItem, readNamed } from './one.js';
import { type Orders, ordersOf, readNewest } from './orders.js';
import { columnsOf, commandOf, newestFirst, type Section, type Sheet, textAt } from './sheet.js';
import { MOST_SINGLE, readFirst, readHits, type ToCollect, toCollectOf } from './to-collect.js';

const CARDS = columnsOf('id', 'type', 'last_4', 'expiry_date', 'is_default', 'enabled');
const SUBSCRIPTIONS = columnsOf('id', 'status', 'product.name', 'amount', 'billing.next_renewal_date_unix');
const RENEWALS = columnsOf('id', 'created_date_unix', 'amount_total', 'amount_refunded', 'is_overdue', 'product.name');
const PAYMENTS = columnsOf('id', 'created_date_unix', 'result', 'amount', 'amount_refunded', 'gateway_name');
const REFUNDS = columnsOf('id', 'created_date_unix', 'status', 'amount', 'type');
const SALVAGE = columnsOf('id', 'status', 'amount_remaining', 'created_date_unix');
const CHARGEBACKS = columnsOf('id', 'created_date_unix', 'amount', 'case_number');
const PARCELS = columnsOf('id', 'created_date_unix', 'status', 'provider_tracking', 'amount', 'amount_refunded');
const TRIALS = columnsOf('id', 'status', 'product.name', 'amount', 'expiration_date_unix', 'created_date_unix');
const OTHER_PAYMENTS = columnsOf('id', 'created_date_unix', 'status', 'amount', 'amount_refunded');
const FRAUD = columnsOf('id', 'created_date_unix');
const NOTES = columnsOf('created_date_unix', 'text');

/**
 * The customer that a word names: an id, an e-mail address, an internal id, an exact name.
 * @throws CopsError `usage` when it means none or several; `not_found`
 */
export async function findPerson(look: Look, who: string, ...how: How): Promise<string> {
  const given = asMeant(who);
  return look.item('customers', looksLikeId(given) ? given : (await personNamed(look, who, ...how)).id);
}

/** What a word other than an id names: the order with that number, or else a customer. @throws as `findPerson` */
export async function findNamed(look: Look, who: string, ...how: How): Promise<Known> {
  const { id, order } = await personNamed(look, who, ...how);
  const [family, of] = order === undefined ? ['customers', id] : ['sales', order];
  return knownOf(family, await look.item(family, of));
}

/** Where to warn of doubts, and where else to look for a name. */
type How = readonly [warn: (text: Text) => void, further?: ResolveOptions['further']];

async function personNamed(look: Look, who: string, ...[warn, further]: How): Promise<Named> {
  const family = await loadFamily('customers');
  return resolveName(family, who, { asker: look.asker, now: look.now, prove: false, warn, further });
}

/** Everything about a customer that fits one screen: what people call about most is read first. */
export async function personSheet(look: Look, customer: string): Promise<Sheet> {
  const person = parseLossless(customer);
  const [id, email] = [textAt(person, 'id'), textAt(person, 'email')];
  const [cards, hits, sales, payments] = await Promise.all([
    look.read('cards', cops`customers payment-methods list ${id}`, () =>
      look.list('customers', [], 'payment-methods list', [id]),
    ),
    look.byPerson('subscriptions', 'subscriptions', person),
    look.byPerson('orders', 'sales', person),
    look.listed('card payments', 'transactions', id),
  ]);
  const { subscriptions, trying } = await readSubscriptions(look, id, hits, payments);
  const [refunds, parcels, tried, alerts] = await readParts(look, person, FIRST);
  const running = await readNamed(look, mayRun(tried, payments));
  const groups = await groupsOf(look, person);
  await readNewest(look, sales, payments);
  const rest = await readParts(look, person, REST);
  const ended = await readNamed(look, asTrials(tried.items));
  const trials = withTrials(tried, [...trying, ...running, ...ended]);
  // A hit shows little, so with --all each one is read.
  const fraud = newest(look.isWhole ? await readHits(look, 'fraud_detections', alerts) : alerts);
  const orders = await ordersOf(look, id, sales, payments);
  skipCut(look, 'subscriptions', hits, subscriptionsOf(id));
  for (const one of [tried, alerts]) skipCut(look, titleOf(one), one, lineOf(look, one, id));
  look.tellEarlier(person, cops`customers show ${id} --all`);
  const salvage = await toCollectOf(
    look,
    [subscriptions, orders, payments, trials, ...rest].flatMap(({ items }) => items),
    [subscriptions, hits, orders, sales, trials].every(({ isWhole }) => isWhole) &&
      // No search finds an order under an earlier address.
      orders.items.length >= Number(textAt(person, 'sales_count') || 0),
  );
  const lists = [refunds, parcels, { ...tried, ...trials }, { ...alerts, ...fraud }, ...rest];
  const others = await othersOf(look, id, [
    ['subscriptions', subscriptions],
    ['customer_cards', cards],
    ['sales', orders],
    ['transactions', payments],
    ...lists.map((found): FamilyItems => [found.family, found]),
  ]);
  const left = lists
    .filter(({ isLeft }) => isLeft)
    .map((one) => (one.items.length > 0 ? `further ${titleOf(one)}` : titleOf(one)));
  skipRest(look, id, [left, others.left], salvage.isWhole ? undefined : toCollectLine(id));
  const parts = { subscriptions, cards, orders, payments, salvage, lists, others };
  const paid = paidOf(payments);
  const renewals = rest.find(({ word }) => word === 'renewals')?.items ?? [];
  return {
    heading: [...headingOf(person, id, groups), ...paid.map((row) => paidSaid(row, payments.since))],
    told: ['email', 'customer.email', 'customer.last_name'],
    facts: [
      ['customer', customer],
      ['paid_by_card', `[${paid.join(',')}]`],
    ],
    sections: sectionsOf(look, person, parts),
    notRead: look.notRead,
    next: nextOf(id, email, subscriptions.items, renewals, salvage.items),
  };
}

/** What was read of a customer. */
interface Parts extends Readonly<Record<'subscriptions' | 'cards' | 'payments', Found>> {
  readonly orders: Orders;
  readonly salvage: ToCollect;
  readonly lists: readonly (Part & Found)[];
  readonly others: Others;
}

function sectionsOf(look: Look, person: Lossless, parts: Parts): Section[] {
  const { subscriptions, cards, orders, payments, salvage, lists, others } = parts;
  const id = textAt(person, 'id');
  const shown = lists.filter(({ isLeft, items }) => !isLeft || items.length > 0);
  const of = (...words: readonly string[]): Section[] =>
    shown
      .filter(({ word }) => words.includes(word))
      .map((list) => section(list.word, list.columns, list, lineOf(look, list, id)));
  return [
    { ...section('subscriptions', SUBSCRIPTIONS, subscriptions, subscriptionsOf(id)), fewest: 5 },
    ...of('trials'),
    section('cards', CARDS, cards, cops`customers payment-methods list ${id}`),
    section('orders', orders.columns, orders, cops`sales list --all-time --customer ${id}`),
    ...of('parcels', 'renewals'),
    { ...section('payments', PAYMENTS, payments, look.listLine('transactions', id)), fewest: 3 },
    ...of('pending_refunds').map((one) => refundsOf(look, one)),
    { ...section('to_collect', SALVAGE, salvage, toCollectLine(id)), isCut: !salvage.isWhole },
    ...of('chargebacks', 'wallet_payments', 'offline_payments', 'fraud_detections'),
    ...others.sections,
    ...notesOf(person, id),
  ];
}

/** A part of the sheet that takes a request of its own. `isHit`: a search for the person finds it. */
interface Part {
  readonly word: string;
  readonly family: string;
  readonly columns: readonly Column[];
  readonly isHit?: true;
  /** True if no request was left for it. */
  readonly isLeft?: boolean;
}

/** What to read once the subscriptions are known. */
const FIRST: readonly Part[] = [
  { word: 'pending_refunds', family: 'pending_refunds', columns: REFUNDS },
  { word: 'parcels', family: 'shipping', columns: PARCELS },
  { word: 'trials', family: 'trials', columns: TRIALS, isHit: true },
  { word: 'fraud_detections', family: 'fraud_detections', columns: FRAUD, isHit: true },
];

/** What to read with the remaining requests, in this order. */
const REST: readonly Part[] = [
  { word: 'chargebacks', family: 'chargebacks', columns: CHARGEBACKS },
  { word: 'renewals', family: 'subscription_renewals', columns: RENEWALS },
  { word: 'wallet_payments', family: 'wallet_transactions', columns: OTHER_PAYMENTS },
  { word: 'offline_payments', family: 'offline_payments', columns: OTHER_PAYMENTS },
];

/** Reads the parts in order while requests are left. */
async function readParts(look: Look, person: Lossless, parts: readonly Part[]) {
  const room = Math.max(0, look.left);
  const read = (part: Part): Promise<Found> =>
    part.isHit
      ? look.byPerson(titleOf(part), part.family, person)
      : look.listed(titleOf(part), part.family, textAt(person, 'id'));
  const found = await Promise.all(
    parts.map(async (part, at) => ({
      ...part,
      ...(at < room ? await read(part) : { items: [], isCut: true, isLeft: true }),
    })),
  );
  return found as [PartRead, PartRead, PartRead, PartRead];
}

type PartRead = Part & Found;

const titleOf = ({ word }: Part): string => word.replaceAll('_', ' ');

type FamilyItems = readonly [family: string, found: Found];

/** What belongs to a customer in other families. `left`: the families that were not read. */
type Others = Awaited<ReturnType<typeof othersOf>>;

/**
 * What belongs to the customer in all other families, if everything is read; otherwise the names of these families,
 * without those already covered.
 */
async function othersOf(look: Look, id: string, read: readonly FamilyItems[]) {
  const known = new Map(read);
  if (look.isWhole) return { sections: await everythingElse(look, id, known), left: [] };
  return { sections: [], left: await furtherFamilies(new Set(known.keys())) };
}

/** The sums of card payments, one row per currency, if all since a moment were read. */
function paidOf(payments: Found): string[] {
  const isAll = payments.isCut !== true && (payments.total ?? 0) <= payments.items.length;
  return (isAll && paidByCurrency(payments.items)) || [];
}

function paidSaid(row: string, since: number | undefined): string {
  const at = (path: string) => textIn(row, path);
  const count = at('payments');
  const sum = (path: string) => `${at(path)} ${at('iso_currency')}`;
  return `  paid by card${since === undefined ? '' : ` since ${isoDay(since)}`}: ${sum('amount_captured')} in ${count} ${count === '1' ? 'payment' : 'payments'}, ${sum('amount_refunded')} refunded, ${sum('amount_gross')} after refunds`;
}

/** Completed refunds are no news: a screen shows those still waiting, unless everything is requested. */
function refundsOf(look: Look, refunds: Section): Section {
  if (look.isWhole) return { ...refunds, title: 'refunds' };
  const items = refunds.items.filter(isPending);
  return { ...refunds, items, total: items.length, title: 'refunds under way' };
}

/**
 * The trials of running subscriptions that have neither renewed nor paid yet. Such a subscription charges next when its
 * trial ends, not at its next renewal.
 */
function trialsToPay(subscriptions: readonly string[], payments: Found): NamedItem[] {
  const paid = paidTrials(payments);
  return subscriptions
    .filter((raw) => rankOf(raw) < ORDER.length)
    .map(parseLossless)
    .filter((item) => idsAt(item, 'subscription_renewals').length === 0)
    .flatMap((item) => idsAt(item, 'trials'))
    .flatMap((id) => (paid.has(id) ? [] : { family: 'trials', id }));
}

const paidTrials = ({ items }: Found): ReadonlySet<string> =>
  new Set(
    items
      .map(parseLossless)
      .filter((payment) => textAt(payment, 'result') === 'approved')
      .flatMap((payment) => idsAt(payment, 'trials')),
  );

/** The found trials that may still be running: recent ones that no payment names. */
function mayRun(hits: Found, payments: Found): NamedItem[] {
  const paid = paidTrials(payments);
  const isNew = (raw: string): boolean => Number(textIn(raw, 'created_date_unix')) >= (payments.since ?? 0);
  return asTrials(newestFirst(hits.items).filter(isNew)).filter(({ id }) => !paid.has(id));
}

const asTrials = (hits: readonly string[]): NamedItem[] =>
  hits.map((raw) => ({ family: 'trials', id: textIn(raw, 'id') })).filter(({ id }) => id !== '');

/** The found trials, newest first: those that were read replace their hits, and those that no search found are added. */
function withTrials<Hits extends Found>(hits: Hits, read: readonly Known[]): Hits {
  const whole = new Map(read.map(({ id, raw }) => [id, raw]));
  const others = hits.items.filter((raw) => !whole.has(textIn(raw, 'id')));
  const isWhole = hits.isWhole === true && others.length === 0;
  return { ...hits, items: newestFirst([...whole.values(), ...others]), total: undefined, isWhole };
}

/** What had no request left, with the line that reads it: in one entry if one line does. */
function skipRest(
  look: Look,
  id: string,
  [sections, families]: readonly [readonly string[], readonly string[]],
  toCollect: Text | undefined,
): void {
  const further = toCollect === undefined || sections.length === 0 ? [] : ['further amounts to collect'];
  const left = [...sections, ...further, ...families];
  if (left.length > 0)
    look.skip(
      left.join(', '),
      `one screen takes at most ${MOST_REQUESTS} requests`,
      cops`customers show ${id} --since 90d`,
    );
  if (toCollect !== undefined && sections.length === 0)
    look.skip('further amounts to collect', 'orders or trials that were not read may name them', toCollect);
}

/** Reports what a search cuts off: the newest may be missing. */
function skipCut(look: Look, what: string, hits: Found, command: Text): void {
  if ((hits.total ?? hits.items.length) >= MOST_HITS && hits.isWhole !== true)
    look.skip(`further ${what}`, 'a search shows at most ten, not newest first', command);
}

/** A search's hits, newest first, because a screen may show only a few of them. */
const newest = (found: Found): Found => ({ ...found, items: newestFirst(found.items) });

const subscriptionsOf = (id: string): CommandLine => cops`subscriptions list --customer ${id}`;
const toCollectLine = (id: string): CommandLine => cops`salvage-transactions list --all-time --customer ${id}`;

/** The line that lists a part: a search has no range. */
const lineOf = (look: Look, { family, isHit }: Part, id: string): CommandLine =>
  isHit ? cops`${commandOf(family)} list --all-time --customer ${id}` : look.listLine(family, id);

function section(word: string, columns: readonly Column[], found: Found, command: Text): Section {
  const { items, total, since, isCut } = found;
  return { word, columns, items, total: Math.max(total ?? 0, items.length), since, isCut, command };
}

const isPending = (raw: string): boolean => plain(get(parseLossless(raw), 'status'))?.toLowerCase() !== 'processed';

/** Reads subscriptions and their trials one by one, recently paid ones first: there is no list by customer. */
async function readSubscriptions(look: Look, customer: string, hits: Found, payments: Found) {
  const paid = payments.items.map(parseLossless);
  const found = hits.items.map((raw) => textIn(raw, 'id'));
  const wanted = [...new Set([...paid.flatMap((payment) => idsAt(payment, 'subscriptions')), ...found])].filter(
    Boolean,
  );
  const salvages = new Set(paid.flatMap((payment) => idsAt(payment, 'salvage_transactions'))).size;
  // These share the remaining requests with the amounts to collect; refunds and parcels matter as much.
  const room = look.isWhole ? look.left : Math.min(MOST_SINGLE, Math.max(1, look.left - KEPT));
  const forSalvage = Math.min(salvages, Math.max(room - wanted.length, Math.floor(room / 3)));
  const named = wanted.map((id) => ({ family: 'subscriptions', id }));
  const read = (await readNamed(look, named, room - forSalvage)).map(({ raw }) => raw);
  const trying = await readNamed(look, trialsToPay(read, payments));
  await readFirst(look, [...payments.items, ...read]);
  const own = newestFirst(read.filter((raw) => ['', customer].includes(textIn(raw, 'customer.id'))));
  own.sort((a, b) => rankOf(a) - rankOf(b));
  const subscriptions: Found = {
    items: own,
    total: read.length === own.length ? wanted.length : own.length,
    isWhole: read.length === wanted.length,
    isCut: hits.isCut,
  };
  return { subscriptions, trying };
}

/** How many requests subscriptions leave for what comes next. */
const KEPT = 2;

/** Running ones come before ended ones. */
const ORDER = ['active', 'overdue', 'suspended'];

function rankOf(raw: string): number {
  const at = ORDER.indexOf(textIn(raw, 'status').toLowerCase());
  return at === -1 ? ORDER.length : at;
}

function notesOf(person: Lossless, id: string): Section[] {
  const notes = get(person, 'notes');
  if (!Array.isArray(notes)) return [];
  const items = notes.map((note) => {
    const made = textAt(note, 'created_date_unix');
    const text = JSON.stringify(plain(get(note, 'text')) ?? plain(note) ?? '');
    return /^\d+$/.test(made) ? `{"created_date_unix":${made},"text":${text}}` : `{"text":${text}}`;
  });
  return [section('notes', NOTES, { items }, cops`customers get ${id}`)];
}

function headingOf(person: Lossless, id: string, groups: readonly string[]): string[] {
  const at = (path: string) => textAt(person, path);
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

/** Most groups to look up by name. */
const MOST_GROUPS = 3;

/** The groups by name; counts those known only by id if no request is left. */
async function groupsOf(look: Look, person: Lossless): Promise<string[]> {
  const groups = get(person, 'customer_group') ?? get(person, 'customer_groups');
  if (!Array.isArray(groups) || groups.length === 0) return [];
  const all = groups.map((group) => ({
    id: plain(get(group, 'id')) ?? plain(group) ?? '',
    name: plain(get(group, 'name')),
  }));
  const isNamed = ({ id, name }: (typeof all)[number]) => name !== undefined || !looksLikeId(id);
  const bare = all.filter((one) => !isNamed(one)).map(({ id }) => id);
  const found = await readNamed(
    look,
    bare.map((id) => ({ family: 'customer_groups', id })),
    MOST_GROUPS,
  );
  const names = [
    ...all.filter(isNamed).map(({ id, name }) => name ?? id),
    ...found.map(({ id, item }) => textAt(item, 'name') || id),
  ];
  const rest = all.length - names.length;
  if (names.length === 0) return [`in ${rest} ${rest === 1 ? 'group' : 'groups'}`];
  return [`groups ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`];
}

/** What may follow from the results: reads, and writes that ask first. */
function nextOf(
  id: string,
  email: string,
  subscriptions: readonly string[],
  renewals: readonly string[],
  salvage: readonly string[],
): CommandLine[] {
  const failed = renewals.find((raw) => textIn(raw, 'is_overdue') === 'true');
  const overdue = subscriptions.some((raw) => textIn(raw, 'status').toLowerCase() === 'overdue');
  const active = subscriptions.find((raw) => textIn(raw, 'status') === 'active');
  const [open] = salvage;
  return [
    ...(failed === undefined ? (overdue ? [cops`why ${email || id}`] : []) : [cops`why ${textIn(failed, 'id')}`]),
    ...(open === undefined ? [] : [cops`why ${textIn(open, 'id')}`]),
    cops`timeline ${email || id}`,
    ...(active === undefined ? [] : [cops`subscriptions postpone ${textIn(active, 'id')} --by 1mo`]),
    cops`customers note ${id} ${placeholder('"..."')}`,
  ];
}

const textIn = (raw: string, path: string): string => textAt(parseLossless(raw), path);

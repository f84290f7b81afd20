import { get, type Lossless, parseLossless } from '../json/lossless.js';
import { labelOf, plain } from '../resolve/keys.js';
import type { Found, Look } from './ask.js';
import { commandOf, type Known, namedBy, readNamed } from './one.js';

/** One thing that happened, or is due. */
export interface Event {
  /** Unix seconds. */
  readonly time: number;
  readonly family: string;
  readonly id: string;
  /** `created`, `processed`, `next renewal`, ... */
  readonly what: string;
  readonly about: string;
}

/** Lists that take a customer, and searches that know e-mail addresses: the places where a customer's life is. */
const LISTS = [
  'transactions',
  'subscription_renewals',
  'pending_refunds',
  'chargebacks',
  'wallet_transactions',
  'offline_payments',
];
const SEARCHES = ['sales', 'subscriptions', 'shipping', 'trials'];
/** The same, asked only when the number of requests does not count. */
const MORE_LISTS = ['customer_cards', 'smtp_messages'];
const MORE_SEARCHES = ['fraud_detections'];

/** What happened to a customer, read from all families that can be asked for one. */
export async function eventsOfPerson(look: Look, customer: string): Promise<Event[]> {
  const person = parseLossless(customer);
  const id = plain(get(person, 'id')) ?? '';
  const email = plain(get(person, 'email')) ?? '';
  const whole = look.left > 100;
  const lists = [...LISTS, ...(whole ? MORE_LISTS : [])];
  const searches = [...SEARCHES, ...(whole ? MORE_SEARCHES : [])];
  const listed = lists.map((family) =>
    look.read(commandOf(family), `cops ${commandOf(family)} list --last 90d --customer ${id}`, () =>
      look.ofCustomer(family, id),
    ),
  );
  const searched = searches.map((family): Promise<Found> => {
    const command = `cops ${commandOf(family)} search ${email || '<email>'}`;
    if (email !== '') return look.read(commandOf(family), command, () => look.search(family, email));
    look.skip(commandOf(family), 'the customer has no e-mail address to search by', command);
    return Promise.resolve({ items: [] });
  });
  const answers = await Promise.all([...listed, ...searched]);
  if (!whole) {
    const rest = [...MORE_LISTS, ...MORE_SEARCHES].map(commandOf).join(', ');
    look.skip(rest, 'left for --all', `cops timeline ${id} --all`);
  }
  for (const [at, family] of [...lists, ...searches].entries()) tellCut(look, family, answers[at], id, email);
  const families = [...lists, ...searches];
  return [
    ...eventsOf('customers', customer),
    ...answers.flatMap(({ items }, at) => items.flatMap((raw) => eventsOf(families[at] ?? '', raw))),
  ];
}

/** A page that is not all of a list, or a search with as many hits as it shows, is said to be just that. */
function tellCut(look: Look, family: string, found: Found | undefined, id: string, email: string): void {
  const count = found?.items.length ?? 0;
  const total = found?.total ?? count;
  const command = commandOf(family);
  if (found?.since === undefined && SEARCHES.concat(MORE_SEARCHES).includes(family)) {
    if (count >= 10) look.skip(command, 'a search shows ten at most', `cops ${command} search ${email}`);
    return;
  }
  if (total > count)
    look.skip(command, `the newest ${count} of ${total} were read`, `cops ${command} list --last 90d --customer ${id}`);
}

/** What happened around an item: its own dates, and those of all that it names. */
export async function eventsAround(look: Look, known: Known): Promise<Event[]> {
  const around = await readNamed(look, await namedBy(known));
  return [known, ...around].flatMap(({ family, raw }) => eventsOf(family, raw));
}

/** The dated facts of one item, each as an event; an update at the moment of its making is none. */
export function eventsOf(family: string, raw: string): Event[] {
  const item = parseLossless(raw);
  const id = plain(get(item, 'id')) ?? '';
  const about = [stateOf(item), labelOf(item)].filter((part) => part !== '').join(' ');
  const created = momentAt(item, 'created_date_unix');
  const dates = datesOf(item, '');
  return dates.flatMap(({ path, time }): Event[] => {
    const name = path.split('.').at(-1) ?? path;
    if (/^(customer|ship_to|product|subscription_profile)\./.test(path)) return [];
    if (name.startsWith('updated_') && time === created) return [];
    const what = name.replace(/_date_unix$|_unix$/, '').replaceAll('_', ' ');
    return [{ time, family, id, what, about }];
  });
}

function stateOf(item: Lossless): string {
  return plain(get(item, 'is_overdue')) === 'true' ? 'overdue,' : '';
}

function datesOf(item: Lossless, prefix: string): { readonly path: string; readonly time: number }[] {
  if (!(item instanceof Map)) return [];
  return [...item].flatMap(([name, value]) => {
    const path = prefix + name;
    if (value instanceof Map && prefix === '') return datesOf(value, `${name}.`);
    const time = /_unix$/.test(name) ? momentAt(item, name) : undefined;
    return time === undefined ? [] : [{ path, time }];
  });
}

function momentAt(item: Lossless, name: string): number | undefined {
  const text = plain(get(item, name));
  return text !== undefined && /^\d{1,12}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}

/** In order of time; each once, though several items name it. */
export function ordered(events: readonly Event[]): Event[] {
  const unique = new Map(
    events.map((event) => [JSON.stringify([event.family, event.id, event.what, event.time]), event]),
  );
  return [...unique.values()].sort((a, b) => a.time - b.time || a.family.localeCompare(b.family));
}

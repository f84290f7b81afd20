import type { Context } from '../../command/context.js';
import type { CommandInput, Done } from '../../command/run.js';
import { Item } from '../../json/item.js';
import type { Look } from '../../lookup/ask.js';
import type { Known } from '../../lookup/one.js';
import { findPerson } from '../../lookup/person.js';
import { type Event, eventsAround, eventsOfPerson, ordered } from '../../lookup/timeline.js';
import { looksLikeId } from '../../resolve/keys.js';
import { knownItem } from '../looking/known.js';
import { type LookingOptions, openLook } from '../looking/look.js';

/** Families of an id that nothing says the family of. */
const USUAL = ['customers', 'subscriptions', 'sales', 'subscription_renewals', 'transactions', 'pending_refunds'];
const COLUMNS = [
  { path: 'time', as: 'time' },
  { path: 'family' },
  { path: 'what' },
  { path: 'about' },
  { path: 'id' },
] as const;

type TimelineOptions = LookingOptions & { readonly family?: string };

/** `cops timeline <id | who>`: events in order, oldest first. */
export async function run(
  context: Context,
  { words: [word = ''], options }: CommandInput<TimelineOptions>,
): Promise<Done> {
  const look = await openLook(context, options);
  const known = looksLikeId(word) ? await knownItem(context, look, word, options.family, USUAL) : undefined;
  const events = ordered(await eventsFor(context, look, word, known));
  const items = async function* (): AsyncGenerator<Item> {
    for (const event of events) yield Item.of(event);
  };
  return {
    result: { shape: 'list', items: items(), columns: COLUMNS, idField: 'id' },
    finish: () => {
      for (const { what, why, command } of look.notRead) context.notes.warn(`Not read: ${what} (${why}). ${command}`);
      return undefined;
    },
  };
}

async function eventsFor(context: Context, look: Look, word: string, known: Known | undefined): Promise<Event[]> {
  if (known && known.family !== 'customers') return eventsAround(look, known);
  const customer = known?.raw ?? (await findPerson(look, word, (text) => context.notes.warn(text)));
  return eventsOfPerson(look, customer);
}

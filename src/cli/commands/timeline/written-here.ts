import type { Entry } from '../../../account/history/types.js';
import { accountRecords } from '../../../account/records.js';
import type { Context } from '../../../session/context/context.js';
import { commandOf } from '../../../session/lookup/item.js';
import type { Event } from '../../../session/lookup/timeline.js';

/**
 * What this machine's history knows of items: each write with how it ended.
 * @param families the family of each by its id
 */
export async function writtenHere(context: Context, families: ReadonlyMap<string, string>): Promise<Event[]> {
  const { baseUrl, mode } = await context.profile();
  const history = await accountRecords(context).history();
  const found: Event[] = [];
  for await (const entry of history.list({ unknownOnly: false })) {
    const id = entry.ids.find((one) => families.has(one));
    if (id === undefined || entry.base_url !== baseUrl.value || entry.mode !== mode.value) continue;
    found.push(eventOf(entry, id, families.get(id) ?? ''));
  }
  return found;
}

function eventOf(entry: Entry, id: string, family: string): Event {
  const money = [entry.amount, entry.currency].filter((part) => part !== undefined).join(' ');
  const about = [entry.outcome, money, entry.who && `by ${entry.who}`, entry.reason].filter(Boolean).join(', ');
  const operation = entry.operation.replaceAll('_', '-');
  const own = `${commandOf(family)} `;
  // The family stands beside it.
  const what = operation.startsWith(own) ? operation.slice(own.length) : operation;
  return {
    time: Math.floor(Date.parse(entry.time) / 1000),
    family,
    id,
    what: `${what}, from here`,
    about,
  };
}

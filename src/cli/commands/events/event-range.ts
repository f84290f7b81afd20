import { usage } from '../../../base/errors/errors.js';
import { parseSpan, before as spanBefore } from '../../../base/time/spans.js';
import { parseWhen } from '../../../base/time/when.js';
import { zoneOf } from '../../../base/time/zones.js';
import { type AccountEvent, isWanted } from '../../../data/events/account-event.js';
import type { Listening } from '../../../data/events/listeners.js';
import type { Context } from '../../../session/context/context.js';
import { wholeNumber, zoneInUse } from '../../../session/context/typed-words.js';
import { notationsOf } from './listen-to-events.js';
import type { EventOptions } from './spec.js';

/** The range of events on the line, in unix seconds, both ends included; by default it ends now. */
async function rangeOfEvents(
  context: Context,
  { last, from, until }: EventOptions,
): Promise<{ readonly start: number; readonly end: number }> {
  if (until !== undefined && from === undefined) throw usage('--until needs --from.');
  if (last !== undefined && from !== undefined) throw usage('Give --last or --from, not both.');
  const now = await context.clock();
  const zone = await zoneInUse(context);
  const present = Math.floor(now / 1000);
  const end = until === undefined ? present : parseWhen(until, { now, zone, edge: 'end', option: '--until' });
  if (from === undefined)
    return { start: spanBefore(end, parseSpan(last ?? '1d', '--last'), zoneOf(context.world.zone)), end };
  const start = parseWhen(from, { now, zone, edge: 'start', option: '--from' });
  if (end < start) throw usage('--until is before --from.');
  return { start, end };
}

/** The events that the line selects, oldest first; with --limit the newest of them. */
export async function eventsInRange(
  context: Context,
  open: Listening,
  options: EventOptions,
): Promise<readonly AccountEvent[]> {
  const notations = notationsOf(options.notation);
  const most = wholeNumber(options.limit, '--limit', 1);
  const range = await rangeOfEvents(context, options);
  const source = await open.source();
  await source.refresh();
  const found = [...source.within(range)].filter(({ type }) => isWanted(type, notations));
  found.sort((one, other) => one.at - other.at || one.row - other.row);
  if (most !== undefined && found.length < most) context.notes.note(`The range has only ${found.length} such events.`);
  if (most !== undefined && found.length > most)
    context.notes.warn(`The newest ${most} of ${found.length} events: --limit leaves out the others.`, {});
  return most === undefined ? found : found.slice(-most);
}

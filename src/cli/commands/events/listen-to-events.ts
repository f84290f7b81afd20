import { lock } from '../../../base/files/lock.js';
import { parseSpan, after as spanAfter } from '../../../base/time/spans.js';
import { parseWhen } from '../../../base/time/when.js';
import { zoneOf } from '../../../base/time/zones.js';
import { EVENTS, knownEvent } from '../../../catalogue/event-types.js';
import { FAMILY_INDEX } from '../../../catalogue/index.js';
import { DERIVED, eventBody, isWanted } from '../../../data/events/account-event.js';
import { checkName, type Listening, openListening } from '../../../data/events/listeners.js';
import { goingOn, settledListener, type Taking, takeNew } from '../../../data/events/taking.js';
import { Item } from '../../../items/json/item-json.js';
import { checkReceiver } from '../../../service/http/base-url.js';
import type { Context, Done } from '../../../session/context/context.js';
import { zoneInUse } from '../../../session/context/typed-words.js';

export interface ListenOptions {
  readonly as?: string;
  readonly forwardTo?: string;
  readonly notation?: readonly string[];
  readonly from?: string;
  readonly giveUp?: string;
}

/** The events that a line names, all checked. @throws CopsError `usage` with the nearest one for an unknown event */
export function notationsOf(given: readonly string[] | undefined): string[] {
  const names = (given ?? []).flatMap((text) => text.split(',')).map((text) => text.trim());
  const wanted = names.filter((name) => name !== '');
  const known = [...EVENTS, ...FAMILY_INDEX.flatMap(({ name }) => DERIVED.map((word) => `${name}.${word}`))];
  for (const name of wanted) if (!known.some((one) => isWanted(one, [name]))) knownEvent(name, '--notation:');
  return wanted;
}

/** `events listen`: shows or forwards events until it is stopped. Only one process at a time can use a name. */
export async function listenToEvents(context: Context, options: ListenOptions): Promise<Done> {
  const { world, notes } = context;
  const name = checkName(options.as);
  const receiver = options.forwardTo === undefined ? undefined : checkReceiver(options.forwardTo, '--forward-to');
  const notations = notationsOf(options.notation);
  const giveUp = parseSpan(options.giveUp ?? '3d', '--give-up');
  const giveUpMs = spanAfter(0, giveUp, zoneOf('UTC')) * 1000;
  const open = await openListening(context);
  let held: Awaited<ReturnType<typeof lock>> | undefined;
  const close = async (): Promise<void> => {
    await held?.release();
    await open.close();
  };
  try {
    held = await lock(open.lease(name), { what: `The listener ${name}`, waitMs: 500 });
    const store = await open.store();
    const taking: Taking = {
      store,
      source: await open.source({ isListening: true, notations }),
      name,
      notations,
      receiver,
      from: await beginning(context, options.from),
      now: () => world.now(),
      say: (text) => notes.note(text),
    };
    const known = store.listener(name);
    if (known) for (const text of goingOn(taking, known)) notes.note(text);
    settledListener(taking);
    const { columns, items } =
      receiver === undefined ? shown(context, taking) : await forwarded(context, open, taking, { receiver, giveUpMs });
    const closing = async function* (): AsyncGenerator<Item> {
      try {
        yield* items;
      } finally {
        await close();
      }
    };
    return { result: { shape: 'list', live: true, items: closing(), columns, idField: 'id' } };
  } catch (error) {
    await close();
    throw error;
  }
}

async function beginning(context: Context, from: string | undefined): Promise<number | undefined> {
  if (from === undefined) return undefined;
  const [now, zone] = [await context.clock(), await zoneInUse(context)];
  return parseWhen(from, { now, zone, edge: 'start', option: '--from' });
}

type Shown = {
  readonly columns: readonly { readonly path: string; readonly title?: string }[];
  readonly items: AsyncGenerator<Item>;
};

/** Shows each event as it happens; never shows one twice. */
function shown({ world }: Context, taking: Taking): Shown {
  const { store, source, name, notations } = taking;
  const items = async function* (): AsyncGenerator<Item> {
    for (;;) {
      await source.refresh();
      const listener = settledListener(taking);
      const events = listener === undefined ? [] : source.after(listener.row);
      for (const event of events) {
        if (isWanted(event.type, notations)) yield new Item(eventBody(event));
        store.pass(name, event);
      }
      if (events.length === 0) await world.sleep(source.lookMs, world.interrupted);
      else world.interrupted.throwIfAborted();
    }
  };
  const columns = [
    { path: 'timestamp' },
    { path: 'type' },
    { path: 'data.family', title: 'family' },
    { path: 'data.item_id', title: 'item id' },
    { path: 'id' },
  ];
  return { columns, items: items() };
}

/** Each attempt to deliver an event. */
async function forwarded(
  { world, notes }: Context,
  open: Listening,
  taking: Taking,
  { receiver, giveUpMs }: { readonly receiver: string; readonly giveUpMs: number },
): Promise<Shown> {
  const { store, source, name } = taking;
  const { endedFor, forwardEvents, LANES } = await import('../../../data/events/forward-events.js');
  const { openReceiver } = await import('../../../service/http/post-to.js');
  const known = store.listener(name);
  if (known?.receiver !== undefined && known.receiver !== receiver)
    notes.note(`${name} forwarded to ${known.receiver} before; what waits goes to ${receiver} now.`);
  if (known?.receiver === receiver && known.ended !== undefined) throw endedFor(name, known.ended);
  if (known && known.receiver !== receiver) store.move(name, receiver);
  await open.secrets(receiver);
  notes.note(`Forwarding to ${receiver} as ${name}; Ctrl-C ends, and the next one goes on.`);
  const way = await openReceiver(receiver, { env: world.env, version: world.version, connections: LANES });
  const items = async function* (): AsyncGenerator<Item> {
    const look = () => takeNew(taking);
    const secrets = () => open.secrets(receiver);
    try {
      for await (const attempt of forwardEvents({
        world,
        store,
        name,
        receiver: way,
        secrets,
        giveUpMs,
        look,
        lookMs: source.lookMs,
      }))
        yield Item.of(attempt);
    } finally {
      await way.close();
    }
  };
  const columns = ['outcome', 'http_status', 'attempt', 'type', 'id', 'why', 'next_try'].map((path) => ({ path }));
  return { columns, items: items() };
}

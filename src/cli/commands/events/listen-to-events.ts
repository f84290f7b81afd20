import { setMaxListeners } from 'node:events';
import { usage } from '../../../base/errors/errors.js';
import { lock } from '../../../base/files/lock.js';
import { cops, say, type Text } from '../../../base/text/command-line.js';
import { parseSpan, after as spanAfter } from '../../../base/time/spans.js';
import { parseWhen } from '../../../base/time/when.js';
import { zoneOf } from '../../../base/time/zones.js';
import type { World } from '../../../base/world.js';
import { EVENTS, knownEvent } from '../../../catalogue/event-types.js';
import { FAMILY_INDEX } from '../../../catalogue/index.js';
import type { Column } from '../../../catalogue/types.js';
import { DERIVED, eventBody, isWanted } from '../../../data/events/account-event.js';
import { checkName, type Listening, openListening } from '../../../data/events/listeners.js';
import { goingOn, settledListener, type Taking, takeNew } from '../../../data/events/taking.js';
import { Item } from '../../../items/json/item-json.js';
import { checkReceiver } from '../../../service/http/base-url.js';
import type { Context, Done } from '../../../session/context/context.js';
import { wholeNumber, zoneInUse } from '../../../session/context/typed-words.js';
import type { EventOptions } from './spec.js';

/** The events on the command line, all checked. @throws CopsError `usage` with the nearest one for an unknown event */
export function notationsOf(given: readonly string[] | undefined): string[] {
  const names = (given ?? []).flatMap((text) => text.split(',')).map((text) => text.trim());
  const wanted = names.filter((name) => name !== '');
  const known = [...EVENTS, ...FAMILY_INDEX.flatMap(({ name }) => DERIVED.map((word) => `${name}.${word}`))];
  for (const name of wanted) if (!known.some((one) => isWanted(one, [name]))) knownEvent(name, '--notation:');
  return wanted;
}

/** `events listen`: shows or forwards events until it is stopped. Only one process at a time can use a name. */
export async function listenToEvents(context: Context, options: EventOptions): Promise<Done> {
  const { world, notes } = context;
  const name = checkName(options.as);
  const receiver = options.forwardTo === undefined ? undefined : checkReceiver(options.forwardTo, '--forward-to');
  const notations = notationsOf(options.notation);
  const giveUpMs = millisecondsOf(options.giveUp ?? '3d', '--give-up');
  const most = wholeNumber(options.limit, '--limit', 1);
  const end = options.for === undefined ? undefined : AbortSignal.timeout(millisecondsOf(options.for, '--for'));
  if (options.secret !== undefined && receiver === undefined) throw usage('--secret needs --forward-to.');
  const open = await openListening(context);
  let held: Awaited<ReturnType<typeof lock>> | undefined;
  const close = async (): Promise<void> => {
    await held?.release();
    await open.close();
  };
  try {
    // A line that is refused leaves no listener behind.
    const secrets = receiver === undefined ? undefined : await signingSecrets(open, receiver, options.secret);
    const from = await beginning(context, options.from);
    if (options.from !== undefined && most !== undefined) notes.note(oldestSaid(options, receiver));
    held = await lock(open.lease(name), { what: `The listener ${name}`, waitMs: 500 });
    const store = await open.store();
    const taking: Taking = {
      store,
      source: await open.source({ isListening: true, notations }),
      name,
      notations,
      receiver,
      from,
      now: () => world.now(),
      say: (text) => notes.note(text),
    };
    const known = store.listener(name);
    if (known) for (const text of goingOn(taking, known)) notes.note(text);
    settledListener(taking);
    const until = { most, world: end ? endedBy(world, end) : world };
    const { columns, items } =
      receiver === undefined || secrets === undefined
        ? shown(taking, until)
        : await forwarded(context, taking, { receiver, giveUpMs, secrets, ...until });
    const closing = async function* (): AsyncGenerator<Item> {
      try {
        yield* items;
      } catch (error) {
        if (error !== end?.reason) throw error;
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

/** `--limit` counts from the start of the range: what takes its end instead. */
function oldestSaid({ from = '', limit = '' }: EventOptions, receiver: string | undefined): Text {
  const range = ['--from', from, '--limit', limit];
  return say`From ${from} on, --limit takes the oldest ${limit}. The newest: ${receiver === undefined ? cops`events list ${range}` : cops`events resend ${range} --to ${receiver}`}`;
}

const millisecondsOf = (span: string, option: string): number =>
  spanAfter(0, parseSpan(span, option), zoneOf('UTC')) * 1000;

/** The world of a listener with a limit. */
function endedBy(world: World, end: AbortSignal): World {
  const interrupted = AbortSignal.any([world.interrupted, end]);
  setMaxListeners(0, interrupted);
  return Object.create(world, { interrupted: { value: interrupted } });
}

async function beginning(context: Context, from: string | undefined): Promise<number | undefined> {
  if (from === undefined) return undefined;
  const [now, zone] = [await context.clock(), await zoneInUse(context)];
  return parseWhen(from, { now, zone, edge: 'start', option: '--from' });
}

type Shown = { readonly columns: readonly Column[]; readonly items: AsyncGenerator<Item> };

/** The limits of a listener. */
interface Until {
  /** After this many events. */
  readonly most: number | undefined;
  readonly world: World;
}

export const BODY_COLUMNS: readonly Column[] = [
  { path: 'timestamp' },
  { path: 'type' },
  { path: 'data.family', title: 'family' },
  { path: 'data.item_id', title: 'item id' },
  { path: 'id' },
];

/** Shows each event as it happens; never shows one twice. */
function shown(taking: Taking, { most = Number.POSITIVE_INFINITY, world }: Until): Shown {
  const { store, source, name, notations } = taking;
  const items = async function* (): AsyncGenerator<Item> {
    for (let count = 0; ; ) {
      await source.refresh();
      const listener = settledListener(taking);
      const events = listener === undefined ? [] : source.after(listener.row);
      for (const event of events) {
        const wanted = isWanted(event.type, notations);
        if (wanted) yield new Item(eventBody(event));
        store.pass(name, event);
        if (wanted && ++count === most) return;
      }
      if (events.length === 0) await world.sleep(source.lookMs, world.interrupted);
      else world.interrupted.throwIfAborted();
    }
  };
  return { columns: BODY_COLUMNS, items: items() };
}

interface ForwardOptions extends Until {
  readonly receiver: string;
  readonly giveUpMs: number;
  readonly secrets: () => Promise<readonly string[]>;
}

/** The secrets to sign with: one given by reference is read once, the kept ones before each attempt. */
async function signingSecrets(open: Listening, receiver: string, reference: string | undefined) {
  const first = await open.secrets(receiver, reference);
  return async () => (reference === undefined ? open.secrets(receiver) : first);
}

/** Each attempt to deliver an event. */
async function forwarded(
  { notes }: Context,
  taking: Taking,
  { receiver, giveUpMs, secrets, most, world }: ForwardOptions,
): Promise<Shown> {
  const { store, source, name } = taking;
  const { endedFor, forwardEvents, LANES } = await import('../../../data/events/forward-events.js');
  const { openReceiver } = await import('../../../service/http/post-to.js');
  const known = store.listener(name);
  if (known?.receiver !== undefined && known.receiver !== receiver)
    notes.note(`${name} forwarded to ${known.receiver} before; waiting events now go to ${receiver}.`);
  if (known?.receiver === receiver && known.ended !== undefined) throw endedFor(name, known.ended);
  if (known && known.receiver !== receiver) store.move(name, receiver);
  notes.note(`Forwarding to ${receiver} as ${name}; Ctrl-C ends, and the next run continues.`);
  const way = await openReceiver(receiver, { env: world.env, version: world.version, connections: LANES });
  const items = async function* (): AsyncGenerator<Item> {
    const look = () => takeNew(taking);
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
        most,
      }))
        yield Item.of(attempt);
    } finally {
      await way.close();
    }
  };
  const columns = ['outcome', 'http_status', 'attempt', 'type', 'id', 'why', 'next_try'].map((path) => ({ path }));
  return { columns, items: items() };
}

import { rotateEventSecret } from '../../../account/profiles/event-secrets.js';
import { CopsError, closing, usage } from '../../../base/errors/errors.js';
import { typedPath } from '../../../base/files/typed-path.js';
import { cops, say, type Text } from '../../../base/text/command-line.js';
import { lengthSaid, noneWithin, parseSpan, before as spanBefore } from '../../../base/time/spans.js';
import { isoTime } from '../../../base/time/units.js';
import { zoneOf } from '../../../base/time/zones.js';
import { EVENT_SCHEMA, eventBody, isWanted } from '../../../data/events/account-event.js';
import { givenSecret, type Listening, listenerMeant, openListening } from '../../../data/events/listeners.js';
import { isSignedBy } from '../../../data/events/sign-event.js';
import { givenBytes } from '../../../data/given/csv-records.js';
import { Item } from '../../../items/json/item-json.js';
import type { Result } from '../../../screen/types.js';
import { checkReceiver } from '../../../service/http/base-url.js';
import type { Context, Done } from '../../../session/context/context.js';
import { bySubcommand, listOf, one, record, shownAs } from '../../../session/context/run.js';
import { wholeNumber } from '../../../session/context/typed-words.js';
import { eventsInRange } from './event-range.js';
import { BODY_COLUMNS, listenToEvents, notationsOf } from './listen-to-events.js';
import { eventById, resendEvents } from './resend-events.js';
import type { EventOptions } from './spec.js';

/** Seconds by which the time of an attempt may differ, as in Standard Webhooks. */
const TOLERANCE_S = 300;

/**
 * `events verify <body>`: checks the signature of a post over the exact bytes of its body.
 * @throws CopsError `differs` (13) for a wrong one
 */
async function verifyEvent(
  context: Context,
  file: string,
  options: EventOptions,
  open: () => Promise<Listening>,
): Promise<Result> {
  const { id, timestamp, signature, secret, forwardTo } = options;
  const unix = wholeNumber(timestamp, '--timestamp', 0);
  if (file === '' || id === undefined || unix === undefined || signature === undefined)
    throw usage(
      'events verify takes the file of a body and its three headers: --id, --timestamp, --signature.',
      'They are the headers webhook-id, webhook-timestamp and webhook-signature of the post.',
    );
  if ((secret === undefined) === (forwardTo === undefined))
    throw usage(
      'Give the secret: --secret env:NAME, @file or cmd:<command line>; or --forward-to <url> for the one kept here.',
    );
  const body = await givenBytes(typedPath(context.world, file));
  const secrets =
    secret === undefined
      ? await (await open()).secrets(checkReceiver(forwardTo ?? '', '--forward-to'))
      : [await givenSecret(context, secret)];
  if (!isSignedBy(secrets, signature, { id, unix, body }))
    throw new CopsError('differs', 'The signature does not match this body, id and timestamp with that secret.', {
      hint: 'It covers the exact bytes of the body: save them before anything parses or prints them.',
    });
  const age = Math.floor(context.world.now() / 1000) - unix;
  if (Math.abs(age) > TOLERANCE_S)
    context.notes.warn(
      `The signature matches, but verifiers refuse it because it is ${lengthSaid(age)} ${age < 0 ? 'ahead' : 'old'} (${lengthSaid(TOLERANCE_S)} at most).`,
    );
  return record({ id, verified: true, age_seconds: age });
}

/** Opens the listeners while some work runs. */
async function listening<T>(context: Context, work: (open: Listening) => Promise<T>): Promise<T> {
  return closing(await openListening(context), work);
}

const startOf = ({ world }: Context, now: number, last: string): number =>
  spanBefore(Math.floor(now / 1000), parseSpan(last, '--last'), zoneOf(world.zone));

/** Why no delivery is waiting, or was given up. */
function whyNone(store: Awaited<ReturnType<Listening['look']>>, state: 'failed' | 'waiting'): Text {
  const listeners = store?.listeners() ?? [];
  if (listeners.length === 0)
    return say`There is no listener in this mode, so nothing was to be delivered: ${cops`events listen --forward-to http://127.0.0.1:8099/hook`}`;
  const waiting = listeners.reduce((sum, { name }) => sum + (store?.count(name, 'waiting') ?? 0), 0);
  if (state === 'waiting' || waiting === 0)
    return say`Nothing is ${state === 'waiting' ? 'waiting' : 'given up'}: ${cops`events forward status`}`;
  const fault = listeners.find(({ error }) => error !== undefined)?.error;
  return say`Nothing is given up yet; ${waiting} events wait and are tried again${fault === undefined ? '' : ` (last fault: ${fault})`}: ${cops`events list --waiting`}`;
}

/** `events list`: past events, or those that listeners still have to deliver. */
async function listEvents(context: Context, options: EventOptions): Promise<Result> {
  const state = options.failed ? 'failed' : options.waiting ? 'waiting' : undefined;
  const notations = notationsOf(options.notation);
  if (state !== undefined && (options.from ?? options.until ?? options.limit) !== undefined)
    throw usage('Events that are given up or waiting take --last only, not --from, --until or --limit.');
  return listening(context, async (open) => {
    if (state !== undefined) {
      const store = await open.look();
      // Deliveries go by the wall clock.
      const since = options.last === undefined ? 0 : startOf(context, context.world.now(), options.last) * 1000;
      const found = [...(store?.open(state, options.as) ?? [])].filter(
        ({ type, firstAt = since }) => isWanted(type, notations) && firstAt >= since,
      );
      if (found.length === 0) context.notes.note(whyNone(store, state));
      const rows = found.map(({ listener, id, type, item, attempts, status, error, firstAt, nextAt }) => ({
        id,
        listener,
        type,
        item: item.replace(/.* /, ''),
        attempts,
        status: status ?? null,
        why: error ?? null,
        first_try: at(firstAt),
        next_try: at(nextAt),
      }));
      return listOf(rows, ['id', 'listener', 'type', 'item', 'attempts', 'status', 'why', 'first_try', 'next_try']);
    }
    const events = await eventsInRange(context, open, options);
    if (events.length === 0)
      context.notes.note(
        options.from === undefined ? noneWithin('event', options.last ?? '1d') : 'No event in that range.',
      );
    const items = async function* (): AsyncGenerator<Item> {
      for (const event of events) yield new Item(eventBody(event));
    };
    return { shape: 'list', items: items(), columns: BODY_COLUMNS, idField: 'id' };
  });
}

const at = (ms: number | undefined): string | null => (ms === undefined ? null : isoTime(Math.floor(ms / 1000)));

const getEvent = async (context: Context, id: string): Promise<Result> =>
  listening(context, async (open) => {
    const item = new Item(eventBody(await eventById(open, id)));
    return { shape: 'one', item, columns: [...BODY_COLUMNS, { path: 'data.mode' }, { path: 'data.derived' }] };
  });

/** `events resend`: keeps the listeners open until the last event has gone. */
async function resend(context: Context, id: string | undefined, options: EventOptions): Promise<Done> {
  const open = await openListening(context);
  try {
    const done = await resendEvents(context, open, id, options);
    if (done.result.shape !== 'list') await open.close();
    return done;
  } catch (error) {
    await open.close();
    throw error;
  }
}

async function verify(context: Context, file: string, options: EventOptions): Promise<Result> {
  let opened: Listening | undefined;
  try {
    return await verifyEvent(context, file, options, async () => {
      opened = await openListening(context);
      return opened;
    });
  } finally {
    await opened?.close();
  }
}

/** `events secret show|rotate`. */
async function eventSecret(context: Context, action: string, options: EventOptions): Promise<Result> {
  if (action !== 'show' && action !== 'rotate')
    throw usage(`events secret takes show or rotate, not ${JSON.stringify(action)}.`);
  return listening(context, async (open) => {
    const receiver =
      options.forwardTo === undefined
        ? listenerMeant(await open.look(), options.as).receiver
        : checkReceiver(options.forwardTo, '--forward-to');
    if (receiver === undefined)
      throw usage('That listener does not forward events: it has no secret.', 'Add --forward-to <url>.');
    if (action === 'show') return record({ receiver, secret: (await open.secrets(receiver))[0] ?? '' });
    const until = await import('../../../base/time/spans.js').then(({ after }) =>
      after(open.keeping.now, parseSpan(options.keep ?? '1d', '--keep'), zoneOf(context.world.zone)),
    );
    const [secret = '', former] = await rotateEventSecret(open.secretOwner(receiver), until, open.keeping);
    return record({ receiver, secret, ...(former && { former_signs_until: isoTime(until) }) });
  });
}

/** `events forward status`: each listener. */
async function forwardStatus(context: Context, action: string): Promise<Result> {
  if (action !== 'status')
    throw usage(
      `events forward takes status, not ${JSON.stringify(action)}.`,
      'events listen --forward-to <url> forwards.',
    );
  const { heldFlags } = await import('../../../base/files/lock.js');
  const { basename, dirname } = await import('node:path');
  return listening(context, async (open) => {
    const flags = await heldFlags(dirname(open.lease('x')));
    const store = await open.look();
    const rows = (store?.listeners() ?? []).map(({ name, receiver, ended, delivered, error }) => {
      const lease = `${basename(open.lease(name))}.lock-`;
      const state =
        ended !== undefined ? 'ended' : flags.some((flag) => flag.startsWith(lease)) ? 'running' : 'stopped';
      const [waiting, failed] = [store?.count(name, 'waiting'), store?.count(name, 'failed')];
      return {
        name,
        state,
        receiver: receiver ?? null,
        delivered,
        waiting,
        failed,
        last_fault: ended ?? error ?? null,
      };
    });
    if (rows.length === 0) context.notes.note('There are no listeners yet.');
    return listOf(rows, ['name', 'state', 'receiver', 'delivered', 'waiting', 'failed', 'last_fault']);
  });
}

/** `cops events`. */
export const run = bySubcommand<EventOptions>({
  listen: async (context, { options }): Promise<Done> =>
    options.schema ? { result: one(EVENT_SCHEMA) } : listenToEvents(context, options),
  list: shownAs((context, { options }) => listEvents(context, options)),
  get: shownAs((context, { words: [id = ''] }) => getEvent(context, id)),
  resend: (context, { words: [id], options }) => resend(context, id, options),
  verify: shownAs((context, { words: [file = ''], options }) => verify(context, file, options)),
  secret: shownAs((context, { words: [action = 'show'], options }) => eventSecret(context, action, options)),
  forward: shownAs((context, { words: [action = 'status'] }) => forwardStatus(context, action)),
});

import { accountRecords } from '../../../account/account-records.js';
import { EVENTS_RESEND } from '../../../account/history/entries.js';
import { CopsError, closing, usage, Would } from '../../../base/errors/errors.js';
import { copsLine, placeholder, say } from '../../../base/text/command-line.js';
import { type AccountEvent, eventBody } from '../../../data/events/account-event.js';
import { postEvent } from '../../../data/events/forward-events.js';
import { type Listening, listenerMeant } from '../../../data/events/listeners.js';
import { Item } from '../../../items/json/item-json.js';
import { intentionTag } from '../../../items/secrets/mask-body.js';
import { checkReceiver } from '../../../service/http/base-url.js';
import { openReceiver } from '../../../service/http/post-to.js';
import type { Context, Done } from '../../../session/context/context.js';
import { record } from '../../../session/context/run.js';
import { eventsInRange } from './event-range.js';
import type { EventOptions } from './spec.js';

/** The event with an id. @throws CopsError `not_found` */
export async function eventById(open: Listening, id: string): Promise<AccountEvent> {
  const found = (await open.source()).find(id);
  if (found) return found;
  throw new CopsError('not_found', `There is no event ${id} in ${open.mode} mode of profile ${open.profile}.`, {
    hint: 'Test and live mode have separate events.',
  });
}

/** `events resend <id>`, or of a range: one attempt each, now. */
export async function resendEvents(
  context: Context,
  open: Listening,
  id: string | undefined,
  options: EventOptions,
): Promise<Done> {
  refuseTwoReceivers(context, options);
  const { last, from, until, notation, limit } = options;
  const isRange = last !== undefined || from !== undefined;
  if (isRange === (id !== undefined))
    throw usage(
      'events resend takes the id of one event, or --last <span> or --from <when> for all events since then.',
    );
  if (id !== undefined && until !== undefined) throw usage('--until needs --from.');
  const ofRange = notation !== undefined ? '--notation' : limit !== undefined ? '--limit' : undefined;
  if (id !== undefined && ofRange !== undefined) throw usage(`${ofRange} needs --last or --from.`);
  const asked = { ...options, to: options.to ?? options.forwardTo };
  return id === undefined ? resendRange(context, open, asked) : resendOne(context, open, id, asked);
}

/** In other commands `--to` ends a range. @throws CopsError usage (2) with the whole line if it is no address here */
function refuseTwoReceivers({ world }: Context, { to, forwardTo, until }: EventOptions): void {
  if (to === undefined || (forwardTo === undefined && to.includes('://'))) return;
  if (to.includes('://') || until !== undefined) throw usage('Give one receiver: --to <url>, or --forward-to <url>.');
  const words = world.argv.map((word) =>
    word.replace(/^--to(?==|$)/, '--until').replace(/^--forward-to(?==|$)/, '--to'),
  );
  const receiver = forwardTo === undefined ? ['--to', placeholder('<url>')] : [];
  throw usage(
    `--to takes the receiver's address here, and ${to} is none: --until ends the range.`,
    say`${copsLine([...words, ...receiver])}`,
  );
}

/** @throws CopsError `refused` or `network` if the receiver did not accept it */
async function resendOne(context: Context, open: Listening, id: string, options: EventOptions): Promise<Done> {
  const { to, as, secret } = options;
  const store = to === undefined ? await open.look() : undefined;
  const listener = to === undefined ? listenerMeant(store, as) : undefined;
  const receiver = receiverOf(to, listener);
  const waiting = listener && store?.find(listener.name, id);
  const body = waiting?.body ?? eventBody(await eventById(open, id));
  if (context.options.dryRun) throw new Would(`post event ${id} to ${receiver}`);
  const { world } = context;
  return closing(
    await openReceiver(receiver, { env: world.env, version: world.version, connections: 1 }),
    async (way) => {
      const posting = { world, receiver: way, secrets: () => open.secrets(receiver, secret) };
      const { status, fault, isAbsent } = await recorded(context, receiver, { id, body }, posting);
      if (fault !== undefined)
        throw new CopsError(
          status === undefined && isAbsent ? 'network' : 'refused',
          `${receiver} did not accept event ${id}. ${fault}`,
          {
            ...(status !== undefined && { httpStatus: status }),
          },
        );
      if (waiting) (await open.store()).delivered(waiting, world.now());
      return { result: record({ id, receiver, http_status: status, outcome: 'delivered' }) };
    },
  );
}

/** Posts the events of a range one by one, oldest first; ends early if the receiver cannot be reached. */
async function resendRange(context: Context, open: Listening, options: EventOptions): Promise<Done> {
  const { to, as, secret } = options;
  const receiver = receiverOf(to, to === undefined ? listenerMeant(await open.look(), as) : undefined);
  const events = await eventsInRange(context, open, options);
  if (events.length === 0) context.notes.note('No event in that range: nothing was posted.');
  if (context.options.dryRun) throw new Would(`post ${events.length} events to ${receiver}, the oldest first`);
  const secrets = await open.secrets(receiver, secret);
  if (events.length > 0)
    context.notes.note(
      `Posting ${events.length} events, also those that ${receiver} has accepted before: each keeps its webhook-id, by which a receiver leaves out what it has.`,
    );
  const { world } = context;
  const way = await openReceiver(receiver, { env: world.env, version: world.version, connections: 1 });
  let delivered = 0;
  const items = async function* (): AsyncGenerator<Item> {
    try {
      for (const event of events) {
        const { id, type } = event;
        const posting = { world, receiver: way, secrets: async () => secrets };
        const { status, fault, isAbsent } = await recorded(context, receiver, { id, body: eventBody(event) }, posting);
        if (fault === undefined) delivered++;
        const outcome = fault === undefined ? 'delivered' : 'failed';
        yield Item.of({ outcome, http_status: status ?? null, type, id, why: fault ?? null });
        if (isAbsent) return;
      }
    } finally {
      await way.close();
      await open.close();
    }
  };
  const columns = ['outcome', 'http_status', 'type', 'id', 'why'].map((path) => ({ path }));
  const finish = (): CopsError | undefined =>
    delivered === events.length
      ? undefined
      : new CopsError('incomplete', `${receiver} accepted ${delivered} of ${events.length} events.`, {
          hint: 'The others are not retried automatically: events resend <id> --to <url>.',
        });
  return { result: { shape: 'list', items: items(), columns, idField: 'id' }, finish };
}

/** Posts an event with a line in the history, as every write has; no rule is about events, and each may come again. */
async function recorded(
  context: Context,
  receiver: string,
  event: Parameters<typeof postEvent>[1],
  posting: Parameters<typeof postEvent>[0],
) {
  const { name, baseUrl, mode, fingerprint } = await context.profile();
  const { id } = event;
  return closing(
    await accountRecords(context).gatedHistory({
      admit: (_row, record) => record({}),
      readmit: async () => undefined,
    }),
    async (history) => {
      const origin = { profile: name.value, baseUrl: baseUrl.value, mode: mode.value, fingerprint };
      const intent = { ...origin, operation: EVENTS_RESEND, ids: [id], tag: intentionTag(receiver, [id], event.body) };
      const pending = await history.begin(intent, { again: true });
      const sent = await postEvent(posting, event);
      const { status, fault, isAbsent } = sent;
      const failed = isAbsent ? 'not_sent' : status === undefined ? 'unknown' : 'refused';
      await pending.finish({
        outcome: fault === undefined ? 'done' : failed,
        ...(status !== undefined && { httpStatus: status }),
      });
      return sent;
    },
  );
}

function receiverOf(
  to: string | undefined,
  listener: { name: string; receiver?: string | undefined } | undefined,
): string {
  const receiver = to === undefined ? listener?.receiver : checkReceiver(to, '--to');
  if (receiver === undefined) throw usage(`The listener ${listener?.name} does not forward events.`, 'Add --to <url>.');
  return receiver;
}

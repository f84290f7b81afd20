import { CopsError } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { isoTime } from '../../base/time/units.js';
import { TransportError } from '../../base/transport.js';
import type { World } from '../../base/world.js';
import type { Receiver } from '../../service/http/post-to.js';
import { bodyAfterFailed } from './account-event.js';
import type { Delivery, DeliveryStore } from './delivery-store.js';
import { signedHeaders } from './sign-event.js';

/** Items tried in parallel: an item with stalling attempts occupies one slot and does not delay the others. */
export const LANES = 16;
/** Timeout of an answer, milliseconds. */
const ANSWER_MS = 15_000;
/** The longest wait between two attempts, and between two checks for an unreachable receiver, milliseconds. */
const LONGEST_WAIT = 3_600_000;
const LONGEST_ABSENCE = 30_000;

/**
 * The result of an attempt. `attempt`: the number of the attempt, from 1. `outcome`: `waiting`: it will be tried again.
 * `failed`: it was given up and set aside. `next_try`: when it will be tried again.
 */
export type PostAttempt = Awaited<ReturnType<typeof tryOnce>>;

/** The dependencies of forwarding. */
export interface Forwarding {
  readonly world: Pick<World, 'now' | 'sleep' | 'random' | 'interrupted'>;
  readonly store: DeliveryStore;
  readonly name: string;
  readonly receiver: Receiver;
  /** The secrets now in use, newest first. */
  secrets(): Promise<readonly string[]>;
  /** How long to keep trying an event, milliseconds. */
  readonly giveUpMs: number;
  /** Takes what has happened since; true while there may be more. */
  look(): Promise<void>;
  readonly lookMs: number;
  /** Ends after this many deliveries. */
  readonly most?: number | undefined;
}

/**
 * Posts an event once, signed for this attempt. @throws the interrupt's reason when interrupted. `fault`: undefined if
 * the receiver took the event. `isAbsent`: whether the receiver could not be reached at all. `askedMs`: the wait that
 * the receiver requests, milliseconds.
 */
export async function postEvent(
  {
    world,
    receiver,
    secrets,
  }: Pick<Forwarding, 'receiver' | 'secrets'> & { readonly world: Pick<World, 'now' | 'interrupted'> },
  { id, body }: { readonly id: string; readonly body: string },
) {
  const headers = signedHeaders(await secrets(), { id, unix: Math.floor(world.now() / 1000), body });
  const nothing = { status: undefined, isAbsent: false, askedMs: undefined };
  try {
    const reply = await receiver.post(body, headers, { timeoutMs: ANSWER_MS, signal: world.interrupted });
    const { status } = reply;
    const asked = Number(reply.headers['retry-after']);
    const askedMs = asked > 0 ? Math.min(asked * 1000, LONGEST_WAIT) : undefined;
    return { ...nothing, status, fault: faultOf(status), askedMs };
  } catch (error) {
    world.interrupted.throwIfAborted();
    if (!(error instanceof TransportError)) throw error;
    return { ...nothing, fault: `${error.message}.`, isAbsent: error.stage === 'not_sent' };
  }
}

function faultOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return `It answered ${status}, a redirect. Redirects are not followed.`;
  return `It answered ${status}.`;
}

/**
 * Delivers the events that a listener has taken, at least once each: those of an item one after the other, several
 * items in parallel. Yields each attempt as it ends, until interrupted.
 * @throws CopsError `refused` once the receiver answers 410
 */
export async function* forwardEvents(forwarding: Forwarding): AsyncGenerator<PostAttempt> {
  const { world, store, name, lookMs } = forwarding;
  const done: PostAttempt[] = [];
  const faults: unknown[] = [];
  const busy = new Map<string, Promise<void>>();
  const absence = new Absence();
  let wake = (): void => {};
  const onInterrupt = () => wake();
  world.interrupted.addEventListener('abort', onInterrupt);
  let nextLook = 0;
  let left = forwarding.most ?? Number.POSITIVE_INFINITY;
  try {
    for (;;) {
      yield* done.splice(0);
      if (faults.length > 0) throw faults[0];
      if (left === 0) return;
      world.interrupted.throwIfAborted();
      const now = world.now();
      if (now >= nextLook) {
        await forwarding.look();
        nextLook = world.now() + lookMs;
      }
      const places = Math.min(absence.isAbsent ? 1 : LANES, left);
      const due = now < absence.until || busy.size >= places ? [] : store.due(name, now, places + busy.size);
      for (const delivery of due.filter(({ item }) => !busy.has(item)).slice(0, places - busy.size)) {
        const attempt = tryOnce(forwarding, delivery, absence)
          .then((ended) => {
            done.push(ended);
            if (ended.outcome === 'delivered') left--;
          })
          .catch((error: unknown) => void faults.push(error))
          .finally(() => {
            busy.delete(delivery.item);
            wake();
          });
        busy.set(delivery.item, attempt);
      }
      if (done.length > 0 || faults.length > 0) continue;
      const nextTry = busy.size > 0 ? nextLook : Math.max(absence.until, store.nextDue(name) ?? nextLook);
      await pause(world, Math.min(nextLook, nextTry) - world.now(), (stop) => {
        wake = stop;
      });
    }
  } finally {
    world.interrupted.removeEventListener('abort', onInterrupt);
    // Lets requests in progress finish, because their answers count.
    await Promise.all(busy.values());
  }
}

/** Waits until woken or until the time is up. */
async function pause(world: Forwarding['world'], ms: number, waking: (stop: () => void) => void): Promise<void> {
  const control = new AbortController();
  waking(() => control.abort());
  if (world.interrupted.aborted) return;
  await world.sleep(Math.max(1, ms), control.signal).catch((error: unknown) => {
    if (!control.signal.aborted) throw error;
  });
}

/** While the receiver is unreachable, a single item keeps trying on behalf of all, less and less often. */
class Absence {
  #times = 0;
  until = 0;

  get isAbsent(): boolean {
    return this.#times > 0;
  }

  note(isAbsent: boolean, now: number, random: number): void {
    this.#times = isAbsent ? this.#times + 1 : 0;
    const wait = Math.min(LONGEST_ABSENCE, 250 * 2 ** Math.min(this.#times, 10));
    this.until = isAbsent ? now + wait * (0.75 + random / 2) : 0;
  }
}

async function tryOnce(forwarding: Forwarding, delivery: Delivery, absence: Absence) {
  const { world, store, name, giveUpMs } = forwarding;
  const body = store.isAfterFailed(delivery) ? bodyAfterFailed(delivery.body) : delivery.body;
  const { id, type } = delivery;
  const began = world.now();
  const { status, fault, isAbsent, askedMs } = await postEvent(forwarding, { id, body });
  const now = world.now();
  absence.note(isAbsent, now, world.random());
  const facts = { id, type, attempt: delivery.attempts + 1, http_status: status ?? null };
  if (fault === undefined) {
    store.delivered(delivery, now);
    return { ...facts, outcome: 'delivered', why: null, next_try: null };
  }
  if (status === GONE) {
    const why = `The receiver answered 410 to ${id}: it refuses further events.`;
    store.end(name, why);
    throw endedFor(name, why);
  }
  const firstAt = delivery.firstAt ?? began;
  const attempts = delivery.attempts + (isAbsent ? 0 : 1);
  const nextAt = isAbsent ? absence.until : now + waitOf(attempts, askedMs, world.random());
  const isOver = now - firstAt >= giveUpMs;
  store.missed(
    delivery,
    { attempts, firstAt, status, error: fault, nextAt: isOver ? undefined : Math.ceil(nextAt) },
    now,
  );
  const outcome = isOver ? 'failed' : 'waiting';
  return { ...facts, outcome, why: fault, next_try: isOver ? null : isoTime(Math.ceil(nextAt / 1000)) };
}

const GONE = 410;

/** One second, doubled with each attempt up to an hour; or as long as the receiver requests. */
function waitOf(attempts: number, askedMs: number | undefined, random: number): number {
  const grown = Math.min(LONGEST_WAIT, 1000 * 2 ** Math.min(attempts - 1, 12)) * (0.75 + random / 2);
  return Math.max(askedMs ?? 0, grown);
}

/** The listener has ended (exit code 1). */
export function endedFor(name: string, why: string): CopsError {
  return new CopsError('refused', `The listener ${name} has ended. ${why}`, {
    hint: say`${cops`events forward status`} shows what was not delivered. To deliver it elsewhere, use another --forward-to.`,
    httpStatus: GONE,
  });
}

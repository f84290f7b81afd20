import { openProofs } from '../../account/safety/proofs.js';
import type { Reply, ServiceRequest } from '../../base/transport.js';
import { slicePage } from '../../items/json/item-json.js';
import { keyFilter } from '../../items/secrets/redact.js';
import { atOnce } from '../../screen/notes.js';
import { makePacer, type Pacer } from '../../service/http/pacer.js';
import { read } from '../../service/http/read.js';
import { waitTold } from '../../service/http/retry.js';
import { fromService, toService } from '../../service/request/wallet.js';
import type { Context } from '../context/context.js';

export { pager } from '../../service/request/pager.js';

/** A run's reads from the service: retried, paced, and stopped when an item contradicts the key's mode. */
export type Reader = Awaited<ReturnType<typeof openReader>>;

/** The mode that an answer shows; null if it is no boolean, because nothing else proves anything. */
export function shownMode(body: Buffer | string): boolean | null | undefined {
  if (!body.includes('live_mode')) return undefined;
  const { scalars } = slicePage(typeof body === 'string' ? Buffer.from(body) : body);
  const shown = scalars.get('live_mode');
  return typeof shown === 'boolean' ? shown : scalars.has('live_mode') ? null : undefined;
}

/** A mode that cannot be read is unknown, not the one that it resembles. */
export const UNREADABLE_MODE =
  'The service shows a live_mode that is neither true nor false: whether that is a test or a live item is unknown.';

/** An id as the service creates them. */
const ID = /^[A-Za-z0-9]{20}$/;

/**
 * The id of the item that an answer is about, where it tells another one than was asked for.
 * @param asked the last id of the path
 */
export function otherItem(text: string, idField: string, asked: string | undefined): string | undefined {
  if (asked === undefined || !ID.test(asked) || !text.includes(JSON.stringify(idField))) return undefined;
  const told = slicePage(Buffer.from(text)).scalars.get(idField);
  return typeof told === 'string' && ID.test(told) && told !== asked ? told : undefined;
}

/** How a run waits for and retries its requests: its clock, and its options in milliseconds. */
export function patience({ world, options }: Pick<Context, 'world' | 'options'>) {
  return {
    now: () => world.now(),
    sleep: world.sleep,
    random: () => world.random(),
    timeoutMs: options.timeout * 1000,
    maxRetries: options.maxRetries,
    maxWaitMs: options.maxWait * 1000,
  };
}

/**
 * The pacer of a run. Shares a rate with all other processes of this machine that use the key. Loads and writes nothing
 * of that without a rate, or for the embedded service, which nobody else uses.
 */
export async function pacerOf(context: Context, rate: number | undefined): Promise<Pacer> {
  const { world, options, notes } = context;
  const rules = { now: () => world.now(), sleep: world.sleep, rate };
  const { embedded, fingerprint } = await context.profile();
  if (rate === undefined || embedded || options.dryRun) return makePacer(rules);
  const { accountRecords } = await import('../../account/account-records.js');
  const shared = await accountRecords(context).pace({
    key: fingerprint,
    rate,
    onFault: (reason) => notes.warn(`This process limits its rate alone, not together with others: ${reason}.`),
  });
  return makePacer({ ...rules, shared });
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

/** Creates the reader of a run. */
export async function openReader(context: Context) {
  const { world, notes } = context;
  const profile = await context.profile();
  const proofs = openProofs(context.configDir, { warn: (text) => notes.warn(text), isDry: context.options.dryRun });
  const rules = patience(context);
  const pacer = await pacerOf(context, profile.rate.value);
  const word = profile.walletWord.value;
  const neutral = word === 'wallet';

  // Pages are requested ahead of their turn: once one contradicts the mode, no further request may leave.
  let stopped: unknown;
  const send = async (request: ServiceRequest, signal?: AbortSignal, isOnly?: boolean): Promise<Reply> => {
    if (stopped !== undefined) throw stopped;
    const transport = await context.transport();
    return read(transport, neutral ? request : toService(request, word), {
      ...rules,
      pacer,
      isOnly,
      signal: signal ? AbortSignal.any([world.interrupted, signal]) : world.interrupted,
      onRetry: (info) => {
        const told = waitTold(info);
        if (told) atOnce(notes).note(told);
        notes.detail(`Trying again: ${info.reason}.`);
      },
    });
  };
  // A terminal's spinner must not come between lines of output: if pages are read while others are shown, only the wait
  // for the first one shows it.
  const shared = world.stdout.isTTY === true;
  let pagesCame = false;
  const waiting = async (request: ServiceRequest, signal?: AbortSignal, isOnly?: boolean): Promise<Reply> => {
    const busy = shared && pagesCame ? undefined : notes.busy?.('Waiting for the service');
    try {
      return await send(request, signal, isOnly);
    } finally {
      busy?.done();
    }
  };
  const withoutKey = keyFilter(profile.key.value);
  const body = (reply: Reply): Buffer => {
    // The service's log of a call may show the key used.
    const clean = withoutKey(reply.body);
    return neutral ? clean : Buffer.from(fromService(clean.toString('utf8'), word));
  };
  const tellDoubt = once(() => notes.warn(UNREADABLE_MODE));
  const observe = async (liveMode: boolean | null | undefined): Promise<void> => {
    if (liveMode === undefined) return;
    if (liveMode === null) return tellDoubt();
    try {
      await proofs.observe(liveMode, profile);
    } catch (error) {
      stopped = error;
      throw error;
    }
  };

  return {
    profile,
    pacer,
    /**
     * The whole answer of a read, as text in the spec's words.
     * @param isOnly no other request is likely to follow, so that the cheapest way will do
     */
    async answer(request: ServiceRequest, isOnly?: boolean) {
      const bytes = body(await waiting(request, undefined, isOnly));
      const text = bytes.toString('utf8');
      await observe(shownMode(bytes));
      return text;
    },
    /** @throws CopsError stopped (12) if what it shows of the key's mode contradicts the declared mode */
    observe: (text: string) => observe(shownMode(text)),
    /** One page of a list. */
    async page(request: ServiceRequest, idField: string, signal?: AbortSignal) {
      const bytes = body(await waiting(request, signal));
      pagesCame = true;
      const page = slicePage(bytes, idField);
      for (const item of page.items) await observe(item.liveMode);
      const totalPages = page.total_pages;
      return {
        items: page.items,
        totalCount: page.total_count,
        totalPages,
        callUnix: page.api_call_unix,
        envelope: () => bytes.toString('utf8'),
      };
    },
  };
}

import { fingerprint } from '../../account/profiles/keys.js';
import { openStore } from '../../account/profiles/store.js';
import { readTls, tlsSettings } from '../../account/profiles/tls-files.js';
import type { Mode } from '../../account/profiles/types.js';
import { openProofs } from '../../account/safety/proofs.js';
import { closing, orElse, usage } from '../../base/errors/errors.js';
import { DAY } from '../../base/time/units.js';
import {
  type Reply,
  type ServiceRequest,
  type TlsMaterial,
  type Transport,
  TransportError,
} from '../../base/transport.js';
import { LARGEST_PAGE } from '../../catalogue/terms.js';
import { atOnce } from '../../screen/notes.js';
import { openTransport } from '../../service/http/client.js';
import type { RangeEnds } from '../../service/lists/windows.js';
import type { Context } from './context.js';

/** The result of one call with a key. */
export interface Probe {
  /** A complete answer arrived. */
  readonly reached: boolean;
  readonly status?: number;
  /** False for a refused key (401); undefined if the answer does not show it. */
  readonly accepted?: boolean;
  /** The mode that an item read with the key showed, if one came. */
  readonly liveMode?: boolean;
  /** This machine's clock minus the service's, milliseconds, to the second. */
  readonly skewMs?: number;
  /** Reason of a failed connection (`ECONNREFUSED`, a certificate code, ...) and the words for it. */
  readonly reason?: string;
  readonly message?: string;
  /** Which ends of a date range the service includes, if that was asked and an item shows it. */
  readonly rangeEnds?: RangeEnds;
}

export interface ProbeInput {
  now(): number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Also find out which ends of a date range the service includes, with one to four small reads. */
  readonly tellsEnds?: boolean;
}

const MONTH_S = 30 * DAY;

/**
 * Tries a key with one read: one customer of the last 30 days. Tells whether the service can be reached and accepts the
 * key, which mode the item shows, and how far the clocks differ. Never throws for what the service did.
 */
export async function probeKey(transport: Transport, input: ProbeInput): Promise<Probe> {
  const end = Math.floor(input.now() / 1000);
  const read = (from: number, to: number, limit: number) => {
    const query = Object.entries({ date_start: from, date_end: to, limit, page: 1 });
    const request: ServiceRequest = {
      method: 'GET',
      path: '/customers',
      query: query.map(([name, value]) => [name, String(value)] as const),
    };
    return transport.send(request, { timeoutMs: input.timeoutMs, signal: input.signal });
  };
  let reply: Reply;
  let rangeEnds: RangeEnds | undefined;
  try {
    reply = await read(end - MONTH_S, end, 1);
    const item = input.tellsEnds ? itemsOf(reply)[0] : undefined;
    if (item) rangeEnds = await endsShownBy(item, read);
  } catch (error) {
    input.signal?.throwIfAborted();
    if (!(error instanceof TransportError)) throw error;
    return { reached: false, reason: error.reason, message: error.message };
  }
  const skewMs = skewOf(reply, input.now());
  const liveMode = liveModeOf(reply);
  return {
    reached: true,
    status: reply.status,
    ...judge(reply),
    skewMs,
    liveMode,
    ...(rangeEnds && { rangeEnds }),
  };
}

/** Reads the second in which an item was created, then the ones around it; undefined if none of them shows it. */
async function endsShownBy(
  { id, created_date_unix: at }: { readonly id?: unknown; readonly created_date_unix?: unknown },
  read: (from: number, to: number, limit: number) => Promise<Reply>,
): Promise<RangeEnds | undefined> {
  if (typeof at !== 'number' || !Number.isSafeInteger(at) || typeof id !== 'string') return undefined;
  const has = (reply: Reply) => itemsOf(reply).some((one) => one.id === id);
  const shows = async (from: number, to: number) => has(await read(from, to, LARGEST_PAGE));
  const itself = await read(at, at, LARGEST_PAGE);
  if (has(itself)) return 'in';
  // A service that refuses a range of one second tells us nothing.
  if (itself.status !== 200) return undefined;
  if (await shows(at, at + 1)) return 'start';
  if (await shows(at - 1, at)) return 'end';
  return (await shows(at - 1, at + 1)) ? 'out' : undefined;
}

/** 400 and 403 come after the key was accepted: the service knows the key, but does not allow this read. */
function judge(reply: Reply): Pick<Probe, 'accepted' | 'message'> {
  const { status } = reply;
  if (status === 401) return { accepted: false, message: 'the service refuses the key (401)' };
  if (status === 200 && bodyOf(reply)?.code === 1) return { accepted: true };
  if (status === 403 || status === 400)
    return { accepted: true, message: `the key may not read customers (${status})` };
  if (status === 200) return { message: 'the answer does not come from this service: is the base URL right?' };
  if (status === 404) return { message: 'the service does not know this path: is the base URL right? (404)' };
  if (status === 429) return { message: 'the service is getting too many requests at the moment (429)' };
  return { message: `the service answered ${status}` };
}

function bodyOf(reply: Reply): { code?: unknown; results?: unknown } | undefined {
  return orElse(() => {
    const value = JSON.parse(reply.body.toString('utf8')) as unknown;
    return typeof value === 'object' && value !== null ? value : undefined;
  }, undefined);
}

function liveModeOf(reply: Reply): boolean | undefined {
  const shown = itemsOf(reply)[0]?.live_mode;
  return typeof shown === 'boolean' ? shown : undefined;
}

function itemsOf(reply: Reply): readonly { id?: unknown; created_date_unix?: unknown; live_mode?: unknown }[] {
  const results = bodyOf(reply)?.results;
  return Array.isArray(results) ? results.filter((one) => typeof one === 'object' && one !== null) : [];
}

function skewOf(reply: Reply, now: number): number | undefined {
  const told = Date.parse(reply.headers.date ?? '');
  return Number.isNaN(told) ? undefined : Math.trunc((now - told) / 1000) * 1000;
}

/** A key before it is stored. */
export interface KeyCandidate {
  readonly profile: string;
  readonly baseUrl: string;
  readonly key: string;
  readonly mode: Mode;
}

/** The certificates that the profile already names. */
async function tlsOf({ configDir, world }: Context, profile: string): Promise<TlsMaterial | undefined> {
  const { profiles } = openStore(configDir).read();
  const stored = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
  return readTls(tlsSettings(stored ?? {}), profile, { env: world.env, configDir, signal: world.interrupted });
}

/** Tries a key that is not stored yet with one read, over a separate connection. */
export async function probeCandidate(context: Context, candidate: KeyCandidate, tellsEnds = false): Promise<Probe> {
  const { world, options, notes } = context;
  const { profile, baseUrl, key, mode } = candidate;
  if (world.confined) throw usage('A scenario cannot try a key.');
  return closing(
    await openTransport({
      baseUrl,
      key,
      tls: await tlsOf(context, profile),
      env: world.env,
      userAgent: `cops/${world.version}`,
      tuneEngine: world.tuneEngine,
      trace: options.debug ? (line: string) => atOnce(notes).warn(line) : undefined,
    }),
    async (transport) => {
      const probe = await probeKey(transport, {
        now: () => world.now(),
        timeoutMs: options.timeout * 1000,
        signal: world.interrupted,
        tellsEnds,
      });
      if (probe.liveMode === (mode === 'live')) {
        // A probe counts as proof from now on: the key's first write need not prove it again.
        const source = 'login';
        await openProofs(context.configDir, { warn: (text) => notes.warn(text), isDry: options.dryRun }).observe(
          probe.liveMode,
          {
            modeAssumed: false,
            embedded: false,
            fingerprint: fingerprint(key),
            name: { value: profile, source },
            baseUrl: { value: baseUrl, source },
            mode: { value: mode, source },
          },
        );
      }
      return probe;
    },
  );
}

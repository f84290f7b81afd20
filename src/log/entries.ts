import { randomInt } from 'node:crypto';
import type { Processes } from '../files/processes.js';
import type { AlsoDone } from './gate.js';
import type { Line } from './segments.js';

/** How a write ended, in the words of the command line's outcome table. */
export type HistoryOutcome =
  | 'done'
  | 'refused'
  | 'payment_failed'
  | 'fraud_detected'
  | 'rate_limited'
  | 'not_sent'
  | 'unknown';

/** One write as `cops history` shows it. */
export interface Entry {
  readonly id: string;
  readonly like: string;
  readonly time: string;
  readonly profile: string;
  readonly base_url: string;
  readonly mode: string;
  readonly operation: string;
  readonly ids: readonly string[];
  /** Names that stood in the place of ids, each with the id that it was found to mean. */
  readonly named?: Readonly<Record<string, string>>;
  /** Idempotency key. */
  readonly key?: string;
  /** Fingerprint of the API key. */
  readonly credential: string;
  readonly journal?: string;
  /** `agent` for a write that a program with a model asked for. */
  readonly who?: string;
  /** What fields of the body brought besides. */
  readonly also?: readonly AlsoDone[];
  /** What `--reason` said. */
  readonly reason?: string;
  /** What moved at most, where a policy counted it. */
  readonly amount?: string;
  readonly currency?: string;
  readonly pid: number;
  /** `running` while the process that began it lives; without a recorded end after that it is unknown. */
  readonly outcome: HistoryOutcome | 'running';
  readonly finished?: string;
  readonly http_status?: number;
  readonly code?: number;
  readonly error_code?: string;
  readonly api_call_id?: string | null;
  readonly settles?: string;
  readonly settled?: { readonly as: string; readonly time: string; readonly note?: string };
}

const LONGEST_WRITE_MS = 3_600_000;

/** Joins the lines of one id; undefined when the intent is not among them. */
export function mergeEntry(lines: readonly Line[], processes: Processes, now: number): Entry | undefined {
  const intent = lines.find((line) => line.type === 'intent') as (Line & Record<string, unknown>) | undefined;
  if (!intent) return undefined;
  const end = lines.findLast((line) => line.type === 'outcome') as (Line & Record<string, unknown>) | undefined;
  const settled = lines.findLast((line) => line.type === 'settled') as
    | (Line & { as: string; note?: string })
    | undefined;
  const { type, started, host, ...facts } = intent;
  const entry: Record<string, unknown> = { ...facts };
  if (end) {
    const { type: _type, id, like, time, ...how } = end;
    Object.assign(entry, how, { finished: time });
  } else {
    const by = { pid: Number(intent.pid), started: String(started ?? ''), host: String(host ?? '') };
    // Where the system tells no start mark, a process number may be somebody else's by now: an hour ends the doubt.
    const fresh = by.started !== '' || Math.abs(now - Date.parse(intent.time)) < LONGEST_WRITE_MS;
    entry.outcome = fresh && processes.state(by) === 'running' ? 'running' : 'unknown';
  }
  if (settled) {
    entry.settled = {
      as: settled.as,
      time: settled.time,
      note: settled.note,
    };
    entry.outcome = settled.as === 'done' ? 'done' : 'not_sent';
  }
  return entry as unknown as Entry;
}

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const TAIL = 5;

/** A new id for an entry of that time: `261121-013921-k3f9x`, sortable by eye, short enough to type. */
export function entryId(time: string): string {
  const [year, month, day, ...clock] = time.slice(2, 19).split(/[-T:]/);
  let number = randomInt(ALPHABET.length ** TAIL);
  let tail = '';
  for (let index = 0; index < TAIL; index++) {
    tail += ALPHABET[number % ALPHABET.length];
    number = Math.floor(number / ALPHABET.length);
  }
  return `${year}${month}${day}-${clock.join('')}-${tail}`;
}

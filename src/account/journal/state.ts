import { crc32 } from 'node:zlib';
import { local } from '../../base/errors/errors.js';
import { isTold, jumped, type Skew } from '../../service/http/service-clock.js';
import type { IntentLine, JournalHeader, JournalLine, ResultLine, RunLimits } from './journal-lines.js';

/**
 * The status of a row. `open`: it was about to be sent, and no result is recorded. `held`: the gateway holds the payment,
 * which may still settle. `skipped`: there was nothing to change.
 */
export const STANDS = [
  'not_started',
  'open',
  'done',
  'refused',
  'payment_failed',
  'fraud_detected',
  'rate_limited',
  'not_sent',
  'unknown',
  'resolved_done',
  'resolved_not_done',
  'held',
  'skipped',
] as const;
export type Stand = (typeof STANDS)[number];

const GONE = 0x80;

/** Compares a row's intents in journal and history. It is a sum, because XOR would cancel equal changes out. */
export function withIntent(sum: number, historyId: string): number {
  return (sum + crc32(historyId)) >>> 0;
}

/** An intent whose outcome is unknown, or whose key may be reused. */
export interface OpenRow {
  readonly line: number;
  readonly ids: readonly string[];
  readonly key?: string;
  readonly history?: string;
  readonly tag: string;
  /** Milliseconds. */
  readonly time: number;
  readonly credential: string;
  /** How far the service's clock was ahead of ours; absent if the run as a whole already says so. */
  readonly skew?: Skew;
  /** The number of the run's process that sent it, from 0. */
  readonly section: number;
  /** It was sent again by a later process of the run: `time` is that of the first sending. */
  readonly resent?: boolean;
}

/** The state in a journal, one byte and one offset per row; only rows with an unknown end are held in full. */
export class JournalState {
  /** The status of each row by its index in `STANDS`; `GONE` is added if the service knows no such row. */
  readonly #stand: Uint8Array;
  /** The offset of the line that decides a row, -1 for none. */
  readonly #offset: Float64Array;
  /** The history entries of a row, as one mark (`compare.ts`). */
  readonly #begun: Uint32Array;
  /** What each process of the run first learned of the service's clock. */
  readonly #skews = new Map<number, Skew>();
  /** Processes during which a clock jumped. */
  readonly #unsteady = new Set<number>();
  #section = 0;
  #sectionBegan: number;
  readonly pending = new Map<number, OpenRow>();
  readonly #counts = new Map<Stand, number>();
  #credential: string;
  #lastSeen = '';
  /** Refused rows with an id that the service does not know: if sent again, they would fail again. */
  gone = 0;
  /** The limits at which the run stops, as last given. */
  limits: RunLimits = {};
  /** The latest time in any line, milliseconds. */
  latest: number;

  constructor(readonly header: JournalHeader) {
    this.#stand = new Uint8Array(header.rows + 1);
    this.#offset = new Float64Array(header.rows + 1).fill(-1);
    this.#begun = new Uint32Array(header.rows + 1);
    this.#credential = header.credential;
    this.#limited(header);
    this.#sectionBegan = this.latest = time(header.created);
    this.#counts.set('not_started', header.rows);
  }

  stand(row: number): Stand {
    return STANDS[(this.#stand[row] ?? 0) & ~GONE] ?? 'not_started';
  }

  offset(row: number): number {
    return this.#offset[row] ?? -1;
  }

  /** The mark of a row's intents; 0 for none. */
  begun(row: number): number {
    return this.#begun[row] ?? 0;
  }

  /** How far the service's clock was ahead when this row was sent; empty if unknown. */
  skewOf(open: OpenRow): Skew {
    return open.skew ?? this.#skews.get(open.section) ?? {};
  }

  /** The same, but also empty if a clock jumped while that process was running. */
  steadySkewOf(open: OpenRow): Skew {
    return this.#unsteady.has(open.section) ? {} : this.skewOf(open);
  }

  /** What this process first learned of the service's clock. */
  get skew(): Skew | undefined {
    return this.#skews.get(this.#section);
  }

  count(...stands: readonly Stand[]): number {
    return stands.reduce((sum, stand) => sum + (this.#counts.get(stand) ?? 0), 0);
  }

  /** The number of rows in each status. */
  counts(): Record<Stand, number> {
    return Object.fromEntries(STANDS.map((stand) => [stand, this.count(stand)])) as Record<Stand, number>;
  }

  /** Processes one line, which begins at `offset`. */
  apply(line: JournalLine, offset: number): void {
    switch (line.type) {
      case 'header':
        throw local('the journal is damaged: it has two headers');
      case 'run':
        this.#credential = line.credential;
        this.#section++;
        this.#sectionBegan = time(line.time);
        this.#limited(line);
        this.#seen(line.time);
        return;
      case 'intent':
        this.#begin(line);
        this.#move(line.row, 'open', offset, line.time);
        return;
      case 'result':
        // A process that lost the run may report late how its own send ended: a completed write stays done.
        if (this.stand(line.row) === 'done' && line.outcome !== 'done') {
          this.#seen(line.time);
          return;
        }
        if (line.outcome !== 'unknown' && line.outcome !== 'rate_limited') this.pending.delete(line.row);
        this.#move(
          line.row,
          isHeld(line) ? 'held' : line.outcome,
          offset,
          line.time,
          line.outcome === 'refused' && line.http_status === 404,
        );
        this.#told(line.skew);
        return;
      case 'resolved':
        this.pending.delete(line.row);
        this.#move(line.row, `resolved_${line.as}`, offset, line.time);
        return;
      default:
        throw local(`the journal is damaged: it has a line of type ${JSON.stringify((line as JournalLine).type)}`);
    }
  }

  #begin(line: IntentLine): void {
    const { row, history } = line;
    if (history !== undefined && this.pending.get(row)?.history !== history)
      this.#begun[row] = withIntent(this.begun(row), history);
    this.pending.set(row, openRow(line, this.#credential, this.#section, this.#sectionBegan));
    this.#told(line.skew);
  }

  #limited({ max_failures = this.limits.max_failures, stop_on_fraud = this.limits.stop_on_fraud }: RunLimits): void {
    this.limits = { max_failures, stop_on_fraud };
  }

  #told(skew: Skew | undefined): void {
    if (!skew || !isTold(skew)) return;
    const first = this.#skews.get(this.#section);
    if (first === undefined) this.#skews.set(this.#section, skew);
    else if (jumped(first, skew)) this.#unsteady.add(this.#section);
  }

  #move(row: number, to: Stand, offset: number, at: string, isGone = false): void {
    if (!Number.isInteger(row) || row < 1 || row > this.header.rows)
      throw local(`the journal is damaged: it names row ${row} of ${this.header.rows}`);
    const stand = STANDS.indexOf(to);
    if (stand === -1) throw local(`the journal is damaged: row ${row} ended as ${JSON.stringify(to)}`);
    const from = this.stand(row);
    this.#counts.set(from, this.count(from) - 1);
    this.#counts.set(to, this.count(to) + 1);
    if (((this.#stand[row] ?? 0) & GONE) !== 0) this.gone--;
    if (isGone) this.gone++;
    this.#stand[row] = isGone ? stand | GONE : stand;
    this.#offset[row] = offset;
    this.#seen(at);
  }

  #seen(at: string): void {
    if (at === this.#lastSeen) return;
    this.#lastSeen = at;
    this.latest = Math.max(this.latest, time(at));
  }
}

function openRow(intent: IntentLine, credential: string, section: number, began: number): OpenRow {
  const { line, ids, tag, skew, key, history } = intent;
  if (!Array.isArray(ids) || typeof tag !== 'string')
    throw local(`the journal is damaged: the intent of row ${intent.row} is incomplete`);
  const sent = time(intent.time);
  return { line, ids, tag, time: sent, credential, section, skew, key, history, resent: sent < began };
}

function time(text: string): number {
  const value = Date.parse(text);
  if (Number.isNaN(value)) throw local('the journal is damaged: a time cannot be read');
  return value;
}

/** The rows that a plain resume sends: nothing was done, for a reason other than the row. */
export const RESUMABLE: readonly Stand[] = ['not_started', 'not_sent', 'rate_limited'];

/** The rows that `retry-failed` sends, each as a new intention. */
const RETRYABLE: readonly Stand[] = ['refused', 'payment_failed', 'resolved_not_done'];

/** With `again` also what a gateway holds. */
export const retryable = (again = false): readonly Stand[] => (again ? [...RETRYABLE, 'held'] : RETRYABLE);

/** Code 4 (service.md#errors). */
function isHeld({ outcome, code }: ResultLine): boolean {
  return outcome === 'payment_failed' && code === 4;
}

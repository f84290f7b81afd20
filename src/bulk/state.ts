import { local } from '../errors/errors.js';
import type { IntentLine, JournalHeader, JournalLine } from './types.js';

/** Where a row stands. `open`: it was about to leave, and no result is recorded. */
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
] as const;
export type Stand = (typeof STANDS)[number];

/** An intent whose end is not known, or whose key may be used again. */
export interface OpenRow {
  readonly line: number;
  readonly ids: readonly string[];
  readonly key?: string;
  readonly history?: string;
  readonly tag: string;
  /** Milliseconds. */
  readonly time: number;
  readonly credential: string;
}

/**
 * What a journal says, in one byte and one offset a row, so that a million rows are a few megabytes. Only rows
 * whose end is not known are held whole.
 */
export class JournalState {
  readonly #stand: Uint8Array;
  /** Where the line begins that decides on a row, -1 for none. */
  readonly #offset: Float64Array;
  readonly pending = new Map<number, OpenRow>();
  readonly #counts = new Map<Stand, number>();
  #credential: string;
  #lastSeen = '';
  /** The latest time that any line tells, milliseconds. */
  latest: number;

  constructor(readonly header: JournalHeader) {
    this.#stand = new Uint8Array(header.rows + 1);
    this.#offset = new Float64Array(header.rows + 1).fill(-1);
    this.#credential = header.credential;
    this.latest = time(header.created);
    this.#counts.set('not_started', header.rows);
  }

  stand(row: number): Stand {
    return STANDS[this.#stand[row] ?? 0] ?? 'not_started';
  }

  offset(row: number): number {
    return this.#offset[row] ?? -1;
  }

  count(...stands: readonly Stand[]): number {
    return stands.reduce((sum, stand) => sum + (this.#counts.get(stand) ?? 0), 0);
  }

  /** How many rows stand where. */
  counts(): Record<Stand, number> {
    return Object.fromEntries(STANDS.map((stand) => [stand, this.count(stand)])) as Record<Stand, number>;
  }

  /** Takes in one line, which begins at `offset`. */
  apply(line: JournalLine, offset: number): void {
    switch (line.type) {
      case 'header':
        throw local('the journal is damaged: it has two headers');
      case 'run':
        this.#credential = line.credential;
        this.#seen(line.time);
        return;
      case 'intent':
        this.pending.set(line.row, openRow(line, this.#credential));
        this.#move(line.row, 'open', offset, line.time);
        return;
      case 'result':
        if (line.outcome !== 'unknown' && line.outcome !== 'rate_limited') this.pending.delete(line.row);
        this.#move(line.row, line.outcome, offset, line.time);
        return;
      case 'resolved':
        this.pending.delete(line.row);
        this.#move(line.row, `resolved_${line.as}`, offset, line.time);
        return;
      default:
        throw local(`the journal is damaged: it has a line of type ${JSON.stringify((line as JournalLine).type)}`);
    }
  }

  #move(row: number, to: Stand, offset: number, at: string): void {
    if (!Number.isInteger(row) || row < 1 || row > this.header.rows) {
      throw local(`the journal is damaged: it tells of row ${row} of ${this.header.rows}`);
    }
    const stand = STANDS.indexOf(to);
    if (stand === -1) throw local(`the journal is damaged: row ${row} ended as ${JSON.stringify(to)}`);
    const from = this.stand(row);
    this.#counts.set(from, this.count(from) - 1);
    this.#counts.set(to, this.count(to) + 1);
    this.#stand[row] = stand;
    this.#offset[row] = offset;
    this.#seen(at);
  }

  #seen(at: string): void {
    if (at === this.#lastSeen) return;
    this.#lastSeen = at;
    this.latest = Math.max(this.latest, time(at));
  }
}

function openRow(line: IntentLine, credential: string): OpenRow {
  if (!Array.isArray(line.ids) || typeof line.tag !== 'string') {
    throw local(`the journal is damaged: the intent of row ${line.row} is not whole`);
  }
  return {
    line: line.line,
    ids: line.ids,
    tag: line.tag,
    time: time(line.time),
    credential,
    ...(line.key === undefined ? {} : { key: line.key }),
    ...(line.history === undefined ? {} : { history: line.history }),
  };
}

function time(text: string): number {
  const value = Date.parse(text);
  if (Number.isNaN(value)) throw local('the journal is damaged: a time cannot be read');
  return value;
}

/** What a mere resume sends: nothing was done, and not for the row's own fault. */
export const RESUMABLE: readonly Stand[] = ['not_started', 'not_sent', 'rate_limited'];

/** What `retry-failed` sends, as a new intention. */
export const RETRYABLE: readonly Stand[] = ['refused', 'payment_failed', 'resolved_not_done'];

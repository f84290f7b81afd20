import { setMaxListeners } from 'node:events';
import type { Begun, DoneWrite, Pending, Trail } from '../account/history/types.js';
import type { EndFacts, IntentLine, OutcomeFacts } from '../account/journal/journal-lines.js';
import { type OpenRow, RESUMABLE, retryable, type Stand } from '../account/journal/state.js';
import type { Journal } from '../account/journal/types.js';
import { CopsError } from '../base/errors/errors.js';
import { cops } from '../base/text/command-line.js';
import { CLOCK_DOUBT_MS, isTold, jumped, KEY_LIFE_MS, type Skew } from '../service/http/service-clock.js';
import type { Comparison } from './compare-history.js';
import { finishOf, outcomeFacts } from './outcome.js';
import { RowQueue } from './row-queue.js';
import { SendSlots } from './send-slots.js';
import type { PlannedRow, SendResult } from './types.js';

const UNSENT: OutcomeFacts = { outcome: 'not_sent', message: 'the run ended before it was sent' };
const TOO_OLD = 'it was sent more than 23 hours ago, and no answer was recorded';

/** The input of `run` and `resume`. */
const TO_GO_ON: readonly Stand[] = [...RESUMABLE, 'open'];

/** Consecutive rows that may fail to reach the service before a run gives up, because the rest would fail too. */
const UNREACHED_LIMIT = 20;

/** What ends a run before its rows do. */
export interface StopSwitch {
  /** Aborted by the first signal: requests in flight are finished. */
  readonly soft: AbortSignal;
  /** Aborted by the second signal: waits for nothing, and leaves requests in flight open in the journal. */
  readonly hard: AbortSignal;
}

export interface RowEnd extends EndFacts {
  readonly row: PlannedRow;
  readonly error?: CopsError;
  /** The service's answer to a completed row. */
  readonly answer?: Buffer;
}

export interface EngineOptions {
  readonly journal: Journal;
  /** All rows of the input, in order and in batches; settled rows are skipped. */
  readonly rows: AsyncIterable<Iterable<PlannedRow>>;
  /** `run` and `resume` take what was never done; `retry` takes failed rows, each as a new intention. */
  readonly what: 'run' | 'retry';
  /** A retry takes what a gateway holds, too. */
  readonly again?: boolean;
  /** Fingerprint of the key in use. */
  readonly credential: string;
  readonly concurrency: number;
  /** The run stops once this many rows have failed; at least 1. */
  readonly maxFailures?: number;
  readonly stopOnFraud?: boolean;
  readonly stop: StopSwitch;
  now(): number;
  /** Waits, if another process may still be sending rows. */
  sleep?(ms: number, signal: AbortSignal): Promise<void>;
  /** A new idempotency key; undefined if none is sent. */
  mint(): string | undefined;
  /**
   * `signal` is aborted when the run must end: no further attempts, but the answer in flight is awaited. `doubt` is
   * called before each attempt of a row that was sent before: true once its key may be forgotten.
   */
  send(row: PlannedRow, key: string | undefined, signal: AbortSignal, doubt?: () => boolean): Promise<SendResult>;
  /** The service's clock, according to the answers so far. */
  readonly clock?: { readonly skew: Skew };
  /** Rows on which journal and history disagree. */
  readonly compared?: Comparison;
  /** Why a row must not be sent after all; checked right before its intent is written. */
  check?: ((row: PlannedRow) => Promise<string | undefined>) | undefined;
  /** Waits for the row's turn before its intent is written. */
  turn?(signal: AbortSignal): Promise<void>;
  /** The trail in the local history; the durable record is the journal. */
  readonly history?: Trail;
  /** The entries, with their tags, of rows that the history has, or is about to have, and that have not been sent. */
  readonly unsent?: Map<string, string>;
  onEnd?(end: RowEnd): void;
}

export type StopReason =
  | 'interrupted'
  | 'failures'
  | 'fraud'
  | 'unreachable'
  | 'key_refused'
  | 'repeat'
  | 'policy'
  | 'journal';

/** The results of one run; the state of all rows is in the journal. */
export interface RunSummary {
  readonly counts: Readonly<Record<Stand, number>>;
  /** Refused rows with an id that the service does not know. */
  readonly gone: number;
  readonly stopped?: StopReason;
  /** The error that stopped it, or the first of its rows. */
  readonly error?: CopsError;
  /** Exit codes of the errors of this run's rows. */
  readonly codes: readonly number[];
  /** Rows not sent because another command did the same in the meantime. */
  readonly leftOut: number;
}

/**
 * Sends rows, each at most once knowingly: its intent and key are on disk before its request leaves, and its result
 * follows (command-line.md#bulk). Never throws for what the service did; throws a local error only if the input
 * changed.
 */
export async function runRows(options: EngineOptions): Promise<RunSummary> {
  return new Engine(options).run();
}

/** `open`: it may have run already. `throttledKey`: its key, if it was only refused for speed. */
type Task = { readonly row: PlannedRow; readonly open?: OpenRow; readonly throttledKey?: string };

class Engine {
  #stopped: StopReason | undefined;
  #error: CopsError | undefined;
  #thrown: unknown;
  #failures = 0;
  #unreached = 0;
  #leftOut = 0;
  readonly #codes = new Set<number>();
  readonly #ending = new AbortController();
  /** Rows that another process may still be sending. */
  readonly #later: PlannedRow[] = [];
  readonly #slots: SendSlots;

  constructor(private readonly o: EngineOptions) {
    this.#slots = new SendSlots(o.concurrency);
    // Every row in flight listens to it.
    setMaxListeners(0, this.#ending.signal);
  }

  async run(): Promise<RunSummary> {
    const { stop, concurrency } = this.o;
    const onSoft = () => this.#end('interrupted');
    if (stop.soft.aborted) onSoft();
    stop.soft.addEventListener('abort', onSoft, { once: true });
    const source = this.o.rows[Symbol.asyncIterator]();
    const work = this.#work(new RowQueue(source), concurrency);
    const waited = new AbortController();
    await Promise.race([work, aborted(stop.hard, waited.signal)]);
    waited.abort();
    stop.soft.removeEventListener('abort', onSoft);
    if (!stop.hard.aborted) await source.return?.();
    if (this.#thrown !== undefined) throw this.#thrown;
    return {
      counts: this.o.journal.state.counts(),
      gone: this.o.journal.state.gone,
      codes: [...this.#codes],
      leftOut: this.#leftOut,
      stopped: this.#stopped,
      error: this.#error,
    };
  }

  #end(reason: StopReason, error?: CopsError): void {
    if (this.#stopped && this.#stopped !== 'interrupted') return;
    this.#stopped = reason;
    if (error) this.#error = error;
    this.#ending.abort(new CopsError('interrupted', 'The run ends'));
    this.#slots.open();
  }

  /** As many workers as rows may be sent at once, and more where these wait for their records in the meantime. */
  async #work(rows: RowQueue, concurrency: number): Promise<void> {
    // A row is checked shortly before it is sent.
    const most = concurrency + (this.o.check ? 0 : (this.o.journal.ahead ?? 0));
    const work: Promise<void>[] = [];
    const hire = (): void => {
      if (work.length < most) work.push(this.#worker(rows));
    };
    this.#slots.onIdle = hire;
    for (let at = 0; at < concurrency; at++) hire();
    for (let at = 0; at < work.length; at++) await work[at];
  }

  async #worker(rows: RowQueue): Promise<void> {
    try {
      while (!this.#stopped) {
        const task = await this.#nextTask(rows);
        if (!task || this.#stopped) return;
        await this.#one(task);
      }
    } catch (error) {
      this.#thrown ??= error;
      this.#end('journal');
    }
  }

  /** The next row to send; rows that must not be sent again are settled by their record. */
  async #nextTask(rows: RowQueue): Promise<Task | undefined> {
    for (;;) {
      const row = rows.take() ?? (await rows.wait()) ?? (await this.#takeLater());
      if (!row) return undefined;
      const { state } = this.o.journal;
      const stand = state.stand(row.row);
      const wanted = this.o.what === 'retry' ? retryable(this.o.again) : TO_GO_ON;
      if (!wanted.includes(stand)) continue;
      if (this.o.compared?.differs(row.row)) {
        await this.#disagree(row, this.o.compared);
        continue;
      }
      if (this.o.what === 'retry') return { row };
      const open = stand === 'open' ? state.pending.get(row.row) : undefined;
      if (open && this.o.compared?.isUnsent(row.row)) {
        await this.#record(row, open.key, UNSENT, true);
        return { row };
      }
      if (!open) return { row, ...this.#keyOfThrottled(row.row) };
      if ((this.o.journal.othersMs?.() ?? 0) > 0) {
        this.#later.push(row);
        continue;
      }
      const why =
        open.tag === row.tag ? this.#whyNotAgain(open) : 'it has changed since it was sent, and no answer was recorded';
      if (!why) return { row, open };
      await this.#leaveUnknown(row, open, why);
    }
  }

  /** A row that was left alone, once no other process can be sending it. */
  async #takeLater(): Promise<PlannedRow | undefined> {
    if (this.#later.length === 0) return undefined;
    const ms = this.o.journal.othersMs?.() ?? 0;
    try {
      if (ms > 0) await this.o.sleep?.(ms, this.#ending.signal);
    } catch (error) {
      if (!this.#ending.signal.aborted) throw error;
      return undefined;
    }
    return this.#later.shift();
  }

  async #leaveUnknown(row: PlannedRow, open: Pick<OpenRow, 'key' | 'history'>, message: string): Promise<void> {
    await this.#record(row, open.key, { outcome: 'unknown', message }, true);
    this.#codes.add(9);
    const { history } = this.o;
    if (open.history) await (await history?.recall(open.history, row.tag))?.finish({ outcome: 'unknown' });
    this.o.onEnd?.({ row, outcome: 'unknown', message });
  }

  /** What only one of journal and history knows is unknown; the journal takes over what the history knows. */
  async #disagree(row: PlannedRow, compared: Comparison): Promise<void> {
    const { journal } = this.o;
    const known = compared.last(row.row);
    const before = journal.state.pending.get(row.row);
    const key = known?.key ?? before?.key;
    const time = known?.time ?? (before ? new Date(before.time).toISOString() : journal.state.header.created);
    // No row has this tag: even if the following end is lost, this is not sent again under another key.
    const intent = intentOf(row, { key, history: known?.id, tag: '', time, skew: {} });
    await journal.append(intent, true);
    journal.state.apply(intent, -1);
    const message = known
      ? `the history knows more about it than the journal (${cops`history show ${known.id}`})`
      : 'the journal has it as begun, but the history does not know it';
    await this.#leaveUnknown(row, { key }, message);
  }

  /** One intention, one key: a row refused for speed keeps its key while the service remembers it. */
  #keyOfThrottled(row: number): { throttledKey?: string } {
    const before = this.o.journal.state.pending.get(row);
    return before?.key !== undefined && !this.#whyNotAgain(before) ? { throttledKey: before.key } : {};
  }

  /** Why a row without a result must not be sent again, even with its key; undefined if it may. */
  #whyNotAgain(open: OpenRow): string | undefined {
    if (open.key === undefined) return 'it was sent without an idempotency key, and no answer was recorded';
    if (open.credential !== this.o.credential) return 'it was sent under another API key, and no answer was recorded';
    const now = this.o.now();
    if (now < this.o.journal.state.latest - CLOCK_DOUBT_MS)
      return 'the clock went back, so the age of its key is unknown';
    if (now - open.time > KEY_LIFE_MS) return TOO_OLD;
    return this.#clockDoubt(open, now);
  }

  /** The service's clock counts as well as ours, because it decides how long keys live. */
  #clockDoubt(open: OpenRow, now: number): string | undefined {
    const current = this.o.clock?.skew ?? {};
    const then = this.o.journal.state.skewOf(open);
    if (jumped(then, current)) return 'a clock jumped since it was sent, so the age of its key is unknown';
    if (isTold(then)) return undefined;
    const ahead = Math.max(current.call ?? 0, current.date ?? 0);
    return now + ahead - open.time > KEY_LIFE_MS ? TOO_OLD : undefined;
  }

  /** What a line notes about the service's clock, if the journal does not say so already. */
  #noted(): Skew | undefined {
    const skew = this.o.clock?.skew ?? {};
    const before = this.o.journal.state.skew;
    return !isTold(skew) || (before && !jumped(before, skew)) ? undefined : skew;
  }

  async #one({ row, open, throttledKey }: Task): Promise<void> {
    const { journal, history } = this.o;
    if (row.skipped !== undefined) return this.#passOver(row, row.skipped, 'skipped');
    try {
      await this.o.turn?.(this.#ending.signal);
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      throw error;
    }
    if (this.#stopped) return;
    const unfit = await this.o.check?.(row);
    if (this.#stopped) return;
    // An earlier sending may be why it no longer matches, which stays unknown.
    if (unfit !== undefined)
      return open ? this.#leaveUnknown(row, open, unfit) : this.#passOver(row, unfit, 'not_sent');
    const key = open ? open.key : (throttledKey ?? this.o.mint());
    const planned = open?.history ? undefined : history?.plan({ ids: row.ids, tag: row.tag, key, body: row.body });
    const { ids, tag } = row;
    const intent = intentOf(row, {
      key,
      history: open?.history ?? planned?.id,
      tag,
      // A row that is sent again keeps the age of its key.
      time: open ? new Date(open.time).toISOString() : journal.stamp(),
      skew: open ? journal.state.skewOf(open) : this.#noted(),
    });
    if (planned) this.o.unsent?.set(planned.id, tag);
    let begun: Begun | undefined;
    const { written, synced } = journal.intend(intent);
    synced.catch(() => undefined);
    try {
      // In the history only once it is in the journal: anything that only the history knows was lost from the journal.
      await written;
      journal.state.apply(intent, -1);
      begun = open?.history
        ? await history?.reopen(open.history, { ids, tag, body: row.body })
        : await planned?.begin();
      await synced;
    } catch (error) {
      if (!(error instanceof CopsError)) throw error;
      this.o.unsent?.delete(planned?.id ?? '');
      return this.#stepBack(row, open, error);
    }
    const trail = begun?.pending;
    if (begun?.settled) return this.#takeEnd(row, key, begun.settled);
    if (begun?.doneElsewhere) return this.#leaveOut(row, open, begun.pending, begun.doneElsewhere);
    await this.#slots.take();
    try {
      await this.#sendOne({ row, open }, key, trail);
    } finally {
      this.#slots.give();
    }
  }

  async #sendOne({ row, open }: Task, key: string | undefined, trail: Pending | undefined): Promise<void> {
    if (this.o.stop.hard.aborted) return;
    if (this.#stopped) return this.#takeBack(row, open, trail);
    this.o.unsent?.delete(trail?.id ?? '');
    let why: string | undefined;
    const doubt =
      open &&
      (() => {
        why = this.#whyNotAgain(open);
        return why !== undefined;
      });
    const result = await this.o.send(row, key, this.#ending.signal, doubt);
    if (this.o.stop.hard.aborted && result.claim === 'unknown') return;
    // Learned nothing about the first attempt: the row stays open, and a later resume may send it again.
    const learned = !(open && (result.claim === 'not_sent' || isThrottled(result)));
    const told = outcomeFacts(result, open !== undefined);
    const facts = why === undefined ? told : { ...told, message: why };
    this.#judge(facts, result);
    if (learned) this.#note(row, key, facts, trail);
    const end = result.claim === 'done' ? { answer: result.reply.body } : { error: result.error };
    this.o.onEnd?.({ row, answer: end.answer, error: end.error, ...facts });
  }

  /** The run ended before it was the row's turn. */
  #takeBack(row: PlannedRow, open: OpenRow | undefined, trail: Pending | undefined): void {
    // A row that was sent before stays open.
    if (!open) this.#note(row, undefined, UNSENT, trail);
  }

  /** Somebody settled a row that was sent before: the journal takes that over. */
  async #takeEnd(row: PlannedRow, key: string | undefined, { as, says }: NonNullable<Begun['settled']>): Promise<void> {
    const { journal } = this.o;
    const { row: number, line: at, ids } = row;
    const time = journal.stamp();
    const line = { type: 'resolved', row: number, line: at, ids, key, time, as, evidence: [says] } as const;
    journal.state.apply(line, -1);
    await journal.append(line, true);
    this.o.onEnd?.({ row, outcome: as === 'done' ? 'done' : 'not_sent', message: says });
  }

  /** How a row ended, in the journal and in the history. */
  #note(row: PlannedRow, key: string | undefined, facts: OutcomeFacts, trail: Pending | undefined): void {
    const failed = (error: unknown): void => this.#end('journal', error as CopsError);
    void this.#record(row, key, facts, false).catch(failed);
    const ended = () => void this.o.unsent?.delete(trail?.id ?? '');
    void trail?.finish(finishOf(facts)).then(ended, failed);
  }

  /**
   * The same write is open elsewhere, a policy stops it, or it cannot be recorded: neither this row nor any other
   * leaves.
   */
  async #stepBack(row: PlannedRow, open: OpenRow | undefined, error: CopsError): Promise<void> {
    const isStopped = error.kind === 'stopped';
    if (isStopped) this.#codes.add(error.exitCode);
    const { rule, item } = error.facts.more ?? {};
    const refusal = (rule ?? item) === undefined ? 'repeat' : 'policy';
    this.#end(isStopped ? refusal : 'journal', error);
    // A row that could not be recorded either stays open in the journal.
    if (!open)
      await this.#record(row, undefined, { outcome: 'not_sent', message: error.message }, false).catch(() => {});
  }

  /** Reports the row without sending it. */
  async #passOver(row: PlannedRow, message: string, outcome: 'not_sent' | 'skipped'): Promise<void> {
    this.#codes.add(10);
    await this.#record(row, undefined, { outcome, message }, true);
    this.o.onEnd?.({ row, outcome, message });
  }

  /** The same was done since this run began, but not according to the journal: the row is not sent but listed. */
  async #leaveOut(row: PlannedRow, open: OpenRow | undefined, pending: Pending, done: DoneWrite): Promise<void> {
    const outcome = open ? 'unknown' : 'not_sent';
    this.o.unsent?.delete(pending.id);
    const message = `the history has the same write as done at ${done.time} (${cops`history show ${done.id}`})`;
    this.#leftOut++;
    this.#codes.add(open ? 9 : 12);
    await this.#record(row, open?.key, { outcome, message }, true);
    if (open) await pending.finish({ outcome });
    this.o.onEnd?.({ row, outcome, message });
  }

  #record(row: PlannedRow, key: string | undefined, facts: EndFacts, durable: boolean): Promise<void> {
    const { journal } = this.o;
    const { row: number, line: at, ids } = row;
    const [time, skew] = [journal.stamp(), this.#noted()];
    const line = { type: 'result', row: number, line: at, ids, key, time, skew, ...facts } as const;
    journal.state.apply(line, -1);
    return journal.append(line, durable);
  }

  /** Counts a result and decides whether the run continues. */
  #judge(facts: OutcomeFacts, result: SendResult): void {
    if (result.claim === 'done') {
      this.#unreached = 0;
      return;
    }
    const { error } = result;
    if (error.kind === 'interrupted') return;
    this.#codes.add(facts.outcome === 'unknown' ? 9 : error.exitCode);
    this.#error ??= error;
    this.#failures++;
    this.#unreached = result.claim === 'not_sent' || error.kind === 'rate_limited' ? this.#unreached + 1 : 0;
    if (facts.http_status === 401) this.#end('key_refused', error);
    else if (facts.outcome === 'fraud_detected' && this.o.stopOnFraud) this.#end('fraud', error);
    else if (this.o.maxFailures !== undefined && this.#failures >= this.o.maxFailures) {
      this.#end('failures', error);
    } else if (this.#unreached >= Math.max(UNREACHED_LIMIT, this.o.concurrency)) this.#end('unreachable', error);
  }
}

/** The spread comes last, once per row, because adding to a spread object takes V8 a hundred times as long. */
function intentOf(
  { row, line, ids }: PlannedRow,
  facts: Omit<IntentLine, 'type' | 'row' | 'line' | 'ids'>,
): IntentLine {
  return { type: 'intent', row, line, ids, ...facts };
}

function isThrottled(result: SendResult): boolean {
  return result.claim === 'refused' && result.error.kind === 'rate_limited';
}

/** Resolves when `signal` is aborted; `done` removes the listener. */
function aborted(signal: AbortSignal, done: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: done });
  });
}

import { type Edges, endLeftOut, endsDoubt } from '../../service/lists/windows.js';
import type { JournalEntry } from './export-journal.js';
import { IdSet } from './id-set.js';
import { PageReader } from './page.js';
import type { Block, PartFile, Place } from './part.js';
import type { ExportReader } from './reader.js';
import { partName, placeOf, type Running } from './running.js';
import { seamOf } from './seam.js';
import type { Lines, Sink } from './sinks/sink.js';
import type { WindowRecord } from './types.js';
import type { Window } from './window.js';

/** Lines passed to the sink at a time. */
const GROUP_BYTES = 1 << 20;
/** The number of items that settle the columns, and the windows with items to wait for until there are that many. */
const SAMPLE_ITEMS = 250;
const SAMPLE_WINDOWS = 48;
const NEWLINE = 0x0a;
/** A finished window that waits longer than this for its turn is made durable on its own, milliseconds. */
const PATIENCE_MS = 250;

/** The part of a window that the target holds. */
interface Written {
  items: number;
  ids: IdSet;
}

/** Writes finished windows to the target in order, each item once: first the data, then its journal line. */
export class Writer {
  readonly #lines: PageReader;
  #sink: Sink | undefined;
  #unused: PartFile[] = [];
  #committing: Promise<void> = Promise.resolve();
  #busy = false;
  #failure: unknown;
  #edge: IdSet;
  /** The items of the previous window that the next one may share. */
  #beside: Edges | undefined;
  #isEndTold = false;
  readonly #edges = new WeakMap<JournalEntry, { readonly ids: IdSet; readonly always: boolean }>();
  #keeping: Promise<void> = Promise.resolve();
  #keepBusy = false;

  constructor(
    private readonly running: Running,
    private readonly reader: ExportReader,
  ) {
    this.#lines = new PageReader(running.input.family.idField);
    this.#edge = running.restored.edge ?? new IdSet();
  }

  /** Ends when all windows are written and durable. */
  async run(): Promise<void> {
    const { windows, wakeUp, stop, journal, open } = this.running;
    const { reader } = this;
    const tick = () => {
      this.#keepWaiting();
      this.#commit();
    };
    const timer = journal ? setInterval(tick, PATIENCE_MS) : undefined;
    try {
      this.#sink = await open(() => this.#sample());
      while (reader.head < windows.length) {
        if (this.#failure) throw this.#failure;
        const window = windows[reader.head] as Window;
        if (window.state === 'written') {
          reader.head++;
          // The reader may wait for its head: after a stop, everything written lies before it.
          wakeUp.wake();
        } else if (window.state === 'done') {
          await this.#write(window);
          reader.head++;
          wakeUp.wake();
        } else {
          stop.signal.throwIfAborted();
          await wakeUp.wait();
        }
      }
    } finally {
      clearInterval(timer);
      await this.#keeping;
      await this.flush();
    }
    if (this.#failure) throw this.#failure;
  }

  /** Waits until everything written so far is durable. */
  async flush(): Promise<void> {
    await this.#committing;
    this.#commit();
    await this.#committing;
  }

  async close(): Promise<void> {
    await this.#sink?.close();
  }

  async #write(window: Window): Promise<void> {
    const { restored, progress, note, spent, lastKey } = this.running;
    const sink = this.#sink as Sink;
    window.state = 'writing';
    await this.#keeping;
    await window.spilling;
    const seam = await seamOf(this.running, window);
    const before = seam?.before ?? this.#edge;
    const leave = this.#toLeave(window, before);
    const unique = window.ids.size;
    let union = unique;
    const count: Written = { items: 0, ids: window.ids };
    const careful = leave.length > 0 || window.proof.repeats > 0 || window.earlier.length > 0;
    const lines: Lines = {
      [Symbol.asyncIterator]: () => {
        count.items = 0;
        const blocks = this.#blocks(window);
        return careful ? this.#unique(window, blocks, { leave, before, count }) : blocks;
      },
    };
    const written = await sink.write(window, lines, unique);
    if (careful) union = count.items;
    const kept = seam ? count.ids.common(seam.after).map(String) : undefined;
    const record: WindowRecord = {
      window: window.key,
      from: window.range?.from ?? null,
      to: window.range?.to ?? null,
      total_count: window.proof.total < 0 ? null : window.proof.total,
      unique,
      items: careful ? union : unique,
      readings: window.proof.readings,
      unproven: window.proof.unproven,
      end_left_out: this.#endFirstLeftOut(window),
      service_unix: window.serviceUnix < 0 ? null : window.serviceUnix,
      read_from: Math.floor(window.begunAt / 1000),
      read_to: Math.ceil(window.doneAt / 1000),
      ...written,
      left_out: leave.length > 0 ? leave.map(String) : undefined,
      kept,
    };
    const edge = count.ids;
    this.#edge = edge;
    const last = window.range !== null && placeOf(window) === Number(lastKey);
    if (last) for (const id of edge.values()) restored.lastIds.add(id, 0, id.length);
    if (window.part) this.#unused.push(window.part);
    this.reader.held -= window.held;
    window.drop();
    const entry: JournalEntry = { t: 'done', record, position: sink.position, spent: spent() };
    note(entry);
    if (window.range !== null) this.#edges.set(entry, { ids: edge, always: last });
    restored.records.set(record.window, record);
    progress.windowsDone++;
    progress.show();
    this.#commit();
  }

  /** The second shared with the previous window, if it is the first to show an excluded end. */
  #endFirstLeftOut({ edges }: Window): number | undefined {
    const { notes } = this.running.deps;
    const leftOut = this.#isEndTold || !this.#beside || !edges ? undefined : endLeftOut([this.#beside, edges]);
    this.#beside = edges;
    if (leftOut) notes.warn(endsDoubt(leftOut));
    this.#isEndTold ||= leftOut !== undefined;
    return leftOut?.from;
  }

  /**
   * Lines of the first windows in the order of the plan, until there are enough or no more windows may be waited for.
   * The same data gives the same lines, whatever arrived first.
   */
  async #sample(): Promise<Buffer[]> {
    const { windows, wakeUp, stop } = this.running;
    const { reader } = this;
    const found: Buffer[] = [];
    let items = 0;
    let filled = 0;
    // A list that keeps only a week is empty for the years before: windows without items say nothing about the columns.
    for (let i = 0; i < windows.length && filled < SAMPLE_WINDOWS && items < SAMPLE_ITEMS; ) {
      const window = windows[i] as Window;
      if (window.state === 'done') {
        await window.spilling;
        if (window.ids.size > 0) filled++;
        for await (const group of this.#blocks(window)) {
          for (const lines of group) {
            if (items >= SAMPLE_ITEMS) break;
            found.push(lines);
            for (let at = lines.indexOf(NEWLINE); at >= 0; at = lines.indexOf(NEWLINE, at + 1)) items++;
          }
          if (items >= SAMPLE_ITEMS) break;
        }
        i++;
      } else if (window.state === 'written') i++;
      else {
        stop.signal.throwIfAborted();
        if (this.#failure) throw this.#failure;
        if (reader.wanted !== i) {
          reader.wanted = i;
          wakeUp.wake();
        }
        await wakeUp.wait();
      }
    }
    reader.wanted = 0;
    return found;
  }

  /** Lines of the window in the order of its blocks, from memory and from its part file. */
  async *#blocks(window: Window, blocks = window.blocks as readonly Block[]): AsyncGenerator<Buffer[]> {
    let group: Buffer[] = [];
    let bytes = 0;
    for (const block of blocks) {
      if (block.length === 0) continue;
      const lines = Buffer.isBuffer(block) ? block : await (window.part as PartFile).read(block);
      group.push(lines);
      bytes += lines.length;
      if (bytes < GROUP_BYTES) continue;
      yield group;
      group = [];
      bytes = 0;
    }
    if (group.length > 0) yield group;
  }

  /** The same lines without items in `leave` or already seen, then the items that only earlier readings had. */
  async *#unique(
    window: Window,
    blocks: AsyncGenerator<Buffer[]>,
    { leave, before, count }: { readonly leave: readonly Buffer[]; readonly before: IdSet; readonly count: Written },
  ): AsyncGenerator<Buffer[]> {
    const seen = new IdSet();
    for (const id of leave) seen.add(id, 0, id.length);
    // Only an unproven window is completed from earlier readings: a proven one is the whole truth.
    const earlier = window.proof.unproven ? [...window.earlier].reverse() : [];
    for await (const group of blocks) yield group.map((lines) => this.#fresh(lines, seen, count));
    if (earlier.length === 0) return;
    // Items added from earlier readings also count as in the target for the next window; the previous window may
    // contain them.
    count.ids = seen;
    for (const id of this.#writtenBefore(window, before)) seen.add(id, 0, id.length);
    for (const reading of earlier) {
      for await (const group of this.#blocks(window, reading))
        yield group.map((lines) => this.#fresh(lines, seen, count));
    }
  }

  /** All ids that this window may share with the target. */
  *#writtenBefore({ range }: Window, before: IdSet): Generator<Buffer> {
    if (range === null) return;
    yield* before.values();
    const { known } = this.running;
    if (known && range.from <= known.until) yield* known.ids.values();
  }

  #fresh(lines: Buffer, seen: IdSet, count: Written): Buffer {
    const reader = this.#lines;
    reader.readLines(lines);
    const kept: Buffer[] = [];
    for (let i = 0; i < reader.count; i++) {
      if (!seen.add(lines, reader.idStarts[i] as number, reader.idEnds[i] as number)) continue;
      kept.push(lines.subarray(reader.starts[i], (reader.ends[i] as number) + 1));
    }
    count.items += kept.length;
    return kept.length === reader.count ? lines : Buffer.concat(kept);
  }

  /** Makes finished windows durable while they wait for the one before them. */
  #keepWaiting(): void {
    const { windows, deps } = this.running;
    const { head } = this.reader;
    if (this.#keepBusy || this.#failure || windows[head]?.state === 'writing') return;
    const waiting = windows
      .slice(head + 1, head + 256)
      .filter((window) => window.state === 'done' && !window.durable && deps.now() - window.doneAt >= PATIENCE_MS);
    if (waiting.length === 0) return;
    this.#keepBusy = true;
    this.#keeping = (async () => {
      for (const window of waiting) if (window.state === 'done') await this.#keep(window);
    })()
      .catch((error) => {
        this.#failure ??= error;
        this.running.wakeUp.wake();
      })
      .finally(() => {
        this.#keepBusy = false;
      });
  }

  async #keep(window: Window): Promise<void> {
    // An unproven window needs its earlier readings for completion; after a stop it is simply read again.
    if (window.earlier.length > 0 && window.proof.unproven) {
      window.durable = true;
      return;
    }
    const part = await window.openPart(this.running.partPath(window));
    await this.reader.spill(window);
    const [ids] = await part.append([window.ids.bytes()]);
    await part.sync();
    const place = (block: Place): [number, number] => [block.at, block.length];
    window.durable = true;
    this.running.note({
      t: 'part',
      window: window.key,
      file: partName(window),
      blocks: (window.blocks as Place[]).map(place),
      ids: place(ids as Place),
      sha256: part.digest(),
      facts: { ...window.proof, serviceUnix: window.serviceUnix, begunAt: window.begunAt, doneAt: window.doneAt },
    });
    this.#commit();
  }

  #commit(): void {
    const { noted, wakeUp } = this.running;
    if (this.#busy || this.#failure || (noted.length === 0 && this.#unused.length === 0)) return;
    this.#busy = true;
    this.#committing = this.#commitAll().catch((error) => {
      this.#failure ??= error;
      this.#busy = false;
      wakeUp.wake();
    });
  }

  async #commitAll(): Promise<void> {
    const { journal, noted } = this.running;
    while (noted.length > 0 || this.#unused.length > 0) {
      const entries = noted.splice(0);
      const parts = this.#unused.splice(0);
      await this.#sink?.sync();
      if (entries.length > 0) await journal?.append(this.#withEdge(entries));
      for (const part of parts) await part.remove();
    }
    this.#busy = false;
  }

  /** Includes the ids of the last window and of those at the end of the range: no others are ever needed again. */
  #withEdge(entries: readonly JournalEntry[]): JournalEntry[] {
    const last = entries.findLast((entry) => entry.t === 'done');
    return entries.map((entry) => {
      const edge = this.#edges.get(entry);
      if (!edge || (entry !== last && !edge.always)) return entry;
      return { ...entry, edge: edge.ids.bytes().toString('base64') } as JournalEntry;
    });
  }

  /** Ids of the window that another window, or an earlier run, has already written. */
  #toLeave(window: Window, edge: IdSet): Buffer[] {
    const { known } = this.running;
    if (window.range === null) return [];
    const leave = window.ids.common(edge);
    if (!known || window.range.from > known.until) return leave;
    const all = new IdSet();
    for (const id of leave) all.add(id, 0, id.length);
    return [...leave, ...window.ids.common(known.ids).filter((id) => all.add(id, 0, id.length))];
  }
}

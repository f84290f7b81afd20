import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { Asker } from './asker.js';
import { FrozenEnd, watchDate } from './frozen-end.js';
import { IdSet } from './ids.js';
import type { Journal, Spent } from './journal.js';
import { group, Progress } from './progress.js';
import { Reader } from './reader.js';
import type { Sink } from './sinks/sink.js';
import type { ExportDeps, ExportInput, WindowRecord } from './types.js';
import { WakeUp } from './wake-up.js';
import type { Window } from './window.js';
import { Writer } from './writer.js';

/** How often progress is told while nothing comes, milliseconds. */
const TICK_MS = 1000;

export interface Restored {
  readonly windows: Window[];
  readonly records: Map<string, WindowRecord>;
  readonly position: number;
  readonly edge: IdSet | undefined;
  readonly lastIds: IdSet;
  readonly finishing: boolean;
  readonly spent: Spent;
  /** Where the range ends since it was moved back to the service's clock. */
  end: number | undefined;
}

export type Sample = () => Promise<readonly Buffer[]>;

export interface Known {
  readonly ids: IdSet;
  /** Windows that begin up to this hold some of them; unix seconds. */
  readonly until: number;
}

/** What reading and writing need of each other and of the run. */
interface Running {
  input: ExportInput;
  deps: ExportDeps;
  work: string;
  open: (sample: Sample) => Promise<Sink>;
  /** None for standard output. */
  journal?: Journal;
  restored: Restored;
  known?: Known | undefined;
  /** Windows of the whole plan, other machines' included. */
  planned: number;
  /** Up to where the target was read before. */
  least?: number | undefined;
}

/** The parts of a running export that its reader and its writer share. */
interface Shared {
  readonly wakeUp: WakeUp;
  readonly stop: AbortController;
  readonly progress: Progress;
  readonly asker: Asker;
  readonly spent: () => Spent;
  readonly partPath: (window: Window) => string;
}

const partName = (window: Window): string => `part-${window.key}`;

/** Reads the windows that are left and writes them in their order, until all are written or something stops it. */
export async function readAndWrite(run: Running): Promise<Spent> {
  const { input, deps, work, restored } = run;
  const { windows } = restored;
  const wakeUp = new WakeUp();
  const stop = new AbortController();
  // Each request in flight listens.
  setMaxListeners(0, stop.signal);
  const outer = () => {
    stop.abort(deps.signal?.reason);
    wakeUp.wake();
  };
  deps.signal?.addEventListener('abort', outer, { once: true });
  if (deps.signal?.aborted) outer();
  const progress = new Progress(deps.notes, deps.now, () => windows.length);
  progress.windowsDone = restored.records.size;
  const spent = (): Spent => ({
    requests: restored.spent.requests + progress.requests,
    refused: restored.spent.refused + progress.refused,
  });
  const { transport, date } = watchDate(deps.transport);
  const asker = new Asker(input, { ...deps, transport }, progress, stop.signal);
  const shared = { wakeUp, stop, progress, asker, spent, partPath: (window: Window) => join(work, partName(window)) };
  const reader = readerOf(run, shared, date, (line) => writer.note(line));
  const { writer, close } = writerOf(run, shared, reader);
  // A service that keeps us waiting must not silence the line.
  const ticking = setInterval(() => progress.show(), TICK_MS);
  try {
    const results = await Promise.allSettled([
      reader.run(),
      writer.run().catch((error) => {
        stop.abort(error);
        wakeUp.wake();
        throw error;
      }),
    ]);
    const failed = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
    if (failed.length > 0) throw deps.signal?.aborted ? deps.signal.reason : (stop.signal.reason ?? failed[0]);
  } finally {
    clearInterval(ticking);
    deps.signal?.removeEventListener('abort', outer);
    await close();
    for (const window of windows) await window.part?.close();
    deps.notes.progressDone();
  }
  sayRead(deps.notes, progress);
  return spent();
}

/** The key of the last window of the plan: the one that ends now. */
const lastKeyOf = ({ planned }: Running): string => String(planned - 1);
const shardOf = ({ input }: Running) => (input.shard && input.shard.count > 1 ? input.shard : undefined);

function readerOf(
  run: Running,
  { wakeUp, stop, progress, asker, partPath }: Shared,
  date: ConstructorParameters<typeof FrozenEnd>[0]['date'],
  note: Writer['note'],
): Reader {
  const { input, deps, restored } = run;
  const frozen = new FrozenEnd({
    lastKey: lastKeyOf(run),
    fixed: shardOf(run) !== undefined || restored.end !== undefined,
    least: run.least ?? 0,
    notes: deps.notes,
    date,
    onMoved: (to) => {
      restored.end = to;
      note({ t: 'end', window: lastKeyOf(run), to });
    },
  });
  return new Reader(
    {
      windows: restored.windows,
      idField: input.family.idField,
      pageSize: input.pageSize,
      concurrency: input.concurrency,
      lastPage: input.operation.list?.lastPage,
      single: input.operation.list?.style === 'single',
      mode: deps.profile.modeDeclared ? deps.profile.mode : undefined,
      maxRetries: deps.maxRetries,
      signal: stop.signal,
      ask: (window, page) => asker.page(window.range, page),
      pause: (attempt) => asker.pause(attempt),
      stop: (error) => stop.abort(error),
      partPath,
      now: deps.now,
      settledEnd: (window, serviceUnix) => frozen.check(window, serviceUnix),
      onSplit: (window, parts) => {
        const ranges = parts.map((part): [number, number] => [part.range?.from ?? 0, part.range?.to ?? 0]);
        note({ t: 'split', window: window.key, ranges });
      },
      onItems: (count) => {
        progress.items += count;
        progress.show();
      },
      onReread: () => progress.reread++,
      observe: async (live) => void (await deps.observe?.(live)),
    },
    wakeUp,
  );
}

function writerOf(
  run: Running,
  { wakeUp, stop, progress, asker, spent, partPath }: Shared,
  reader: Reader,
): { readonly writer: Writer; close(): Promise<void> } {
  const { input, deps, restored, known, planned } = run;
  const { windows, records, lastIds } = restored;
  let sink: Sink | undefined;
  const writer = new Writer({
    windows,
    idField: input.family.idField,
    open: async (sample) => {
      sink = await run.open(sample);
      return sink;
    },
    journal: run.journal,
    reader,
    wakeUp,
    signal: stop.signal,
    edge: restored.edge,
    known,
    seam: shardOf(run) ? (window: Window) => seamOf(window, windows, asker, planned) : undefined,
    partName,
    partPath,
    now: deps.now,
    isLast: (window) => window.range !== null && window.key.split('.')[0] === lastKeyOf(run),
    lastIds,
    spent,
    onWritten: (record) => {
      records.set(record.window, record);
      progress.windowsDone++;
      progress.show();
    },
  });
  return { writer, close: async () => void (await sink?.close()) };
}

function sayRead(notes: ExportDeps['notes'], progress: Progress): void {
  const seconds = Math.max(0.001, progress.seconds());
  notes.note(
    `${group(progress.items)} items read with ${group(progress.requests)} requests in ${seconds.toFixed(1)} s ` +
      `(${group(Math.round(progress.items / seconds))} items/s${progress.refused ? `, ${progress.refused} × 429` : ''}).`,
  );
}

/** The ids that a window shares with the windows of other machines before and after it, as the service has them. */
async function seamOf(window: Window, windows: readonly Window[], asker: Asker, planned: number) {
  const { range, key } = window;
  const base = Number(key.split('.')[0]);
  const at = windows.indexOf(window);
  const own = (other: Window | undefined) => other !== undefined && Number(other.key.split('.')[0]) === base;
  const none = new IdSet();
  if (!range) return { before: undefined, after: none };
  const before = own(windows[at - 1])
    ? undefined
    : base === 0
      ? none
      : await asker.ids({ from: range.from, to: range.from + 1 });
  const after =
    own(windows[at + 1]) || base === planned - 1 ? none : await asker.ids({ from: range.to - 1, to: range.to });
  return { before, after };
}

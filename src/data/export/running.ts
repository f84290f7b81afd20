import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { ExportAsker } from './asker.js';
import type { ExportJournal, JournalEntry, Spent } from './export-journal.js';
import type { IdSet } from './id-set.js';
import { Progress } from './progress.js';
import type { Sink } from './sinks/sink.js';
import type { ExportDeps, ExportInput, WindowRecord } from './types.js';
import type { Window } from './window.js';

/** Lines of the first windows that have any. */
export type Sample = () => Promise<readonly Buffer[]>;

/** The start of an export: its plan, with everything that the journal says about it. */
export interface Restored {
  readonly windows: Window[];
  readonly records: Map<string, WindowRecord>;
  readonly position: number;
  /** Ids of the last written window. */
  readonly edge: IdSet | undefined;
  /** Ids of the windows at the end of the range, which the next run needs. */
  readonly lastIds: IdSet;
  readonly finishing: boolean;
  readonly spent: Spent;
  /** The end of the range, if it was moved back to the service's clock. */
  end: number | undefined;
}

export interface RunParts {
  readonly input: ExportInput;
  readonly deps: ExportDeps;
  readonly work: string;
  /** Opens the sink before the first window is written. */
  readonly open: (sample: Sample) => Promise<Sink>;
  /** Absent for a target that cannot be resumed (standard output). */
  readonly journal?: ExportJournal;
  readonly restored: Restored;
  /** Ids in the target from an earlier run, and the moment (unix) up to which windows that may contain them begin. */
  readonly known?: { readonly ids: IdSet; readonly until: number } | undefined;
  /** Windows of the whole plan, including other machines'. */
  readonly planned: number;
  /** The moment up to which an earlier run read the target. */
  readonly least?: number | undefined;
}

/** A running export: the state that its reader and its writer share. */
export type Running = ReturnType<typeof running>;

export function running(parts: RunParts) {
  const { input, deps, work, journal, restored } = parts;
  const { windows } = restored;
  const stop = new AbortController();
  // Each request in progress adds a listener.
  setMaxListeners(0, stop.signal);
  const read = ({ state, pages: { unique, total } }: Window): number =>
    state === 'written' || !total ? 0 : Math.min(1, unique / total);
  const begun = () => windows.reduce((sum, window) => sum + read(window), 0);
  const progress = new Progress(deps.notes, deps.now, () => windows.length, undefined, begun);
  progress.windowsDone = restored.records.size;
  /** Journal lines that wait for the next commit. */
  const noted: JournalEntry[] = [];
  return {
    ...parts,
    windows,
    wakeUp: new WakeUp(),
    stop,
    progress,
    asker: new ExportAsker(input, deps, progress, stop.signal),
    shard: input.shard && input.shard.count > 1 ? input.shard : undefined,
    /** The key of the last window of the plan: the one that ends now. */
    lastKey: String(parts.planned - 1),
    noted,
    note: (entry: JournalEntry): void => {
      if (journal) noted.push(entry);
    },
    spent: (): Spent => ({
      requests: restored.spent.requests + progress.requests,
      refused: restored.spent.refused + progress.refused,
    }),
    partPath: (window: Window): string => join(work, partName(window)),
  };
}

export const partName = ({ key }: Window): string => `part-${key}`;

/** The position in the plan of a window, or of the one it is part of. */
export const placeOf = ({ key }: Pick<Window, 'key'>): number => Number(key.split('.')[0]);

/** Wakes all waiters, once. */
export class WakeUp {
  #wake: (() => void) | undefined;
  #next: Promise<void> | undefined;

  wait(): Promise<void> {
    this.#next ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
    return this.#next;
  }

  wake(): void {
    const resolve = this.#wake;
    this.#wake = undefined;
    this.#next = undefined;
    resolve?.();
  }
}

import type { TimeRange } from '../../base/time/range.js';
import { type Doubt, type ReadingRules, WindowReading } from '../../service/lists/window-reading.js';
import type { Edges } from '../../service/lists/windows.js';
import { IdSet } from './id-set.js';
import { type Block, PartFile } from './part.js';

export type WindowState = 'reading' | 'done' | 'writing' | 'written';

/** The most readings of a window before it is reported as unproven. */
const MOST_READINGS = 3;

/** The result of a window's last reading. */
export interface WindowProof {
  /** The service's count; -1 if it gave none. */
  readonly total: number;
  /** The number of readings. */
  readonly readings: number;
  /** Rows that occurred more than once in the last of them. */
  readonly repeats: number;
  /** Why completeness is not proven. */
  readonly unproven?: string | undefined;
}

/** How the windows of an export are read. */
export type WindowRules = Omit<ReadingRules, 'readings' | 'againForRepeats'>;

/** One window during reading. Its large data is dropped once it is written. */
export class Window {
  state: WindowState = 'reading';
  pages: WindowReading;
  ids = new IdSet();
  /** Lines by page. */
  blocks: (Block | undefined)[] = [];
  /** Bytes of the blocks in memory. */
  held = 0;
  part: PartFile | undefined;
  /** Blocks of readings that did not agree, oldest first; on disk. */
  earlier: Block[][] = [];
  /** Doubts that no reading settles. */
  doubts: readonly Doubt[] = [];
  /** Set once it is done. */
  proof: WindowProof = { total: -1, readings: 1, repeats: 0 };
  /** The items it may share with its neighbours; undefined if that is not checked. */
  edges: Edges | undefined;
  serviceUnix = -1;
  /** When its first reading began and its last ended, milliseconds. */
  begunAt = 0;
  doneAt = 0;
  /** True once its part file and journal line are durable. */
  durable = false;
  spilling: Promise<void> | undefined;
  #opening: Promise<PartFile> | undefined;

  constructor(
    readonly key: string,
    /** Only the end of the last one may still be moved, before its first page counts. */
    public range: TimeRange | null,
    readonly rules: WindowRules,
    /** The count of the window that this one is part of: splitting is of no use if a part counts as many. */
    readonly totalAbove = Number.POSITIVE_INFINITY,
  ) {
    this.pages = new WindowReading({ ...rules, readings: MOST_READINGS, againForRepeats: true });
  }

  /** Opens its part file only once: two over one path would overwrite each other. */
  openPart(path: string): Promise<PartFile> {
    this.#opening ??= this.part
      ? Promise.resolve(this.part)
      : PartFile.create(path).then((part) => {
          this.part = part;
          return part;
        });
    return this.#opening;
  }

  /** Begins another reading; the lines of this one are on disk. */
  again(): void {
    this.earlier.push(this.blocks as Block[]);
    this.pages = this.pages.again();
    this.ids = new IdSet();
    this.blocks = [];
  }

  /** Frees its memory; its record stays. */
  drop(): void {
    this.state = 'written';
    this.blocks = [];
    this.earlier = [];
    this.ids = new IdSet();
    this.edges = undefined;
    this.held = 0;
  }
}

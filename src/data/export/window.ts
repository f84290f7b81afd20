import type { TimeRange } from '../../base/time/range.js';
import { type Doubt, type ReadingRules, WindowReading } from '../../service/lists/window-reading.js';
import { IdSet } from './id-set.js';
import { type Block, PartFile } from './part.js';

export type WindowState = 'reading' | 'done' | 'writing' | 'written';

/** A window is read at most this often before it is reported as unproven. */
const MOST_READINGS = 3;

/** What the last reading of a window came to. */
export interface WindowProof {
  /** The service's count; -1 where it gave none. */
  readonly total: number;
  /** Readings it took. */
  readonly readings: number;
  /** Rows that came more than once in the last of them. */
  readonly repeats: number;
  /** Why completeness is not proven. */
  readonly unproven?: string | undefined;
}

/** How the windows of an export are read. */
export type WindowRules = Omit<ReadingRules, 'readings' | 'againForRepeats'>;

/** One window while it is being read. Everything large in it is dropped when it has been written. */
export class Window {
  state: WindowState = 'reading';
  pages: WindowReading;
  ids = new IdSet();
  /** Lines by page. */
  blocks: (Block | undefined)[] = [];
  /** Bytes of the blocks that are in memory. */
  held = 0;
  part: PartFile | undefined;
  /** Blocks of readings that did not agree, oldest first; on disk. */
  earlier: Block[][] = [];
  /** What no reading settles. */
  doubts: readonly Doubt[] = [];
  /** Once it is done. */
  proof: WindowProof = { total: -1, readings: 1, repeats: 0 };
  serviceUnix = -1;
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
    /** The count of the window that this is a part of: a part that counts as many cannot be split with any use. */
    readonly totalAbove = Number.POSITIVE_INFINITY,
  ) {
    this.pages = new WindowReading({ ...rules, readings: MOST_READINGS, againForRepeats: true });
  }

  /** Its part file, made once: two of them over one path would write over each other. */
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

  /** Gives up its memory; the record of it stays. */
  drop(): void {
    this.state = 'written';
    this.blocks = [];
    this.earlier = [];
    this.ids = new IdSet();
    this.held = 0;
  }
}

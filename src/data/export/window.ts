import { IdSet } from './ids.js';
import type { Block, PartFile } from './part.js';
import type { Range } from './types.js';

export type WindowState = 'new' | 'asked' | 'reading' | 'done' | 'writing' | 'written';

/** One window while it is being read. Everything large in it is dropped when it has been written. */
export class Window {
  state: WindowState = 'new';
  /** Readings begun. */
  readings = 1;
  /** The service's count at the first page of this reading; -1 when it gave none. */
  total = -1;
  pages = 1;
  nextPage = 2;
  /** Pages that have not been read. */
  left = 1;
  ids = new IdSet();
  /** Items read, repeated ones included, and how many of them were. */
  count = 0;
  repeats = 0;
  /** Rows that are no objects. */
  odd = 0;
  /** Items of the first page. */
  firstCount = 0;
  /** Pages in a row without a new item. */
  idle = 0;
  /** The counts do not tell how many pages there are. */
  open = false;
  /** Lines by page. */
  blocks: (Block | undefined)[] = [];
  /** Bytes of the blocks that are in memory. */
  held = 0;
  part: PartFile | undefined;
  /** Blocks of readings that did not agree, oldest first; on disk. */
  earlier: Block[][] = [];
  /** Why this reading cannot stand. */
  moved: string | undefined;
  /** Why completeness is not proven after the last reading. */
  unproven: string | undefined;
  serviceUnix = -1;
  doneAt = 0;
  /** True once its part file and journal line are durable. */
  durable = false;
  spilling: Promise<void> | undefined;

  constructor(
    readonly key: string,
    /** Only the end of the last one may still be moved, before its first page counts. */
    public range: Range | null,
    /** The count of the window that this is a part of: a part that counts as many cannot be split with any use. */
    readonly totalAbove = Number.POSITIVE_INFINITY,
  ) {}

  /** Begins another reading. */
  again(): void {
    const { key, range, totalAbove, readings, part, earlier, spilling } = this;
    Object.assign(this, new Window(key, range, totalAbove), { readings: readings + 1, part, earlier, spilling });
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

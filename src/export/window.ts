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
    readonly range: Range | null,
  ) {}

  /** Begins another reading. */
  again(): void {
    this.readings++;
    this.state = 'new';
    this.total = -1;
    this.pages = 1;
    this.nextPage = 2;
    this.left = 1;
    this.ids = new IdSet();
    this.count = 0;
    this.repeats = 0;
    this.blocks = [];
    this.moved = undefined;
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

import { setImmediate } from 'node:timers/promises';
import { CopsError } from '../../base/errors/errors.js';
import { JsonFault } from '../../items/json/scan.js';
import { doubtText } from '../../service/lists/window-reading.js';
import { Edges, SPLIT_ITEMS, splitWindow } from '../../service/lists/windows.js';
import { UNREADABLE_MODE } from '../../session/read/reading.js';
import { FrozenEnd } from './frozen-end.js';
import { type PageFacts, PageReader } from './page.js';
import type { Place } from './part.js';
import type { Running } from './running.js';
import { Window } from './window.js';

/** Lines in memory beyond which only the window that is next in the file is read. */
const HELD_HIGH = 12 << 20;
/** Lines in memory beyond which those of the last window move to its part file, which means writing them twice. */
const HELD_MOST = 24 << 20;
/** Windows that are read ahead of the one that is next in the file. */
const AHEAD = 64;

type PageAnswer =
  | { readonly facts: PageFacts; readonly fault?: never }
  | { readonly facts?: never; readonly fault: unknown };
type Job = { readonly window: Window; readonly page: number };

/**
 * Reads pages of several windows in parallel, those first in the file first, and compares unique ids with the counts.
 */
export class ExportReader {
  /** Index of the window that is next in the file; the writer advances it. */
  head = 0;
  /** Bytes of lines in memory. */
  held = 0;
  /** Index of a window that the writer waits for before the first one: it is read despite the memory limit. */
  wanted = 0;
  readonly #shown = new Set<boolean | null>();
  /** A part of a window has the same count as the whole: the service's counts cannot guide splitting. */
  #countsAreIdle = false;
  readonly #end: FrozenEnd;

  constructor(private readonly running: Running) {
    this.#end = new FrozenEnd(running);
  }

  /** Ends when every window has been read; rejects with the first failure. */
  async run(): Promise<void> {
    const { input, stop, wakeUp } = this.running;
    let failure: unknown;
    const fail = (error: unknown) => {
      failure ??= error;
      stop.abort(error);
      wakeUp.wake();
    };
    const worker = async () => {
      const pages = new PageReader(input.family.idField);
      // Processes a page while the next one is being requested; otherwise its connection would be idle.
      let taking = Promise.resolve();
      try {
        while (failure === undefined && !stop.signal.aborted) {
          const job = this.#next();
          if (job === 'end') break;
          if (job === 'wait') {
            await wakeUp.wait();
          } else {
            const body = await this.#ask(job);
            await taking;
            const answer = this.#read(pages, body);
            if (answer.facts && this.#isFamiliar(answer.facts)) {
              taking = this.#later(job, pages, answer.facts).catch(fail);
            } else await this.#page(job, pages, answer);
          }
        }
      } catch (error) {
        fail(error);
      }
      await taking;
    };
    await Promise.all(Array.from({ length: input.concurrency }, worker));
    if (failure !== undefined) throw failure;
    stop.signal.throwIfAborted();
  }

  /** The answer for one page, with retries. */
  #ask({ window, page }: Job): Promise<Buffer> {
    return this.running.asker.page(window.range, page);
  }

  #next(): Job | 'wait' | 'end' {
    const { windows } = this.running;
    let open = false;
    const most = Math.max(this.head, this.wanted) + (this.held > HELD_HIGH ? 1 : AHEAD);
    for (let i = this.head; i < windows.length; i++) {
      const window = windows[i] as Window;
      if (window.state === 'done' || window.state === 'writing' || window.state === 'written') continue;
      open = true;
      if (i >= most) break;
      const page = window.pages.next();
      if (page !== undefined) {
        window.begunAt ||= this.running.deps.now();
        return { window, page };
      }
    }
    return open ? 'wait' : 'end';
  }

  /** False for a page with a mode not seen before: send nothing more until it is checked. */
  #isFamiliar({ live, test, unclear }: PageFacts): boolean {
    const counts = [[live, true] as const, [test, false] as const, [unclear, null] as const];
    return counts.every(([count, mode]) => count === 0 || this.#shown.has(mode));
  }

  /** Processes a page after sending the requests that can go now. */
  async #later(job: Job, pages: PageReader, facts: PageFacts): Promise<void> {
    await setImmediate();
    await this.#take(job, pages, facts);
  }

  async #page(job: Job, pages: PageReader, first: PageAnswer): Promise<void> {
    let answer = first;
    for (let attempt = 1; !answer.facts; attempt++) {
      if (attempt > this.running.deps.maxRetries) throw answer.fault;
      await this.running.asker.pause(attempt);
      answer = this.#read(pages, await this.#ask(job));
    }
    const { live, test, unclear } = answer.facts;
    if (unclear > 0 && !this.#shown.has(null)) this.running.deps.notes.warn(UNREADABLE_MODE);
    if (unclear > 0) this.#shown.add(null);
    if (live > 0 && !this.#shown.has(true)) await this.#checkMode(true);
    if (test > 0 && !this.#shown.has(false)) await this.#checkMode(false);
    await this.#take(job, pages, answer.facts);
  }

  /** Finds the items of a page. */
  #read(pages: PageReader, body: Buffer): PageAnswer {
    try {
      const facts = pages.read(body);
      if (facts.code === 1 && facts.hasResults) return { facts };
      const fault = new CopsError('service_failed', 'The service answered a list without "results".', {
        hint: 'Read one page with `cops … list --raw` to see the answer.',
      });
      return { fault };
    } catch (fault) {
      if (!(fault instanceof JsonFault)) throw fault;
      return { fault };
    }
  }

  /** Takes over the page that `pages` read last. */
  #take({ window, page }: Job, pages: PageReader, facts: PageFacts): Promise<void> | undefined {
    if (page === 1 && this.#first(window, facts)) return undefined;
    const { ids, pages: reading } = window;
    const { idStarts, idEnds, count } = pages;
    let fresh = 0;
    for (let i = 0; i < count; i++) if (ids.add(pages.bytes, idStarts[i] as number, idEnds[i] as number)) fresh++;
    this.running.progress.took(fresh);
    this.#noteEdges(window, pages);
    const lines = pages.lines();
    window.blocks[page - 1] = lines;
    window.held += lines.length;
    this.held += lines.length;
    const before = reading.last;
    const { totalCount, totalPages } = facts;
    const told = (number: number) => (number < 0 ? undefined : number);
    reading.take(page, { totalCount: told(totalCount), totalPages: told(totalPages), count, fresh, odd: pages.odd });
    const whole = reading.isWhole;
    if (reading.last > before && !whole) this.running.wakeUp.wake();
    const full = this.held > HELD_MOST;
    if (whole || full) return this.#settle(window, whole, full);
    return undefined;
  }

  /** Records the items that neighbouring windows may share, unless the profile already knows that an end is excluded. */
  #noteEdges(window: Window, { bytes, count, idStarts, idEnds, starts, ends }: PageReader): void {
    if (window.range === null || this.running.input.rangeEnds !== 'in') return;
    window.edges ??= new Edges(window.range);
    if (!window.edges.mayBeIn(bytes)) return;
    for (let i = 0; i < count; i++)
      window.edges.note(bytes.toString('latin1', idStarts[i], idEnds[i]), bytes.toString('utf8', starts[i], ends[i]));
  }

  async #settle(window: Window, whole: boolean, full: boolean): Promise<void> {
    if (full) {
      const isAside = ({ held, state }: Window) => held > 0 && (state === 'reading' || state === 'done');
      const last = this.running.windows.findLast(isAside);
      if (last) await this.spill(last);
    }
    if (whole) await this.#finish(window);
  }

  /**
   * Handles the first page's counts; true if the page does not count, because the window was split or its end moved.
   */
  #first(window: Window, facts: PageFacts): boolean {
    const { windows, input, note } = this.running;
    const { list } = input.operation;
    const total = facts.totalCount;
    window.serviceUnix = facts.apiCallUnix;
    if (list?.style === 'single') return false;
    const settled = this.#end.check(window, facts.apiCallUnix);
    if (settled) {
      window.range = settled;
      window.pages.unask();
      this.running.wakeUp.wake();
      return true;
    }
    this.#countsAreIdle ||= total > SPLIT_ITEMS && total >= window.totalAbove;
    const maySplit = total > SPLIT_ITEMS && window.pages.readings === 1 && !this.#countsAreIdle;
    if (maySplit && window.range !== null) {
      const parts = splitWindow(window.range, total);
      if (parts) {
        const made = parts.map((range, i) => new Window(`${window.key}.${i}`, range, window.rules, total));
        windows.splice(windows.indexOf(window, this.head), 1, ...made);
        note({ t: 'split', window: window.key, ranges: parts.map(({ from, to }) => [from, to]) });
        this.running.wakeUp.wake();
        return true;
      }
    }
    return false;
  }

  async #finish(window: Window): Promise<void> {
    const { deps, progress } = this.running;
    const { total = -1, readings, repeats } = window.pages;
    // Without counts, another reading proves nothing more.
    const verdict = window.pages.verdict(this.#countsAreIdle && total > SPLIT_ITEMS);
    if (verdict === 'again') {
      await this.spill(window);
      window.again();
      progress.reread++;
    } else {
      const doubts = [...verdict, ...window.doubts];
      window.proof = { total, readings, repeats, unproven: doubts.length > 0 ? doubtText(doubts) : undefined };
      window.doneAt = deps.now();
      window.state = 'done';
    }
    this.running.wakeUp.wake();
  }

  /** Moves the window's lines from memory to its part file. */
  spill(window: Window): Promise<void> {
    const turn = (window.spilling ?? Promise.resolve()).then(() => this.#spill(window));
    window.spilling = turn.catch(() => undefined);
    return turn;
  }

  async #spill(window: Window): Promise<void> {
    const part = await window.openPart(this.running.partPath(window));
    const pages: number[] = [];
    const lines: Buffer[] = [];
    for (const [index, block] of window.blocks.entries()) {
      if (!Buffer.isBuffer(block)) continue;
      pages.push(index);
      lines.push(block);
    }
    const { blocks } = window;
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    const places = await part.append(lines);
    for (const [i, page] of pages.entries()) blocks[page] = places[i] as Place;
    window.held -= bytes;
    this.held -= bytes;
    this.running.wakeUp.wake();
  }

  async #checkMode(live: boolean): Promise<void> {
    await this.running.deps.observe?.(live);
    this.#shown.add(live);
  }
}

import type { TimeRange } from '../../base/time/range.js';
import { CLOCK_TRUST_S, isoTime } from '../../base/time/units.js';
import { SETTLED_S } from '../../service/lists/growing-lists.js';
import { SHORTEST } from '../../service/lists/windows.js';
import type { Running } from './running.js';
import type { Window } from './window.js';

/**
 * The end of a range by the service's clock. Our clock freezes the end of an export up to now; if the service's clock
 * is behind, rows dated before that end can still appear.
 */
export class FrozenEnd {
  #isChecked = false;
  /** The end of the range must not move: other machines use the same one, or it has moved already. */
  readonly #isFixed: boolean;

  constructor(private readonly run: Running) {
    this.#isFixed = run.shard !== undefined || run.restored.end !== undefined;
  }

  /**
   * The shorter range to read instead of the last window's, if the service's clock at its first page is behind the end.
   * Undefined if it is not, or if the range cannot be shortened; then the window is marked unproven.
   */
  check(window: Window, callUnix: number): TimeRange | undefined {
    const { run } = this;
    const { range } = window;
    if (range === null || window.key !== run.lastKey || this.#isChecked) return undefined;
    this.#isChecked = true;
    const clock = callUnix >= 0 ? callUnix : run.asker.date();
    if (clock === undefined || clock >= range.to) return undefined;
    // Never before the moment up to which the target has been read.
    const to = Math.max(clock - SETTLED_S, run.least ?? 0);
    const { notes } = run.deps;
    const behind = range.to - clock;
    if (behind <= CLOCK_TRUST_S && !this.#isFixed && to < range.to && to <= clock && to - range.from >= SHORTEST) {
      run.restored.end = to;
      run.note({ t: 'end', window: run.lastKey, to });
      notes.note(
        `The service's clock is behind (${isoTime(clock)}): the range ends at ${isoTime(to)}, not ${isoTime(range.to)}.`,
      );
      return { from: range.from, to };
    }
    window.doubts = [{ kind: 'clock', unix: clock }];
    notes.warn(
      behind > CLOCK_TRUST_S
        ? `The service's clock (${isoTime(clock)}) is more than ${CLOCK_TRUST_S / 60} minutes behind the end of the range: one of the two clocks is wrong.`
        : `The service's clock (${isoTime(clock)}) is behind the end of the range: more rows may still appear in it.`,
    );
    return undefined;
  }
}

import type { ServiceRequest, Transport } from '../http/types.js';
import type { Notes } from '../output/types.js';
import { CLOCK_TRUST_S } from '../time/clock-trust.js';
import { isoTime } from '../time/units.js';
import { SHORTEST } from './plan.js';
import { SETTLED_S } from './prepare.js';
import type { Range } from './types.js';
import type { Window } from './window.js';

export interface EndFacts {
  /** The window that ends with the range. */
  readonly lastKey: string;
  /** The range's end must stay: other machines have the same. */
  readonly fixed: boolean;
  /** The end is never moved before this: the target has been read up to there. */
  readonly least: number;
  readonly notes: Pick<Notes, 'note' | 'warn'>;
  /** The service's clock by the header `Date`, unix seconds, where an answer tells no other. */
  date(): number | undefined;
  /** The end was moved. */
  onMoved(to: number): void;
}

/**
 * The end of a range by the service's clock. An export that is to reach up to now is frozen by ours; where the
 * service's is behind that end, rows with a date before it are still to come.
 */
export class FrozenEnd {
  #isChecked = false;

  constructor(private readonly facts: EndFacts) {}

  /** The range to read instead of the last window's, by its first page; it is marked as unproven where there is none. */
  check(window: Window, callUnix: number): Range | undefined {
    const { facts } = this;
    const { range } = window;
    if (range === null || window.key !== facts.lastKey || this.#isChecked) return undefined;
    this.#isChecked = true;
    const clock = callUnix >= 0 ? callUnix : facts.date();
    if (clock === undefined || clock >= range.to) return undefined;
    const to = Math.max(clock - SETTLED_S, facts.least);
    const behind = range.to - clock;
    if (behind <= CLOCK_TRUST_S && !facts.fixed && to < range.to && to <= clock && to - range.from >= SHORTEST) {
      facts.onMoved(to);
      facts.notes.note(
        `The service's clock is behind (${isoTime(clock)}): the range ends at ${isoTime(to)}, not ${isoTime(range.to)}.`,
      );
      return { from: range.from, to };
    }
    window.unproven = `the service's clock (${isoTime(clock)}) is behind its end: rows may still come into it`;
    facts.notes.warn(
      behind > CLOCK_TRUST_S
        ? `The service's clock (${isoTime(clock)}) is more than ${CLOCK_TRUST_S / 60} minutes behind the end of the range: one of the two clocks is wrong.`
        : `The service's clock (${isoTime(clock)}) is behind the end of the range: rows may still come into it.`,
    );
    return undefined;
  }
}

/** A way to the service that remembers the clock which the latest header `Date` told. */
export function watchDate(transport: Transport): { readonly transport: Transport; date(): number | undefined } {
  let told: string | undefined;
  return {
    transport: {
      async send(request: ServiceRequest, options) {
        const reply = await transport.send(request, options);
        told = reply.headers.date ?? told;
        return reply;
      },
      close: () => transport.close(),
    },
    date() {
      const at = told === undefined ? Number.NaN : Date.parse(told);
      return Number.isNaN(at) ? undefined : Math.floor(at / 1000);
    },
  };
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutWindows } from '../../../src/service/lists/windows.js';

const ranges = fc
  .tuple(fc.integer({ min: 0, max: 2_000_000_000 }), fc.integer({ min: 0, max: 2_000 * 86_400 }))
  .map(([from, length]) => ({ from, to: from + length }));

describe('windows (service.md#limits, command-line.md#lists)', () => {
  it('are never longer than the family allows, and begin one second before their neighbour ends', () => {
    fc.assert(
      fc.property(ranges, fc.constantFrom(2, 7, 90), (range, span) => {
        const windows = cutWindows(range, span);
        expect(windows[0]?.to).toBe(range.to);
        expect(windows.at(-1)?.from).toBe(range.from);
        for (const [index, window] of windows.entries()) {
          expect(window.to - window.from).toBeLessThanOrEqual(span * 86_400);
          expect(window.from).toBeLessThanOrEqual(window.to);
          const older = windows[index + 1];
          if (older) expect(window.from).toBe(older.to - 1);
        }
      }),
    );
  });

  it('leave no second out, whichever of its ends the service counts in', () => {
    fc.assert(
      fc.property(ranges, fc.boolean(), fc.boolean(), fc.nat(), (range, startIn, endIn, pick) => {
        const inside = range.from + 1 + (pick % Math.max(1, range.to - range.from - 1));
        if (inside >= range.to) return;
        const counted = cutWindows(range, 90).some(
          ({ from, to }) => (startIn ? inside >= from : inside > from) && (endIn ? inside <= to : inside < to),
        );
        expect(counted).toBe(true);
      }),
    );
  });

  it('cost no more than they must', () => {
    fc.assert(
      fc.property(ranges, (range) => {
        const least = Math.ceil((range.to - range.from) / (90 * 86_400 - 1));
        expect(cutWindows(range, 90).length).toBeLessThanOrEqual(Math.max(1, least));
        expect(cutWindows(range, 90, true)).toEqual(cutWindows(range, 90).reverse());
      }),
    );
  });
});

/** @module-tag sweep */
import { describe, expect, it } from 'vitest';
import { UNITS } from '../../../src/base/time/periods.js';
import { figuresOf } from '../../../src/data/report/figures.js';
import { REPORTS } from '../../../src/data/report/reports.js';
import { asked, FIGURES, grouped, laid, monthsByFacts, shown, sums, toldByFacts, ZONES } from './sweep.js';

/* Every figure by every dimension beside the same from another engine, over the JSON of the items; and parts are the whole. */

const SEEDS = process.env.COPS_LONG === '1' ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2];

/** Reports whose parts have no sums that a second way leads to. */
const WITHOUT_PROOF = ['recovery', 'trials'];
const GROUPED = REPORTS.filter((report) => report.kind === 'grouped');

describe.each(SEEDS)('a business of chance %i', (seed) => {
  it('shows each figure by every dimension as the facts do', async () => {
    const { database, duck } = await laid(seed);
    for (const told of await toldByFacts(duck)) {
      const { sums: ours, differences, inexact } = shown(database, grouped(told.name), told);
      const at = `${told.name} ${told.column} by ${told.word}`;
      expect({ differences, inexact }, at).toEqual({ differences: [], inexact: 0 });
      expect(ours, at).toEqual(told.expected);
      expect(Object.keys(ours).length, at).toBeGreaterThan(0);
    }
  });

  it('shows each figure by month in each zone as the facts do', async () => {
    const { database, duck } = await laid(seed);
    for (const [name, column, figure] of FIGURES) {
      for (const tz of ZONES) {
        const { rows } = figuresOf(database, grouped(name), asked(['month'], tz));
        const theirs = await monthsByFacts(duck, figure, tz);
        expect(sums(rows.map((row) => [row.month, row.currency, row[column]])), tz).toEqual(theirs);
      }
    }
  });

  it.each(GROUPED)(
    'parts of $name are the whole by every pair of dimensions, with and without the largest',
    async (report) => {
      const { database } = await laid(seed);
      let proofs = 0;
      const words = Object.keys(report.groups);
      for (const one of words) {
        for (const other of [...words, ...UNITS]) {
          if (one === other) continue;
          for (const more of [{}, { top: 2 }]) {
            const found = figuresOf(database, report, asked([one, other], ZONES[proofs % 3], more));
            expect(found.differences, `by ${one}, ${other} ${JSON.stringify(more)}`).toEqual([]);
            proofs += found.proofs;
          }
        }
      }
      expect(proofs > 0).toBe(!WITHOUT_PROOF.includes(report.name));
    },
  );
});

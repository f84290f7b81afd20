import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandboxStore } from '../../../src/sandbox/serve/index.js';

/* Pages are placed by kept counts: whatever the window, they must show what counting and sorting by hand gives. */

const FAMILY = 'things';
const START = 1_700_000_000;
const SPAN = 3 * 86_400;
const dataDir = mkdtempSync(join(tmpdir(), 'paging-'));
let opened: Awaited<ReturnType<typeof openSandboxStore>>;

beforeAll(async () => {
  opened = await openSandboxStore({ dataDir, now: Date.now });
});
afterAll(() => {
  opened.database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const moment = fc.integer({ min: START, max: START + SPAN });

describe('pages by kept counts', () => {
  it('are those of a sorted list, whatever came and went', { timeout: 60_000 }, () => {
    let round = 0;
    fc.assert(
      fc.property(
        fc.array(moment, { maxLength: 120 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        moment,
        moment,
        fc.integer({ min: 1, max: 25 }),
        (created, removed, one, other, limit) => {
          const family = `${FAMILY}_${round++}`;
          const { store } = opened;
          const items = created.map((at, index) =>
            store.insert(family, { id: `${family}-${index}`, created_date_unix: at }, { live: false }),
          );
          for (const index of removed) {
            const gone = items.length > 0 ? items.splice(index % items.length, 1)[0] : undefined;
            if (gone) store.remove(gone);
          }
          const window = { start: Math.min(one, other), end: Math.max(one, other) };
          const wanted = items
            .filter((item) => item.created >= window.start && item.created <= window.end)
            .sort((a, b) => b.created - a.created || b.seq - a.seq)
            .map((item) => item.id);
          const kind = store.kind(family, false);
          expect(store.pages.stretch(kind, window).total).toBe(wanted.length);
          expect(store.counts.total(kind)).toBe(items.length);
          for (let offset = 0; offset <= wanted.length; offset += limit) {
            const { bytes, count } = store.pages.page(kind, window, offset, limit);
            const shown = JSON.parse(`[${Buffer.from(bytes).toString('utf8')}]`) as { id: string }[];
            expect(shown.map((item) => item.id)).toEqual(wanted.slice(offset, offset + limit));
            expect(count).toBe(shown.length);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

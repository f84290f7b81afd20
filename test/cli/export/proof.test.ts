/** @module-tag sweep */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  envelope,
  idOf,
  itemText,
  makeRows,
  type ServiceOptions,
  type ServiceState,
} from '../../fixtures/export-service/service.mjs';
import { manifestOf, Runs, seeded } from './runs.js';

const DAY = 86_400;
const FROM = Date.UTC(2025, 0, 10) / 1000;
const TO = FROM + 200 * DAY;

let runs: Runs | undefined;
afterEach(async () => {
  await runs?.close();
  runs = undefined;
});

async function exported(options: ServiceOptions, words: readonly string[] = ['subscription-renewals'], dates = true) {
  runs = await Runs.against(options);
  const range = dates ? ['--from', String(FROM), '--to', String(TO)] : [];
  const ran = await runs.run(['export', ...words, ...range, '--out', 'a.jsonl']);
  const lines = readFileSync(runs.path('a.jsonl'), 'utf8').split('\n').slice(0, -1);
  return { ...ran, lines, manifest: manifestOf(runs.path('a.jsonl')), requests: runs.service.state.requests };
}

const idsOf = (lines: readonly string[]): string[] => lines.map((line) => JSON.parse(line).id);

describe('a service that does not change', () => {
  it.each([
    [true, true, 'asc'],
    [true, false, 'desc'],
    [false, true, 'asc'],
    [false, false, 'desc'],
  ] as const)('gives every row once (begin in: %s, end in: %s, %s)', async (startIn, endIn, order) => {
    // Rows on every second around the ends of the month windows, where neighbours meet.
    const ends = [1, 2, 3, 4, 5, 6].map((month) => Date.UTC(2025, month, 1) / 1000);
    const dates = [...ends, TO - 900].flatMap((end) => Array.from({ length: 9 }, (_, i) => end - 5 + i));
    const { code, lines, manifest } = await exported({ dates, startIn, endIn, order });
    expect(code).toBe(0);
    expect(idsOf(lines).sort()).toEqual(dates.map((_, number) => idOf(number)).sort());
    expect(manifest).toMatchObject({ complete: true, items: dates.length, unproven: [] });
    for (const window of manifest.windows) expect(window.unique).toBe(window.total_count);
  });

  it('may have nothing', async () => {
    const { code, lines, manifest } = await exported({ dates: [] });
    expect(code).toBe(0);
    expect(lines).toEqual([]);
    expect(manifest).toMatchObject({ complete: true, items: 0 });
    expect(manifest.windows.length).toBeGreaterThan(5);
  });

  it('may answer every window with all it has, as one that knows no dates', async () => {
    const rows = makeRows({ rows: 60, from: FROM, to: TO });
    const { code, lines } = await exported({
      onRequest: (_, url) => {
        const page = Number(url.searchParams.get('page'));
        const items = rows.slice((page - 1) * 25, page * 25).map(({ text }) => text);
        return { status: 200, body: envelope(items, page, 25, rows.length) };
      },
    });
    expect(code).toBe(0);
    expect(lines).toEqual(rows.map(({ text }) => text));
  });

  it('may serve shorter pages than it was asked for', async () => {
    const rows = makeRows({ rows: 95, from: FROM, to: FROM + 10 * DAY });
    const { code, lines } = await exported({
      onRequest: (_, url) => {
        const [start, end, page] = ['date_start', 'date_end', 'page'].map((name) => Number(url.searchParams.get(name)));
        const found = rows.filter(({ unix }) => unix >= (start as number) && unix <= (end as number));
        const items = found.slice(((page as number) - 1) * 10, (page as number) * 10).map(({ text }) => text);
        return { status: 200, body: envelope(items, page as number, 10, found.length) };
      },
    });
    expect(code).toBe(0);
    expect(lines).toEqual(rows.map(({ text }) => text));
  });

  it.each([
    ['api-calls', 2],
    ['ai-threads', 2],
    ['smtp-messages', 7],
    ['ai-memos', 7],
    ['sales', 90],
  ] as const)('is asked for no more than it allows: %s, %d days', async (family, days) => {
    const { code, lines, manifest, requests } = await exported({ rows: 300, from: FROM, to: TO, maxSpan: days * DAY }, [
      family,
    ]);
    expect(code).toBe(0);
    expect(lines).toHaveLength(300);
    expect(manifest.windows.length).toBeGreaterThanOrEqual(200 / days);
    for (const query of requests) {
      const { date_start, date_end } = Object.fromEntries(new URLSearchParams(query));
      expect(Number(date_end) - Number(date_start)).toBeLessThanOrEqual(days * DAY);
    }
  });

  it.each([[['shipping-profiles']], [['subscription-renewals', '--no-range']]])(
    'is read without dates where it has none: %j',
    async (words) => {
      const { code, lines, manifest, requests } = await exported(
        { rows: 110, from: FROM, to: TO, paged: true },
        words,
        false,
      );
      expect(code).toBe(0);
      expect(lines).toHaveLength(110);
      expect(manifest).toMatchObject({ complete: true, range: null });
      expect(requests.every((query) => !query.includes('date_'))).toBe(true);
    },
  );
});

describe('items that cannot be told apart by an id', () => {
  it.each([
    ['without one', ''],
    ['with null', '"id":null,'],
    ['with an empty one', '"id":"",'],
  ])('are told apart by all they hold: %s', async (_, id) => {
    const items = Array.from({ length: 40 }, (_, i) => `{${id}"created_date_unix":${FROM + 60 + i},"amount":${i}.00}`);
    const { code, lines, manifest } = await exported({
      onRequest: (_, url) => {
        const mine = Number(url.searchParams.get('date_start')) === FROM ? items : [];
        const page = Number(url.searchParams.get('page'));
        return { status: 200, body: envelope(mine.slice((page - 1) * 25, page * 25), page, 25, mine.length) };
      },
    });
    expect(code).toBe(0);
    expect(lines).toEqual(items);
    expect(manifest.complete).toBe(true);
  });
});

describe('a service that does not agree with itself', () => {
  it.each([1, -1, 30])('is reported with the windows in question: total_count wrong by %d', async (wrong) => {
    const bad = Date.UTC(2025, 2, 5) / 1000;
    const rows = makeRows({ rows: 80, from: FROM, to: TO });
    const { code, lines, manifest, said } = await exported({
      onRequest: (_, url) => {
        const [start, end, page] = ['date_start', 'date_end', 'page'].map((name) =>
          Number(url.searchParams.get(name)),
        ) as [number, number, number];
        const found = rows.filter(({ unix }) => unix >= start && unix <= end);
        const items = found.slice((page - 1) * 25, page * 25).map(({ text }) => text);
        return {
          status: 200,
          body: envelope(items, page, 25, found.length + (start <= bad && end >= bad ? wrong : 0)),
        };
      },
    });
    expect(code).toBe(10);
    expect(lines).toEqual(rows.map(({ text }) => text));
    const named = manifest.windows.filter(({ unproven }) => unproven);
    expect(named).toHaveLength(1);
    expect(named[0]).toMatchObject({ from: expect.any(Number), readings: 3 });
    expect((named[0]?.from as number) <= bad && (named[0]?.to as number) >= bad).toBe(true);
    expect(manifest).toMatchObject({ complete: false, items: 80, unproven: [expect.stringContaining('2025-03')] });
    expect(said).toContain('2025-03');
    const verified = await (runs as Runs).run(['export', 'verify', 'a.jsonl']);
    expect(verified.code).toBe(10);
    expect(JSON.parse((await (runs as Runs).run(['export', 'status', 'a.jsonl'])).out)).toMatchObject([
      { state: 'unproven' },
    ]);
  });

  it('is read again, and reported when it never settles; no row it showed from the begin is left out', async () => {
    let number = 1e5;
    const { code, lines, manifest, said } = await exported({
      rows: 1200,
      from: FROM,
      to: TO,
      onRequest: (state, url) => {
        // A new row at the front of the second month with every page that is read of it.
        const [start, end] = ['date_start', 'date_end'].map((name) => Number(url.searchParams.get(name)));
        const at = Date.UTC(2025, 1, 12) / 1000;
        if ((start as number) <= at && (end as number) >= at) {
          const place = state.rows.findIndex(({ unix }) => unix > at);
          state.rows.splice(place, 0, { id: idOf(++number), unix: at, text: itemText(number, at) });
        }
        return undefined;
      },
    });
    expect(code).toBe(10);
    const ids = new Set(idsOf(lines));
    expect(ids.size).toBe(lines.length);
    for (let i = 0; i < 1200; i++) expect(ids).toContain(idOf(i));
    expect(manifest.windows.filter(({ unproven }) => unproven)).toMatchObject([{ readings: 3 }]);
    expect(manifest.unproven).toMatchObject([expect.stringContaining('2025-02')]);
    expect(said).toContain('2025-02');
  });

  it('is proven when it settles at the second reading', async () => {
    let once = false;
    const { code, lines, manifest } = await exported({
      rows: 400,
      from: FROM,
      to: TO,
      onRequest: (state, url) => {
        if (!once && url.searchParams.get('page') === '2') {
          once = true;
          state.rows.splice(5, 1);
        }
        return undefined;
      },
    });
    expect(code).toBe(0);
    expect(lines).toHaveLength(399);
    expect(manifest.windows.filter(({ readings }) => readings === 2)).toHaveLength(1);
  });

  it('shows a row twice: it is written once', async () => {
    const rows = makeRows({ rows: 30, from: FROM, to: FROM + 5 * DAY });
    const { code, lines } = await exported({
      onRequest: (_, url) => {
        const first = Number(url.searchParams.get('date_start')) === FROM;
        const page = Number(url.searchParams.get('page'));
        // The last of page one comes again on page two; the count is that of the unique ones.
        const served = first ? (page === 1 ? rows.slice(0, 25) : rows.slice(24)) : [];
        return {
          status: 200,
          body: envelope(
            served.map(({ text }) => text),
            page,
            25,
            first ? 30 : 0,
          ),
        };
      },
    });
    expect(code).toBe(0);
    expect(lines).toEqual(rows.map(({ text }) => text));
  });
});

describe('a last stretch that could not be proven', () => {
  it.each(['a.jsonl', 'a.sqlite', 'a/'])('is proven by the run that goes on from it: %s', async (out) => {
    let moving = true;
    let number = 1e5;
    const now = Math.floor(Date.now() / 1000);
    const edge = now - 600;
    const made = await Runs.against({
      dates: [
        ...Array.from({ length: 100 }, (_, i) => now - DAY + i),
        ...Array.from({ length: 60 }, (_, i) => edge + i),
      ],
      onRequest: (state) => {
        if (moving) state.rows.push({ id: idOf(++number), unix: edge, text: itemText(number, edge) });
        return undefined;
      },
    });
    runs = made;
    const command = ['export', 'sales', '--from', String(now - 2 * DAY), '--out', out];
    expect((await made.run(command)).code).toBe(10);
    expect(manifestOf(made.path(out)).windows.at(-1)).toMatchObject({ unproven: expect.any(String), readings: 3 });
    moving = false;
    expect((await made.run([...command, '--since-last'])).code).toBe(0);
    const { complete, unproven, items } = manifestOf(made.path(out));
    expect({ complete, unproven, items }).toEqual({
      complete: true,
      unproven: [],
      items: made.service.state.rows.length,
    });
    expect((await made.run(['export', 'verify', out])).code).toBe(0);
  });
});

/** One change of the rows, chosen by a number. */
function change(state: ServiceState, kind: string, choice: number, next: () => number): string | undefined {
  const { rows } = state;
  const at = choice % Math.max(1, rows.length);
  if (kind === 'inserts') {
    const number = 1e6 + next();
    const unix = rows[at]?.unix ?? FROM + 60;
    rows.splice(at, 0, { id: idOf(number), unix, text: itemText(number, unix) });
  } else if (kind === 'deletes') return rows.splice(at, 1)[0]?.id;
  else {
    const [row] = rows.splice(at, 1);
    if (row) rows.splice((choice >> 4) % (rows.length + 1), 0, row);
  }
  return undefined;
}

describe.each(['inserts', 'deletes', 'reorders'])('a service that %s rows while they are read', (kind) => {
  it.each([1, 2, 3, 4])('never doubles one, and loses none silently (%d)', async (seed) => {
    const random = seeded(seed * 97);
    const when = new Set(Array.from({ length: 8 }, () => 1 + Math.floor(random() * 60)));
    const gone = new Set<string>();
    let made = 0;
    const options: ServiceOptions = {
      rows: 500,
      from: FROM,
      to: TO,
      startIn: seed % 2 === 0,
      endIn: seed > 2,
      order: seed % 2 === 0 ? 'asc' : 'desc',
      onRequest: (state) => {
        if (!when.has(state.requests.length)) return undefined;
        const removed = change(state, kind, Math.floor(random() * 1e6), () => made++);
        if (removed) gone.add(removed);
        return undefined;
      },
    };
    const { code, lines, manifest } = await exported(options);
    const ids = idsOf(lines);
    expect(new Set(ids).size).toBe(ids.length);
    expect(manifest.items).toBe(ids.length);
    if (code === 0) {
      const found = new Set(ids);
      expect(makeRows(options).filter(({ id }) => !gone.has(id) && !found.has(id))).toEqual([]);
      for (const window of manifest.windows) expect(window.unique).toBe(window.total_count);
    } else {
      expect(code).toBe(10);
      expect(manifest.unproven.length).toBeGreaterThan(0);
    }
  });
});

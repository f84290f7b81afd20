/** @module-tag process */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SPLIT_ITEMS } from '../../../src/service/lists/windows.js';
import type { Row } from '../../fixtures/export-service/service.mjs';
import { askedFor, contentOf, finishedIn, manifestOf, Runs, seeded } from './runs.js';

const DAY = 86_400;
/** Four years of month windows, and for one target of each kind a month so full that it is split. */
const FROM = Date.UTC(2021, 0, 10) / 1000;
const TO = Date.UTC(2025, 0, 10) / 1000;
const FULL = Date.UTC(2023, 4, 1) / 1000;
const LONG = process.env.COPS_LONG === '1';
const SPREAD = LONG ? 14_500 : 500;
/** In the full month: more than a window holds unsplit. */
const CROWD = SPLIT_ITEMS + (LONG ? 1_000 : 200);

const TARGETS = [
  'a.jsonl',
  'a.csv',
  'a.tsv',
  'a.parquet',
  'a.sqlite',
  'a.jsonl.gz',
  'a.csv.gz',
  'lines/',
  'columns/',
] as const;
/** One or two of each kind of target; the others are sweeps. */
const EACH_KIND: ReadonlySet<string> = new Set(['a.jsonl', 'a.csv', 'a.sqlite', 'lines/']);
/** How windows are split does not depend on the lines that a file has; how they are kept does on its kind. */
const SPLIT: ReadonlySet<string> = new Set(LONG ? TARGETS : ['a.jsonl', 'a.parquet', 'a.sqlite', 'lines/']);
const KILLS = LONG ? 200 : TARGETS.length;
/** Kills of one target before it is left to end. */
const IN_A_ROW = 4;

/** Of one service the full month has its crowd, of the other it is as the others are. */
let full: Runs;
let plain: Runs;
let runs: Runs;
beforeAll(async () => {
  const spread = Array.from({ length: SPREAD }, (_, i) => FROM + Math.floor(((TO - FROM) * (i + 0.5)) / SPREAD));
  const crowd = Array.from({ length: CROWD }, (_, i) => FULL + Math.floor((27 * DAY * i) / CROWD));
  const dates = [...spread, ...crowd].sort((a, b) => a - b);
  full = await Runs.against({ dates, cached: true, latency: 1 });
  // How a window is split depends on how many items it has, not on what they show.
  const short = (row: Row): Row => ({
    ...row,
    text: `{"id":"${row.id}","created_date_unix":${row.unix},"amount":1.50}`,
  });
  const isCrowd = ({ unix }: Row) => unix >= FULL && unix < FULL + 27 * DAY;
  full.service.state.rows = full.service.state.rows.map((row) => (isCrowd(row) ? short(row) : row));
  plain = await Runs.against({ dates: spread, cached: true, latency: 1 });
});
afterAll(async () => {
  await full.close();
  await plain.close();
  if (total.kills < 200) return;
  const share = total.inTheMiddle / total.kills;
  process.stdout.write(`${total.kills} kills, ${(share * 100).toFixed(1)} % of them in the middle of a run\n`);
  expect(share).toBeGreaterThanOrEqual(0.9);
});

const total = { kills: 0, inTheMiddle: 0 };

function command(out: string): string[] {
  return [
    'export',
    'subscription-renewals',
    '--from',
    String(FROM),
    '--to',
    String(TO),
    '--out',
    out,
    ...(out.startsWith('columns') ? ['--format', 'parquet'] : []),
  ];
}

/** Facts of a window that tell when it was read. */
const TIMES = ['service_unix', 'read_from', 'read_to'];

/** The windows of a manifest without what differs from run to run. */
function windowsOf(out: string): unknown[] {
  return manifestOf(runs.path(out)).windows.map((window) =>
    Object.fromEntries(Object.entries(window).filter(([name]) => !TIMES.includes(name))),
  );
}

function isEmptyAfter(out: string): string[] {
  const name = path.basename(out);
  return readdirSync(runs.folder).filter((found) => found.startsWith(`${name}.`) && found !== `${name}.manifest.json`);
}

function remove(out: string): void {
  rmSync(runs.path(out), { recursive: true, force: true });
  rmSync(`${runs.path(out).replace(/\/$/, '')}.manifest.json`, { force: true });
}

/** Kills the same command again and again, then lets it end; tells how many kills it met. */
async function killed(out: string, most: number, needed: number, random: () => number): Promise<number> {
  const work = `${runs.path(out).replace(/\/$/, '')}.export`;
  const finished = new Set<string>();
  let kills = 0;
  for (;;) {
    const { written } = finishedIn(work);
    for (const record of written) finished.add(askedFor(record));
    const left = needed - written.reduce((sum, { total_count }) => sum + Math.max(1, Math.ceil(total_count / 25)), 0);
    runs.service.state.requests.length = 0;
    const last = kills === most;
    // What nobody kills needs no process: it finds what a killed one has left.
    const { child, ended } = last ? { child: undefined, ended: runs.run(command(out)) } : runs.start(command(out));
    if (child) {
      // Nine of ten in the middle, where windows are written and more are to come; the others at the very begin and end. The
      // delay moves the kill between requests.
      const place = random();
      const share = place < 0.05 ? 0 : place < 0.1 ? 1 : 0.3 + random() * 0.5;
      const delay = share === 1 ? random() * 120 : random() * 6;
      const kill = (): void => void setTimeout(() => child.kill('SIGKILL'), delay);
      // A slow machine writes later than it reads: there the middle is where the first window has been written.
      const inTheMiddle = (): void => {
        if (child.exitCode !== null) return;
        if (finishedIn(work).written.length > 0) kill();
        else setTimeout(inTheMiddle, 4);
      };
      void runs.after(left * share, place < 0.1 ? kill : inTheMiddle);
    }
    const { code, said } = await ended;
    runs.forget();
    const again = runs.service.state.requests.filter((query) => finished.has(query.slice(0, query.indexOf('limit='))));
    expect(again, 'finished windows were asked for again').toEqual([]);
    if (code !== null) {
      expect(said).not.toContain('rror');
      expect(code).toBe(0);
      return kills;
    }
    kills++;
    total.kills++;
    if (existsSync(path.join(work, 'plan.json')) && finishedIn(work).written.length > 0) total.inTheMiddle++;
  }
}

describe.each(TARGETS)('an export that is killed', { timeout: 3_600_000 }, (out) => {
  const tags = EACH_KIND.has(out) ? [] : ['sweep'];
  it(`${out} ends with the same bytes, and asks for nothing twice`, { tags }, async () => {
    runs = SPLIT.has(out) ? full : plain;
    runs.service.state.requests.length = 0;
    expect(await runs.run(command(out))).toMatchObject({ code: 0 });
    const needed = runs.service.state.requests.length;
    const content = contentOf(runs.path(out));
    const windows = windowsOf(out);
    expect(windows.length).toBeGreaterThanOrEqual(SPLIT.has(out) ? 50 : 40);
    expect(manifestOf(runs.path(out)).items).toBe(SPREAD + (SPLIT.has(out) ? CROWD : 0));
    const random = seeded(TARGETS.indexOf(out) + 1);
    const share = Math.ceil(KILLS / TARGETS.length);
    for (let kills = 0; kills < share; ) {
      remove(out);
      kills += await killed(out, Math.min(IN_A_ROW, share - kills), needed, random);
      expect(contentOf(runs.path(out))).toBe(content);
      expect(windowsOf(out)).toEqual(windows);
      expect(isEmptyAfter(out)).toEqual([]);
    }
    remove(out);
  });
});

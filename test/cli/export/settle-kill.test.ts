/** @module-tag process */
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentOf, manifestOf, Runs } from './runs.js';

/*
 * Kills between the plan and the first row, while the columns of an export settle on its first pages: whatever was read
 * before, it ends with the same columns and the same bytes.
 */

const LONG = process.env.COPS_LONG === '1';
const FROM = Date.UTC(2024, 0, 10) / 1000;
const TO = (LONG ? Date.UTC(2025, 0, 10) : Date.UTC(2024, 6, 10)) / 1000;
const ROWS = LONG ? 1100 : 550;
/** The columns settle on the items of three windows, which are twelve pages: no request before the tenth is the last. */
const BEFORE = 9;
const ALL = Array.from({ length: 24 }, (_, i) => i + 1);
/** The requests at which each target is killed: all of them take long, each kind of moment is met by some. */
const KILLS: readonly (readonly [string, readonly number[]])[] = [
  ['a.csv', LONG ? ALL : [2, BEFORE]],
  ['a.parquet', LONG ? ALL : [BEFORE]],
  ['a.sqlite', LONG ? ALL : [15]],
  ['a.xlsx', LONG ? ALL : [2]],
];

let runs: Runs;
beforeAll(async () => {
  const dates = Array.from({ length: ROWS }, (_, i) => FROM + Math.floor(((TO - FROM) * (i + 0.5)) / ROWS));
  runs = await Runs.against({ dates, latency: 2 });
  // Fields that no catalogue knows: some from the beginning, one only in the last item that the sample holds.
  runs.service.state.rows = runs.service.state.rows.map((row, i) => {
    const late = i >= 245 ? ',"rating":4.5' : '';
    return { ...row, text: row.text.replace(/}$/, `,"note":"n${i}","shelf":{"row":${i}}${late}}`) };
  });
});
afterAll(() => runs.close());

const RANGE = ['--from', String(FROM), '--to', String(TO)];
const command = (out: string) => ['export', 'subscription-renewals', ...RANGE, '--out', out];
const workOf = (out: string) => `${runs.path(out)}.export`;

/** Nothing is there, and nothing was learnt: what a first export meets. */
function forget(out: string): void {
  for (const name of [runs.path(out), `${runs.path(out)}.manifest.json`, workOf(out), runs.path('data')]) {
    rmSync(name, { recursive: true, force: true });
  }
}

async function killedAt(request: number, out: string): Promise<void> {
  const { child, ended } = runs.start(command(out));
  void runs.after(request, () => child.kill('SIGKILL'));
  expect((await ended).signal).toBe('SIGKILL');
  runs.forget();
}

describe('an export that is killed while its columns settle', () => {
  it.each(KILLS)('%s ends with the same ones', { timeout: 600_000 }, async (out, kills) => {
    forget(out);
    expect(await runs.run(command(out))).toMatchObject({ code: 0 });
    const [content, { schema, late }] = [contentOf(runs.path(out)), manifestOf(runs.path(out))];
    expect(JSON.stringify(schema)).toMatch(/"note".*"shelf".*"rating"/);
    expect(late).toEqual([]);
    for (const request of kills) {
      forget(out);
      await killedAt(request, out);
      if (request <= BEFORE) {
        expect(existsSync(path.join(workOf(out), 'plan.json'))).toBe(true);
        expect(existsSync(path.join(workOf(out), 'schema.json'))).toBe(false);
        // And once more, now with what the first run has kept.
        await killedAt(2, out);
      }
      expect(await runs.run(command(out))).toMatchObject({ code: 0 });
      expect(manifestOf(runs.path(out)).schema).toEqual(schema);
      expect(contentOf(runs.path(out)) === content, `killed at request ${request}`).toBe(true);
    }
    forget(out);
  });
});

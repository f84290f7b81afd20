/**
 * Exports of more windows than are read ahead.
 * @module-tag sweep
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { envelope } from '../../fixtures/service/lists.js';
import { id, serverError } from '../../fixtures/service/service.js';
import { pair } from '../helpers.js';

const DAY = 86_400;
const FROM = Date.UTC(2010, 0, 1) / 1000;
const TO = Date.UTC(2026, 0, 1) / 1000;
const RANGE = ['--from', String(FROM), '--to', String(TO)];
/** Of some 190 windows. */
const BEFORE_THE_STOP = 140;

it.each(['jsonl', 'csv', 'parquet'])('%s: goes on when more than are read ahead were written', async (format) => {
  let isBroken = true;
  let windows = 0;
  const { home } = await pair((request) => {
    if (isBroken && ++windows > BEFORE_THE_STOP) return serverError();
    const start = Number(request.query.get('date_start'));
    const at = start + DAY;
    const items = start < FROM + 300 * DAY ? [] : [{ id: id(`R${start}`), created_date_unix: at, live_mode: false }];
    return envelope(items, 1, items.length, 25);
  });
  const out = path.join(home.folder, `out.${format}`);
  const line = ['export', 'subscription-renewals', ...RANGE, '--out', out, '--concurrency', '1', '--max-retries', '0'];
  const stopped = await home.run(line);
  expect(stopped.code, stopped.stderr).not.toBe(0);
  isBroken = false;
  const ran = await home.run(line);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toMatch(/Continuing the export .*: (?:[7-9]\d|1\d\d) of/);
  const again = path.join(home.folder, `again.${format}`);
  const whole = await home.run([...line.slice(0, -6), '--out', again, '--concurrency', '1']);
  expect(whole.code, whole.stderr).toBe(0);
  expect(readFileSync(out).equals(readFileSync(again))).toBe(true);
});

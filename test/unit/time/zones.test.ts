import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { wallTime, zoneOf } from '../../../src/base/time/zones.js';
import { machineZone } from '../../../src/main.js';

const folder = mkdtempSync(path.join(tmpdir(), 'cops-zone-'));
afterEach(() => vi.restoreAllMocks());

it('tells UTC as Intl does, from year 1 to the last moment of a date', () => {
  const last = 8.64e15;
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800_000, max: last }), (ms) => {
      expect(wallTime(ms, zoneOf('UTC'))).toEqual(wallTime(ms, zoneOf('Etc/UTC')));
    }),
    { examples: [[0], [-1], [last], [Date.UTC(2024, 1, 29, 23, 59, 59)]] },
  );
  expect(() => wallTime(Number.NaN, zoneOf('UTC'))).toThrow(RangeError);
});

it('knows a machine on UTC without Intl', () => {
  const link = path.join(folder, 'localtime');
  symlinkSync('/usr/share/zoneinfo/Etc/UTC', link);
  const intl = vi.spyOn(Intl, 'DateTimeFormat');
  expect(machineZone(undefined, link)).toBe('UTC');
  expect(machineZone('UTC', link)).toBe('UTC');
  wallTime(Date.now(), zoneOf(machineZone(undefined, link)));
  expect(intl).not.toHaveBeenCalled();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const [given, at] of [
    ['', link],
    ['Europe/Berlin', link],
    [undefined, path.join(folder, 'none')],
  ] as const)
    expect(machineZone(given, at)).toBe(timeZone);
  rmSync(folder, { recursive: true });
});

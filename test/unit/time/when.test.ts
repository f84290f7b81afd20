import { describe, expect, it } from 'vitest';
import { resolveRange } from '../../../src/time/range.js';
import { parseWhen } from '../../../src/time/when.js';
import { zoneOf } from '../../../src/time/zones.js';

const BERLIN = zoneOf('Europe/Berlin');
const now = Date.UTC(2026, 6, 15, 12, 0, 0, 250);
const at = (text: string, edge: 'start' | 'end' = 'start', zone = BERLIN): string =>
  new Date(parseWhen(text, { now, zone, edge, option: '--from' }) * 1000).toISOString();

describe('moments (command line, section 4)', () => {
  it.each([
    ['2026-01-31', 'start', '2026-01-30T23:00:00.000Z'],
    ['2026-01-31', 'end', '2026-01-31T22:59:59.000Z'],
    ['2026-01-31T10:00', 'start', '2026-01-31T09:00:00.000Z'],
    ['2026-01-31T10:00:07', 'end', '2026-01-31T09:00:07.000Z'],
    ['2026-01-31T10:00:00+05:30', 'start', '2026-01-31T04:30:00.000Z'],
    ['2026-01-31T10:00:00.999Z', 'start', '2026-01-31T10:00:00.000Z'],
    ['1767225600', 'start', '2026-01-01T00:00:00.000Z'],
    ['2026-01-31T10:00Z', 'start', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T10:00+05:30', 'start', '2026-01-31T04:30:00.000Z'],
    ['0', 'start', '1970-01-01T00:00:00.000Z'],
    ['Today', 'start', '2026-07-14T22:00:00.000Z'],
    ['now', 'start', '2026-07-15T12:00:00.000Z'],
    ['today', 'start', '2026-07-14T22:00:00.000Z'],
    ['today', 'end', '2026-07-15T21:59:59.000Z'],
    ['yesterday', 'start', '2026-07-13T22:00:00.000Z'],
    ['90d', 'start', '2026-04-16T12:00:00.000Z'],
    ['12h', 'start', '2026-07-15T00:00:00.000Z'],
    ['3mo', 'start', '2026-04-15T12:00:00.000Z'],
    ['1y', 'start', '2025-07-15T12:00:00.000Z'],
  ] as const)('%s as %s', (text, edge, expected) => {
    expect(at(text, edge)).toBe(expected);
  });

  it('takes the day of a clock change whole: 23 and 25 hours', () => {
    const spring = [at('2026-03-29', 'start'), at('2026-03-29', 'end')];
    expect(spring).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.000Z']);
    const autumn = [at('2026-10-25', 'start'), at('2026-10-25', 'end')];
    expect(autumn).toEqual(['2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.000Z']);
  });

  it('takes a skipped time as the moment of the change and a doubled one as the earlier', () => {
    expect(at('2026-03-29T02:30')).toBe('2026-03-29T01:00:00.000Z');
    expect(at('2026-10-25T02:30')).toBe('2026-10-25T00:30:00.000Z');
  });

  it.each([
    '20260131',
    '30',
    '2026-02-30',
    '2026-13-01',
    '2026-01-31T25:00',
    'soon',
    '',
    '0d',
    '31.01.2026',
    '2026-1-1',
    '-5',
    '1e9',
  ])('refuses %j', (text) => {
    expect(() => at(text)).toThrow(/--from/);
  });
});

describe('ranges', () => {
  const range = (options: Parameters<typeof resolveRange>[0]) => resolveRange(options, now, zoneOf('UTC'));

  it('takes the last 30 days when none is given, and says that it assumed them', () => {
    const found = range({});
    expect(found.to - found.from).toBe(30 * 86_400);
    expect(found.assumed).toBe(true);
    expect(found.to).toBe(Math.floor(now / 1000));
  });

  it('refuses a range that ends before it begins, and --last beside --from', () => {
    expect(() => range({ from: '2026-02-01', to: '2026-01-01' })).toThrow(/empty/);
    expect(() => range({ from: '2026-02-01', last: '3d' })).toThrow(/cannot be combined/);
  });

  it('refuses a zone that does not exist', () => {
    expect(() => zoneOf('Mars/Olympus')).toThrow(/not a time zone/);
  });
});

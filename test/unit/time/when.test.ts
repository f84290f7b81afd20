import { describe, expect, it } from 'vitest';
import { resolveRange } from '../../../src/base/time/range.js';
import { after, lengthSaid, parseSpan } from '../../../src/base/time/spans.js';
import { parseWhen } from '../../../src/base/time/when.js';
import { zoneOf } from '../../../src/base/time/zones.js';

const BERLIN = zoneOf('Europe/Berlin');
const now = Date.UTC(2026, 6, 15, 12, 0, 0, 250);
const at = (text: string, edge: 'start' | 'end' = 'start', zone = BERLIN): string =>
  new Date(parseWhen(text, { now, zone, edge, option: '--from' }) * 1000).toISOString();

describe('moments (command-line.md#lists)', () => {
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
    ['1q', 'start', '2026-04-15T12:00:00.000Z'],
    ['30 days', 'start', '2026-06-15T12:00:00.000Z'],
    ['2 weeks ago', 'start', '2026-07-01T12:00:00.000Z'],
    ['2026-07', 'start', '2026-06-30T22:00:00.000Z'],
    ['2026-07', 'end', '2026-07-31T21:59:59.000Z'],
    ['2026-Q3', 'start', '2026-06-30T22:00:00.000Z'],
    ['2026q3', 'end', '2026-09-30T21:59:59.000Z'],
    ['Q1 2026', 'start', '2025-12-31T23:00:00.000Z'],
    ['2026', 'start', '2025-12-31T23:00:00.000Z'],
    ['2026', 'end', '2026-12-31T22:59:59.000Z'],
    ['last month', 'start', '2026-05-31T22:00:00.000Z'],
    ['last month', 'end', '2026-06-30T21:59:59.000Z'],
    ['Last  Quarter', 'start', '2026-03-31T22:00:00.000Z'],
    ['this week', 'start', '2026-07-12T22:00:00.000Z'],
    ['this week', 'end', '2026-07-19T21:59:59.000Z'],
    ['last year', 'end', '2025-12-31T22:59:59.000Z'],
    ['next month', 'start', '2026-07-31T22:00:00.000Z'],
    ['tomorrow', 'start', '2026-07-15T22:00:00.000Z'],
    ['3mo', 'start', '2026-04-15T12:00:00.000Z'],
    ['1y', 'start', '2025-07-15T12:00:00.000Z'],
    ['+7d', 'start', '2026-07-22T12:00:00.000Z'],
    ['+ 12 hours', 'end', '2026-07-16T00:00:00.000Z'],
    ['in 7 days', 'start', '2026-07-22T12:00:00.000Z'],
    ['1mo from now', 'start', '2026-08-15T12:00:00.000Z'],
    ['in 1q', 'start', '2026-10-15T12:00:00.000Z'],
    ['next 7 days', 'start', '2026-07-15T12:00:00.000Z'],
    ['next 7 days', 'end', '2026-07-22T12:00:00.000Z'],
    ['last 7 days', 'start', '2026-07-08T12:00:00.000Z'],
    ['the last 2 weeks', 'end', '2026-07-15T12:00:00.000Z'],
    ['monday last week', 'start', '2026-07-05T22:00:00.000Z'],
    ['sunday of last week', 'end', '2026-07-12T21:59:59.000Z'],
    ['last week friday', 'start', '2026-07-09T22:00:00.000Z'],
    ['friday next week', 'start', '2026-07-23T22:00:00.000Z'],
    ['2026-W28', 'start', '2026-07-05T22:00:00.000Z'],
    ['2026-W01', 'start', '2025-12-28T23:00:00.000Z'],
    ['2026-W53', 'end', '2027-01-03T22:59:59.000Z'],
    ['tuesday', 'start', '2026-07-13T22:00:00.000Z'],
    ['on Wednesday', 'start', '2026-07-14T22:00:00.000Z'],
    ['last wednesday', 'start', '2026-07-07T22:00:00.000Z'],
    ['since friday', 'start', '2026-07-09T22:00:00.000Z'],
    ['next tuesday', 'start', '2026-07-20T22:00:00.000Z'],
    ['end of month', 'start', '2026-07-30T22:00:00.000Z'],
    ['the end of next month', 'end', '2026-08-31T21:59:59.000Z'],
    ['beginning of last quarter', 'start', '2026-03-31T22:00:00.000Z'],
    ['the 15th', 'start', '2026-07-14T22:00:00.000Z'],
    ['the 15th of last month', 'start', '2026-06-14T22:00:00.000Z'],
    ['31/01/2026', 'start', '2026-01-30T23:00:00.000Z'],
    ['01/31/2026', 'start', '2026-01-30T23:00:00.000Z'],
    ['1.2.2026', 'start', '2026-01-31T23:00:00.000Z'],
    ['in two weeks', 'start', '2026-07-29T12:00:00.000Z'],
    ['a week ago', 'start', '2026-07-08T12:00:00.000Z'],
    ['in june', 'start', '2026-05-31T22:00:00.000Z'],
    ['day before yesterday', 'start', '2026-07-12T22:00:00.000Z'],
  ] as const)('%s as %s', (text, edge, expected) => {
    expect(at(text, edge)).toBe(expected);
  });

  it('refuses a day with two meanings, with both', () => {
    expect(() => at('next friday')).toThrow('"next friday" could be 2026-07-17 or 2026-07-24.');
    expect(() => at('01/02/2026')).toThrow('"01/02/2026" could be 2026-02-01 or 2026-01-02.');
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
    '2026-1-1',
    '-5',
    '1e9',
    '1900',
    '2026-00',
    '2026-Q5',
    'last',
    'last fortnight',
    'constructor',
    '1 constructor',
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

  const text = ({ from, to }: { from: number; to: number }) =>
    [from, to].map((unix) => new Date(unix * 1000).toISOString().slice(0, 19)).join(' ');

  it.each([
    [{ month: '2026-02' }, '2026-02-01T00:00:00 2026-02-28T23:59:59'],
    [{ month: 'last' }, '2026-06-01T00:00:00 2026-06-30T23:59:59'],
    [{ week: 'last' }, '2026-07-06T00:00:00 2026-07-12T23:59:59'],
    [{ week: '2026-W53' }, '2026-12-28T00:00:00 2027-01-03T23:59:59'],
    [{ last: 'month' }, '2026-06-01T00:00:00 2026-06-30T23:59:59'],
    [{ quarter: '2026-Q1' }, '2026-01-01T00:00:00 2026-03-31T23:59:59'],
    [{ quarter: 'this' }, '2026-07-01T00:00:00 2026-09-30T23:59:59'],
    [{ quarter: 'next' }, '2026-10-01T00:00:00 2026-12-31T23:59:59'],
    [{ year: '2025' }, '2025-01-01T00:00:00 2025-12-31T23:59:59'],
    [{ from: '2026-02', to: '2026-03' }, '2026-02-01T00:00:00 2026-03-31T23:59:59'],
    [{ last: '1q' }, '2026-04-15T12:00:00 2026-07-15T12:00:00'],
  ] as const)('takes %j', (options, wanted) => {
    expect(text(range(options))).toBe(wanted);
    expect(range(options).assumed).toBe(false);
  });

  it.each([
    [{ month: '2026' }, /is not a month/],
    [{ quarter: '2026-03' }, /is not a quarter/],
    [{ year: '2026-03' }, /is not a year/],
    [{ month: '2026-13' }, /is not a month/],
    [{ month: '2026-01', last: '3d' }, /--last and --month cannot be combined/],
    [{ month: '2026-01', to: 'now' }, /--month and --to cannot be combined/],
  ] as const)('refuses %j', (options, message) => {
    expect(() => range(options)).toThrow(message);
  });

  it('refuses a zone that does not exist', () => {
    expect(() => zoneOf('Mars/Olympus')).toThrow(/not a time zone/);
  });
});

describe('the moment that lies a span after another', () => {
  it.each([
    ['60s', 60],
    ['10m', 600],
    ['12h', 43_200],
    ['3d', 259_200],
  ])('is known for %s', (span, seconds) => {
    expect(after(0, parseSpan(span, '--for'), zoneOf('UTC'))).toBe(seconds);
  });
});

it.each([
  [0.4, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [330, '5 min 30 s'],
  [7_500, '2 h 5 min'],
  [86_400, '24 h'],
  [-200_000, '2 days 8 h'],
  [259_193, '3 days'],
  [3_455_993, '40 days'],
])('a length of %d seconds is said in units that people use', (seconds, said) => {
  expect(lengthSaid(seconds)).toBe(said);
});

/** @module-tag process */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { realClock } from '../../harness/clock.js';
import { finishedIn, manifestOf, Runs } from './runs.js';

const FROM = Date.UTC(2025, 0, 10) / 1000;
const TO = Date.UTC(2025, 5, 20) / 1000;
const ROWS = 1500;
const OUTS = ['s1.jsonl', 's2.jsonl', 's3.jsonl', 's4.jsonl'];

let runs: Runs;
let arrivals: number[] = [];
let slow = false;
beforeAll(async () => {
  runs = await Runs.against({
    rows: ROWS,
    from: FROM,
    to: TO,
    cached: true,
    latency: 2,
    onRequest: () => {
      arrivals.push(Date.now());
      return slow && arrivals.length <= 3
        ? { status: 429, body: '{"code":0}', headers: { 'retry-after': '0' } }
        : undefined;
    },
  });
});
afterAll(() => runs.close());
afterEach(() => {
  slow = false;
  runs.forget();
});

const RANGE = ['--from', String(FROM), '--to', String(TO)];
const shard = (index: number, out: string, ...more: string[]) => [
  'export',
  'subscription-renewals',
  ...RANGE,
  '--shard',
  `${index}/4`,
  '--out',
  out,
  ...more,
];
const whole = () => runs.service.state.rows.map(({ text }) => text).sort();
const linesOf = (out: string) => readFileSync(runs.path(out), 'utf8').trimEnd().split('\n');

describe('shards side by side', () => {
  beforeAll(async () => {
    // One of them is killed in its middle and started again, as a scheduler would.
    const killed = runs.start(shard(3, 's3.jsonl', '--concurrency', '2'));
    void runs.after(8, () => killed.child.kill('SIGKILL'));
    expect((await killed.ended).signal).toBe('SIGKILL');
    const ended = await Promise.all(OUTS.map((out, i) => runs.run(shard(i + 1, out))));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  }, 60_000);

  it('are disjoint and together the whole, and merge says so', async () => {
    const parts = OUTS.map(linesOf);
    expect(parts.flat().sort()).toEqual(whole());
    expect(Math.min(...parts.map((lines) => lines.length))).toBeGreaterThan(100);
    const { code, out } = await runs.run(['export', 'merge', ...OUTS]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ items: ROWS, shards: 4, faults: [], unproven: [] });
    for (const more of [
      ['--out', 'whole.jsonl'],
      ['--format', 'csv'],
    ]) {
      expect((await runs.run(['export', 'merge', ...OUTS, ...more])).code).toBe(2);
    }
  });

  it('are incomplete if one is missing, doubled, of another range, or changed', async () => {
    const merge = async (...outs: string[]) => {
      const { code, out } = await runs.run(['export', 'merge', ...outs]);
      expect(code).toBe(10);
      return (JSON.parse(out).faults as string[]).join('\n');
    };
    expect(await merge(...OUTS.slice(1))).toContain('shard 1/4 is missing');
    for (const name of ['', '.manifest.json'])
      copyFileSync(runs.path(`s1.jsonl${name}`), runs.path(`twin.jsonl${name}`));
    expect(await merge(...OUTS, 'twin.jsonl')).toContain('shard 1/4 is there 2 times');
    const other = ['export', 'subscription-renewals', '--from', String(FROM), '--to', String(TO - 86_400)];
    expect((await runs.run([...other, '--shard', '1/4', '--out', 'other.jsonl'])).code).toBe(0);
    expect(await merge('other.jsonl', ...OUTS.slice(1))).toContain('range differs');
    const bytes = readFileSync(runs.path('twin.jsonl'));
    bytes[100] = (bytes[100] as number) ^ 1;
    writeFileSync(runs.path('twin.jsonl'), bytes);
    expect(await merge('twin.jsonl', ...OUTS.slice(1))).toContain('was changed');
  });

  it('share the rate', async () => {
    arrivals = [];
    const paced = await runs.run(shard(1, 'paced.jsonl', '--rate', '160'), { clock: realClock });
    expect(paced.code).toBe(0);
    const took = (arrivals.at(-1) as number) - (arrivals[0] as number);
    // A quarter of 160 requests a second: no machine can be too slow for this.
    expect(took).toBeGreaterThan(((arrivals.length - 1) / 40) * 1000 * 0.8);
  });

  it.each([
    [['--from', String(FROM), '--shard', '1/2'], 'needs --to'],
    [['--from', String(FROM), '--to', String(Math.floor(Date.now() / 1000) + 86_400), '--shard', '1/2'], 'in the past'],
  ])('need an end that is the same everywhere: %j', async (words, reason) => {
    const { code, said } = await runs.run(['export', 'subscription-renewals', ...words, '--out', 'x.jsonl']);
    expect(code).toBe(2);
    expect(said).toContain(reason);
  });
});

describe('status', () => {
  it('shows the state of an export offline', async () => {
    const { child, ended } = runs.start(['export', 'subscription-renewals', ...RANGE, '--out', 'half.jsonl']);
    void runs.after(45, () => child.kill('SIGKILL'));
    await ended;
    const { written } = finishedIn(runs.path('half.jsonl.export'));
    const env = { COPS_BASE_URL: 'http://127.0.0.1:9' };
    const { code, out } = await runs.run(['export', 'status', 'half.jsonl', 'none.jsonl'], { env });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject([
      { state: 'unfinished', family: 'subscription_renewals', windows: 7, windows_done: written.length },
      { state: 'none', items: 0 },
    ]);
    expect(await runs.run(['export', 'verify', 'half.jsonl'], { env })).toMatchObject({
      code: 11,
      said: expect.stringContaining('not finished'),
    });
  });
});

describe('--since-last', () => {
  const NEW = 100;
  it.each(['grow.jsonl', 'grow.csv', 'grow.jsonl.gz', 'grow/'])('adds new items to %s, and only those', async (out) => {
    const now = Math.floor(Date.now() / 1000);
    const state = runs.service.state;
    const all = state.rows;
    const command = ['export', 'subscription-renewals', '--from', String(FROM), '--out', out];
    try {
      state.rows = all.slice(0, -NEW);
      const cut = state.rows.at(-1)?.unix as number;
      expect((await runs.run([...command, '--to', String(cut)])).code).toBe(0);
      const before = manifestOf(runs.path(out));
      state.rows = all;
      state.requests.length = 0;
      runs.service.state.rows = all;
      const again = await runs.run([...command, '--since-last']);
      expect(again).toMatchObject({ code: 0 });
      // What changed in older items is silent nowhere: the run says so, and what shows it.
      expect(again.said).toMatch(
        new RegExp(
          `${NEW} new rows up to \\S+Z, 5 seconds before the start: newer items come with the next run\\. Later changes to items from before`,
        ),
      );
      expect(again.said).toContain('sync subscription-renewals and then cops');
      expect(again.said.includes('--refresh')).toBe(out.endsWith('/'));
      expect(JSON.parse(again.out)).toMatchObject({ new: NEW });
      const starts = state.requests.map((query) => Number(/date_start=(\d+)/.exec(query)?.[1]));
      expect(Math.min(...starts)).toBeGreaterThanOrEqual(cut - 900 - 1);
      const after = manifestOf(runs.path(out));
      expect(after.items).toBe(ROWS);
      expect(after.requests).toBe(before.requests + state.requests.length);
      // The end is frozen five seconds before the start.
      expect(after.range?.to).toBeGreaterThanOrEqual(now - 5);
      expect((await runs.run(['export', 'verify', out])).code).toBe(0);
      if (out === 'grow.jsonl') expect(linesOf(out)).toEqual(all.map(({ text }) => text));
    } finally {
      state.rows = all;
    }
  });

  it('says in help and manifest what it does not see, and refuses --refresh where rows cannot be replaced', async () => {
    const { out } = await runs.run(['export', '--help']);
    expect(out.replace(/\s+/g, ' ')).toContain(
      "changes of old ones (a refund of last month's renewal) only with --refresh",
    );
    const refused = await runs.run([
      'export',
      'sales',
      ...RANGE,
      '--out',
      'r.jsonl',
      '--since-last',
      '--refresh',
      '35d',
    ]);
    expect(refused).toMatchObject({ code: 2, said: expect.stringContaining('folder or to SQLite') });
    expect(manifestOf(runs.path('grow.jsonl')).notes.join()).toContain('cannot replace rows');
    expect(manifestOf(runs.path('grow/')).notes.join()).toContain('--refresh <span>');
    expect(manifestOf(runs.path('grow/')).notes.join()).toContain('cops changes subscription-renewals');
  });
});

describe('progress', () => {
  it('shows windows, items, items a second, requests, refusals and the time left', async () => {
    slow = true;
    arrivals = [];
    const { code, said } = await runs.run([
      'export',
      'subscription-renewals',
      ...RANGE,
      '--out',
      'told.jsonl',
      '--concurrency',
      '2',
    ]);
    expect(code).toBe(0);
    expect(said).toMatch(/\d+\/7 windows · [\d,]+ items · [\d.,]+\/s · (?:\d[\w ]* left · )?[\d,]+ requests/);
    expect(said).toMatch(/1,500 items read with \d+ requests in .* × 429\)/);
    expect(manifestOf(runs.path('told.jsonl')).refused_429).toBeGreaterThan(0);
    const quiet = await runs.run(['export', 'subscription-renewals', ...RANGE, '--out', 'quiet.jsonl', '--quiet']);
    expect(quiet).toMatchObject({ code: 0, said: '' });
  });
});

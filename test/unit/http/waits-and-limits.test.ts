import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { mergeEntry } from '../../../src/account/history/entries.js';
import { FileLedger } from '../../../src/account/history/ledger.js';
import { currentSegment, type Line, mayTellOf } from '../../../src/account/history/segments.js';
import { journalFile, journalInFile } from '../../../src/account/journal/journal.js';
import { runKeyCommand } from '../../../src/account/profiles/command.js';
import { readFromKeychain } from '../../../src/account/profiles/keychain.js';
import { checkKey, maskKey } from '../../../src/account/profiles/keys.js';
import { openStore } from '../../../src/account/profiles/store.js';
import { readIds, rememberItems } from '../../../src/account/seen-ids/ids.js';
import { lock } from '../../../src/base/files/lock.js';
import type { Reply, Transport } from '../../../src/base/transport.js';
import { TransportError } from '../../../src/base/transport.js';
import { makePacer } from '../../../src/service/http/pacer.js';
import { read } from '../../../src/service/http/read.js';
import { backOff, pauseOf, retryAfter, throttleWait, waitTold } from '../../../src/service/http/retry.js';
import { write } from '../../../src/service/http/send-write.js';
import { jumped, ServiceClock } from '../../../src/service/http/service-clock.js';
import { findFirstDay } from '../../../src/service/lists/account-begin.js';
import { lateRange, SETTLED_S } from '../../../src/service/lists/growing-lists.js';
import { WindowReading } from '../../../src/service/lists/window-reading.js';
import {
  COUNTED_AT_MOST,
  countWindows,
  planWindows,
  SPLIT_ITEMS,
  splitWindow,
} from '../../../src/service/lists/windows.js';
import { A, pair } from '../../cli/helpers.js';
import { ok, refusal } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { GET, POST, policy, sleptBy } from './helpers.js';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const DAY_S = 86_400;
const HOUR_MS = 3_600_000;
const folder = () => mkdtempSync(join(tmpdir(), 'cops-waits-'));
const answer = (status: number, headers: Record<string, string> = {}, body: object = { code: 0 }): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify(body)),
});
const always = (reply: () => Reply | Promise<Reply>): Transport => ({
  send: async () => reply(),
  close: async () => {},
});

afterEach(() => void vi.useRealTimers());

describe('the waits before another attempt', () => {
  it('double from half a second to half a minute, the half of each by chance', () => {
    const wholes = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000];
    for (const [at, whole] of wholes.entries()) {
      expect(backOff(at + 1, () => 0)).toBe(whole / 2);
      expect(backOff(at + 1, () => 0.999_999_9)).toBe(whole);
    }
    expect(backOff(10_000, () => 1)).toBe(30_000);
  });

  it('are what the service asks for and a little by chance', () => {
    const waits = (random: number, asked: number) => throttleWait(policy({ random: () => random }), 1, asked);
    expect([waits(0, 0), waits(0, 9000), waits(1, 0), waits(1, 100), waits(1, 2250), waits(1, 60_000)]).toEqual([
      0, 9000, 25, 135, 2500, 60_250,
    ]);
  });

  it('are given up beyond a minute, or beyond --max-wait', async () => {
    const own = { maxWaitMs: 5000 };
    expect([throttleWait(policy(), 1, 60_001), throttleWait(policy(own), 1, 5001)]).toEqual([undefined, undefined]);
    expect([
      throttleWait(policy({ random: () => 0 }), 1, 60_000),
      throttleWait(policy({ ...own, random: () => 0 }), 1, 5000),
    ]).toEqual([60_000, 5000]);
    expect([pauseOf(policy(), 90_000), pauseOf(policy(own), 90_000), pauseOf(policy(), 59_000)]).toEqual([
      60_000, 5000, 59_000,
    ]);
    for (const [asked, exitCode, hint] of [['61', 7, '--max-wait 61']] as const)
      await expect(
        read(
          always(() => answer(429, { 'retry-after': asked })),
          GET,
          policy(),
        ),
      ).rejects.toMatchObject({
        exitCode,
        facts: { hint: expect.stringContaining(hint) },
      });
  });

  it('are at most ten years, and a date is measured by the clock of the answer', () => {
    expect(retryAfter({ 'retry-after': '9'.repeat(20) }, NOON)).toBe(315_360_000_000);
    const date = (ms: number) => new Date(ms).toUTCString();
    expect(retryAfter({ 'retry-after': date(NOON + 7000), date: date(NOON + 5000) }, 0)).toBe(2000);
    expect(retryAfter({ 'retry-after': date(NOON + 7000) }, NOON)).toBe(7000);
  });

  it('are told from two seconds on', () => {
    const said = (waitMs: number) => waitTold({ attempt: 1, waitMs, reason: '', askedMs: waitMs }) !== undefined;
    expect([said(1999), said(2000)]).toEqual([false, true]);
  });

  it.each([
    ['after a 503', 503, [375, 750, 1500]],
    ['after a 429', 429, [375, 750, 1500]],
  ])('are those of a read %s', async (_when, status, waits) => {
    const rules = policy();
    await expect(
      read(
        always(() => answer(status)),
        GET,
        rules,
      ),
    ).rejects.toThrow();
    expect(rules.waits).toEqual(waits);
  });

  it('leave the first two after a 429 to the pacer', async () => {
    const rules = policy({ pacer: { acquire: async () => {}, throttled: () => {}, answered: () => {} } });
    await expect(
      read(
        always(() => answer(429)),
        GET,
        rules,
      ),
    ).rejects.toThrow();
    expect(rules.waits).toEqual([0, 0, 375]);
  });

  it('are four, and a minute at most, where no option says otherwise', async () => {
    let asked = '60';
    const { service, home } = await pair(() => ({ ...refusal(503, 'no'), headers: { 'retry-after': asked } }));
    const clock = new QuickClock();
    expect((await home.run(['customers', 'get', A], { clock })).code).not.toBe(0);
    expect(service.requests).toHaveLength(5);
    expect(clock.pauses.filter((ms) => ms >= 60_000 && ms <= 60_250)).toHaveLength(4);
    asked = '61';
    expect((await home.run(['customers', 'get', A], { clock: new QuickClock() })).code).not.toBe(0);
    expect(service.requests).toHaveLength(6);
  });

  it('are of one minute for an answer where no option says otherwise', async () => {
    const { home } = await pair(() => ok({ id: A }));
    // The parser and its help are made from one number.
    expect((await home.run(['--help-all'])).stdout).toMatch(/--timeout <seconds>.*\b60\b/);
  });
});

describe('a write', () => {
  it('is not sent again once its key may be forgotten: after 23 hours', async () => {
    const sentAfter = async (ms: number): Promise<number> => {
      let now = NOON;
      let sent = 0;
      const transport = always(() => {
        sent++;
        throw new TransportError('lost', 'ECONNRESET', 'reset');
      });
      const sleep = async () => {
        now = NOON + ms;
      };
      await write(transport, POST, policy({ now: () => now, sleep }));
      return sent;
    };
    expect([await sentAfter(23 * HOUR_MS), await sentAfter(23 * HOUR_MS + 1)]).toEqual([2, 1]);
  });

  it('doubts its key where a clock jumped by more than five minutes', () => {
    expect([jumped({ call: 0 }, { call: 300_000 }), jumped({ call: 0 }, { call: -300_001 })]).toEqual([false, true]);
    expect([jumped({ date: 0 }, { date: 300_000 }), jumped({ date: 0 }, { date: 300_001 })]).toEqual([false, true]);
  });

  it('that is interrupted waits five seconds for its answer', async () => {
    const stop = new AbortController();
    const transport: Transport = {
      send: (_request, { signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new TransportError('lost', 'ABORTED', 'stopped')));
        }),
      close: async () => {},
    };
    const rules = policy({ signal: stop.signal, timeoutMs: 60_000 });
    const written = write(transport, POST, rules);
    await turn();
    stop.abort(new Error('interrupted'));
    await written;
    expect(rules.waits).toEqual([5000]);
  });

  it('looks for the time of an answer in its first 4 KiB', () => {
    const skewOf = (before: number) => {
      const clock = new ServiceClock();
      const head = '{"a":"';
      const body = `${head}${'x'.repeat(before - head.length - '",'.length - '"api_call_unix"'.length)}","api_call_unix":${NOON / 1000}}`;
      clock.note({ status: 200, headers: {}, body: Buffer.from(body) }, NOON);
      return clock.skew.call;
    };
    expect([skewOf(4096), skewOf(4097)]).toEqual([0, undefined]);
    const spaced = (spaces: number) => {
      const clock = new ServiceClock();
      const body = `{"api_call_unix":${' '.repeat(spaces)}${NOON / 1000}}`;
      clock.note({ status: 200, headers: {}, body: Buffer.from(body) }, NOON);
      return clock.skew.call;
    };
    expect([spaced(20), spaced(21), spaced(22)]).toEqual([0, undefined, undefined]);
  });
});

describe('the pacer', () => {
  const world = () => {
    const state = { now: NOON, slept: 0 };
    const sleep = async (ms: number) => {
      state.now += ms;
      state.slept += ms;
    };
    return { state, rules: { now: () => state.now, sleep } };
  };

  it.each([
    ['half a second where the service says nothing', undefined, 500],
    ['as long as the service says', 1500, 1500],
  ])('pauses %s', async (_what, asked, ms) => {
    const { state, rules } = world();
    const pacer = makePacer(rules);
    await pacer.acquire();
    pacer.throttled(asked);
    await pacer.acquire();
    expect(state.slept).toBe(ms);
  });

  it('takes a wait of more than two seconds for a window that is used up', async () => {
    const gaps = async (asked: number) => {
      const { state, rules } = world();
      const pacer = makePacer(rules);
      for (let many = 0; many < 10; many++) {
        await pacer.acquire();
        if (many < 9) pacer.answered();
      }
      pacer.throttled(asked);
      await pacer.acquire();
      const from = state.now;
      await pacer.acquire();
      return state.now - from;
    };
    // Ten in two seconds are the rate of a long window; otherwise the rate is that of the second before.
    expect(await gaps(2000)).toBeLessThan(200);
    expect(await gaps(2001)).toBeGreaterThan(200);
  });

  it('makes up for late timers within a tenth of a second', async () => {
    const { state, rules } = world();
    const pacer = makePacer({ ...rules, rate: 1000 });
    await pacer.acquire();
    state.now += 5000;
    let atOnce = 0;
    const until = state.now;
    while (state.now === until && atOnce < 999) {
      await pacer.acquire();
      atOnce++;
    }
    expect(atOnce).toBeGreaterThan(95);
    expect(atOnce).toBeLessThan(105);
  });

  it('never becomes slower than one request in ten seconds', async () => {
    const { state, rules } = world();
    const pacer = makePacer(rules);
    for (let many = 0; many < 60; many++) {
      await pacer.acquire();
      pacer.throttled(undefined);
      state.now += 40_000;
    }
    await pacer.acquire();
    pacer.answered();
    const from = state.now;
    await pacer.acquire();
    expect(state.now - from).toBeGreaterThan(9000);
    expect(state.now - from).toBeLessThanOrEqual(10_000);
  });
});

describe('a list', () => {
  const at = Math.floor(NOON / 1000);

  it('is read once more where it ends after a second, or by a clock that is ahead by more than one', () => {
    const window = { from: at - 1000, to: at };
    const times = (took: number, ahead: number) =>
      lateRange(window, { began: NOON, ended: NOON + took, serviceUnix: Math.ceil((NOON + took) / 1000) + ahead });
    expect([times(1000, 1), times(1001, 0) === undefined, times(0, 2) === undefined]).toEqual([
      undefined,
      false,
      false,
    ]);
    expect(times(1001, 0)?.from).toBe(at - 60);
    expect(SETTLED_S).toBe(5);
  });

  it('of an export ends with a window of a quarter of an hour, and is split from 5000 items on into parts of 2500', () => {
    const windows = planWindows({ from: at - 10 * DAY_S, to: at }, { spanDays: 90, shards: 1 });
    expect(windows.at(-1)).toEqual({ from: at - 901, to: at });
    const parts = (total: number, seconds = DAY_S) => splitWindow({ from: at, to: at + seconds }, total)?.length;
    expect([parts(2500), parts(2501), parts(5001), parts(10_000_000), parts(10_000, 3), parts(10_000, 4)]).toEqual([
      undefined,
      2,
      3,
      64,
      undefined,
      2,
    ]);
    expect(SPLIT_ITEMS).toBe(5000);
  });

  it('is counted by four requests at once', async () => {
    let now = 0;
    let most = 0;
    await countWindows(
      Array.from({ length: 10 }, (_, n) => ({ from: n * 100, to: n * 100 + 50 })),
      async () => {
        most = Math.max(most, ++now);
        await turn();
        now--;
        return { items: [], totalCount: 1 } as never;
      },
    );
    expect([most, COUNTED_AT_MOST]).toEqual([4, 20]);
  });

  it('whose pages bring nothing new is given up after three of them', () => {
    const window = new WindowReading({ paged: true, pageSize: 1, readings: 1, againForRepeats: false });
    const counts = { count: 1, odd: 0, totalCount: 1e6, totalPages: 1e6 };
    window.take(window.next() ?? 0, { ...counts, fresh: 1 });
    const over = [1, 2, 3].map(() => {
      window.take(window.next() ?? 0, { ...counts, fresh: 0 });
      return window.isOver;
    });
    expect(over).toEqual([false, false, true]);
  });

  it('of a first day is looked for in 60 requests, behind two empty years', async () => {
    const born = at - 200 * DAY_S;
    const old = at - 20 * 365 * DAY_S;
    const seen: { from: number; to: number }[] = [];
    const found = await findFirstDay(async (_list, range) => {
      seen.push(range);
      return range.from <= born && born <= range.to ? 1 : 0;
    }, at);
    expect(found.isProven).toBe(true);
    expect(Math.min(...seen.map(({ from }) => from))).toBe(at - (3 + 9) * 90 * DAY_S);
    const lost = await findFirstDay(
      async (_list, range) => (range.from <= old + (seen.length++ % 7) * DAY_S ? 0 : 1),
      at,
    );
    expect(lost.requests).toBeLessThanOrEqual(60);
    let many = 0;
    const scattered = await findFirstDay(async () => (++many % 9 === 0 ? 1 : 0), at);
    expect([scattered.requests, scattered.isProven]).toEqual([60, false]);
  });
});

describe('what is kept of an account', () => {
  it('goes to another segment after 16 MiB', async () => {
    const dir = folder();
    const path = join(dir, '2026-11.jsonl');
    closeSync(openSync(path, 'w'));
    const size = 16 * 1024 * 1024;
    truncateSync(path, size - 1);
    expect(await currentSegment(dir, NOON)).toBe('2026-11.jsonl');
    truncateSync(path, size);
    expect(await currentSegment(dir, NOON)).toBe('2026-11.2.jsonl');
  });

  it('is looked through from half a day before a command began', () => {
    const tells = (mtime: number) =>
      mayTellOf(new Date(NOON).toISOString(), '2026-01.jsonl', ['2026-01.jsonl', '2026-11.jsonl'], mtime);
    expect([tells(NOON - 12 * HOUR_MS), tells(NOON - 12 * HOUR_MS - 1)]).toEqual([true, false]);
  });

  it('takes a write for lost after an hour where processes cannot be told apart', () => {
    const line = {
      type: 'intent',
      id: 'i',
      like: 't',
      time: new Date(NOON).toISOString(),
      pid: 1,
      started: '',
      host: 'h',
    };
    const processes = { self: { pid: 2, started: '', host: 'h' }, state: () => 'running' as const };
    const at = (now: number) => mergeEntry([line as Line], processes, now)?.outcome;
    expect([at(NOON + HOUR_MS - 1), at(NOON + HOUR_MS)]).toEqual(['running', 'unknown']);
  });

  it('is 300 ids of a family, and half a MiB', () => {
    const place = { dataDir: folder(), profile: 'p', mode: 'test' as const };
    const ids = Array.from({ length: 400 }, (_, n) => `id${String(n).padStart(18, '0')}`);
    rememberItems(
      place,
      'customers',
      'id',
      ids.map((id) => JSON.stringify({ id })),
    );
    expect(readIds(place, 'customers')).toHaveLength(300);
    const [file = ''] = readdirSync(place.dataDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /customers/.test(name),
    );
    const read = (bytes: number) => {
      writeFileSync(join(place.dataDir, file), '[["A"]]'.padEnd(bytes));
      return readIds(place, 'customers').length;
    };
    expect([read(512 * 1024), read(512 * 1024 + 1)]).toEqual([1, 0]);
  });

  it('is a configuration of 8 MiB, a key of 4096 characters, shown from eight on, a rate of 10000', async () => {
    const dir = folder();
    const path = join(dir, 'config.json');
    writeFileSync(path, '{"profiles":{}}');
    const pad = (size: number) => writeFileSync(path, '{"profiles":{}}'.padEnd(size, ' '));
    pad(8 * 1024 * 1024);
    expect(await openStore(dir).read()).toMatchObject({ profiles: {} });
    pad(8 * 1024 * 1024 + 1);
    await expect((async () => openStore(dir).read())()).rejects.toMatchObject({ exitCode: 11 });
    expect(checkKey('k'.repeat(4096), 'a test')).toHaveLength(4096);
    expect(() => checkKey('k'.repeat(4097), 'a test')).toThrow(/too long/);
    expect([maskKey('1234567'), maskKey('12345678')]).toEqual(['****', '****5678']);
    const { home } = await pair(() => ok({ id: A }));
    expect((await home.run(['customers', 'get', A, '--rate', '10000'])).code).toBe(0);
    expect((await home.run(['customers', 'get', A, '--rate', '10001'])).code).toBe(2);
  });
});

describe('patience', () => {
  it('with a keychain is a minute', async () => {
    const load = async () =>
      ({
        AsyncEntry: class {
          getPassword = () => new Promise(() => undefined);
        },
      }) as never;
    expect(await sleptBy(() => readFromKeychain('acme', load))).toBe(60_000);
  });

  it('with what such a command prints ends after 64 KiB', async () => {
    const printed = (bytes: number) =>
      runKeyCommand(`head -c ${bytes} /dev/zero | tr '\\0' x`, 'p', { env: { PATH: process.env.PATH } }).then(
        (text) => text.length,
        () => 'stopped',
      );
    expect([await printed(64 * 1024), await printed(64 * 1024 + 1)]).toEqual([64 * 1024, 'stopped']);
  });

  it('with a command that gives a key is a minute', async () => {
    const reading = { env: process.env, configDir: folder() } as never;
    expect(await sleptBy(() => runKeyCommand('sleep 600', 'the profile acme', reading))).toBe(60_000);
  });

  const other = { self: { pid: 2, started: 's', host: 'h' }, state: () => 'running' as const };
  const own = { self: { pid: 1, started: 's', host: 'h' }, state: () => 'running' as const };
  it.each([
    ['holds a file', 5000, (dir: string) => ['x', () => lock(join(dir, 'x'), { processes: own })] as const],
    [
      'counts limited writes',
      30_000,
      (dir: string) => ['policy', () => new FileLedger(dir, dir, Date.now, own).exclusively(async () => 1)] as const,
    ],
    [
      'works on a journal',
      1000,
      (dir: string) => {
        const place = { now: Date.now, runsDir: join(dir, 'runs'), processes: own };
        return ['j', () => journalInFile(journalFile(join(dir, 'j')), place).create({ id: 'j' } as never)] as const;
      },
    ],
    [
      'writes the configuration',
      10_000,
      (dir: string) => ['config.json', () => openStore(dir, { processes: own }).update((now) => now)] as const,
    ],
  ])('with one who %s is %i ms', async (_who, ms, of) => {
    const dir = folder();
    mkdirSync(dir, { recursive: true });
    const [name, ask] = of(dir);
    await lock(join(dir, name), { processes: other });
    const slept = await sleptBy(ask);
    expect(slept).toBeGreaterThanOrEqual(ms);
    expect(slept).toBeLessThan(ms + 100);
  });
});

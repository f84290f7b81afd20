/** What a team's ledger waits for, and how much it asks for at once: beside a database that is a script. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import type { JournalHeader } from '../../../src/account/journal/journal-lines.js';
import { Team } from '../../../src/account/team/team.js';
import { entriesOf } from '../../../src/account/team/team-entries.js';
import { teamJournal, teamRuns } from '../../../src/account/team/team-journal.js';
import { teamPace } from '../../../src/account/team/team-limits.js';
import { ledgerSql } from '../../../src/account/team/team-schema.js';
import { ledgerSchema } from '../../../src/account/team/team-setup.js';
import type { LedgerDeed } from '../../../src/account/team/types.js';
import type { Postgres, PostgresRows, PostgresValue } from '../../../src/base/database/postgres.js';
import { CopsError } from '../../../src/base/errors/errors.js';
import { sleptBy } from '../http/helpers.js';

type Row = PostgresRows['rows'][number];
type Reply = readonly Row[] | Promise<readonly Row[]>;
const NOON = Date.parse('2026-11-21T12:00:00Z');
const LOST = new CopsError('network', 'gone');
const BEATEN = new CopsError('local', 'beaten', { more: { sqlstate: '40001' } });
const END = { do: 'end', id: 'w', once: 'o', outcome: 'done' } as LedgerDeed;

interface Script {
  readonly leaseMs?: number;
  readonly version?: number;
  /** Answers a statement; without an answer it is answered as usual. */
  reply?(sql: string, values: readonly PostgresValue[]): Reply | undefined;
}

/** A team whose database does as a script says, and every statement that it was asked. */
function scripted({ leaseMs = 30_000, version = 3, reply }: Script = {}) {
  const asked: { readonly sql: string; readonly values: readonly PostgresValue[] }[] = [];
  let last = 0;
  const usual = (sql: string, values: readonly PostgresValue[]): readonly Row[] => {
    if (sql.includes('least_writer')) return [['l', 'b', 'test', '[]', leaseMs, version, version, 'anna', NOON]];
    if (sql.includes('.beat(')) return [[true]];
    if (!sql.includes('.act(')) return [];
    const deeds = JSON.parse(String(values[3])) as readonly LedgerDeed[];
    const answers = Object.fromEntries(deeds.map((_, at) => [String(at + 1), { n: ++last }]));
    return [[JSON.stringify({ alive: true, answers })]];
  };
  const query = async (sql: string, values: readonly PostgresValue[] = []): Promise<PostgresRows> => {
    asked.push({ sql, values });
    const rows = (await reply?.(sql, values)) ?? usual(sql, values);
    return { rows, count: rows.length };
  };
  const place = {
    ...{ address: 'a', schema: 'cops_ledger', user: 'anna', timeoutMs: 0, self: { pid: 1, host: 'h' } },
    folder: mkdtempSync(path.join(tmpdir(), 'cops-team-waits-')),
    now: () => NOON,
    warn: () => undefined,
    connect: async (signal: AbortSignal) => {
      const cut = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      cut.catch(() => undefined);
      const session = { query: (...words: Parameters<typeof query>) => Promise.race([query(...words), cut]) };
      const transaction = (work: (one: typeof session) => Promise<unknown>) => work(session);
      return { ...session, transaction, close: async () => undefined } as unknown as Postgres;
    },
  };
  const statements = (part: string) => asked.filter(({ sql }) => sql.includes(part));
  return { team: new Team(place), place, statements };
}

const faked = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'performance'] });
afterEach(() => void vi.useRealTimers());

it('a ledger that does not answer is given up after a quarter of a minute', async () => {
  const { team } = scripted({ reply: (sql) => (sql === 'SELECT 1' ? new Promise(() => undefined) : undefined) });
  await team.facts();
  expect(await sleptBy(() => team.query('SELECT 1'))).toBe(15_000);
});

it('a transaction may be idle for ten seconds', async () => {
  const { team, statements } = scripted();
  await team.exclusively('sums', async () => undefined);
  expect(statements('idle_in_transaction')[0]?.values[0]).toBe('10000');
  await team.close();
});

it('an end is brought for six seconds, four times a second, and then kept by this machine', async () => {
  const { team, place, statements } = scripted({
    reply: (sql) => (sql.includes('.act(') ? Promise.reject(LOST) : undefined),
  });
  await team.enter();
  expect(await sleptBy(() => team.bring(END))).toBe(6000);
  expect(statements('.act(')).toHaveLength(25);
  expect(await new Team(place).seen.keptEnds('l')).toHaveLength(1);
  await team.close();
});

it.each([
  ['five seconds', 600_000, 5000],
  ['a sixth of a short lease', 6000, 1000],
])('a lease is renewed every %s', async (_when, leaseMs, ms) => {
  faked();
  const { team, statements } = scripted({ leaseMs });
  await team.enter();
  vi.advanceTimersByTime(ms - 1);
  await turn();
  expect(statements('.beat(')).toHaveLength(0);
  vi.advanceTimersByTime(1);
  await turn();
  expect(statements('.beat(')).toHaveLength(1);
  await team.close();
});

it('no request leaves after two thirds of a lease without contact', async () => {
  faked();
  const { team } = scripted({ reply: (sql) => (sql.includes('.beat(') ? Promise.reject(LOST) : undefined) });
  await team.enter();
  vi.advanceTimersByTime(19_999);
  expect(team.mayLeave()).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(team.mayLeave()).toMatchObject({ exitCode: 12 });
  await team.close();
});

it('rules are read again after five seconds', async () => {
  faked();
  const { team, statements } = scripted();
  await team.rules();
  vi.advanceTimersByTime(5000);
  await team.rules();
  expect(statements('SELECT rules')).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await team.rules();
  expect(statements('SELECT rules')).toHaveLength(2);
});

it('one statement has two hundred deeds', async () => {
  const { team, statements } = scripted();
  await team.enter();
  await Promise.all(Array.from({ length: 401 }, (_, n) => team.act({ do: 'begin', id: `w${n}` })));
  const counts = statements('.act(').map(({ values }) => JSON.parse(String(values[3])).length);
  expect(counts).toEqual([200, 200, 1]);
  await team.close();
});

it('what loses to another is tried five times', async () => {
  const { team, statements } = scripted({
    reply: (sql) => (/\.act\(|advisory/.test(sql) ? Promise.reject(BEATEN) : undefined),
  });
  await expect(team.act({ do: 'begin', id: 'w' })).rejects.toBe(BEATEN);
  await expect(team.exclusively('sums', async () => undefined)).rejects.toBe(BEATEN);
  expect([statements('.act(').length, statements('advisory').length]).toEqual([5, 5]);
  await team.close();
});

it('what was seen is written once a second', async () => {
  faked();
  vi.advanceTimersByTime(60_000);
  const { team } = scripted();
  const kept = vi.spyOn(team.seen, 'keepMark');
  const written = async (ms: number): Promise<number> => {
    vi.advanceTimersByTime(ms);
    // One deed, without the wait for others of its turn.
    await team.exclusively('sums', () => team.act({ do: 'begin', id: 'w' }));
    return kept.mock.calls.length;
  };
  expect([await written(0), await written(999), await written(1)]).toEqual([1, 1, 2]);
  await team.close();
});

const TIME = new Date(NOON).toISOString();
const header = { type: 'header', version: 2, id: 'r', created: TIME, input: {}, rows: 0 } as unknown as JournalHeader;
const lines = (count: number): Row[] =>
  Array.from({ length: count }, (_, n) => [n + 1, JSON.stringify(n === 0 ? header : { type: 'run', time: TIME })]);

it.each([
  [4999, 1],
  [5000, 2],
])('a journal is read by 5000 lines: %i take %i statements', async (count, many) => {
  const { team, statements } = scripted({
    reply: (sql, [, after]) => (sql.includes('LIMIT 5000') ? (after === 0 ? lines(count) : []) : undefined),
  });
  await teamJournal(team, 'r').scan();
  expect(statements('ORDER BY n')).toHaveLength(many);
});

it('a run that another process holds is said to be free in whole seconds', async () => {
  const held = JSON.stringify({ held: { user: 'ben', machine: 'm', ms: 20_001 } });
  const { team } = scripted({
    reply: (sql) => (sql.includes('LIMIT 5000') ? lines(1) : sql.includes('take_run') ? [[held]] : undefined),
  });
  await expect(teamJournal(team, 'r').open('r', 'c')).rejects.toMatchObject({
    facts: { hint: expect.stringContaining('in 21 s.') },
  });
  await team.close();
});

it('a run has 64 rows open, and its input is refused for 30 days', async () => {
  const { team, statements } = scripted({
    reply: (sql) => (sql.includes('begin_run') ? [[true]] : undefined),
  });
  expect((await teamJournal(team, 'r').create(header)).ahead).toBe(64);
  await teamRuns(team).begun('digest');
  expect(statements("interval '30 days'")).toHaveLength(1);
  expect(await teamRuns(team).newName('bulk run')).toMatch(/^20261121-120000-bulk-run-[0-9a-f]{4}$/);
  await team.close();
});

it.each([
  [499, 1],
  [500, 2],
])('a history is read by 500 entries: %i take %i statements', async (count, many) => {
  const page = Array.from({ length: count }, (_, n): Row => [n, ...Array.from({ length: 22 }, () => null)]);
  const { team, statements } = scripted({
    reply: (sql, [before]) =>
      sql.includes('LIMIT 500') ? (before === Number.MAX_SAFE_INTEGER ? page : []) : undefined,
  });
  let entries = 0;
  for await (const _ of entriesOf(team, {})) entries++;
  expect([entries, statements('ORDER BY i.n').length]).toEqual([count, many]);
});

it('without its ledger a process takes half of the pace, and at most 50 ms of turns', async () => {
  faked();
  const { team } = scripted({ reply: (sql) => (sql.includes('take_turns') ? Promise.reject(LOST) : undefined) });
  const pace = teamPace(team, { rate: 200, onFault: () => undefined } as never);
  expect(await pace.reserve(100)).toEqual([0, 10, 20, 30, 40]);
  expect(await pace.reserve(1)).toEqual([50]);
});

it('a ledger is of version 3, has a lease of half a minute and a minute to settle', async () => {
  const sql = ledgerSql('cops_ledger');
  expect(sql).toMatch(/lease_ms bigint NOT NULL DEFAULT 30000\b/);
  expect(sql).toMatch(/settle_ms int NOT NULL DEFAULT 60000\b/);
  // The turns of the pace: at most 50 ms of them at once, and a rate that holds the others for two seconds.
  expect(sql).toMatch(/least\(wanted, floor\(50 \/ spacing\)/);
  expect(sql).toMatch(/greatest\(2000, 2 \* spacing\)/);
  expect(sql).toMatch(/lease_until < t - interval '1 day'/);
  expect(sql).toMatch(/at > "?cops_ledger"?\.clock\(\) - interval '30 days'/);
  const { team, statements } = scripted();
  await team.enter();
  expect(statements('.enter(')[0]?.values[0]).toBe(3);
  await expect(scripted({ version: 2 }).team.enter()).rejects.toMatchObject({ exitCode: 12 });
  expect(ledgerSchema('a'.repeat(41))).toHaveLength(41);
  expect(() => ledgerSchema('a'.repeat(42))).toThrow('41');
  await team.close();
});

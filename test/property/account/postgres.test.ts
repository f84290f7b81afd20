/**
 * The ledger of a team keeps what the files of one machine keep.
 * @module-tag tool
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Gate } from '../../../src/account/history/write-gate.js';
import type { JournalHeader } from '../../../src/account/journal/journal-lines.js';
import { JournalState } from '../../../src/account/journal/state.js';
import { TeamHistory } from '../../../src/account/team/team-history.js';
import { teamJournal } from '../../../src/account/team/team-journal.js';
import { TeamWrites, teamPace } from '../../../src/account/team/team-limits.js';
import type { Postgres } from '../../../src/base/database/postgres.js';
import { type PostgresServer, startPostgres } from '../../harness/postgres.js';
import { TestLedger } from '../../harness/team.js';
import { describeHistory, NOON } from './describe-history.js';
import { describeJournal, type JournalGround } from './describe-journal.js';
import { describeLimits } from './describe-limits.js';
import { describePace } from './describe-pace.js';

let server: PostgresServer;
let owner: Postgres;
beforeAll(async () => {
  server = await startPostgres({ settings: ['fsync=on', 'synchronous_commit=off'] });
  owner = await TestLedger.make(server);
});
afterAll(async () => {
  await owner.close();
  await server.close();
});

describeHistory('a ledger', async () => {
  const ledger = await TestLedger.open(server, owner, () => ground.now);
  const ground = {
    now: NOON,
    join() {
      const { team, die } = ledger.join();
      return { history: new TeamHistory(team), die };
    },
    remove: () => ledger.remove(),
  };
  return ground;
});

async function journalGround(lines?: readonly string[]): Promise<JournalGround> {
  const ledger = await TestLedger.open(server, owner, () => ground.now);
  const ground: JournalGround & { lines: number } = {
    now: NOON,
    lines: 0,
    join() {
      const { team, die } = ledger.join();
      return { place: teamJournal(team, 'run'), die };
    },
    moments: () => Number(server.sql('SELECT count(*) FROM cops_ledger.line')),
    async stoppedAt(moment) {
      const text = server.sql('SELECT json_agg(line ORDER BY n) FROM cops_ledger.line');
      const all = JSON.parse(text === '' ? '[]' : text) as string[];
      return journalGround(all.slice(0, moment));
    },
    remove: () => ledger.remove(),
  };
  if (lines && lines.length > 0) {
    await owner.query(
      `INSERT INTO cops_ledger.run (id, name, at, user_name, machine, epoch, timeout_ms, lines)
        VALUES ('j', 'run', now(), 'anna', 'h', 1, 0, $1)`,
      [lines.length],
    );
    for (const [at, line] of lines.entries())
      await owner.query(`INSERT INTO cops_ledger.line VALUES ('j', $1, $2)`, [at + 1, line]);
  }
  return ground;
}

describeJournal('a ledger', () => journalGround());

describeLimits('a ledger', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cops-limits-'));
  const ledger = await TestLedger.open(server, owner, () => ground.now);
  const ground = {
    now: NOON,
    configDir: folder,
    setPolicy: (text: string) => writeFileSync(join(folder, 'policy.yaml'), text),
    join() {
      const { team, die } = ledger.join();
      const counted = new TeamWrites(team);
      return { counted: async () => counted, history: (gate: Gate) => new TeamHistory(team, gate), die };
    },
    async remove() {
      await ledger.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await owner.query(`UPDATE cops_ledger.ledger SET mode = 'live'`);
  return ground;
});

describePace('a ledger', async () => {
  const ledger = await TestLedger.open(server, owner, () => ground.now);
  const ground = {
    now: NOON,
    join: (rate: number) => teamPace(ledger.join().team, { key: 'k', rate, onFault: expect.unreachable }),
    remove: () => ledger.remove(),
  };
  return ground;
});

describe('a ledger', () => {
  let ledger: TestLedger;
  let now = NOON;
  beforeEach(async () => {
    now = NOON;
    ledger = await TestLedger.open(server, owner, () => now);
  });
  afterEach(() => ledger.remove());
  const facts = { profile: 'acme', operation: 'o', credential: 'fp', ids: ['a'], tag: 'a' };
  const guards = () => server.sql('SELECT tag, state, opened FROM cops_ledger.guard');

  it('admits no write that was withdrawn before it came to its turn', async () => {
    const { team } = ledger.join();
    await team.act({ do: 'withdraw', ...facts, id: 'late', once: 'w', outcome: 'not_sent' });
    await expect(team.act({ do: 'begin', ...facts, id: 'late' })).rejects.toThrow();
    expect(guards()).toBe('');
    await team.act({ do: 'begin', ...facts, id: 'next' });
    expect(guards()).toBe('a|open|1');
  });

  it('takes nothing back that was done', async () => {
    const { team } = ledger.join();
    await team.act({ do: 'begin', ...facts, id: 'i' });
    await team.act({ do: 'end', id: 'i', once: 'first', outcome: 'done', facts: {} });
    await team.act({ do: 'end', id: 'i', once: 'second', outcome: 'refused', facts: {} });
    expect(server.sql('SELECT state FROM cops_ledger.intent')).toBe('done');
    expect(await new TeamHistory(team).show('i')).toMatchObject({ outcome: 'done' });
    const header = { rows: 1, created: new Date(NOON).toISOString(), credential: 'fp' };
    const state = new JournalState(header as ConstructorParameters<typeof JournalState>[0]);
    const time = header.created;
    state.apply({ type: 'result', time, row: 1, outcome: 'done' } as Parameters<JournalState['apply']>[0], 1);
    state.apply({ type: 'result', time, row: 1, outcome: 'not_sent' } as Parameters<JournalState['apply']>[0], 2);
    expect([state.stand(1), state.offset(1)]).toEqual(['done', 1]);
  });

  it('keeps a write guarded that another process sends once more, whatever came of the first sending', async () => {
    const [first, other] = [ledger.join().team, ledger.join().team];
    server.sql(`INSERT INTO cops_ledger.run (id, name, at, user_name, machine, epoch, timeout_ms)
      VALUES ('r', 'run', now(), 'anna', 'h', 2, 0)`);
    const row = { ...facts, run: 'r', key: 'k', id: 'i' };
    await first.act({ do: 'begin', ...row });
    await other.act({ do: 'reopen', id: 'i' });
    const late = { by: first.id, outcome: 'not_sent' };
    await first.act({ do: 'withdraw', ...row, ...late, once: 'w' });
    await first.act({ do: 'end', id: 'i', ...late, once: 'e', facts: {} });
    const line = { do: 'line', run: 'r', key: 'k', line: '{}' } as const;
    await first.act({ ...line, ...late, sent_in: 1, once: 'l' });
    expect(guards()).toBe('a|open|1');
    expect(server.sql('SELECT count(*) FROM cops_ledger.line')).toBe('0');
    // Who holds the run now says what it likes of rows that it did not send.
    await first.act({ ...line, by: first.id, sent_in: 2, outcome: 'unknown', once: 'm' });
    expect(server.sql('SELECT count(*) FROM cops_ledger.line')).toBe('1');
    expect(await new TeamHistory(other).show('i')).toMatchObject({ outcome: 'running' });
    expect(await new TeamHistory(other).endedOf(new Set(['i']))).toEqual(new Map());
    expect(await first.act({ do: 'begin', ...facts, id: 'j' })).toMatchObject({ other: { id: 'i' } });
    await other.act({ do: 'end', id: 'i', by: other.id, outcome: 'refused', once: 'o', facts: {} });
    expect(guards()).toBe('a|closed|0');
  });

  it('does no row once more that was done since the command of its run began', async () => {
    const [first, other] = [ledger.join().team, ledger.join().team];
    const began = new Date(now).toISOString();
    now += 5_000;
    await first.act({ do: 'begin', ...facts, id: 'i' });
    await first.act({ do: 'end', id: 'i', by: first.id, outcome: 'done', once: 'e', facts: {} });
    now += 5_000;
    const header = { id: 'r', type: 'header', created: began, rows: 1, credential: 'fp' };
    await teamJournal(other, 'run').create(header as JournalHeader);
    expect(await other.act({ do: 'begin', ...facts, run: 'r', epoch: 1, id: 'j' })).toMatchObject({
      other: { id: 'i' },
    });
  });

  it('takes no command for younger because its clock was set back, or because it had to wait', async () => {
    const [first, other] = [ledger.join().team, ledger.join().team];
    await other.enter();
    const began = new Date(now).toISOString();
    expect(await other.timeOf(began)).toBeLessThanOrEqual(now);
    const meanwhile: Gate = {
      admit: async (_row, record) => {
        now += 5_000;
        await first.act({ do: 'begin', ...facts, id: 'i' });
        await first.act({ do: 'end', id: 'i', by: first.id, outcome: 'done', once: 'e', facts: {} });
        now += 5_000;
        return record({});
      },
      readmit: async () => undefined,
    };
    const write = {
      profile: 'p',
      baseUrl: 'b',
      mode: 'test',
      operation: 'o',
      fingerprint: 'fp',
      ids: [],
      tag: 'a',
    } as const;
    await expect(new TeamHistory(other, meanwhile).begin(write, { since: began })).rejects.toMatchObject({
      kind: 'stopped',
    });
    now -= 3_600_000;
    expect(await other.timeOf(began)).toBeLessThanOrEqual(Date.parse(began));
  });

  it('counts all that another run did that was under way when its own began, whatever became of that run', async () => {
    const runOf = async (id: string, lines: 'closed' | 'held' = 'held') => {
      const { team, die } = ledger.join();
      const header = { id, type: 'header', created: new Date(now).toISOString(), rows: 2, credential: 'fp' };
      const journal = await teamJournal(team, id).create(header as JournalHeader);
      const does = async (tag: string) => {
        const asked = { ...facts, tag, run: id, epoch: 1, id: `${id}-${tag}` };
        const begun = await team.act({ do: 'begin', ...asked });
        if (!('other' in begun))
          await team.act({ do: 'end', id: asked.id, once: asked.id, outcome: 'done', facts: {} });
        now += 1_000;
        return begun;
      };
      if (lines === 'closed') await journal.close();
      return { does, die, close: () => journal.close() };
    };
    const first = await runOf('first');
    expect(await first.does('a')).not.toHaveProperty('other');
    const second = await runOf('second');
    await first.does('b');
    await first.close();
    expect(await second.does('a')).toMatchObject({ other: { id: 'first-a' } });
    expect(await second.does('c')).not.toHaveProperty('other');
    const third = await runOf('third');
    second.die();
    now += 3_600_000;
    const late = await runOf('late');
    // A run of which nothing was to come any more is not under way: to give its rows again is meant.
    expect(await late.does('c')).not.toHaveProperty('other');
    expect(await third.does('c')).toMatchObject({ other: { id: 'late-c' } });
  });

  it('is brought what a machine kept by its next command, also one that only looks', async () => {
    const { team } = ledger.join();
    await team.act({ do: 'begin', ...facts, id: 'i' });
    const { id } = await team.facts();
    const later = ledger.join().team;
    await later.seen.keepEnd(id, { do: 'line', run: 'gone', line: '{}', once: 'l' });
    await later.seen.keepEnd(id, { do: 'end', id: 'i', once: 'e', outcome: 'done', facts: {} });
    expect(await new TeamHistory(later).show('i')).toMatchObject({ outcome: 'done' });
    expect(await later.seen.keptEnds(id)).toEqual([]);
  });

  it('is behind for who saw in it what others wrote', async () => {
    const [first, other] = [ledger.join().team, ledger.join().team];
    await first.act({ do: 'begin', ...facts, id: 'i' });
    await other.enter();
    server.sql('DELETE FROM cops_ledger.intent; DELETE FROM cops_ledger.guard');
    await expect(other.act({ do: 'begin', ...facts, id: 'j' })).rejects.toMatchObject({ kind: 'stopped' });
  });
});

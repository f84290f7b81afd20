import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHistory } from '../../../src/account/history/history.js';
import type { GatedHistory as History, Trail } from '../../../src/account/history/types.js';
import { bundle, failure, folder, processTable } from './tools.js';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const SINCE = new Date(NOON).toISOString();
const origin = { profile: 'acme', baseUrl: 'b', mode: 'test', operation: 'o', fingerprint: 'fp' } as const;

function runner(dir: string, pid: number, now = () => NOON): { history: History; trail: Trail } {
  const history = openHistory(dir, { now, processes: processTable(pid, [1, 2, 3]) });
  return { history, trail: history.trail(origin, { journal: `j${pid}`, since: SINCE }) };
}

const row = (tag: string) => ({ ids: [tag], tag });

describe('the trail of a bulk run', () => {
  it('lets at most one of several processes do each of their common rows', { timeout: 60_000 }, async () => {
    const dir = folder();
    const script = join(dir, 'trail-writer.cjs');
    await bundle(join(import.meta.dirname, 'trail-writer.ts'), script);
    const since = new Date(Date.now() - 60_000).toISOString();
    const rows = 400;
    const told = await Promise.all(
      [1, 2, 3].map(async (name) => {
        const child = spawn(process.execPath, [script, dir, `j${name}`, since, String(rows)], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let text = '';
        child.stdout.on('data', (piece) => {
          text += piece;
        });
        const [code] = await once(child, 'close');
        expect(code).toBe(0);
        return text.split('\n').slice(0, -1);
      }),
    );
    const done = told.flat();
    expect(done.length).toBeGreaterThan(rows / 4);
    expect(new Set(done).size).toBe(done.length);
  });

  it('never lets both of two that begin the same row at the same moment', async () => {
    const dir = folder();
    const [one, two] = [runner(dir, 1), runner(dir, 2)];
    await Promise.all([one.trail.begin(row('first')), two.trail.begin(row('second'))]);
    for (let n = 0; n < 20; n++) {
      const both = await Promise.allSettled([one.trail.begin(row(`r${n}`)), two.trail.begin(row(`r${n}`))]);
      expect(both.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2);
    }
  });

  it('tells of a row that it goes on with whether the same was done elsewhere meanwhile', async () => {
    const dir = folder();
    const died = runner(dir, 9);
    const { pending: a } = await died.trail.begin(row('a'));
    const { pending: b } = await died.trail.begin(row('b'));
    const again = runner(dir, 2).history.trail(origin, { journal: 'by hand', since: SINCE, again: true });
    const elsewhere = await again.begin(row('a'));
    await elsewhere.pending.finish({ outcome: 'done' });
    const resumed = runner(dir, 1).history.trail(origin, { journal: 'j9', since: SINCE });
    expect((await resumed.reopen(a.id, { tag: 'a', ids: [] })).doneElsewhere?.id).toBe(elsewhere.pending.id);
    expect((await resumed.reopen(b.id, { tag: 'b', ids: [] })).doneElsewhere).toBeUndefined();
  });

  it('sees what others begin and end between its own rows', async () => {
    const dir = folder();
    const [one, two] = [runner(dir, 1), runner(dir, 2)];
    const { pending } = await one.trail.begin(row('a'));
    expect((await failure(two.trail.begin(row('a')))).message).toMatch(/still running/);
    await two.trail.begin(row('b'));
    await pending.finish({ outcome: 'done' });
    expect((await two.trail.begin(row('a'))).doneElsewhere).toMatchObject({ id: pending.id });
    expect((await failure(one.trail.begin(row('b')))).exitCode).toBe(12);
    // What was refused may be done by another.
    const refused = await one.trail.begin(row('c'));
    await refused.pending.finish({ outcome: 'refused' });
    expect((await two.trail.begin(row('c'))).doneElsewhere).toBeUndefined();
  });

  it('sees its own run under way in another process, which keeps its locks elsewhere', async () => {
    const dir = folder();
    const as = (pid: number) => {
      const history = openHistory(dir, { now: () => NOON, processes: processTable(pid, [1, 2]) });
      return history.trail(origin, { journal: 'same', since: SINCE });
    };
    const [one, two] = [as(1), as(2)];
    const { pending } = await one.begin(row('a'));
    expect((await failure(two.begin(row('a')))).message).toMatch(/still running/);
    await pending.finish({ outcome: 'refused' });
    await (await two.begin(row('a'))).pending.finish({ outcome: 'refused' });
    expect((await one.begin(row('a'))).doneElsewhere).toBeUndefined();
  });

  it('sees a row of another in a segment that is new, in an old one, and behind a torn line', async () => {
    const dir = folder();
    const own = runner(dir, 1);
    await own.trail.begin(row('first'));
    const later = runner(dir, 2, () => Date.parse('2026-12-01T00:00:00Z'));
    await later.trail.begin(row('new segment'));
    expect((await failure(own.trail.begin(row('new segment')))).exitCode).toBe(12);
    const earlier = runner(dir, 3, () => Date.parse('2026-10-01T00:00:00Z'));
    await earlier.trail.begin(row('old segment'));
    expect((await failure(own.trail.begin(row('old segment')))).exitCode).toBe(12);
    const [oldest = ''] = readdirSync(join(dir, 'history')).sort();
    appendFileSync(join(dir, 'history', oldest), '{"type":"intent","id":"torn');
    await own.trail.begin(row('meanwhile'));
    await earlier.trail.begin(row('behind'));
    expect((await failure(own.trail.begin(row('behind')))).exitCode).toBe(12);
  });

  it('remembers what was done since the run began, not what was done before it, by its own key or profile', async () => {
    const dir = folder();
    const before = runner(dir, 7, () => NOON - 1);
    await (await before.trail.begin(row('before'))).pending.finish({ outcome: 'done' });
    const after = runner(dir, 3, () => NOON + 1);
    await (await after.trail.begin(row('after'))).pending.finish({ outcome: 'done' });
    const stranger = after.history.trail(
      { ...origin, profile: 'other', fingerprint: 'other' },
      { journal: 'x', since: SINCE },
    );
    await (await stranger.begin(row('strange'))).pending.finish({ outcome: 'done' });
    const own = runner(dir, 1);
    expect((await own.trail.begin(row('before'))).doneElsewhere).toBeUndefined();
    expect((await own.trail.begin(row('after'))).doneElsewhere).toBeDefined();
    expect((await own.trail.begin(row('strange'))).doneElsewhere).toBeUndefined();
    // A journal that was put back to an older state does not know what its own run did.
    const resumed = openHistory(dir, { now: () => NOON + 2, processes: processTable(9, [9]) });
    const again = resumed.trail(origin, { journal: 'j3', since: SINCE });
    expect((await again.begin(row('after'))).doneElsewhere).toBeDefined();
  });

  it('finds what was done since also in a segment that was closed meanwhile', async () => {
    const dir = folder();
    mkdirSync(join(dir, 'history'));
    const line = (type: string, more: object) =>
      JSON.stringify({ type, id: 'i1', like: 'a', time: new Date(NOON + 5).toISOString(), ...more });
    const facts = { profile: 'acme', credential: 'fp', journal: 'other', pid: 2, started: 's2', host: 'h' };
    const closed = join(dir, 'history', '2026-11.jsonl');
    writeFileSync(closed, `${line('intent', facts)}\n${line('outcome', { outcome: 'done' })}\n`);
    utimesSync(closed, (NOON + 5) / 1000, (NOON + 5) / 1000);
    const own = runner(dir, 1, () => Date.parse('2026-12-01T00:00:00Z'));
    expect((await own.trail.begin(row('a'))).doneElsewhere?.id).toBe('i1');
  });
});

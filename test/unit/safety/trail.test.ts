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
    await Promise.all([one.trail.plan(row('first')).begin(), two.trail.plan(row('second')).begin()]);
    for (let n = 0; n < 20; n++) {
      const both = await Promise.allSettled([
        one.trail.plan(row(`r${n}`)).begin(),
        two.trail.plan(row(`r${n}`)).begin(),
      ]);
      expect(both.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2);
    }
  });

  it('tells of a row that it goes on with whether the same was done elsewhere meanwhile', async () => {
    const dir = folder();
    const died = runner(dir, 9);
    const { pending: a } = await died.trail.plan(row('a')).begin();
    const { pending: b } = await died.trail.plan(row('b')).begin();
    const again = runner(dir, 2).history.trail(origin, { journal: 'by hand', since: SINCE, again: true });
    const elsewhere = await again.plan(row('a')).begin();
    await elsewhere.pending.finish({ outcome: 'done' });
    const resumed = runner(dir, 1).history.trail(origin, { journal: 'j9', since: SINCE });
    expect((await resumed.reopen(a.id, { tag: 'a', ids: [] })).doneElsewhere?.id).toBe(elsewhere.pending.id);
    expect((await resumed.reopen(b.id, { tag: 'b', ids: [] })).doneElsewhere).toBeUndefined();
  });

  it('sees what others begin and end between its own rows', async () => {
    const dir = folder();
    const [one, two] = [runner(dir, 1), runner(dir, 2)];
    const { pending } = await one.trail.plan(row('a')).begin();
    expect((await failure(two.trail.plan(row('a')).begin())).message).toMatch(/still running/);
    await two.trail.plan(row('b')).begin();
    await pending.finish({ outcome: 'done' });
    expect((await two.trail.plan(row('a')).begin()).doneElsewhere).toMatchObject({ id: pending.id });
    expect((await failure(one.trail.plan(row('b')).begin())).exitCode).toBe(12);
    // What was refused may be done by another.
    const refused = await one.trail.plan(row('c')).begin();
    await refused.pending.finish({ outcome: 'refused' });
    expect((await two.trail.plan(row('c')).begin()).doneElsewhere).toBeUndefined();
  });

  it('sees its own run under way in another process, which keeps its locks elsewhere', async () => {
    const dir = folder();
    const as = (pid: number) => {
      const history = openHistory(dir, { now: () => NOON, processes: processTable(pid, [1, 2]) });
      return history.trail(origin, { journal: 'same', since: SINCE });
    };
    const [one, two] = [as(1), as(2)];
    const { pending } = await one.plan(row('a')).begin();
    expect((await failure(two.plan(row('a')).begin())).message).toMatch(/still running/);
    await pending.finish({ outcome: 'refused' });
    await (await two.plan(row('a')).begin()).pending.finish({ outcome: 'refused' });
    expect((await one.plan(row('a')).begin()).doneElsewhere).toBeUndefined();
  });

  it('sees a row of another in a segment that is new, in an old one, and behind a torn line', async () => {
    const dir = folder();
    const own = runner(dir, 1);
    await own.trail.plan(row('first')).begin();
    const later = runner(dir, 2, () => Date.parse('2026-12-01T00:00:00Z'));
    await later.trail.plan(row('new segment')).begin();
    expect((await failure(own.trail.plan(row('new segment')).begin())).exitCode).toBe(12);
    const earlier = runner(dir, 3, () => Date.parse('2026-10-01T00:00:00Z'));
    await earlier.trail.plan(row('old segment')).begin();
    expect((await failure(own.trail.plan(row('old segment')).begin())).exitCode).toBe(12);
    const [oldest = ''] = readdirSync(join(dir, 'history')).sort();
    appendFileSync(join(dir, 'history', oldest), '{"type":"intent","id":"torn');
    await own.trail.plan(row('meanwhile')).begin();
    await earlier.trail.plan(row('behind')).begin();
    expect((await failure(own.trail.plan(row('behind')).begin())).exitCode).toBe(12);
  });

  it('remembers what was done since the run began, not what was done before it, by its own key or profile', async () => {
    const dir = folder();
    const before = runner(dir, 7, () => NOON - 1);
    await (await before.trail.plan(row('before')).begin()).pending.finish({ outcome: 'done' });
    const after = runner(dir, 3, () => NOON + 1);
    await (await after.trail.plan(row('after')).begin()).pending.finish({ outcome: 'done' });
    const stranger = after.history.trail(
      { ...origin, profile: 'other', fingerprint: 'other' },
      { journal: 'x', since: SINCE },
    );
    await (await stranger.plan(row('strange')).begin()).pending.finish({ outcome: 'done' });
    const own = runner(dir, 1);
    expect((await own.trail.plan(row('before')).begin()).doneElsewhere).toBeUndefined();
    expect((await own.trail.plan(row('after')).begin()).doneElsewhere).toBeDefined();
    expect((await own.trail.plan(row('strange')).begin()).doneElsewhere).toBeUndefined();
    // A journal that was put back to an older state does not know what its own run did.
    const resumed = openHistory(dir, { now: () => NOON + 2, processes: processTable(9, [9]) });
    const again = resumed.trail(origin, { journal: 'j3', since: SINCE });
    expect((await again.plan(row('after')).begin()).doneElsewhere).toBeDefined();
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
    expect((await own.trail.plan(row('a')).begin()).doneElsewhere?.id).toBe('i1');
  });
});

import { spawn } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openHistory } from '../../../src/account/history/history.js';
import { openLines } from '../../../src/account/history/segments.js';
import type { Entry, GatedHistory as History, Intent } from '../../../src/account/history/types.js';
import { historyList, historySettle, historyShow } from '../../../src/cli/commands/history/run.js';
import type { Item } from '../../../src/items/json/item-json.js';
import { bundle, failure, folder, processTable } from './tools.js';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const intent: Intent = {
  profile: 'acme',
  baseUrl: 'https://service.test',
  mode: 'test',
  operation: 'subscriptions cancel',
  ids: ['abcdefghij0123456789'],
  key: 'f3b1c9f0-0000-4000-8000-000000000000',
  fingerprint: 'fp1',
  tag: 't0',
};

const of = (ids: readonly string[]): Intent => ({ ...intent, ids, tag: ids.join(' ') });

/** The open write that is like `intent`. */
async function openLike(history: History): Promise<Entry | undefined> {
  return (await history.openTags(intent)).get(intent.tag);
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of source) list.push(one);
  return list;
}

function fileOf(dir: string): string {
  const name = readdirSync(join(dir, 'history')).find((one) => one.endsWith('.jsonl'));
  return join(dir, 'history', name ?? 'none');
}

describe('the guard for many rows', () => {
  it('holds only the lines of the newest segment that leave a write open, in their order', async () => {
    const dir = folder();
    const history = openHistory(dir, { now: () => NOON, processes: processTable(1) });
    const ends = ['done', 'unknown', undefined, 'refused'] as const;
    const ids: string[] = [];
    for (const [at, outcome] of ends.entries()) {
      const begun = await history.begin(of([`item${at}`]));
      ids.push(begun.id);
      if (outcome !== undefined) await begun.finish({ outcome });
    }
    appendFileSync(fileOf(dir), '{"type":"outcome","id":"torn\n');
    // Of several ends the last counts, in both directions.
    const later = { type: 'outcome', like: 'x', time: '2026-11-21T12:00:01.000Z' };
    for (const [id, outcome] of [
      [ids[1], 'done'],
      [ids[3], 'unknown'],
    ])
      appendFileSync(fileOf(dir), `${JSON.stringify({ ...later, id, outcome })}\n`);
    const lines = await openLines(join(dir, 'history'), '2026-11.jsonl', true);
    expect(lines.map(({ type, id }) => `${type} ${ids.indexOf(id)}`)).toEqual([
      'intent 2',
      'intent 3',
      'outcome 3',
      'outcome 3',
    ]);
    await history.close();
  });
});

describe('a write that another process did since this command began', () => {
  it.each([
    ['on this machine', { pid: 2, started: 's2', host: 'h' }],
    ['in another container, under the same number', { pid: 1, started: 's1', host: 'other' }],
    ['under the same number, which was given out again', { pid: 1, started: 's0', host: 'h' }],
  ])('is not done a second time: %s', async (_where, self) => {
    const dir = folder();
    const now = () => NOON;
    const other = openHistory(dir, { now, processes: { ...processTable(1), self } });
    await (await other.begin(intent)).finish({ outcome: 'done', httpStatus: 200, code: 1 });
    const own = openHistory(dir, { now, processes: processTable(1) });
    const since = new Date(NOON - 1000).toISOString();
    expect(await failure(own.begin(intent, { since }))).toMatchObject({ exitCode: 12 });
    const after = await own.begin(intent, { since: new Date(NOON + 1000).toISOString() });
    await after.finish({ outcome: 'done' });
    expect(await own.begin({ ...intent, tag: 't1' }, { since })).toBeDefined();
  });

  it.each([
    ['a single write', (own: History, since: string) => own.begin(intent, { since })],
    [
      'a row',
      async (own: History, since: string) => {
        const begun = await own.trail(intent, { journal: 'j', since }).plan(intent).begin();
        if (begun.doneElsewhere) throw Object.assign(new Error('done elsewhere'), { exitCode: 12 });
        return begun.pending;
      },
    ],
  ])('is not done a second time where a month ended in between: %s', async (_what, begin) => {
    const dir = folder();
    // The clock is ahead of that of the file system, so that only the names of the segments tell their age.
    let now = Date.parse('2031-11-30T23:59:58Z');
    const since = new Date(now - 1000).toISOString();
    const at = (pid: number) => openHistory(dir, { now: () => now, processes: processTable(pid) });
    await (await at(2).begin(intent)).finish({ outcome: 'done' });
    now += 5_000;
    await (await at(3).begin({ ...intent, tag: 't1' })).finish({ outcome: 'done' });
    expect(readdirSync(join(dir, 'history')).filter((name) => name.endsWith('.jsonl'))).toHaveLength(2);
    expect(await failure(begin(at(1), since))).toMatchObject({ exitCode: 12 });
  });
});

describe('history', () => {
  it('has the intent in the file before begin resolves, and the outcome after', async () => {
    const dir = folder();
    const history = openHistory(dir, { now: () => NOON });
    const pending = await history.begin(intent);
    expect(readFileSync(fileOf(dir), 'utf8')).toContain('"type":"intent"');
    expect(statSync(fileOf(dir)).mode & 0o777).toBe(0o600);
    await pending.finish({ outcome: 'done', httpStatus: 200, code: 1, apiCallId: 'call0000000000000001' });
    const [entry] = await all(openHistory(dir).list());
    expect(entry).toMatchObject({
      id: pending.id,
      outcome: 'done',
      profile: 'acme',
      mode: 'test',
      ids: intent.ids,
      key: intent.key,
      api_call_id: 'call0000000000000001',
    });
    await history.close();
  });

  it.each([
    ['unknown', 12],
    ['done', 0],
    ['refused', 0],
    ['not_sent', 0],
    ['payment_failed', 0],
  ] as const)('after %s the same write exits with %i', async (outcome, code) => {
    const dir = folder();
    const history = openHistory(dir, { now: () => NOON });
    const first = await history.begin(intent);
    await first.finish({ outcome, settles: 'Read cops subscriptions get X.' });
    const later = openHistory(dir, { now: () => NOON + 60_000 });
    if (code === 0) {
      await later.begin(intent);
      return;
    }
    const error = await failure(later.begin(intent));
    expect(error.exitCode).toBe(code);
    expect(error.message).toContain('2026-11-21T12:00:00.000Z');
    expect(String(error.facts.hint)).toContain(`cops history show ${first.id}`);
    expect(String(error.facts.hint)).toContain('cops subscriptions get X');
    await later.begin(of(['other000000000000000']));
    await later.begin({ ...intent, tag: 't1' });
    await later.begin(intent, { again: true });
  });

  it('counts a killed process as unknown and a living one as running', async () => {
    const dir = folder();
    const table = processTable(7, [7, 8]);
    const killed = await openHistory(dir, { now: () => NOON, processes: table }).begin(intent);
    const other = openHistory(dir, { now: () => NOON, processes: { ...table, self: processTable(8).self } });
    expect((await openLike(other))?.outcome).toBe('running');
    expect((await failure(other.settle(killed.id, 'done'))).exitCode).toBe(12);
    table.kill(7);
    expect((await openLike(other))?.outcome).toBe('unknown');
    expect((await failure(other.begin(intent))).exitCode).toBe(12);
    await other.settle(killed.id, 'not-done', 'looked at the subscription');
    expect(await openLike(other)).toBeUndefined();
    expect(await other.show(killed.id.slice(0, -1))).toMatchObject({
      settled: { as: 'not-done' },
      outcome: 'not_sent',
    });
    await other.begin(intent);
  });

  it('lets none of two through that begin at the same moment in two processes', async () => {
    const dir = folder();
    const both = [1, 2].map((pid) => openHistory(dir, { now: () => NOON, processes: processTable(pid, [1, 2]) }));
    const ends = await Promise.allSettled(both.map((history) => history.begin(intent)));
    expect(ends.filter((end) => end.status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });

  it('skips a torn line, starts on a fresh one and reports it', async () => {
    const dir = folder();
    const history = openHistory(dir, { now: () => NOON });
    await (await history.begin(intent)).finish({ outcome: 'done' });
    appendFileSync(fileOf(dir), '{"type":"intent","id":"torn');
    const second = await openHistory(dir, { now: () => NOON }).begin(of(['second00000000000000']));
    const reader = openHistory(dir);
    expect((await all(reader.list())).map((entry) => entry.id)).toContain(second.id);
    expect(reader.damagedLines).toBe(1);
  });

  it('finds an open write of another month, also when it is settled later or the clock went back', async () => {
    const dir = folder();
    const old = openHistory(dir, { now: () => Date.parse('2026-03-02T00:00:00Z'), processes: processTable(5, []) });
    const first = await old.begin(intent);
    await first.finish({ outcome: 'unknown' });
    for (const month of ['2026-05', '2026-08', '2026-11']) {
      const at = openHistory(dir, { now: () => Date.parse(`${month}-09T00:00:00Z`) });
      await (await at.begin(of([month]))).finish({ outcome: 'done' });
    }
    expect((await openLike(openHistory(dir)))?.id).toBe(first.id);
    // A second look goes through the summaries.
    expect((await openLike(openHistory(dir)))?.id).toBe(first.id);
    const back = openHistory(dir, { now: () => Date.parse('2026-05-10T00:00:00Z') });
    await back.settle(first.id, 'done');
    expect(await openLike(openHistory(dir))).toBeUndefined();
    expect(await all(openHistory(dir).list({ unknownOnly: true }))).toEqual([]);
    expect((await all(openHistory(dir).list())).map((entry) => entry.time.slice(0, 7))).toEqual([
      '2026-11',
      '2026-08',
      '2026-05',
      '2026-03',
    ]);
  });

  it('reads only the newest segment and small summaries when the history is long', async () => {
    const dir = folder();
    mkdirSync(join(dir, 'history'));
    const filler = (id: string, like: string) =>
      `{"type":"intent","id":"${id}","like":"${like}","time":"2026-01-01T00:00:00.000Z"}\n{"type":"outcome","id":"${id}","like":"${like}","time":"x","outcome":"done"}\n`;
    let text = '';
    for (let index = 0; index < 5000; index++) text += filler(`i${index}`, `l${index}`);
    writeFileSync(join(dir, 'history', '2026-01.jsonl'), text);
    const history = openHistory(dir, { now: () => NOON });
    await (await history.begin(intent)).finish({ outcome: 'unknown' });
    expect((await openLike(history))?.outcome).toBe('unknown');
    expect(statSync(join(dir, 'history', '2026-01.jsonl.open')).size).toBeLessThan(100);
  });

  it('keeps every line of several processes that write at once and are killed', async () => {
    const dir = folder();
    const script = join(dir, 'writer.cjs');
    await bundle(join(import.meta.dirname, 'history-writer.ts'), script);
    const children = [1, 2, 3].map((index) =>
      spawn(process.execPath, [script, dir, String(index)], { stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    const saw = await Promise.all(
      children.map(
        (child) =>
          new Promise<string>((resolve) => {
            let text = '';
            child.stdout?.on('data', (data) => {
              text += data;
              if (text.split('\n').length > 40) child.kill('SIGKILL');
            });
            child.on('close', () => resolve(text));
          }),
      ),
    );
    const ids = new Set((await all(openHistory(dir).list())).map((entry) => entry.id));
    const claimed = saw.flatMap((text) => text.split('\n').slice(0, -1));
    expect(claimed.length).toBeGreaterThanOrEqual(120);
    for (const id of claimed) expect(ids.has(id), id).toBe(true);
  });

  it('says where it failed when the folder cannot be made, and sends nothing', async () => {
    const dir = folder();
    writeFileSync(join(dir, 'history'), 'a file');
    const error = await failure(openHistory(dir).begin(intent));
    expect(error.exitCode).toBe(11);
  });
});

describe('cops history', () => {
  const notes = { note() {}, warn() {}, detail() {}, progress() {}, progressDone() {} };

  it('lists with a limit, shows one, settles one, and shows no hashes', async () => {
    const dir = folder();
    const history = openHistory(dir, { now: () => NOON });
    const ids: string[] = [];
    for (const outcome of ['done', 'unknown', 'refused'] as const) {
      const pending = await history.begin(of([outcome]));
      await pending.finish({ outcome });
      ids.push(pending.id);
    }
    const context = { configDir: dir, dataDir: dir, notes, world: { now: () => NOON } };
    const listed = historyList(context, { limit: 2 });
    if (listed.shape !== 'list') throw new Error('not a list');
    expect((await all<Item>(listed.items)).map((item) => item.field('outcome'))).toEqual(['refused', 'unknown']);
    const unknown = historyList(context, { unknown: true });
    if (unknown.shape !== 'list') throw new Error('not a list');
    expect((await all<Item>(unknown.items)).map((item) => item.field('id'))).toEqual([ids[1]]);
    await historySettle(context, ids[1] ?? '', 'done', 'seen in the web app');
    const shown = await historyShow(context, ids[1] ?? '');
    if (shown.shape !== 'one') throw new Error('not one');
    expect(shown.item.field('settled')).toMatchObject({ as: 'done', note: 'seen in the web app' });
    expect(shown.item.raw).not.toContain('body_hash');
    expect((await failure(historySettle(context, ids[0] ?? '', 'done'))).exitCode).toBe(2);
    expect((await failure(historySettle(context, ids[0] ?? '', 'maybe'))).exitCode).toBe(2);
    expect((await failure(historyShow(context, 'nothing'))).exitCode).toBe(4);
  });
});

describe('a history that lost lines', () => {
  const damages: [string, (file: string, whole: Buffer) => void][] = [
    ['is missing', (file) => renameSync(file, `${file}.old`)],
    ['is shorter', (file) => writeFileSync(file, '')],
    ['was changed', (file, whole) => writeFileSync(file, whole.toString('utf8'), 'utf16le')],
    ['was changed', (file, whole) => writeFileSync(file, Buffer.concat([whole.subarray(20), Buffer.alloc(40, 10)]))],
    ['was changed', (file, whole) => writeFileSync(file, Buffer.alloc(whole.length, 10))],
  ];
  it.each(damages)('lets no write of unknown outcome be sent again: it %s', async (what, damage) => {
    const dir = folder();
    const open = () => openHistory(dir, { now: () => NOON, dataDir: join(dir, 'data') });
    await open().begin(intent);
    damage(fileOf(dir), readFileSync(fileOf(dir)));
    const error = await failure(open().begin(intent));
    expect(error).toMatchObject({ exitCode: 12, message: expect.stringContaining(what) });
    const mark = join(dir, 'data', 'marks', readdirSync(join(dir, 'data', 'marks'))[0] ?? '');
    expect(JSON.stringify(error.facts.hint)).toContain(mark);
    rmSync(mark);
    // A history of other bytes than ours is told from one torn by a crash without a mark, too.
    const after = open().begin({ ...intent, tag: 't1' });
    if (what === 'was changed' && readFileSync(fileOf(dir)).some((byte) => byte !== 10))
      expect(await failure(after)).toMatchObject({ exitCode: 12 });
    else expect(await after).toBeDefined();
  });

  it('is told from one that grew, moved or was torn by a crash', async () => {
    const dir = folder();
    const open = (at = dir) => openHistory(at, { now: () => NOON, dataDir: join(dir, 'data') });
    const first = open();
    for (const tag of ['t1', 't2', 't3']) await (await first.begin({ ...intent, tag })).finish({ outcome: 'done' });
    await first.close();
    appendFileSync(fileOf(dir), '\n{"type":"outc\0\0');
    await (await open().begin({ ...intent, tag: 't4' })).finish({ outcome: 'done' });
    mkdirSync(join(dir, 'other'));
    renameSync(join(dir, 'history'), join(dir, 'other', 'history'));
    expect(await open(join(dir, 'other')).begin({ ...intent, tag: 't5' })).toBeDefined();
  });

  it('is read again only if something touched it', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const dir = folder();
    const open = () => openHistory(dir, { now: () => NOON, dataDir: join(dir, 'data') });
    await open().begin(intent);
    const mark = join(dir, 'data', 'marks', readdirSync(join(dir, 'data', 'marks'))[0] ?? '');
    writeFileSync(mark, readFileSync(mark, 'utf8').replace('"crc":', '"crc":1'));
    expect(await open().begin({ ...intent, tag: 't1' })).toBeDefined();
    const whole = readFileSync(fileOf(dir));
    writeFileSync(fileOf(dir), whole.subarray(0, -1));
    appendFileSync(fileOf(dir), ' ');
    expect((await failure(open().begin({ ...intent, tag: 't2' }))).message).toContain('was changed');
  });

  it('is covered to its last line when a run ends', async () => {
    const dir = folder();
    const open = () => openHistory(dir, { now: () => NOON, dataDir: join(dir, 'data') });
    const run = open();
    const trail = run.trail(intent, { journal: 'j', since: new Date(NOON).toISOString() });
    for (const tag of ['t1', 't2', 't3']) await trail.plan({ ...intent, tag }).begin();
    await run.close();
    const whole = readFileSync(fileOf(dir));
    writeFileSync(fileOf(dir), whole.subarray(0, -10));
    expect(await failure(open().begin(intent))).toMatchObject({ exitCode: 12 });
  });
});

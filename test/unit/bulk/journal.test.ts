import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { journalFile, journalInFile } from '../../../src/account/journal/journal.js';
import type { JournalHeader } from '../../../src/account/journal/journal-lines.js';
import { reportRows, statusOf } from '../../../src/bulk/report-rows.js';
import { failure, processTable } from '../safety/tools.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const header: JournalHeader = {
  type: 'header',
  version: 2,
  id: 'j',
  created: new Date(NOW).toISOString(),
  profile: 'p',
  base_url: 'b',
  mode: 'test',
  family: 'f',
  action: 'a',
  risk: 'money',
  credential: 'k',
  input: { kind: 'list', sha256: 's' },
  templates: [],
  rows: 5,
  keyless: false,
};
const runsDir = mkdtempSync(join(tmpdir(), 'cops-runs-'));
const options = { now: () => NOW, runsDir };
const placeOf = (at: string) => journalInFile(journalFile(at), options);
const path = () => join(mkdtempSync(join(tmpdir(), 'cops-journal-')), 'run.journal');

async function filled(): Promise<string> {
  const at = path();
  const journal = await journalInFile(journalFile(at), options).create(header);
  const row = (n: number) => ({ row: n, line: n + 1, ids: [`id${n}`], key: `k${n}`, time: journal.stamp() });
  for (const n of [3, 1, 2]) await journal.append({ type: 'intent', ...row(n), tag: 't' }, true);
  await journal.append({ type: 'result', ...row(3), outcome: 'done', http_status: 200, api_call_id: 'c3' }, false);
  await journal.append(
    { type: 'result', ...row(1), outcome: 'refused', http_status: 400, error_code: 'E0001', message: 'no' },
    false,
  );
  await journal.close();
  return at;
}

describe('the journal', () => {
  it('has lines of 16 MiB and 100 million rows at most', async () => {
    const at = path();
    const scanned = (pieces: readonly Buffer[]) =>
      journalInFile({ ...journalFile(at), read: () => Readable.from(pieces) }, options)
        .scan()
        .then(() => '', String);
    const long = (bytes: number) => scanned([Buffer.alloc(bytes, 'x')]);
    expect([await long(16 << 20), await long((16 << 20) + 1)].map((said) => said.includes('does not end'))).toEqual([
      false,
      true,
    ]);
    const whole = await filled();
    const [first = ''] = readFileSync(whole, 'utf8').split('\n');
    const { n: _place, crc: _sum, ...plain } = JSON.parse(first);
    const counted = (rows: number) => scanned([Buffer.from(`${JSON.stringify({ ...plain, version: 1, rows })}\n`)]);
    expect([await counted(5), await counted(100_000_001)]).toEqual([
      '',
      expect.stringContaining('not a usable journal'),
    ]);
  });

  it('shows the state of every row, in the order of the input', async () => {
    const at = await filled();
    expect(statSync(at).mode & 0o777).toBe(0o600);
    const rows: unknown[] = [];
    for await (const item of reportRows(placeOf(at))) rows.push(item.value);
    expect(rows).toMatchObject([
      { row: 1, line: 2, id: 'id1', outcome: 'refused', error_code: 'E0001', message: 'no', key: 'k1' },
      { row: 2, outcome: 'unknown', key: 'k2' },
      { row: 3, outcome: 'done', api_call_id: 'c3' },
      { row: 4, outcome: 'not_started' },
      { row: 5, outcome: 'not_started' },
    ]);
    const { state } = await placeOf(at).scan();
    expect(statusOf(at, state)).toMatchObject({ rows: 5, done: 1, refused: 1, unknown: 1, not_started: 2 });
  });

  it('repairs a torn end, and continues after it', async () => {
    const at = await filled();
    const whole = readFileSync(at, 'utf8');
    for (const tail of ['{"type":"res', '{"type":"result","row":2}x', '\0\0\0\0', '{"type":"intent","row":4,"ids"\n']) {
      writeFileSync(at, whole + tail);
      const journal = await journalInFile(journalFile(at), options).open('j', 'k');
      expect(journal.state.count('open')).toBe(1);
      await journal.close();
      const text = readFileSync(at, 'utf8');
      expect(text.startsWith(whole)).toBe(true);
      for (const line of text.trimEnd().split('\n')) JSON.parse(line);
    }
  });

  it.each([
    [
      'damage in the middle',
      (text: string) => text.replace('"intent","row":1', '"inte\0t","ro":1').replace('{"type":"inte', '{"ty'),
    ],
    ['a lost header', (text: string) => text.slice(text.indexOf('\n') + 1)],
    ['a row that cannot be', (text: string) => text.replace('"row":2', '"row":9')],
    ['another version', (text: string) => text.replace('"version":2', '"version":3')],
    ['something else', () => 'hello\nworld\n'],
    ['nothing', () => ''],
  ])('does not go on with %s, and leaves it as it is', async (_name, spoil) => {
    const at = await filled();
    const spoiled = spoil(readFileSync(at, 'utf8'));
    writeFileSync(at, spoiled);
    const error = await failure(journalInFile(journalFile(at), options).open('j', 'k'));
    expect(error.exitCode).toBe(11);
    expect(readFileSync(at, 'utf8')).toBe(spoiled);
    expect(readdirSync(join(at, '..'))).toEqual(['run.journal']);
  });

  it('is not a journal if a line does not end', async () => {
    const endless = {
      ...journalFile('endless.journal'),
      async *read() {
        for (;;) yield Buffer.alloc(1 << 20, 0x78);
      },
    };
    expect(await failure(journalInFile(endless, options).scan())).toMatchObject({
      exitCode: 11,
      message: expect.stringMatching(/end/),
    });
  });

  it('is never begun over an existing file', async () => {
    const at = await filled();
    const before = readFileSync(at, 'utf8');
    const error = await failure(journalInFile(journalFile(at), options).create(header));
    expect(error.exitCode).toBe(2);
    expect(String(error.facts.hint)).toContain(`cops bulk resume ${at}`);
    expect(readFileSync(at, 'utf8')).toBe(before);
  });

  it('lets nobody else in while one works on it, and clears the lock of a dead one', async () => {
    const at = await filled();
    const table = processTable(1, [1, 2]);
    const first = await journalInFile(journalFile(at), { ...options, processes: table }).open('j', 'k');
    const second = { ...options, processes: { ...table, self: processTable(2).self } };
    const error = await failure(journalInFile(journalFile(at), second).open('j', 'k'));
    expect(error.exitCode).toBe(11);
    expect(error.message).toMatch(/in use by another process \(1\)/);
    table.kill(1);
    const taken = await journalInFile(journalFile(at), second).open('j', 'k');
    await taken.close();
    await first.close();
    expect(readdirSync(join(at, '..'))).toEqual(['run.journal']);
  });

  it('writes times that never go back', async () => {
    const at = path();
    let now = NOW;
    const journal = await journalInFile(journalFile(at), { now: () => now, runsDir }).create(header);
    now = NOW - 3_600_000;
    expect(journal.stamp()).toBe(new Date(NOW).toISOString());
    await journal.close();
  });

  it('takes no line after it was closed', async () => {
    const at = path();
    const journal = await journalInFile(journalFile(at), options).create(header);
    await journal.close();
    expect(
      (await failure(journal.append({ type: 'run', time: journal.stamp(), credential: 'k' }, true))).exitCode,
    ).toBe(11);
  });
});

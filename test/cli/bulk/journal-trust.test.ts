/** What a journal may not decide: its own risk, and which run it is. */
import { copyFileSync, linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JournalHeader } from '../../../src/account/journal/journal-lines.js';
import { id, ok, type Reaction } from '../../fixtures/service/service.js';
import { home, json, pair } from '../helpers.js';
import { asVersion1, linesOf, resealed } from './journals.js';

const ids = (count: number) => Array.from({ length: count }, (_, n) => id(`SUB${100 + n}X`));

async function setting(rows: number, mode: 'test' | 'live' = 'test', delayMs = 0) {
  const { service, home } = await pair(
    (request): Reaction =>
      request.method === 'GET'
        ? ok({ id: id('X'), live_mode: mode === 'live' })
        : { ...(ok({ result: 'success' }) as object), ...(delayMs > 0 ? { delayMs } : {}) },
    mode,
  );
  const journal = path.join(home.folder, 'run.journal');
  const list = path.join(home.folder, 'ids.txt');
  writeFileSync(list, ids(rows).join('\n'));
  const posts = () => service.requests.filter(({ method }) => method === 'POST');
  /** A journal of a run that was stopped before its first row. */
  const begun = async (...more: string[]) => {
    await home.run(['bulk', 'subscriptions', 'cancel', '--ids', list, '--journal', journal, ...more]);
    const text = readFileSync(journal, 'utf8');
    return linesOf(text);
  };
  return { service, home, journal, list, posts, begun };
}

describe('a journal that says of itself that it only reads', () => {
  it.each([
    ['sealed anew', resealed],
    ['of the first version', asVersion1],
  ] as const)('is asked for like the operation that it runs: %s', async (_, written) => {
    const { home, journal, posts, begun } = await setting(3, 'live');
    const [header] = await begun('--yes', '--expect', '3');
    const sent = posts().length;
    const forged = { ...(header as JournalHeader), risk: 'read', id: 'another-run', created: new Date().toISOString() };
    writeFileSync(journal, written([forged]));
    for (const command of ['resume', 'retry-failed']) {
      const ran = await home.run(['bulk', command, journal]);
      if (command === 'resume') expect([ran.code, ran.stderr]).toEqual([12, expect.stringContaining('confirmation')]);
      expect(posts()).toHaveLength(sent);
    }
    const yes = await home.run(['bulk', 'resume', journal, '--yes']);
    expect([yes.code, yes.stderr]).toEqual([12, expect.stringContaining('--expect 3')]);
    expect(posts()).toHaveLength(sent);
  });

  it('sends nothing with a read-only profile', async () => {
    const { service, home, journal, posts, begun } = await setting(2);
    const [header] = await begun();
    const sent = posts().length;
    writeFileSync(journal, resealed([{ ...(header as JournalHeader), risk: 'read', profile: 'safe', id: 'other' }]));
    const added = await home.run(
      ['profiles', 'add', 'safe', '--base-url', service.baseUrl, '--test-key', '-', '--read-only'],
      { input: 'key_of_the_tests_0001\n' },
    );
    const env = { COPS_BASE_URL: undefined, COPS_API_KEY: undefined };
    const ran = await home.run(['bulk', 'resume', journal, '-p', 'safe', '--test', '--yes', '--expect', '2'], { env });
    expect([ran.code, ran.stderr, added.stderr]).toEqual([12, expect.stringContaining('read-only'), added.stderr]);
    expect(posts()).toHaveLength(sent);
  });

  it('with a changed header and its old checksum is refused', async () => {
    const { home, journal, begun } = await setting(2);
    await begun();
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"irreversible"', '"read"'));
    expect((await home.run(['bulk', 'resume', journal])).code).toBe(11);
  });
});

describe('one run under two names', { tags: ['thorough'] }, () => {
  it.each([
    ['a symbolic link', symlinkSync],
    ['a hard link', linkSync],
    ['a copy', copyFileSync],
  ] as const)('%s: two that go on with it at once do no row twice', { timeout: 60_000 }, async (_, make) => {
    const rows = 120;
    const { home, journal, posts, begun } = await setting(rows, 'test', 5);
    const [header] = await begun();
    const sent = posts().length;
    // Nothing of it is in the history: what keeps the two apart is the lock alone.
    writeFileSync(journal, resealed([{ ...(header as JournalHeader), id: 'locked' }]));
    const other = path.join(home.folder, 'other.journal');
    make(journal, other);
    const env = { COPS_CONFIG_DIR: path.join(home.folder, 'config-2') };
    const ran = await Promise.all([
      home.run(['bulk', 'resume', journal], { env }),
      home.run(['bulk', 'resume', other], { env }),
    ]);
    const counts = new Map<string, number>();
    for (const { path: at } of posts().slice(sent)) counts.set(at, (counts.get(at) ?? 0) + 1);
    expect([...counts.values()].filter((times) => times > 1)).toEqual([]);
    expect(ran.map(({ code }) => code)).toContain(0);
    // The other one meets the lock, or what the first has left: nothing, or rows that only the history knows.
    expect(ran.every(({ code }) => [0, 9, 11].includes(code ?? -1))).toBe(true);
  });
});

describe('a journal of the first version', () => {
  it('is read, gone on with and reported; what is added to it is sealed', async () => {
    const { home, journal, posts, begun } = await setting(3);
    const lines = await begun();
    const sent = posts().length;
    writeFileSync(journal, asVersion1([{ ...(lines[0] as JournalHeader), id: 'first-version' }]));
    const env = { COPS_CONFIG_DIR: path.join(home.folder, 'config-2') };
    const ran = await home.run(['bulk', 'resume', journal, '-o', 'json'], { env });
    expect([ran.code, json(ran)]).toEqual([0, expect.objectContaining({ done: 3 })]);
    expect(posts()).toHaveLength(sent + 3);
    expect(readFileSync(journal, 'utf8').split('\n')[1]).toMatch(/"n":2,"crc":"[0-9a-f]{8}"\}$/);
    const report = json<object[]>(await home.run(['bulk', 'report', journal, '-o', 'json'], { env }));
    expect(report.map((row) => Object.keys(row).filter((name) => name === 'n' || name === 'crc'))).toEqual([
      [],
      [],
      [],
    ]);
  });
});

describe('the profile of a journal', () => {
  const begun = async () => {
    const made = home();
    const journal = path.join(made.folder, 'run.journal');
    const listed = await made.run(['-p', 'sandbox', 'customers', 'list', '--limit', '3', '-o', 'ids']);
    const list = path.join(made.folder, 'ids.txt');
    writeFileSync(list, `${id('NOBODY')}\n${listed.stdout}`);
    const words = ['bulk', 'customers', 'disable', '--ids', list, '--journal', journal, '--max-failures', '1'];
    await made.run(['-p', 'sandbox', ...words, '--concurrency', '1', '--no-strict-ids']);
    return { made, journal };
  };

  it('is that of the run where a line names none', async () => {
    const { made, journal } = await begun();
    const ran = await made.run(['bulk', 'resume', journal, '-o', 'json']);
    expect(ran.stderr).toContain('Using profile sandbox, from the journal.');
    expect(json(ran)).toMatchObject({ profile: 'sandbox', mode: 'test', done: 3, not_started: 0 });
  });

  it('is never another that is named, nor another mode; the whole line is there to paste', async () => {
    const { made, journal } = await begun();
    const other = ['profiles', 'add', 'other', '--base-url', 'http://127.0.0.1:9/v2', '--test-key', 'env:OTHER_KEY'];
    const env = { OTHER_KEY: 'key_of_another_0001' };
    expect((await made.run(other, { env })).code).toBe(0);
    const lines = [
      ['-p', 'other', 'bulk', 'resume', journal],
      ['--live', 'bulk', 'resume', journal],
    ];
    for (const line of lines) {
      const ran = await made.run(line, { env });
      expect(ran.code).toBe(12);
      expect(ran.stderr).toContain(`Use: cops -p sandbox --test bulk resume ${journal}`);
    }
    // The one in use without a word is not named either.
    await made.run(['profiles', 'use', 'other'], { env });
    expect(json(await made.run(['bulk', 'resume', journal, '-o', 'json'], { env }))).toMatchObject({ done: 3 });
  });
});

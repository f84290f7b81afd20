import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parseJunit } from 'junit2json';
import { Parser } from 'tap-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home } from '../../harness/home.js';

/* Which scenarios are played, and how others read what became of them. */

let home: Home;
let folder: string;
beforeEach(() => {
  home = new Home();
  folder = path.join(home.folder, 'scenarios');
  mkdirSync(folder);
});
afterEach(() => home.remove());

const HOLDS = 'steps: [{ run: projects list }]\n';
const FAILS = 'steps: [{ run: projects list, exit: 5 }]\n';

function lay(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files))
    writeFileSync(path.join(folder, `${name}.test.yaml`), `version: 1\n${text}`);
}

async function names(...words: string[]): Promise<string[]> {
  const ran = await home.run(['test', folder, ...words, '-o', 'json']);
  return ran.stdout.startsWith('[') ? (JSON.parse(ran.stdout) as { name: string }[]).map(({ name }) => name) : [];
}

const FOUR = {
  a: `name: Alpha one\ntags: [cards]\n${HOLDS}`,
  b: `name: Beta one\ntags: [mail, cards]\n${HOLDS}`,
  c: `name: Gamma\ntags: [mail]\n${HOLDS}`,
  d: HOLDS,
};

describe('cops test', () => {
  it('lists without running, by the name of the file where there is none', async () => {
    lay({ ...FOUR, e: FAILS });
    expect(await names('--list')).toEqual(['Alpha one', 'Beta one', 'Gamma', 'd', 'e']);
  });

  it.each([
    [
      ['--grep', 'ONE'],
      ['Alpha one', 'Beta one'],
    ],
    [
      ['--tag', 'cards'],
      ['Alpha one', 'Beta one'],
    ],
    [
      ['--tag', 'cards', '--tag', 'mail'],
      ['Alpha one', 'Beta one', 'Gamma'],
    ],
    [['--tag', 'mail', '--grep', 'gamma'], ['Gamma']],
    [
      ['--shard', '1/2'],
      ['Alpha one', 'Gamma'],
    ],
    [
      ['--shard', '2/2'],
      ['Beta one', 'd'],
    ],
  ])('plays those that %j asks for', async (words, wanted) => {
    lay(FOUR);
    expect(await names(...words)).toEqual(wanted);
  });

  it('puts every scenario into one shard alone', async () => {
    lay(FOUR);
    const all = await Promise.all(['1/3', '2/3', '3/3'].map((shard) => names('--list', '--shard', shard)));
    expect(all.flat().sort()).toEqual(['Alpha one', 'Beta one', 'Gamma', 'd']);
  });

  it.each([
    [['--grep', 'nothing']],
    [['--shard', '3/2']],
    [['--shard', '0/2']],
    [['--shard', 'half']],
    [['--seed', '-1']],
    [['--seed', 'x']],
  ])('refuses %j', async (words) => {
    lay(FOUR);
    const ran = await home.run(['test', folder, ...words]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
  });

  it('ends at the first that fails where it is to bail', async () => {
    lay({ a: HOLDS, b: FAILS, c: HOLDS });
    expect(await names('--bail')).toEqual(['a', 'b']);
    const ran = await home.run(['test', folder, '--bail']);
    expect(ran.code).toBe(13);
    expect(ran.stderr).toContain('--bail: 1 more');
  });

  it('has the same data for the same seed', async () => {
    const count = `given: { renewals: 5 }\nsteps:\n  - run: customers list --limit 1\n    as: c\n    expect: [{ value: 'c[0].id=x' }]\n`;
    lay({ a: count });
    const found = async (...words: string[]) => {
      const [end] = JSON.parse((await home.run(['test', folder, ...words, '-o', 'json'])).stdout);
      return end.failure.unmet[0].found as string;
    };
    const [one, again, other] = [await found('--seed', '3'), await found('--seed', '3'), await found('--seed', '4')];
    expect(one).toBe(again);
    expect(other).not.toBe(one);
  });

  it('shows nothing but what would be played under a dry run', async () => {
    lay({ a: FAILS });
    const ran = await home.run(['test', folder, '--dry-run']);
    expect(ran.code).toBe(0);
  });
});

const STRANGE = 'A <b>"name"</b> & more # of \\ it';
const MIXED = {
  a: `name: '${STRANGE}'\n${HOLDS}`,
  b: `name: Fails\n${FAILS}`,
  c: `name: Skipped\nskip: 'a <reason> # of its own'\n${HOLDS}`,
};

describe('what others read of it', () => {
  it('is JUnit that a reader takes', async () => {
    lay(MIXED);
    const file = path.join(home.folder, 'results.xml');
    const ran = await home.run(['test', folder, '--junit', file, '-o', 'json']);
    expect(ran.code).toBe(13);
    const read = await parseJunit(readFileSync(file, 'utf8'));
    expect(read).toMatchObject({ tests: 3, failures: 1, skipped: 1, errors: 0 });
    const suites = read && 'testsuite' in read ? (read.testsuite ?? []) : [];
    const cases = suites.flatMap((suite) => ('testcase' in suite ? (suite.testcase ?? []) : []));
    expect(cases.map(({ name }) => name)).toEqual([STRANGE, 'Fails', 'Skipped']);
    expect(cases[1]?.failure?.[0]?.message).toContain('exit 5');
    expect(cases[2]?.skipped?.[0]?.message).toBe('a <reason> # of its own');
  });

  it('is TAP that a reader takes', async () => {
    lay(MIXED);
    const ran = await home.run(['test', folder, '-o', 'tap']);
    expect(ran.code).toBe(13);
    const points: { ok: boolean; name: string; skip: boolean | string; diag: unknown }[] = [];
    const parser = new Parser((results) => expect(results).toMatchObject({ count: 3, pass: 2, fail: 1, skip: 1 }));
    parser.on('assert', (point) => points.push(point));
    const strange: string[] = [];
    parser.on('extra', (text) => strange.push(text));
    parser.end(ran.stdout);
    expect(strange).toEqual([]);
    expect(points.map(({ ok, name }) => [ok, name])).toEqual([
      [true, STRANGE],
      [false, 'Fails'],
      [true, 'Skipped'],
    ]);
    expect(points[1]?.diag).toMatchObject({ expected: 'exit 5', found: 'exit 0' });
    expect(points[2]?.skip).toBe('a <reason> # of its own');
  });

  it('is a table for a person, with expected and found values side by side', async () => {
    lay(MIXED);
    const ran = await home.run(['test', folder, '-o', 'table']);
    expect(ran.stdout).toContain('1 passed, 1 failed, 1 skipped.');
    expect(ran.stdout).toMatch(/expected {2}exit 5\n\s+found {5}exit 0/);
  });

  it('is written nowhere that cannot be written, and nothing is played for it', async () => {
    lay(MIXED);
    const ran = await home.run(['test', folder, '--junit', path.join(home.folder, 'no', 'folder', 'x.xml')]);
    expect(ran).toMatchObject({ code: 11, stdout: '' });
  });

  it('plays in several processes with the results of one', { tags: ['inside'] }, async () => {
    lay({ ...FOUR, e: FAILS, f: `skip: not yet\n${HOLDS}` });
    const lines: (readonly string[])[] = [];
    const runAgain = async (words: readonly string[]) => {
      lines.push(words);
      return home.run(words);
    };
    for (const more of [[], ['--shard', '2/2'], ['--tag', 'cards', '--seed', '7'], ['--grep', 'a']]) {
      const line = ['test', folder, ...more, '-o', 'json'];
      const ends = (ran: { stdout: string }) =>
        (JSON.parse(ran.stdout) as { ms: number }[]).map((end) => ({ ...end, ms: 0 }));
      const [whole, parts] = [await home.run(line), await home.run([...line, '--jobs', '3'], { runAgain })];
      expect(parts.code).toBe(whole.code);
      expect(ends(parts)).toEqual(ends(whole));
    }
    expect(lines.length).toBeGreaterThan(6);
  });

  it('reports what stops a process from running its part, and ends the others', { tags: ['inside'] }, async () => {
    lay(FOUR);
    const error = { kind: 'local', message: 'The disk is full.', hint: 'Make room.' };
    const ended: boolean[] = [];
    const runAgain = async (words: readonly string[], signal: AbortSignal) => {
      if (words.includes('1/2')) return { code: 11, stdout: '', stderr: `${JSON.stringify({ error })}\n` };
      await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
      ended.push(true);
      throw signal.reason;
    };
    const ran = await home.run(['test', folder, '--jobs', '2', '-o', 'json'], { runAgain });
    expect(ran).toMatchObject({ code: 11, stdout: '' });
    expect(ran.stderr).toContain('The disk is full.');
    expect(ended).toEqual([true]);
  });

  it('plays in processes of the built program', { tags: ['process'] }, async () => {
    lay({ ...FOUR, e: FAILS });
    const ran = await home.spawn(['test', folder, '--jobs', '2', '-o', 'json']);
    expect(ran.code).toBe(13);
    expect((JSON.parse(ran.stdout) as { status: string }[]).map(({ status }) => status)).toEqual([
      ...Array(4).fill('passed'),
      'failed',
    ]);
  });

  it.each([
    ['--jobs', '0'],
    ['--jobs', 'many'],
    ['--jobs', '2', '--bail'],
  ])('refuses %s %s %s', async (...words) => {
    lay(FOUR);
    expect((await home.run(['test', folder, ...words.filter((word) => word !== undefined)])).code).toBe(2);
  });

  it('writes what was found with --update, value by value, and never in CI', async () => {
    const text = (name: string, count: string, sum: string) =>
      `# Kept\nsteps:\n  - run: projects create --name Alpha # kept too\n    as: made\n    expect:\n      - item: projects \${made.id}\n        where: [${name}, 'enabled!=x']\n  - event: sale.created.success.paid\nexpect:\n  - list: projects\n    where: [name=Alpha]\n    count: ${count}\n  - sum: transactions\n    equals: ${sum}\n`;
    lay({ a: text('name=Beta', '5', '{ EUR: 3 }') });
    const file = path.join(folder, 'a.test.yaml');
    const line = ['test', folder, '--update', '-o', 'json'];
    expect((await home.run(line, { env: { CI: 'true' } })).code).toBe(2);
    expect((await home.run(line)).code).toBe(0);
    const written = readFileSync(file, 'utf8');
    const sum = /equals: (\{.*\})/.exec(written)?.[1] ?? '';
    expect(sum).toMatch(/^\{ "USD": \d/);
    expect(written).toBe(`version: 1\n${text('"name=Alpha"', '1', sum)}`);
    expect((await home.run(['test', folder])).code).toBe(0);
  });

  it('leaves a failure that no value of the file can say', async () => {
    lay({
      a: 'steps: [{ run: projects list, exit: 5 }]\n',
      b: 'cases: [{ n: 1 }]\nsteps: [{ expect: [{ list: projects, count: 7 }] }]\n',
    });
    const before = readFileSync(path.join(folder, 'b.test.yaml'), 'utf8');
    expect((await home.run(['test', folder, '--update'])).code).toBe(13);
    expect(readFileSync(path.join(folder, 'b.test.yaml'), 'utf8')).toBe(before);
  });
});

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: places are written so in scenarios
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home } from '../../harness/home.js';

/* The form of a scenario's file: what each key does, and what becomes of one that is wrong. */

let home: Home;
let folder: string;
beforeEach(() => {
  home = new Home();
  folder = path.join(home.folder, 'scenarios');
  mkdirSync(folder);
});
afterEach(() => home.remove());

interface End {
  readonly name: string;
  readonly status: string;
  readonly why?: string;
  readonly failure?: { at: string; unmet: { expected: string; found: string }[]; more: string; next?: string };
}

/** Plays the text of one file behind `version: 1`. */
async function play(text: string, ...words: string[]) {
  writeFileSync(path.join(folder, 'one.test.yaml'), `version: 1\n${text}`);
  const ran = await home.run(['test', folder, ...words, '-o', 'json']);
  const ends = ran.stdout.startsWith('[') ? (JSON.parse(ran.stdout) as End[]) : [];
  return { ...ran, ends, end: ends[0], failure: ends[0]?.failure };
}

const PROJECT = 'steps:\n  - run: projects create --name Alpha\n    as: made\n';

describe('a step', () => {
  it.each([
    ['words in one text', `${PROJECT}`],
    ['words in a list', 'steps:\n  - run: [projects, create, --name, "Al  pha"]\n'],
    ['a body', 'steps:\n  - run: projects create\n    body: { name: Alpha }\n'],
    ['standard input', 'steps:\n  - run: projects create --body -\n    input: \'{"name":"Alpha"}\'\n'],
    ['an exit code', 'steps:\n  - run: projects get A1b2C3d4E5f6G7h8I9j0\n    exit: 4\n'],
    ['an error by its kind', 'steps:\n  - run: projects get A1b2C3d4E5f6G7h8I9j0\n    error: not_found\n'],
    ['an event', 'steps:\n  - event: sale.created.success.paid\n    expect: [{ events: [sale.created] }]\n'],
    [
      'an event with fields',
      'steps:\n  - event: sale.created.success.paid\n    body: { customer: { email: qa@example.com } }\n    expect: [{ list: sales, where: [customer.email=qa@example.com], count: 1 }]\n',
    ],
    [
      'a span',
      'steps:\n  - advance: 40d\n  - run: sandbox clock show\n    as: c\n    expect: [{ value: "c.now>2026-02-20" }]\n',
    ],
    [
      'a moment',
      'steps:\n  - advance_to: "2026-03-01"\n  - run: sandbox clock show\n    as: c\n    expect: [{ value: "c.now>=2026-03-01" }]\n',
    ],
    ['expectations alone', 'steps:\n  - expect: [{ list: projects, count: ">=0" }]\n'],
    ['another format', 'steps:\n  - run: projects list -o csv\n'],
  ])('takes %s', async (_about, text) => {
    const { failure, code, stderr } = await play(text);
    expect(failure).toBeUndefined();
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('binds what it gave, and the item as it is later', async () => {
    const { failure, code } = await play(
      `${PROJECT}  - run: projects edit \${made.id} --name Beta\n  - run: projects get \${made.id}\n    as: seen\n    expect:\n      - value: seen.name=Beta\n      - item: projects \${made.id}\n        where: [name=Beta]\n`,
    );
    expect(failure).toBeUndefined();
    expect(code).toBe(0);
  });

  it.each([
    ['an exit that is another', 'steps:\n  - run: projects list\n    exit: 5\n', /exit 5/, /exit 0/],
    ['an exit that is not zero', 'steps:\n  - run: projects get A1b2C3d4E5f6G7h8I9j0\n', /exit 0/, /exit 4/],
    [
      'an error that is another',
      'steps:\n  - run: projects get A1b2C3d4E5f6G7h8I9j0\n    error: E0001\n',
      /E0001/,
      /not_found/,
    ],
    ['an error that does not come', 'steps:\n  - run: projects list\n    error: not_found\n', /not_found/, /exit 0/],
    ['a name that nothing bound', 'steps:\n  - run: projects get ${other.id}\n', /valid step/, /other/],
    ['a path without a value', `${PROJECT}  - run: projects get \${made.nothing}\n`, /valid step/, /nothing/],
    ['a span that is none', 'steps:\n  - advance: soon\n', /valid step/, /soon/],
  ])('fails for %s', async (_about, text, expected, found) => {
    const { code, failure } = await play(text);
    expect(code).toBe(13);
    expect(failure?.unmet[0]?.expected).toMatch(expected);
    expect(failure?.unmet[0]?.found).toMatch(found);
  });
});

describe('an expectation', () => {
  it.each([
    [
      'an item',
      '{ item: "projects ${made.id}", where: [name=Alpha] }',
      '{ item: "projects ${made.id}", where: [name=Beta] }',
    ],
    ['an item that is gone', '{ item: "projects ${made.id}" }', '{ item: projects A1b2C3d4E5f6G7h8I9j0 }'],
    [
      'a list',
      '{ list: projects, where: [name=Alpha], count: 1 }',
      '{ list: projects, where: [name=Alpha], count: 2 }',
    ],
    [
      'a list with something in it',
      '{ list: projects, where: [name=Alpha] }',
      '{ list: projects, where: [name=Beta] }',
    ],
    [
      'a count by comparison',
      '{ list: projects, where: [name=Alpha], count: "<2" }',
      '{ list: projects, where: [name=Alpha], count: "!=1" }',
    ],
    ['a sum', '{ sum: transactions, equals: {} }', '{ sum: transactions, equals: { USD: 0.01 } }'],
    ['mail', '{ mail: [subject=x], count: 0 }', '{ mail: [subject=x] }'],
    ['runs of functions', '{ functions: [status=success], count: 0 }', '{ functions: [status=success] }'],
    ['what is left alone', '{ unchanged: { except: [projects] } }', '{ unchanged: {} }'],
    ['a value', '{ value: "made.name=Alpha" }', '{ value: "made.name=Beta" }'],
  ])('of %s holds or fails', async (_about, holds, fails) => {
    const good = await play(`${PROJECT}    expect:\n      - ${holds}\n`);
    expect(good.failure).toBeUndefined();
    expect(good.code).toBe(0);
    const bad = await play(`${PROJECT}    expect:\n      - ${fails}\n`);
    expect(bad.code).toBe(13);
    expect(bad.failure?.at).toBe('steps[0].expect[0]');
    expect(bad.failure?.unmet).toHaveLength(1);
    const atEnd = await play(`${PROJECT}expect:\n  - ${fails}\n`);
    expect(atEnd.failure?.at).toBe('expect[0]');
  });

  it('of events asks for them in their order', async () => {
    const events = (...names: string[]) => `steps:\n  - event: chargeback.created\nexpect:\n  - events: [${names}]\n`;
    expect((await play(events('sale.created', 'chargeback.created'))).code).toBe(0);
    const { code, failure } = await play(events('chargeback.created', 'sale.created'));
    expect(code).toBe(13);
    expect(failure?.unmet[0]?.found).toContain('chargeback.created');
  });

  it('that fails shows the timeline of its item and the line to look further', async () => {
    const text = `steps:\n  - event: sale.created.success.paid\n  - run: sales list --limit 1\n    as: sale\nexpect:\n  - item: sales \${sale[0].id}\n    where: [status=voided]\n`;
    const { failure } = await play(text);
    expect(failure?.unmet[0]).toMatchObject({ expected: 'status=voided', found: 'status=paid' });
    expect(failure?.next).toMatch(/^cops sales get [A-Za-z0-9]{20}$/);
    expect(failure?.more).toContain('paid');
  });
});

describe('a scenario', () => {
  it('plays each row of its cases', async () => {
    const text =
      'name: Colours\ncases: [{ name: Red, n: 1 }, { name: Blue, n: 2 }]\nsteps:\n  - run: [projects, create, --name, "${case.name}"]\nexpect:\n  - list: projects\n    where: ["name=${case.name}"]\n    count: 1\n';
    const { code, ends } = await play(text);
    expect(code).toBe(0);
    expect(ends.map(({ name }) => name)).toEqual(['Colours (name Red, n 1)', 'Colours (name Blue, n 2)']);
  });

  it('shares steps, with their own values', async () => {
    const text =
      'shared:\n  make:\n    - run: [projects, create, --name, "${with.name}"]\n      as: made\nsteps:\n  - { use: make, with: { name: Red } }\n  - { use: make, with: { name: "${made.name}dish" } }\nexpect:\n  - { list: projects, where: [name=Reddish], count: 1 }\n';
    const { failure, code } = await play(text);
    expect(failure).toBeUndefined();
    expect(code).toBe(0);
  });

  it('begins where it says', async () => {
    const text =
      'given: { now: 2026-05-02T03:00:00Z, tz: America/New_York }\nsteps:\n  - run: sandbox clock show\n    as: c\n    expect: [{ value: "c.now_unix>=1777690800" }, { value: "c.now_unix<1777690810" }]\n';
    expect(await play(text)).toMatchObject({ code: 0, failure: undefined });
    const usual =
      'steps:\n  - run: sandbox clock show\n    as: c\n    expect: [{ value: "c.now_unix>=1768467600" }, { value: "c.now_unix<1768467610" }]\n';
    expect(await play(usual)).toMatchObject({ code: 0, failure: undefined });
  });

  it('begins with a business where it says so', async () => {
    const { code } = await play(
      'given: { renewals: 20 }\nsteps: [{ run: customers list }]\nexpect: [{ list: subscriptions }]\n',
    );
    expect(code).toBe(0);
  });

  it('is skipped with its reason', async () => {
    const { code, end } = await play(`skip: not now\n${PROJECT}`);
    expect(code).toBe(0);
    expect(end).toMatchObject({ status: 'skipped', why: 'not now' });
  });

  it('takes no longer than it may', async () => {
    const { code, failure } = await play(`timeout: 1ms\n${PROJECT}${'  - advance: 1d\n'.repeat(20)}`);
    expect(code).toBe(13);
    expect(failure?.unmet[0]?.expected).toContain('1ms');
  });

  it('leaves nothing running once its time is over', { tags: ['process'] }, async () => {
    writeFileSync(path.join(folder, 'one.test.yaml'), 'version: 1\ntimeout: 1s\nsteps: [{ advance: 7000y }]\n');
    const ran = await home.spawn(['test', folder], { timeoutMs: 30_000 });
    expect(ran, ran.stderr).toMatchObject({ code: 13, signal: null });
  });

  it.each([
    ['answer', 9, 1],
    ['request', 0, 1],
  ])('loses the %s of a write', async (what, exit, count) => {
    const text = `steps:\n  - run: projects create --name Alpha\n    lose: ${what}\n    exit: ${exit}\nexpect:\n  - { list: projects, where: [name=Alpha], count: ${count} }\n`;
    const { failure } = await play(text);
    expect(failure).toBeUndefined();
  });

  it('knows nothing of another one', async () => {
    const expects = 'expect:\n  - { list: projects, where: [name=Alpha], count: 1 }\n';
    writeFileSync(path.join(folder, 'two.test.yaml'), `version: 1\n${PROJECT}${expects}`);
    const { ends } = await play(`${PROJECT}${expects}`);
    expect(ends.map(({ status }) => status)).toEqual(['passed', 'passed']);
  });
});

describe('a fault of a file', () => {
  it.each([
    ['an unknown key', 'stepz: []\nsteps:\n  - run: projects list\n', '2:1', 'stepz'],
    ['an unknown key of a step', 'steps:\n  - run: projects list\n    expct: []\n', '4:5', 'expct'],
    [
      'an unknown key of an expectation',
      'steps:\n  - run: projects list\n    expect:\n      - lst: projects\n',
      '5:9',
      'lst',
    ],
    ['an unknown key of what is given', 'given: { clock: x }\nsteps:\n  - run: projects list\n', '2:10', 'clock'],
    ['no steps', 'name: x\n', '1:1', 'steps'],
    ['two things in a step', 'steps:\n  - run: projects list\n    advance: 1d\n', '3:5', 'one of'],
    ['two things in an expectation', 'steps:\n  - expect:\n      - { list: projects, mail: [] }\n', '4:9', 'one of'],
    ['shared steps that are not there', 'steps:\n  - use: buy\n', '3:5', 'buy'],
    ['a command that is not for scenarios', 'steps:\n  - run: login\n', '3:5', 'login'],
    ['no command', "steps:\n  - run: ''\n", '3:5', 'missing'],
    ['a wrong lose', 'steps:\n  - run: projects list\n    lose: all\n', '4:5', ''],
    ['no YAML', 'steps: [\n', '3:1', ''],
    ['a key given twice', 'name: a\nname: b\nsteps: []\n', '3:1', ''],
  ])('is told with line and column: %s', async (_about, text, place, word) => {
    const { code, stderr } = await play(text);
    expect(code).toBe(2);
    expect(stderr).toContain(`one.test.yaml:${place}`);
    expect(stderr).toContain(word);
  });

  it('stops all others from running, and all are reported', async () => {
    writeFileSync(path.join(folder, 'bad.test.yaml'), 'version: 2\nsteps: []\n');
    const { code, stderr } = await play('nothing: 1\n');
    expect(code).toBe(2);
    for (const name of ['bad.test.yaml:1:1', 'one.test.yaml:2:1']) expect(stderr).toContain(name);
  });

  it('is what comes of a moment that is none', async () => {
    const { code, stderr } = await play(`given: { now: whenever }\n${PROJECT}`);
    expect(code).toBe(2);
    expect(stderr).toContain('one.test.yaml');
  });

  it('is a folder without scenarios, and a file that is not there', async () => {
    expect((await home.run(['test', folder])).code).toBe(2);
    expect((await home.run(['test', path.join(folder, 'none.yaml')])).code).toBe(2);
  });
});

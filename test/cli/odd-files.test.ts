/** What stands in the place of a file that is read or written: pipes, devices, folders, links that lead nowhere. */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { wrote } from '../fixtures/service/service.js';
import { FEW, laySandbox } from '../harness/seeded.js';
import { A, errorOf, home, json, pair, service } from './helpers.js';
import type { Home } from './program.js';

const DISABLE = ['customers', 'disable', A, '--yes', '-o', 'json'];
const REFUND = ['transactions', 'refund', A, '--yes', '--no-validate', '-o', 'json'];
const LIMIT = 'zone: UTC\nrules:\n  - name: most\n    operations: [transactions refund]\n    most: {USD: 100}\n';

/** Things that bear the name of a file and are none. */
const ODD: Readonly<Record<string, (at: string) => void>> = {
  'a pipe': (at) => execFileSync('mkfifo', [at]),
  'a folder': (at) => mkdirSync(at),
  'a link that leads to nothing': (at) => symlinkSync(`${at}.gone`, at),
  'a device': (at) => symlinkSync('/dev/zero', at),
};
const odd = Object.keys(ODD);

const configOf = (made: Home): string => made.env.COPS_CONFIG_DIR ?? '';

describe('a write is not sent', () => {
  const files = ['policy.yaml', 'config.json', 'proofs.json'];
  it.each(files.flatMap((file) => odd.map((kind) => [file, kind] as const)))('with %s as %s', async (file, kind) => {
    const { home: made, service: served } = await pair(() => wrote('customer', A));
    const at = path.join(configOf(made), file);
    rmSync(at, { force: true });
    ODD[kind]?.(at);
    const ran = await made.run(DISABLE);
    expect(ran.code, ran.stderr).toBe(11);
    expect(errorOf(ran).message).toContain(at);
    expect(served.requests).toEqual([]);
  });

  it.each(['policy.yml', 'policy.YAML', 'Policy.yml', 'policy.json', 'policy.yaml.txt', 'policy'])(
    'with rules in %s, alone or beside policy.yaml',
    async (name) => {
      const { home: made, service: served } = await pair(() => wrote('customer', A));
      writeFileSync(path.join(configOf(made), name), LIMIT);
      expect((await made.run(DISABLE)).code).toBe(11);
      writeFileSync(path.join(configOf(made), 'policy.yaml'), LIMIT);
      expect((await made.run(DISABLE)).code).toBe(11);
      expect((await made.run(['policy', 'show'])).code).toBe(11);
      expect(served.requests).toEqual([]);
      rmSync(path.join(configOf(made), name));
      expect((await made.run(DISABLE)).code).toBe(0);
      // What an editor leaves beside it holds the same rules, or older ones.
      for (const left of ['policy.yaml~', 'policy.yaml.bak', '.policy.yaml.swp'])
        writeFileSync(path.join(configOf(made), left), LIMIT);
      expect((await made.run(DISABLE)).code).toBe(0);
    },
  );

  it.each([
    'never: []',
    'who: [], never: [customers]',
    'modes: [], never: [customers]',
    'profiles: [], never: [customers]',
    'operations: [], most: {USD: 1}',
    'operations: [customers disable]',
    'reason: false',
    'who: [person]',
  ])('with a rule that guards nothing: %s', async (rule) => {
    const { home: made, service: served } = await pair(() => wrote('customer', A));
    writeFileSync(path.join(configOf(made), 'policy.yaml'), `zone: UTC\nrules:\n  - {name: one, ${rule}}\n`);
    const ran = await made.run(DISABLE);
    expect(ran.code, ran.stderr).toBe(11);
    expect(errorOf(ran).message).toContain('rules[0]');
    expect(served.requests).toEqual([]);
  });

  it.each(['0', '0.00', '"0"'])('with an amount of %s where a limit stands', async (amount) => {
    const { home: made, service: served } = await pair(({ method }) =>
      method === 'POST'
        ? wrote('transaction', A)
        : {
            body: JSON.stringify({
              code: 1,
              id: A,
              live_mode: false,
              iso_currency: 'USD',
              amount: '5000.00',
              status: 'paid',
            }),
          },
    );
    writeFileSync(path.join(configOf(made), 'policy.yaml'), LIMIT);
    const ran = await made.run([...REFUND, '-d', `amount:=${amount}`]);
    expect(ran.code, ran.stderr).toBe(12);
    expect(served.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

it('a key command that never ends is given up after --timeout', async () => {
  const { baseUrl } = await service();
  const made = home();
  const profile = { base_url: baseUrl, test_key: { kind: 'command', command: 'exec sleep 1000' } };
  mkdirSync(configOf(made), { recursive: true });
  writeFileSync(path.join(configOf(made), 'config.json'), JSON.stringify({ profiles: { acme: profile } }));
  const ran = await made.run(['whoami', '--timeout', '0.2', '-o', 'json'], { timeoutMs: 20_000 });
  expect(ran.code, ran.stderr).toBe(3);
});

/** Files of our own that something else may bear the name of, and lines that read or replace them. */
const OWN: readonly (readonly [file: string, ...line: string[]])[] = [
  ['config/queries/kept.sql', 'sql', 'run', 'kept'],
  ['config/queries/kept.sql', 'sql', 'saved'],
  ['config/queries/kept.sql', 'sql', 'save', 'kept', 'select 2'],
  ['config/policy.yaml', 'policy', 'edit', '--file', 'rules.yaml'],
  ['config/openapi/sandbox.json', 'openapi', 'check', '-p', 'sandbox'],
  ['data/snapshots/begin.sqlite', 'sandbox', 'snapshot', 'save', 'begin'],
  ['data/snapshots/begin.sqlite', 'sandbox', 'snapshot', 'restore', 'begin', '--yes'],
  ['data/snapshots/begin.sqlite', 'sandbox', 'snapshot', 'remove', 'begin', '--yes'],
  ['data/mirrors/sandbox-test.sqlite', 'sync', 'products', '-p', 'sandbox'],
  ['data/closes/sandbox-test/locks.jsonl', 'report', 'close', '--month', '2026-01', '--unlock', '--reason', 'x'],
];

describe.each(OWN)('%s', (file, ...line) => {
  it.each(odd)(
    `is named, not waited for and left, where it is %s: cops ${line.slice(0, 3).join(' ')}`,
    async (kind) => {
      const made = home();
      await laySandbox(made.env.COPS_DATA_DIR ?? '', Date.now(), FEW);
      const at = path.join(made.folder, file);
      mkdirSync(path.dirname(at), { recursive: true });
      writeFileSync(path.join(made.folder, 'rules.yaml'), 'zone: UTC\nrules: []\n');
      ODD[kind]?.(at);
      const { ino } = lstatSync(at);
      const words = line[0] === 'report' ? [...line, '-p', 'sandbox', '--no-sync'] : line;
      const ran = await made.run([...words, '-o', 'json'], { cwd: made.folder, timeoutMs: 20_000 });
      expect(ran.code, ran.stderr).toBe(11);
      expect(errorOf(ran).message).toMatch(/is a (?:pipe|folder|device|link to nothing)|kept as "kept"/);
      expect(lstatSync(at).ino).toBe(ino);
    },
  );
});

it.each(['', 'garbage'])('a description that was pulled is damaged where it holds "%s"', async (text) => {
  const made = home();
  const folder = path.join(configOf(made), 'openapi');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'sandbox.json'), text);
  expect((await made.run(['openapi', 'check', '-p', 'sandbox'])).code).toBe(11);
});

/** Lines that name a file or folder, most of them to read it, some to make it. */
const NAMED: readonly string[] = [
  'setup init {}',
  'setup pull {} -p sandbox',
  'setup plan {} -p sandbox',
  'setup apply {} -p sandbox',
  'setup check {}',
  'setup graph {}',
  'setup resume {}',
  'setup rename {} products a b',
  'setup import products x --folder {} -p sandbox',
  'test {}',
  'test --init {}',
  'test --setup {}',
  'functions run {} --event sale.created',
  'functions deploy {} --name x -p sandbox',
  'reconcile {} --month 2026-01 -p sandbox',
  'sandbox seed {}',
  'sandbox answers {}',
  'bulk customers disable --ids {} -p sandbox',
  'bulk customers disable --input {} -p sandbox',
  'bulk status {}',
  'export status {}',
  'export verify {}',
  'sql --file {} -p sandbox',
  "sql 'select 1' --with {}.csv -p sandbox",
  'policy edit --file {}',
  'customers edit AAAAAAAAAAAAAAAAAAA1 --body @{} -p sandbox',
  'config set mirror {}',
];

it('no address is taken for a file or folder, nor repeated with what is secret in it', async () => {
  const made = home();
  const cwd = path.join(made.folder, 'work');
  mkdirSync(cwd);
  const wrong: string[] = [];
  for (const line of NAMED)
    for (const scheme of ['https', 's3']) {
      const words = line.replace('{}', `${scheme}://user:hunter2@db.example.com/shop`).split(' ');
      const ran = await made.run([...words, '--no-input'], { cwd, timeoutMs: 20_000 });
      if (ran.code !== 2 || /hunter2/.test(ran.stdout + ran.stderr)) wrong.push(`${line}: ${ran.code} ${ran.stderr}`);
    }
  expect(wrong).toEqual([]);
  expect(readdirSync(cwd)).toEqual([]);
});

describe('a file that a line names to be read', () => {
  it.each([
    ['customers', 'edit', A, '--body', '@odd.json', '--dry-run'],
    ['setup', 'apply', 'odd.json'],
    ['bulk', 'customers', 'disable', '--ids', 'odd.json', '--dry-run'],
    ['bulk', 'status', 'odd.json'],
    ['functions', 'check', 'odd.json'],
    ['policy', 'edit', '--file', 'odd.json'],
  ])('is refused where nothing ever comes of it: %s %s %s', async (...line) => {
    const { home: made } = await pair(() => wrote('customer', A));
    for (const kind of odd) {
      const at = path.join(made.folder, 'odd.json');
      rmSync(at, { recursive: true, force: true });
      ODD[kind]?.(at);
      const named = line.map((word) => word.replace('odd.json', at));
      const ran = await made.run(named, { cwd: made.folder, timeoutMs: 20_000 });
      expect([2, 11], `${kind}: ${ran.stderr}`).toContain(ran.code);
    }
  });

  it('is a pipe that something writes into', async () => {
    const { home: made } = await pair(() => wrote('customer', A));
    const at = path.join(made.folder, 'rows');
    execFileSync('mkfifo', [at]);
    const { open } = await import('node:fs/promises');
    const both = await open(at, 'r+');
    await both.write('{"email": "jane@example.com"}');
    const running = made.run(['customers', 'edit', A, '--body', `@${at}`, '--no-validate', '--dry-run', '-o', 'json']);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await both.close();
    const ran = await running;
    expect(ran.code, ran.stderr).toBe(0);
    expect(json<{ body: object }>(ran).body).toMatchObject({ email: 'jane@example.com' });
  });
});

/** Every line that writes a file of its user's choice, and how it says which. */
const WRITERS: readonly (readonly string[])[] = [
  ['overview', '--last', '1d', '--html', '{}'],
  ['report', 'revenue', '--html', '{}'],
  ['report', 'revenue', '--out', '{}.html'],
  ['setup', 'plan', 'shop', '--out', '{}'],
  ['export', 'products', '--out', '{}.jsonl'],
  ['export', 'products', '--out', '{}.sqlite'],
  ['sync', '{}.sqlite', 'products'],
  ['mcp', 'install', 'cursor', '--yes', '--file', '{}'],
  ['bulk', 'customers', 'disable', '--ids', 'ids.txt', '--yes', '--journal', '{}'],
];

async function place() {
  const { home: made, service: served } = await pair(() => wrote('customer', A));
  const cwd = path.join(made.folder, 'work');
  mkdirSync(cwd);
  writeFileSync(path.join(cwd, 'ids.txt'), `${A}\n`);
  const write = (line: readonly string[], name: string) =>
    made.run([...line.map((word) => word.replace('{}', name)), '-o', 'json'], { cwd, timeoutMs: 20_000 });
  return { made, served, cwd, write };
}

describe.each(WRITERS.map((line) => [line.join(' '), line] as const))('%s', (_name, line) => {
  const ending = /\{\}(\.\w+)?/.exec(line.find((word) => word.includes('{}')) ?? '')?.[1] ?? '';

  it('leaves anything that is not a file as it is, and says so', async () => {
    const { served, cwd, write } = await place();
    for (const kind of odd) {
      const at = path.join(cwd, `odd${ending}`);
      rmSync(at, { recursive: true, force: true });
      ODD[kind]?.(at);
      const before = lstatSync(at);
      const ran = await write(line, 'odd');
      // An export took these for a wrong value from the first.
      expect(ran.code, `${kind}: ${ran.stderr}`).toBe(line[0] === 'export' ? 2 : 11);
      expect(errorOf(ran).message, kind).toContain(at);
      const after = lstatSync(at);
      expect([after.mode, after.ino], kind).toEqual([before.mode, before.ino]);
    }
    expect(readdirSync(cwd).sort()).toEqual(['ids.txt', `odd${ending}`]);
    expect(served.requests).toEqual([]);
  });

  it('makes no folder unasked', async () => {
    const { served, cwd, write } = await place();
    const ran = await write(line, 'none/at/all');
    expect(ran.code, ran.stderr).toBe(11);
    expect(readdirSync(cwd)).toEqual(['ids.txt']);
    expect(served.requests).toEqual([]);
  });

  it('takes no address, and does not repeat what is secret in it', async () => {
    const { served, cwd, write } = await place();
    const ran = await write(line, 'postgres://user:hunter2@db.example.com/shop');
    expect(ran.code, ran.stderr).toBe(2);
    expect(ran.stderr).not.toContain('hunter2');
    expect(readdirSync(cwd)).toEqual(['ids.txt']);
    expect(served.requests).toEqual([]);
  });
});

it.each([
  ['sync', 'postgres://user:hunter2@db.example.com/shop'],
  ['sync', 'postgresql://db/shop', 'sales'],
])('a sync takes no address for a folder: %s %s', async (...line) => {
  const { cwd, write } = await place();
  const ran = await write(line, '');
  expect(ran.code).toBe(2);
  expect(ran.stderr).not.toContain('hunter2');
  expect(readdirSync(cwd)).toEqual(['ids.txt']);
});

it.each([['mcp', 'install', 'cursor', '--yes', '--file', '{}']])('follows a link to its file: %s', async (...line) => {
  const { cwd, write } = await place();
  writeFileSync(path.join(cwd, 'real.json'), '{}', { mode: 0o600 });
  symlinkSync('real.json', path.join(cwd, 'link'));
  const ran = await write(line, 'link');
  expect(ran.code, ran.stderr).toBe(0);
  expect(lstatSync(path.join(cwd, 'link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(path.join(cwd, 'real.json'), 'utf8')).toContain('cops');
  expect(lstatSync(path.join(cwd, 'real.json')).mode & 0o777).toBe(0o600);
});

describe("the service's own description", () => {
  const PULLED = {
    openapi: '3.1.0',
    info: { title: 'Service', version: '2' },
    paths: { '/trials': { get: { operationId: 'GetTrials' } } },
  };
  const files = ['env.json', 'env.facts.json'];

  it.each(files.flatMap((file) => odd.map((kind) => [file, kind] as const)))(
    'is not pulled over %s where that is %s, and nothing waits for it',
    async (file, kind) => {
      const { home: made, service: served } = await pair(({ path: asked }) =>
        asked === '/openapi.json'
          ? { json: PULLED }
          : { json: { code: 1, results: [], current_count: 0, total_count: 0 } },
      );
      const folder = path.join(configOf(made), 'openapi');
      mkdirSync(folder, { recursive: true });
      const at = path.join(folder, file);
      ODD[kind]?.(at);
      const before = lstatSync(at).mode;
      const ran = await made.run(['openapi', 'pull', '-o', 'json']);
      expect(ran.code, ran.stderr).toBe(11);
      expect(errorOf(ran).message).toContain(at);
      expect([lstatSync(at).mode, served.requests.length]).toEqual([before, 0]);
      const listed = await made.run(['trials', 'list', '--last', '1d'], { timeoutMs: 20_000 });
      expect(listed.code, listed.stderr).toBe(0);
      const shown = await made.run(['openapi', 'show', '-o', 'json'], { timeoutMs: 20_000 });
      expect([2, 11]).toContain(shown.code);
    },
  );

  it('is pulled into the file behind a link, which stays', async () => {
    const { home: made } = await pair(() => ({ json: PULLED }));
    const folder = path.join(configOf(made), 'openapi');
    mkdirSync(folder, { recursive: true });
    const [kept, at] = [path.join(made.folder, 'kept.json'), path.join(folder, 'env.json')];
    writeFileSync(kept, '{}');
    symlinkSync(kept, at);
    const ran = await made.run(['openapi', 'pull', '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(lstatSync(at).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual(PULLED);
  });
});

describe('shards that are merged', () => {
  const merge = (made: Home, out: string) =>
    made.run(['export', 'merge', out, '-o', 'json'], { cwd: made.folder, timeoutMs: 20_000 });

  it.each(odd.flatMap((kind) => ['s1.sqlite', 's1.sqlite.manifest.json'].map((file) => [file, kind] as const)))(
    'are not waited for where %s is %s',
    async (file, kind) => {
      const made = home();
      ODD[kind]?.(path.join(made.folder, file));
      const ran = await merge(made, 's1.sqlite');
      expect(ran.code, ran.stderr).toBe(11);
      expect(errorOf(ran).message).toContain(file);
      expect(errorOf(ran).message).toContain('nothing was written');
      expect(readdirSync(made.folder).filter((name) => name !== 'config' && name !== 'data')).toEqual([file]);
    },
  );

  it('cannot be addresses, and need an existing folder', async () => {
    const made = home();
    const address = await merge(made, 'postgres://me:secret@db/x');
    expect([address.code, address.stderr.includes('secret')]).toEqual([2, false]);
    expect((await merge(made, 'none/s1.sqlite')).code).toBe(11);
    expect(readdirSync(made.folder)).not.toContain('none');
  });
});

it('a missing key file is reported once, with its path', async () => {
  const made = home();
  const add = [
    'profiles',
    'add',
    'acme',
    '--base-url',
    'https://api.example.com/v2',
    '--test-key',
    '@gone',
    '-o',
    'json',
  ];
  const ran = await made.run(add, { cwd: made.folder });
  expect(ran.code).toBe(11);
  expect(errorOf(ran).message.match(/file|folder/g)).toHaveLength(3);
  expect(errorOf(ran).message).toContain(path.join(made.folder, 'gone'));
});

it.each([
  ['setup', 'plan', '--out'],
  ['overview', '--last', '3d', '--html'],
  ['bulk', 'customers', 'disable', '--ids', 'ids.txt', '--yes', '--journal'],
  ['mcp', 'install', 'cursor', '--yes', '--file'],
])('no file is called - by accident: cops %s %s', async (...words) => {
  const { home: made, service: served } = await pair(() => wrote('customer', A));
  const cwd = path.join(made.folder, 'work');
  mkdirSync(cwd);
  writeFileSync(path.join(cwd, 'ids.txt'), `${A}\n`);
  await made.run(['setup', 'init'], { cwd });
  served.requests.length = 0;
  const before = readdirSync(cwd);
  const ran = await made.run([...words, '-', '-o', 'json'], { cwd });
  expect(ran.code, ran.stderr).toBe(2);
  expect(readdirSync(cwd)).toEqual(before);
  expect(served.requests).toEqual([]);
});

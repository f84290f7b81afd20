/** @module-tag thorough */
/** The pager for long answers on a terminal: when it is used, which one, and what becomes of it when it is left. */
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import type { PagerProcess } from '../../src/base/world.js';
import { type Handler, listHandler, ok } from '../fixtures/service/service.js';
import { A, items, pair } from './helpers.js';

/** A pager that takes so many bytes, keeps them, and is left then. */
class FakePager {
  readonly started: { readonly command: string; readonly env: Readonly<Record<string, string>> }[] = [];
  text = '';
  /** What standard error held while the pager had the terminal. */
  killed = false;
  #leave: () => void = () => {};

  constructor(
    readonly isThere = true,
    readonly leavesAfter = Number.POSITIVE_INFINITY,
  ) {}

  leave(): void {
    this.#leave();
  }

  readonly open = async (command: string, env: Readonly<Record<string, string>>): Promise<PagerProcess | undefined> => {
    this.started.push({ command, env });
    if (!this.isThere) return undefined;
    const ended = new Promise<void>((resolve) => {
      this.#leave = resolve;
    });
    const input = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (this.text.length >= this.leavesAfter) return done(Object.assign(new Error('gone'), { code: 'EPIPE' }));
        this.text += chunk.toString();
        if (this.text.length >= this.leavesAfter) this.#leave();
        done();
      },
      final: (done) => {
        this.#leave();
        done();
      },
    });
    return {
      input,
      ended,
      kill: () => {
        this.killed = true;
        this.#leave();
      },
    };
  };
}

const many = (count: number): { routes: Record<string, Handler> } => ({
  routes: {
    'GET /campaigns': listHandler({
      items: items(count).map((item, at) => ({ ...item, name: `Campaign ${at}`, enabled: at % 2 === 0 })),
      dated: false,
    }),
  },
});

const LIST = ['campaigns', 'list'];
const screen = { columns: 80, rows: 24 };

it('shows what is longer than the screen through less, as git starts it, and says the rest afterwards', async () => {
  const { home } = await pair(many(130));
  const pager = new FakePager();
  const ran = await home.run(LIST, { terminal: 80, stdout: screen, openPager: pager.open });
  expect(ran.code).toBe(0);
  expect(ran.stdout).toBe('');
  expect(pager.started).toEqual([{ command: 'less', env: { LESS: 'FRX', LV: '-c' } }]);
  expect(pager.text.match(/Campaign \d+/g)).toHaveLength(100);
  expect(ran.stderr).toContain('100 of 130');
});

it('writes what fits the screen to the terminal, and formats for programs whatever their length', async () => {
  const { home } = await pair(many(15));
  const pager = new FakePager();
  const ran = await home.run(LIST, { terminal: 80, stdout: screen, openPager: pager.open });
  expect(ran.stdout.match(/Campaign \d+/g)).toHaveLength(15);
  const long = await pair(many(60));
  for (const format of ['jsonl', 'csv', 'ids']) {
    const told = await long.home.run([...LIST, '-o', format], {
      terminal: 80,
      stdout: screen,
      openPager: pager.open,
    });
    expect(told.stdout.trim().split('\n').length, format).toBeGreaterThan(59);
  }
  expect(pager.started).toEqual([]);
});

it.each([
  ['--no-pager', ['--no-pager'], {}],
  ['--no-input', ['--no-input'], {}],
  ['CI', [], { CI: 'true' }],
  ['an agent', [], { AI_AGENT: '1' }],
  ['a dumb terminal', [], { TERM: 'dumb' }],
  ['an empty COPS_PAGER', [], { COPS_PAGER: '', PAGER: 'more' }],
  ['PAGER=cat', [], { PAGER: 'cat' }],
])('uses no pager with %s', async (_name, words, env) => {
  const { home } = await pair(many(60));
  const pager = new FakePager();
  const ran = await home.run([...LIST, ...words], { terminal: 80, stdout: screen, env, openPager: pager.open });
  expect(pager.started).toEqual([]);
  expect(ran.stdout.match(/Campaign \d+/g)).toHaveLength(60);
});

it('uses none where standard output is a pipe', async () => {
  const { home } = await pair(many(60));
  const pager = new FakePager();
  const ran = await home.run([...LIST, '-o', 'table'], { openPager: pager.open });
  expect(ran.stdout.match(/Campaign \d+/g)).toHaveLength(60);
  expect(pager.started).toEqual([]);
});

it('takes COPS_PAGER before the setting, and the setting before PAGER', async () => {
  const { home } = await pair(many(60));
  const words = ['profiles', 'add', 'shop', '--base-url', home.env.COPS_BASE_URL ?? '', '--test-key', 'env:COPS_KEY'];
  const bare = { COPS_API_KEY: undefined, COPS_BASE_URL: undefined, COPS_KEY: home.env.COPS_API_KEY };
  expect((await home.run(words, { env: bare })).code).toBe(0);
  expect((await home.run(['config', 'set', 'pager', 'mine --of setting'], { env: bare })).code).toBe(0);
  const used = async (env: Record<string, string>) => {
    const pager = new FakePager();
    await home.run(LIST, { terminal: 80, stdout: screen, env: { ...bare, ...env }, openPager: pager.open });
    return pager.started.map(({ command }) => command);
  };
  expect(await used({ PAGER: 'more' })).toEqual(['mine --of setting']);
  expect(await used({ PAGER: 'more', COPS_PAGER: 'most' })).toEqual(['most']);
  expect((await home.run(['config', 'set', 'pager', 'off'], { env: bare })).code).toBe(0);
  expect(await used({ PAGER: 'more' })).toEqual([]);
  const unset = await home.run(['config', 'unset', 'pager'], { env: bare });
  expect(unset.code).toBe(0);
  expect(await used({ PAGER: 'more' })).toEqual(['more']);
  expect(await used({ PAGER: 'more', LESS: 'R', LV: '' })).toEqual(['more']);
});

it('leaves the options of less alone where they are set, and chops lines with --wide', async () => {
  const { home } = await pair(many(60));
  const told = async (words: string[], env: Record<string, string>) => {
    const pager = new FakePager();
    await home.run([...LIST, ...words], { terminal: 80, stdout: screen, env, openPager: pager.open });
    return pager.started[0]?.env;
  };
  expect(await told([], { LESS: 'R', LV: '-a' })).toEqual({});
  expect(await told(['--wide'], {})).toEqual({ LESS: 'FRSX', LV: '-c' });
});

it('ends with 0 and without a word when the pager is left early, and stops reading', async () => {
  const { service, home } = await pair(many(3000));
  const pager = new FakePager(true, 2000);
  const ran = await home.run([...LIST, '--all'], { terminal: 80, stdout: screen, openPager: pager.open });
  expect(ran).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(service.requests.length).toBeLessThan(60);
});

it('writes to the terminal where the default is missing, and says so of one that was named', async () => {
  const { home } = await pair(many(60));
  const silent = await home.run(LIST, { terminal: 80, stdout: screen, openPager: new FakePager(false).open });
  expect(silent.stdout.match(/Campaign \d+/g)).toHaveLength(60);
  expect(silent.stderr).not.toContain('pager');
  const env = { PAGER: 'nosuch' };
  const told = await home.run(LIST, { terminal: 80, stdout: screen, env, openPager: new FakePager(false).open });
  expect(told.stdout.match(/Campaign \d+/g)).toHaveLength(60);
  expect(told.stderr).toContain('The pager from PAGER was not found: nosuch');
});

it('gives the pager no control characters of the service, and keeps an error until it is left', async () => {
  const evil = items(60).map((item) => ({ ...item, name: 'a\u001b]0;owned\u0007\u001b[2J' }));
  const { home } = await pair({ routes: { 'GET /campaigns': listHandler({ items: evil, dated: false }) } });
  const pager = new FakePager();
  await home.run(LIST, { terminal: 80, stdout: screen, env: { NO_COLOR: '1' }, openPager: pager.open });
  expect(pager.text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

it('a single item longer than the screen is paged too; an answer of a write never is', async () => {
  const fields = (name: string) => Object.fromEntries(items(60).map((_, at) => [`${name}_${at}`, at]));
  const { home } = await pair((request) =>
    request.method === 'POST'
      ? ok({ customer_id: A, result: 'success', ...fields('told') })
      : ok({ id: A, live_mode: false, ...fields('field') }),
  );
  const pager = new FakePager();
  await home.run(['campaigns', 'get', A], { terminal: 80, stdout: screen, openPager: pager.open });
  expect(pager.text).toContain('field_59');
  const other = new FakePager();
  const wrote = await home.run(['customers', 'disable', A], {
    terminal: 80,
    stdout: screen,
    openPager: other.open,
  });
  expect(other.started).toEqual([]);
  expect(wrote.stdout).not.toBe('');
});

it('Ctrl-C stops the reading and waits for the pager; termination ends both', async () => {
  const slow: Handler = (request) => ({
    ...listHandler({ items: items(2000).map((item) => ({ ...item, name: 'x' })), dated: false })(request),
    delayMs: Number(request.query.get('page')) > 8 ? 60_000 : 0,
  });
  const { home } = await pair({ routes: { 'GET /campaigns': slow } });
  const options = { terminal: 80, stdout: screen } as const;
  const pager = new FakePager();
  const running = home.start([...LIST, '--all'], { ...options, openPager: pager.open });
  await expect.poll(() => pager.text).toContain('ITEM');
  running.signal('SIGINT');
  expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
  const other = new FakePager();
  const second = home.start([...LIST, '--all'], { ...options, openPager: other.open });
  await expect.poll(() => other.text).toContain('ITEM');
  second.signal('SIGTERM');
  expect((await second.ended).code).toBe(143);
  expect(other.killed).toBe(true);
});

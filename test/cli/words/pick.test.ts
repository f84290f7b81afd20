/** @module-tag thorough */
/** `cops pick`, and `--pick` of lists and of `find`: a person chooses a row at a terminal (command-line.md#names). */
import { describe, expect, it } from 'vitest';
import { ok } from '../../fixtures/service/service.js';
import { pair } from '../helpers.js';

const id = (at: number): string => `PRODUCT0000000${String(at).padStart(6, '0')}`;
const made = 1_700_000_000;
const PRODUCTS = Array.from({ length: 3 }, (_, at) => ({
  id: id(at),
  name: ['Mug', 'Cup', 'Jug'][at],
  live_mode: false,
  created_date_unix: made + at,
}));

/** A service with products, on pages of 25. */
const shop = (items: readonly (typeof PRODUCTS)[number][] = PRODUCTS) =>
  pair(({ path, query }) => {
    const one = items.find((item) => path.endsWith(`/${item.id}`));
    if (one) return ok(one);
    const page = Number(query.get('page') ?? 1);
    const results = items.slice(25 * page - 25, 25 * page);
    const shared = { current_page: page, current_count: results.length, total_count: items.length };
    return ok({ results, ...shared, total_pages: Math.ceil(items.length / 25) });
  });

/** Standard output of `$(cops pick ...)`: no terminal. */
const CAPTURED = { terminal: 80, stdout: { columns: undefined }, env: { COPS_PLAIN: '1' } };
const PLAIN = { terminal: 80, env: { COPS_PLAIN: '1' } };
const QUESTION = { timeout: 20_000 };

describe('cops pick', () => {
  it('prints the id alone of the row that was chosen, and draws on standard error', async () => {
    const { home } = await shop();
    const running = home.start(['pick', 'product', '--where', 'name!=Mug'], CAPTURED);
    await expect.poll(running.stderr, QUESTION).toContain('nothing to leave:');
    running.type('jug\n');
    await expect.poll(() => running.stderr().split('nothing to leave:').length, QUESTION).toBe(3);
    running.type('1\n');
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${id(2)}\n` });
    expect(stderr).toContain('Which one? (products; TEST mode, profile ');
    expect(stderr).not.toContain(id(0));
  });

  it('prints nothing and ends with 2 where none is chosen', async () => {
    const { home } = await shop();
    const running = home.start(['pick', 'products'], CAPTURED);
    await expect.poll(running.stderr, QUESTION).toContain('nothing to leave:');
    running.type('\n');
    expect(await running.ended).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    ['without a terminal', ['pick', 'products'], {}],
    ['with --no-input', ['pick', 'products', '--no-input'], { terminal: 80 }],
    ['in CI', ['pick', 'products'], { terminal: 80, env: { CI: 'true' } }],
    ['for a list', ['products', 'list', '--pick'], {}],
    ['for find', ['find', 'cup', '--pick'], {}],
  ])('is refused before any request %s, and says what to do', async (_, words, options) => {
    const { home, service } = await shop();
    const ran = await home.run(words, options);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(/products list -o ids.*--where|find cup -o json/);
    expect(service.requests).toEqual([]);
  });

  it.each([
    [['pick', 'prodcts'], 'Did you mean products?'],
    [['pick', 'bigquery'], 'bigquery has no list'],
    [['pick', 'products', '--count'], '--count shows no items'],
    [['pick', 'products', id(0)], 'one argument too many'],
  ])('never becomes a list: %j', async (words, says) => {
    const { home } = await shop();
    const ran = await home.run(words, CAPTURED);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(says);
  });

  it('offers a hundred rows unless told otherwise', async () => {
    const many = Array.from({ length: 130 }, (_, at) => ({ ...PRODUCTS[0], id: id(at), name: `Mug ${at}` }));
    const { home } = await shop(many as typeof PRODUCTS);
    const running = home.start(['pick', 'products'], CAPTURED);
    await expect.poll(running.stderr, QUESTION).toContain('and 90 more');
    running.type('\n');
    expect((await running.ended).stderr).toContain('100 of 130');
  });
});

describe('--pick', () => {
  it('of a list shows the chosen row, and the line that does', async () => {
    const { home } = await shop();
    const running = home.start(['products', 'list', '--pick', '-o', 'json'], PLAIN);
    await expect.poll(running.stderr, QUESTION).toContain('nothing to leave:');
    running.type('2\n');
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: expect.stringContaining('PRODUCT') });
    expect(stderr).toContain(`cops products get ${JSON.parse(stdout).id}`);
  });

  it('of find shows what was chosen of what is found', async () => {
    const { home } = await shop();
    const running = home.start(['find', 'Cup', '--in', 'products', '--pick', '-o', 'json'], PLAIN);
    await expect.poll(running.stderr, QUESTION).toContain('nothing to leave:');
    running.type(`${id(1)}\n`);
    await expect.poll(() => running.stderr().split('nothing to leave:').length, QUESTION).toBe(3);
    running.type('1\n');
    const { code, stdout } = await running.ended;
    expect({ code, id: JSON.parse(stdout).id }).toEqual({ code: 0, id: id(1) });
  });
});

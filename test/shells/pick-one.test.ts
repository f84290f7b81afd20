/** @module-tag tool */
/** A name that means several things is picked from a list, at a real terminal only (command-line.md#names). */
import { expect, it } from 'vitest';
import { pair } from '../cli/helpers.js';
import { ok } from '../fixtures/service/service.js';
import { closeAfterTest } from '../harness/closing.js';
import { Screen, type ScreenOptions, takesKeys } from './look-screen.js';
import { describeWith } from './tools.js';

const id = (at: number): string => `PRODUCT0000000${String(at).padStart(6, '0')}`;
const made = 1_700_000_000;

/** A terminal that asks for the products of one name, of which there are so many. */
async function asked(count: number, { args = [], ...options }: ScreenOptions & { args?: string[] } = {}) {
  const posts: string[] = [];
  const items = Array.from({ length: count }, (_, at) => ({
    id: id(at),
    name: 'Mug',
    created_date_unix: made + at,
  }));
  const { home } = await pair(({ method, path }) => {
    if (method !== 'GET') posts.push(path);
    const one = items.find((item) => path.endsWith(`/${item.id}`));
    if (one) return ok(one);
    const shared = { current_page: 1, current_count: count, total_count: count, total_pages: 1 };
    return ok({ results: items, ...shared });
  });
  const screen = closeAfterTest(new Screen(home, ['products', 'update', 'Mug', '-d', 'name=Cup', ...args], options));
  return { screen, posts };
}

describeWith('tmux', 'a name that means several', () => {
  it.each([80, 120])('is picked by typing, and the line is said (%d columns)', async (columns) => {
    const { screen, posts } = await asked(30, { columns });
    await screen.asks('Which one?');
    screen.type('0000', '27');
    await screen.shows(`❯ ${id(27)}`);
    expect(screen.broken()).toEqual([]);
    screen.type('Enter');
    await screen.shows(`cops products update ${id(27)} -d name=Cup`);
    expect((await screen.ended()).code).toBe(0);
    expect(posts).toEqual([expect.stringContaining(id(27))]);
  });

  it.each([
    ['Escape', 2],
    ['C-c', 130],
  ])('%s sends nothing and ends with %d', async (key, code) => {
    const { screen, posts } = await asked(3);
    await screen.asks('Which one?');
    screen.type(key);
    expect((await screen.ended()).code).toBe(code);
    expect(posts).toEqual([]);
  });

  it('narrows 5,000 while one types', async () => {
    const { screen } = await asked(5000);
    await screen.asks('Which one?');
    screen.type('004321');
    await screen.shows(`❯ ${id(4321)}`);
    screen.type('C-c');
    expect((await screen.ended()).code).toBe(130);
  });

  it('is asked a line at a time with COPS_PLAIN=1', async () => {
    const { screen, posts } = await asked(30, { env: { COPS_PLAIN: '1' } });
    await screen.asks('or nothing to leave:');
    screen.type('000027', 'Enter');
    await screen.shows(`  1. ${id(27)}`);
    expect(screen.raw()).not.toContain('\u001b[?25l');
    await expect.poll(() => screen.raw().split('nothing to leave:').length).toBe(3);
    await takesKeys();
    screen.type('1', 'Enter');
    expect((await screen.ended()).code).toBe(0);
    expect(posts).toEqual([expect.stringContaining(id(27))]);
  });

  it.each([
    ['with --no-input', { args: ['--no-input'] }],
    ['in a pipe', { tail: '| cat' }],
    ['in CI', { env: { CI: 'true' } }],
  ])('is not asked %s', async (_, options) => {
    const { screen, posts } = await asked(3, options);
    await screen.shows('END:');
    expect(screen.raw()).toContain(`cops products update ${id(1)} -d name=Cup`);
    expect(screen.raw()).not.toContain('Which one?');
    expect(posts).toEqual([]);
  });
});

describeWith('tmux', 'cops pick', () => {
  const products = ['Mug', 'Cup', 'Jug'].map((name, at) => ({ id: id(at), name, created_date_unix: made + at }));
  const shop = async (options: ScreenOptions) => {
    const { home } = await pair(() =>
      ok({ results: products, current_page: 1, current_count: 3, total_count: 3, total_pages: 1 }),
    );
    return closeAfterTest(new Screen(home, ['pick', 'products'], options));
  };

  it('draws its list beside a pipe, into which the id alone goes', async () => {
    const screen = await shop({ columns: 80, tail: '| sed s/^/GOT:/' });
    await screen.asks('↑↓ navigate');
    screen.type('jug');
    await screen.shows(`❯ ${id(2)}`);
    expect(screen.broken()).toEqual([]);
    screen.type('Enter');
    await screen.shows(`GOT:${id(2)}`);
    expect(screen.raw().split('GOT:')).toHaveLength(2);
  });

  it('prints nothing for Esc, and ends with 2', async () => {
    const screen = await shop({});
    await screen.asks('Which one?');
    screen.type('Escape');
    expect((await screen.ended()).code).toBe(2);
    expect(screen.raw()).toContain('None was chosen.');
  });
});

/** @module-tag tool */
/** The words that the service does not have, and the pager, on one real terminal: one after another, as they are typed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Home } from '../cli/program.js';
import { WORDS } from '../cli/words/own-words.js';
import { Screen } from './look-screen.js';
import { describeWith } from './tools.js';

const COLUMNS = 100;
const home = new Home({ COPS_PROFILE: 'sandbox' });
const found: Record<string, string | undefined> = {};
let screen: Screen;
let ended: readonly { code: number; text: string }[] = [];

describeWith('tmux', 'on a real terminal', () => {
  beforeAll(async () => {
    const active = ['subscriptions', 'list', '--where', 'status=active', '--limit', '1', '-o', 'json', '-q'];
    const listed = (await home.run(active)).stdout;
    const [one] = JSON.parse(listed) as { id: string; customer: { id: string; email: string } }[];
    const product = await home.run(['products', 'list', '--limit', '1', '-o', 'ids', '-q']);
    Object.assign(found, { WHO: one?.customer.email, SUBSCRIPTION: one?.id, PRODUCT: product.stdout.trim() });
    await home.run(['alias', 'set', 'late', 'subscriptions list --where status=overdue']);
    await home.run(['bulk', 'customers', 'disable', '--ids', '-'], { input: `${one?.customer.id}\n` });
    const lines = WORDS.map(({ line }) => [...line.split(' ').map((word) => found[word] ?? word), '--no-pager']);
    const [first = [], ...rest] = lines;
    const long = ['transactions', 'list', '--all-time', '--limit', '90'];
    screen = new Screen(home, first, { columns: COLUMNS, more: [...rest, long] });
    ended = await screen.allEnded(lines.length);
  });
  afterAll(() => {
    screen.close();
    home.remove();
  });

  it.each(WORDS.map(({ word, shows }, at) => ({ word, shows, at })))('$word', ({ shows, at }) => {
    const { code, text } = ended[at] ?? { code: -1, text: '' };
    expect(text).toMatch(shows);
    expect(code).toBe(0);
    // What is copied stays on a line of its own, however long.
    const wide = text.split('\n').filter((line) => line.length > COLUMNS && !/\bcops /.test(line) && !/\r/.test(line));
    expect(wide).toEqual([]);
  });

  it('the pager shows a long list a screen at a time, and q leaves it quietly', async () => {
    const last = () => screen.lines().findLast((line) => line.trim() !== '');
    await expect.poll(last).toBe(':');
    expect(screen.lines().filter((line) => /^\w{20} {2}/.test(line)).length).toBeGreaterThan(40);
    screen.type('q');
    const all = await screen.allEnded(WORDS.length + 1);
    expect(all.at(-1)?.code).toBe(0);
  });
});

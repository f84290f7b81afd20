/** @module-tag tool */
/** The words that look things up and act, and the pager, on a real terminal: what they show and how they end. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Home } from '../cli/program.js';
import { Screen, type ScreenOptions } from './look-screen.js';
import { describeWith } from './tools.js';

const WHO = 'katarzyna.rossi.23@example.com';
const home = new Home();
const ids = { subscription: '', product: '' };
const open: Screen[] = [];

function look(words: string, options: ScreenOptions = {}): Screen {
  const line = words
    .replace('WHO', WHO)
    .replace('SUBSCRIPTION', ids.subscription)
    .replace('PRODUCT', ids.product)
    .split(' ');
  const screen = new Screen(home, ['-p', 'sandbox', ...line], { columns: 80, rows: 60, ...options });
  open.push(screen);
  return screen;
}

beforeAll(async () => {
  const list = async (...words: string[]) =>
    (await home.spawn(['-p', 'sandbox', ...words, '-o', 'ids', '-q'])).stdout.split('\n')[0] ?? '';
  ids.subscription = await list('subscriptions', 'list', '--where', 'status=active');
  ids.product = await list('products', 'list');
}, 60_000);
afterEach(() => {
  for (const screen of open.splice(0)) screen.close();
});
afterAll(() => home.remove());

describeWith('tmux', 'words on a terminal', () => {
  it.each([
    ['find WHO', ['TEST mode, profile sandbox', 'CUSTOMERS (1)', 'NEXT']],
    ['customers show WHO', ['TEST mode, profile sandbox', 'Katarzyna Rossi', 'NEXT']],
    ['why WHO', ['TEST mode, profile sandbox', 'NEXT']],
    ['timeline WHO', ['TEST mode, profile sandbox', 'TIME', 'customers', 'created']],
    ['customers note WHO called', ['Created ']],
    ['subscriptions postpone SUBSCRIPTION --by 1mo', ['Postponed ', 'Next renewal: ', 'Undo: cops']],
    ['products copy PRODUCT --to sandbox:live --dry-run', ['sandbox:live']],
    ['alias', ['']],
    ['bulk list', ['No journals']],
    ['history', ['OPERATION', 'notes create']],
  ])('%s', async (words, wanted) => {
    const screen = look(words);
    const { code, lines } = await screen.ended();
    expect(code, lines.join('\n')).toBe(0);
    for (const part of wanted) expect(lines.join('\n')).toContain(part);
    expect(lines.join('\n')).not.toContain('u001b');
    expect(screen.broken().filter((line) => !/cops |ago|nothing|Next renewal/.test(line))).toEqual([]);
  });

  it('less shows a long list, and leaves it on the screen when it is left early', async () => {
    const screen = look('customers list --all', { rows: 24, env: { PAGER: 'less' } });
    await screen.shows('ID ');
    await expect.poll(() => screen.lines().some((line) => line.startsWith(':')), { timeout: 20_000 }).toBe(true);
    screen.type('q');
    const { code, lines } = await screen.ended();
    expect(code).toBe(0);
    expect(lines.join('\n')).not.toMatch(/EPIPE|Error/);
    expect(screen.fact('alternate_on')).toBe('0');
  });

  it('what fits the screen comes without a pager', async () => {
    const screen = look('customers list --limit 5', { rows: 24, env: { PAGER: 'less' } });
    expect((await screen.ended()).code).toBe(0);
  });
});

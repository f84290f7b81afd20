/** @module-tag tool */
/** The prompt of `cops sql` on a real terminal: completion, history, Ctrl-C and Ctrl-D. */
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Home } from '../cli/program.js';
import { closeAfterTest } from '../harness/closing.js';
import { Screen } from './look-screen.js';
import { describeWith } from './tools.js';

const FOR_EVER = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';
const PROMPT = 'sandbox test sql>';

/** Its answer is what no time and no id on the screen has in it. */
const QUERY = "select 'forty' || 'two' as answer";
const ANSWER = 'fortytwo';

describeWith('tmux', 'the prompt of cops sql', () => {
  let home: Home;
  beforeAll(async () => {
    home = new Home();
    const made = await home.run(['-p', 'sandbox', '-q', 'sync', 'm.sqlite', 'products'], { cwd: home.folder });
    expect(made.code, made.stderr).toBe(0);
  });
  afterAll(() => home.remove());

  /** A prompt that waits for its first line. */
  async function opened(): Promise<Screen> {
    const words = ['-p', 'sandbox', 'sql', '--mirror', path.join(home.folder, 'm.sqlite')];
    const screen = closeAfterTest(new Screen(home, words));
    await screen.shows(PROMPT);
    return screen;
  }

  /** Types a line whole; a `;` at its end would end tmux's own command. */
  function line(screen: Screen, text: string): void {
    screen.type('-l', text.replace(/;$/, '\\;'));
    screen.type('Enter');
  }

  /** The line with the cursor, once it holds the text. */
  async function typed(screen: Screen, wanted: string): Promise<string> {
    const lines = await screen.shows(wanted);
    return lines.filter((line) => line.includes('>')).at(-1) ?? '';
  }

  /** How often the prompt waits or waited for a line. */
  const prompts = (screen: Screen): number => screen.lines().filter((line) => line.startsWith(PROMPT)).length;

  it('completes tables, and the columns of the table on the line', async () => {
    const screen = await opened();
    screen.type('-l', 'select * from custom');
    screen.type('Tab');
    await typed(screen, 'select * from customers');
    screen.type('-l', ' where ema');
    screen.type('Tab');
    expect(await typed(screen, 'where email')).toBe(`${PROMPT} select * from customers where email`);
    // What two begin with is shown as a choice, at a second press.
    screen.type('-l', ' = "" or created');
    screen.type('Tab', 'Tab');
    await screen.shows('created_unix');
  });

  it('answers, keeps what was typed for the next time, and leaves at Ctrl-D', async () => {
    const screen = await opened();
    line(screen, `${QUERY}, ';' as sign;`);
    expect((await screen.shows(ANSWER)).join('\n')).toMatch(/ANSWER\s+SIGN/);
    line(screen, 'select 7 as');
    await screen.shows('...>');
    line(screen, 'seven; select 8 as eight;');
    await screen.shows('EIGHT');
    await expect.poll(() => prompts(screen)).toBe(3);
    screen.type('C-d');
    const { code, lines } = await screen.ended();
    expect(code).toBe(0);
    expect(lines.at(-1)?.trimEnd()).toBe(PROMPT);
    const again = await opened();
    again.type('Up', 'Up', 'Up');
    expect(await typed(again, QUERY)).toContain(`${PROMPT} ${QUERY}`);
  });

  it('ends a query that runs for ever at Ctrl-C, and not the prompt', async () => {
    const screen = await opened();
    line(screen, `${FOR_EVER};`);
    await screen.shows('Mirror of');
    screen.type('C-c');
    await screen.shows('stopped');
    await expect.poll(() => prompts(screen)).toBe(2);
    line(screen, `${QUERY};`);
    await screen.shows(ANSWER);
    screen.type('C-d');
    expect((await screen.ended()).code).toBe(0);
  });

  it('leaves once the query is answered where Ctrl-D comes while it runs', async () => {
    const screen = await opened();
    line(screen, `${FOR_EVER.replace(' from n)', ' from n where i < 3000000)')};`);
    await screen.shows('Mirror of');
    screen.type('C-d');
    const { code, lines } = await screen.ended();
    expect(code).toBe(0);
    expect(lines.join('\n')).toContain('3000000');
  });

  it('throws a half typed query away at Ctrl-C', async () => {
    const screen = await opened();
    line(screen, 'select nothing');
    await screen.shows('...>');
    screen.type('-l', 'from nowhere');
    await typed(screen, 'from nowhere');
    screen.type('C-c');
    await expect.poll(() => prompts(screen)).toBe(2);
    line(screen, `${QUERY};`);
    await screen.shows(ANSWER);
    expect(screen.lines().join('\n')).not.toMatch(/no such|failed/);
  });

  it('reports an error and continues', async () => {
    const screen = await opened();
    line(screen, 'delete from raw_products;');
    await screen.shows('Only queries that read can run here.');
    line(screen, `${QUERY};`);
    await screen.shows(ANSWER);
    line(screen, 'exit');
    expect((await screen.ended()).code).toBe(0);
  });
});

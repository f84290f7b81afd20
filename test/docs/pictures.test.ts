/**
 * The pictures of the README and the guide: lines that the program runs anew here, on a sandbox of one fixed day, drawn
 * as they stand on a terminal. `npm run pictures` writes what came instead.
 * @module-tag thorough
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawScreen } from '../../scripts/picture.mjs';
import { Home, ROOT } from '../cli/program.js';
import { golden } from '../golden/file.js';
import { StandingClock } from '../harness/clock.js';
import { laySandbox } from '../harness/seeded.js';

const COLUMNS = 96;
/** As many rows of a long answer as one screen has. */
const ROWS = 24;
/** `WHO` stands for somebody of that day with an active subscription, `LIVE` for a live subscription. */
const PICTURES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'customers-show': [['customers', 'show', 'WHO']],
  'subscriptions-list': [['subscriptions', 'list', '--next', '7d', '--limit', '8']],
  'cancel-live': [['subscriptions', 'cancel', 'LIVE', '--live']],
};

const home = new Home({ FORCE_COLOR: '1', COPS_PROFILE: 'sandbox' });
const clock = new StandingClock();
const stand: Record<string, string> = {};

beforeAll(async () => {
  await laySandbox(home.env.COPS_DATA_DIR ?? '', clock.now());
  const active = async (mode: string) => {
    const words = ['subscriptions', 'list', mode, '--where', 'status=active', '-o', 'json', '-q'];
    const { stdout } = await home.run(words, { clock });
    return (JSON.parse(stdout) as { id: string; customer: { email: string } }[])[0];
  };
  stand.WHO = (await active('--test'))?.customer.email ?? '';
  stand.LIVE = (await active('--live'))?.id ?? '';
}, 120_000);
afterAll(() => home.remove());

/** A line as it is typed, and what stands on the terminal when it has ended. */
async function screenOf(words: readonly string[]): Promise<string> {
  const pieces: string[] = [];
  const end = { columns: COLUMNS, rows: 400, reader: (piece: string) => void pieces.push(piece) };
  const line = words.map((word) => stand[word] ?? word);
  const running = home.start(line, { clock, random: () => 0.5, terminal: COLUMNS, stdout: end, stderr: end });
  if (words.includes('LIVE')) {
    while (!pieces.join('').includes('Type ')) await new Promise((resolve) => setTimeout(resolve, 10));
    running.type('no\r');
  } else running.endInput();
  await running.ended;
  const text = pieces
    .join('')
    .replace(/[^\n]*\r\u001b\[2K/g, '')
    .replace(/\u001b\[[0-9;?]*[A-HJKSTfhlnsu]/g, '')
    .replace(/\r/g, '')
    // What was typed stands behind the question.
    .replace(/^[^\n]*?((?:\u001b\[[0-9;]*m)*[✔✖] )/gm, '$1')
    .replace(/\n$/, '')
    .split('\n');
  const cut = text.length > ROWS ? [...text.slice(0, ROWS), '\u001b[2m…\u001b[22m'] : text;
  return `\u001b[2m$\u001b[22m \u001b[1mcops ${line.join(' ')}\u001b[22m\n${cut.join('\n')}\n`;
}

describe('the pictures', () => {
  it.each(Object.entries(PICTURES))('%s is what the program shows', async (name, lines) => {
    const screens: string[] = [];
    for (const words of lines) screens.push(await screenOf(words));
    const title = lines.map((words) => `cops ${words.map((word) => stand[word] ?? word).join(' ')}`).join('; ');
    const drawn = drawScreen(title, screens.join('\n'));
    expect(drawn, 'npm run pictures').toBe(golden(`../../docs/pictures/${name}.svg`, drawn));
  });

  it('are all there is, and all are shown', () => {
    const files = readdirSync(path.join(ROOT, 'docs/pictures')).sort();
    expect(files).toEqual(
      Object.keys(PICTURES)
        .map((name) => `${name}.svg`)
        .sort(),
    );
    const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
    for (const file of files) expect(readme).toContain(`docs/pictures/${file}`);
    expect(readme.split('\n').length).toBeLessThanOrEqual(221);
  });
});

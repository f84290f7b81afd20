/**
 * The pictures of the README and the guide: lines that the program runs anew here, on a sandbox of one fixed day, drawn
 * as they stand on a terminal. `npm run pictures` writes what came instead.
 * @module-tag thorough
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawScreen } from '../../scripts/picture.mjs';
import { Home, ROOT } from '../cli/program.js';
import { golden } from '../golden/file.js';
import { HastyClock, StandingClock } from '../harness/clock.js';
import { laySandbox } from '../harness/seeded.js';

const COLUMNS = 96;
/** As many rows of a long answer as one screen has; a chart without the notes below it. */
const ROWS: Readonly<Record<string, number>> = { report: 15 };
const SCREEN = 24;
/** `WHO` stands for somebody of that day with an active subscription, `THEIRS` for that, `LIVE` for a live one. */
const PICTURES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'customers-show': [['customers', 'show', 'WHO']],
  'subscriptions-list': [['subscriptions', 'list', '--next', '7d', '--limit', '8']],
  'cancel-live': [['subscriptions', 'cancel', 'LIVE', '--live']],
  'report-chart': [['report', 'revenue', '--year', '2026', '--by', 'month', '--where', 'currency=USD', '--chart']],
  'setup-plan': [['setup', 'plan', 'shop']],
  'bulk-progress': [['bulk', 'customers', 'enable', '--ids', 'ids.txt', '--journal', 'enable.journal']],
  events: [
    ['subscriptions', 'suspend', 'THEIRS'],
    ['sandbox', 'events', '--last', '1d', '--notation', 'subscription'],
  ],
};
/** A picture of a job on its way: what stands on the terminal when this share is done. */
const ON_ITS_WAY: Readonly<Record<string, RegExp>> = { bulk: /6\d % · / };

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
  stand.THEIRS = (await active('--test'))?.id ?? '';
  stand.LIVE = (await active('--live'))?.id ?? '';
  const ids = await home.run(['customers', 'list', '--all', '-o', 'ids', '-q'], { clock });
  writeFileSync(path.join(home.folder, 'ids.txt'), ids.stdout);
  await home.run(['sync', '-q'], { clock });
  await home.run(['setup', 'pull', 'shop', '-q'], { clock, cwd: home.folder });
  const file = path.join(home.folder, 'shop/subscription-profiles/monthly.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^overdue_limit: .*$/m, 'overdue_limit: 5'));
}, 120_000);
afterAll(() => home.remove());

/** A line as it is typed, and what stands on the terminal when it has ended. */
async function screenOf(words: readonly string[]): Promise<string> {
  const pieces: string[] = [];
  const end = { columns: COLUMNS, rows: 400, reader: (piece: string) => void pieces.push(piece) };
  const line = words.map((word) => stand[word] ?? word);
  const halfway = ON_ITS_WAY[words[0] ?? ''];
  const how = { clock: halfway ? new HastyClock() : clock, random: () => 0.5, cwd: home.folder };
  const running = home.start(line, { ...how, terminal: COLUMNS, stdout: end, stderr: end });
  if (words.includes('LIVE')) {
    while (!pieces.join('').includes('Type ')) await new Promise((resolve) => setTimeout(resolve, 10));
    running.type('no\r');
  } else running.endInput();
  await running.ended;
  const last = halfway ? pieces.findIndex((piece) => halfway.test(piece)) : pieces.length;
  const text = pieces
    .slice(0, last + 1)
    .join('')
    .replace(/[^\n]*\r\u001b\[2K/g, '')
    .replace(/\u001b\[[0-9;?]*[A-HJKSTfhlnsu]/g, '')
    .replace(/\r/g, '')
    // What was typed stands behind the question.
    .replace(/^[^\n]*?((?:\u001b\[[0-9;]*m)*[✔✖] )/gm, '$1')
    .replaceAll(`${home.folder}/`, '')
    .replace(/\n$/, '')
    .split('\n');
  const most = ROWS[words[0] ?? ''] ?? SCREEN;
  const cut = text.length > most ? [...text.slice(0, most), '\u001b[2m…\u001b[22m'] : text;
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
    const pages = readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
    const guide = pages.map((name) => readFileSync(path.join(ROOT, 'docs', name), 'utf8')).join('\n');
    for (const file of files)
      expect(readme.includes(`(docs/pictures/${file})`) || guide.includes(`(pictures/${file})`), file).toBe(true);
    expect(readme.split('\n').length).toBeLessThanOrEqual(221);
  });
});

/** @module-tag thorough */
/** What tables show of every family on the seeded sandbox: no empty column, nothing said in each row, nothing too wide. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAMILY_INDEX } from '../../src/catalogue/index.js';
import { Home } from './program.js';

const home = new Home();
const SANDBOX = ['-p', 'sandbox'];
const sandbox = (...words: string[]) => home.run([...SANDBOX, ...words], { env: { NO_COLOR: '1' } });
const onScreen = (columns: number, ...words: string[]) =>
  home.run([...SANDBOX, ...words], { terminal: columns, env: { NO_COLOR: '1' } });

beforeAll(() => sandbox('customers', 'list', '--limit', '1'));
afterAll(() => home.remove());

interface Shown {
  readonly heading: string;
  readonly titles: readonly string[];
  /** Cells by row, in the columns as they are headed. */
  readonly rows: readonly (readonly string[])[];
}

/** The table that stands on a screen, its heading in front; undefined where there is none. */
function tableOf(screen: string): Shown | undefined {
  const lines = screen.trimEnd().split('\n');
  const at = lines.findIndex((line) => /^(ID|KEY|TABLE NAME)( |$)/.test(line));
  if (at < 0) return undefined;
  const header = lines[at] ?? '';
  const starts = [...header.matchAll(/(?<=^| {2})\S/g)].map(({ index }) => index);
  const titles = starts.map((start, index) => header.slice(start, starts[index + 1]).trim());
  const rows = lines.slice(at + 1);
  // A figure stands at the right end of its column: it may begin before its heading does.
  const ends = starts.map((_, index) => (starts[index + 1] ?? 10_000) - 1);
  const cells = (row: string) => {
    const found = [...row.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) => ({
      text,
      from: index,
      to: index + text.length,
    }));
    return titles.map((title, index) => {
      const from = starts[index] ?? 0;
      const own = found.filter(
        (one) =>
          one.from === from || one.to === from + title.length || (one.from > from && one.to <= (ends[index] ?? 0)),
      );
      return own[0]?.text ?? '';
    });
  };
  return { heading: lines.slice(0, at).join(' '), titles, rows: rows.map(cells) };
}

function faultsOf({ heading, titles, rows }: Shown): string[] {
  const faults = heading.startsWith('TEST mode, profile sandbox') ? [] : [`heading: ${heading}`];
  for (const [index, title] of titles.entries()) {
    const texts = rows.map((row) => row[index] ?? '');
    if (texts.every((text) => text === '')) faults.push(`${title} is empty in all rows`);
    const isSame = rows.length > 2 && texts.every((text) => text !== '' && text === texts[0]);
    const mayBe = index === 0 || (texts[0] ?? '').length > 30 || /^\d{4}-\d\d-\d\d/.test(texts[0] ?? '');
    if (isSame && !mayBe) faults.push(`${title} is ${texts[0]} in all rows`);
    if (title === 'LIVE' || (title === 'CURRENCY' && isSame)) faults.push(`${title} belongs into the heading`);
    if (/[a-z_]_|DATE UNIX|_UNIX/.test(title)) faults.push(`${title} is no heading`);
  }
  if (rows.some((row) => row.some((text) => /\d\d:\d\d UTC$/.test(text)))) faults.push('the zone stands in the rows');
  return faults;
}

const lists = FAMILY_INDEX.flatMap(({ name, command, actions }) =>
  actions.filter(({ action }) => action === 'list').map(() => ({ name, command, words: [command, 'list'] })),
);

describe('the list of each family', () => {
  it('is there for all families that have one', () => {
    expect(FAMILY_INDEX).toHaveLength(72);
    expect(lists.length).toBeGreaterThanOrEqual(66);
  });

  it.each(lists)('$command', { tags: ['thorough'] }, async ({ words }) => {
    const ranged = await onScreen(200, ...words, '--all-time', '--limit', '60');
    const limited = ranged.code === 0 ? ranged : await onScreen(200, ...words, '--limit', '60');
    const ran = limited.code === 0 ? limited : await onScreen(200, ...words);
    expect(ran.code, ran.stderr).toBe(0);
    const shown = tableOf(ran.stdout);
    if (!shown) return expect(ran.stderr).toContain('No items.');
    expect(shown.rows.length).toBeGreaterThan(0);
    expect(faultsOf(shown), ran.stdout).toEqual([]);
    expect(shown.titles.length, ran.stdout).toBeGreaterThan(1);
    const narrow = await onScreen(80, ...words, ...(limited.code === 0 ? ['--limit', '30'] : []));
    const wide = narrow.stdout.split('\n').filter((line) => line.length > 80);
    expect(wide).toEqual([]);
  });
});

describe('lists below a family, and searches', () => {
  const id = async (...words: string[]) => (await sandbox(...words, '-o', 'ids', '--limit', '1')).stdout.trim();

  it('a customer’s payment methods say which card', async () => {
    const ran = await onScreen(120, 'customers', 'payment-methods', 'list', await id('customers', 'list'));
    const shown = tableOf(ran.stdout) as Shown;
    expect(faultsOf(shown)).toEqual([]);
    for (const title of ['TYPE', 'LAST 4', 'EXPIRES', 'DEFAULT']) expect(shown.titles).toContain(title);
  });

  it('a product’s images have columns', async () => {
    const product = await id('products', 'list');
    const made = await sandbox('products', 'images', 'create', product, '-d', 'url=https://images.example.com/a.png');
    expect(made.code, made.stderr).toBe(0);
    const ran = await onScreen(120, 'products', 'images', 'list', product);
    const shown = tableOf(ran.stdout) as Shown;
    expect(faultsOf(shown), ran.stdout).toEqual([]);
    expect(shown.titles.length, ran.stdout).toBeGreaterThan(1);
  });

  it.each(
    FAMILY_INDEX.flatMap(({ command, actions }) =>
      actions.filter(({ action }) => action === 'search').map(() => command),
    ),
  )('%s search', async (command) => {
    for (const term of ['smith', 'box', 'refund', 'note', 'CB', '4242', 'spring', 'rossi']) {
      const ran = await onScreen(200, command, 'search', term);
      expect(ran.code, ran.stderr).toBe(0);
      const shown = tableOf(ran.stdout);
      if (!shown) continue;
      expect(faultsOf(shown), ran.stdout).toEqual([]);
      expect(shown.titles.length, ran.stdout).toBeGreaterThan(1);
      return;
    }
  });

  it.each(['bigquery-tables list', 'sales search smith', 'sales search smith --sort email'])(
    '%s takes --limit, and --all',
    async (line) => {
      const words = [...SANDBOX, ...line.split(' ')];
      const all = (await home.run([...words, '--all', '-o', 'ids'])).stdout.trimEnd().split('\n');
      expect(all.length).toBeGreaterThan(2);
      const ran = await home.run([...words, '--limit', '2', '-o', 'ids']);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stdout.trimEnd().split('\n')).toEqual(all.slice(0, 2));
      expect(ran.stderr).toContain(`2 of ${all.length}. Use --all or a larger --limit for the rest.`);
      expect((await home.run([...words, '--all', '--limit', '2'])).code).toBe(2);
    },
  );

  it('a renewal says paid, failed or due', async () => {
    const ran = await onScreen(160, 'subscription-renewals', 'list', '--last', '120d', '--limit', '300');
    const shown = tableOf(ran.stdout) as Shown;
    const outcome = shown.titles.indexOf('OUTCOME');
    const told = new Set(shown.rows.map((row) => row[outcome]));
    expect([...told].sort()).toEqual(['failed', 'paid']);
  });

  it('a list has a column of what it is ordered and compared by', async () => {
    const ran = await onScreen(110, 'sales', 'list', '--last', '90d', '--sort', '-amount_fees', '--where', 'amount>20');
    const table = tableOf(ran.stdout);
    expect(table?.titles).toEqual(expect.arrayContaining(['AMOUNT FEES', 'AMOUNT']));
    const fees = table?.rows.map((row) => Number.parseFloat(row[table.titles.indexOf('AMOUNT FEES')] ?? '')) ?? [];
    expect(fees).toEqual([...fees].sort((a, b) => b - a));
    const csv = await sandbox('sales', 'list', '--last', '90d', '--sort', '-amount_fees', '-o', 'csv');
    const plain = await sandbox('sales', 'list', '--last', '90d', '-o', 'csv');
    expect(csv.stdout.split('\n')[0]).toBe(plain.stdout.split('\n')[0]);
  });

  it('live mode is seen in lists, items and searches', async () => {
    for (const words of [
      ['sales', 'list', '--limit', '3'],
      ['products', 'search', 'box'],
    ]) {
      const ran = await onScreen(100, ...words, '--live');
      expect(ran.stdout.split('\n')[0], ran.stderr).toContain('LIVE mode, profile sandbox (no real money)');
      const plain = await sandbox(...words, '--live', '-o', 'table');
      expect(plain.stdout.split('\n')[0]).toMatch(/^ID /);
    }
  });
});

it('shows moments that rows are grouped by as such', async () => {
  const line = ['subscriptions', 'list', '--group-by', 'created', '--limit', '2', '-o', 'table'];
  const ran = await home.run([...SANDBOX, ...line]);
  expect(ran.stdout, ran.stderr).toMatch(/\n20\d\d-\d\d-\d\d \d\d:\d\d/);
});

it('keeps the figures of groups in their rows, where they are the same in all', async () => {
  const ran = await home.run([...SANDBOX, 'customers', 'list', '--group-by', 'id', '--no-color'], { terminal: 120 });
  expect(ran.stdout).toMatch(/^ID +COUNT$/m);
});

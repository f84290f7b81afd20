/** @module-tag sweep */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statementsOf } from '../../../src/data/mirror/mirror-query.js';
import { CLOSE } from '../../../src/data/report/close.js';
import { wholeUnits } from '../../../src/data/report/figures.js';
import { REPORTS, TABLE_REPORTS } from '../../../src/data/report/reports.js';
import { golden } from '../../golden/file.js';
import { StandingClock } from '../../harness/clock.js';
import { Home, ROOT } from '../program.js';

/* What every report promises, over one mirror of a sandbox that is laid out at one fixed moment. */

type Cell = string | number | null;
type Row = Record<string, Cell>;

const NAMES = REPORTS.map(({ name }) => name);
const RANGE: Readonly<Record<string, readonly string[]>> = {
  mrr: ['--last', '2mo'],
  retention: ['--last', '4mo'],
  churn: ['--last', '2mo'],
  aging: [],
  forecast: ['--next', '60d'],
};
/** What a report is asked for here. */
const asked = (name: string): string[] => ['report', name, ...(RANGE[name] ?? ['--month', 'last'])];

let home: Home;
const clock = new StandingClock();
const run = async (words: readonly string[], options: object = {}) =>
  home.run(['-p', 'sandbox', ...words], { cwd: home.folder, clock, random: () => 0.5, ...options });

async function text(words: readonly string[], options: object = {}): Promise<string> {
  const ran = await run(words, options);
  expect(ran.code, ran.stderr).toBe(0);
  return ran.stdout;
}

const documents = new Map<string, Record<string, unknown> & { rows: Row[]; totals?: Row[] }>();

beforeAll(async () => {
  home = new Home({ NO_COLOR: '1' });
  await text(['-q', 'sync', 'm.sqlite']);
  for (const name of NAMES) {
    documents.set(name, JSON.parse(await text([...asked(name), '--mirror', 'm.sqlite', '-o', 'json'])));
  }
}, 120_000);
afterAll(() => home.remove());

const rowsOf = (name: string): Row[] => documents.get(name)?.rows ?? [];

/** Rows of a query that a report printed, run by `cops sql`. */
async function answers(sql: string): Promise<Row[]> {
  return JSON.parse(await text(['sql', '-', '--mirror', 'm.sqlite', '-o', 'json', '-q'], { input: sql }));
}

/** `gross_minor: 1234` as the report tells it: `gross: 12.34`. */
function told(row: Row): Row {
  const cells = Object.entries(row).map(([name, cell]): [string, Cell] => {
    if (!name.endsWith('_minor') || cell === null) return [name.replace(/_minor$/, ''), cell];
    return [name.replace(/_minor$/, ''), Number(wholeUnits(BigInt(cell), String(row.currency ?? '')))];
  });
  return Object.fromEntries(cells);
}

describe('--sql', () => {
  it.each(TABLE_REPORTS.map(({ name }) => name))('of %s is what gives its rows', async (name) => {
    const printed = await text([...asked(name), '--sql']);
    const { whole, rest } = statementsOf(printed);
    expect([whole.length, rest]).toEqual([1, '']);
    const rows = await answers(printed);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(told)).toEqual(rowsOf(name));
  });

  it.each([
    ['revenue', 'product,month'],
    ['revenue', 'country'],
    ['refunds', 'kind'],
    ['failures', 'gateway,day'],
    ['retention', 'country'],
  ])('of %s by %s is what gives its rows', async (name, by) => {
    const rows = await answers(await text([...asked(name), '--by', by, '--sql']));
    const document = JSON.parse(await text([...asked(name), '--by', by, '--mirror', 'm.sqlite', '-o', 'json']));
    expect(rows.map(told)).toEqual(document.rows);
  });

  it('of close is one query a section, and each gives its rows', async () => {
    const { whole } = statementsOf(await text([...asked('close'), '--sql']));
    const of = (section: string) => rowsOf('close').filter((row) => row.section === section);
    const filled = new Map<string, Row[]>();
    for (const query of whole) filled.set(/-- Fills (\w+):/.exec(query)?.[1] ?? '', (await answers(query)).map(told));
    expect([...filled.keys()]).toEqual(['totals', 'pending', 'checks', 'difference', 'journal']);
    const lines = of('totals').filter(({ line, kind }) => kind !== 'all' && line !== 'count');
    for (const row of filled.get('totals') ?? []) {
      for (const one of lines.filter(({ kind, currency }) => kind === row.kind && currency === row.currency)) {
        expect(row[String(one.line)], `${row.kind} ${one.line}`).toBe(one.amount);
      }
    }
    expect(lines.length).toBe((filled.get('totals')?.length ?? 0) * 7);
    const pending = of('pending').map(({ section: _, id: __, ...row }) => row);
    expect(filled.get('pending')).toEqual(pending);
    expect(filled.get('difference')).toHaveLength(of('difference').length);
    const says = of('checks').filter(({ line }) => line === 'what items say was paid');
    expect(filled.get('checks')?.map(({ items }) => items)).toEqual(says.map(({ amount }) => amount));
    expect(filled.get('journal')?.length).toBe(of('journal').reduce((sum, { count }) => sum + Number(count), 0));
  });

  it('shows every view that is read', async () => {
    const views = await answers("select name from sqlite_master where type = 'view' and sql like '%raw_%'");
    const mirror = views.map((row) => String(row.name));
    expect(mirror).not.toEqual([]);
    for (const name of NAMES) {
      const printed = await text([...asked(name), '--sql']);
      const shown = new Set([...printed.matchAll(/^-- The view (\w+):$/gm)].map(([, view]) => view));
      const read = [...printed.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/g)].map(([, view]) => String(view));
      expect(
        read.filter((view) => mirror.includes(view) && !shown.has(view)),
        name,
      ).toEqual([]);
      expect(shown.size, name).toBeGreaterThan(0);
    }
  });
});

describe('--explain', () => {
  it.each(NAMES)('of %s describes itself, each of its columns, and their sources', async (name) => {
    const facts = JSON.parse(await text(['report', name, '--explain', '-o', 'json']));
    const row = rowsOf(name)[0] ?? {};
    const keys = ['currency', 'month', 'cohort', 'kind', 'what', 'bucket', ...facts.by, ...facts.beside];
    const columns = facts.columns.map((column: { name: string }) => column.name);
    // These come with `--sort rate`.
    const rated = name === 'refunds' ? ['gross', 'rate'] : [];
    expect(columns.filter((column: string) => !(column in row))).toEqual(rated);
    expect(Object.keys(row).filter((column) => !columns.includes(column) && !keys.includes(column))).toEqual([]);
    expect(facts.columns.filter(({ unit, about }: { unit: string; about: string }) => !unit || !about)).toEqual([]);
    expect(facts).toMatchObject({ report: name, definition: documents.get(name)?.definition });
    expect(facts.views.length).toBeGreaterThan(0);
    expect(facts.families.length).toBeGreaterThan(0);
    const told = await text(['report', name, '--explain', '-o', 'table']);
    for (const part of [facts.definition, facts.basis, ...columns]) expect(told).toContain(part);
  });

  it('of close names the views that it reads', () => {
    expect(CLOSE.name).toBe('close');
    expect(new Set(CLOSE.views).size).toBe(CLOSE.views.length);
    expect(CLOSE.columns.map(({ name }) => name)).toEqual(Object.keys(rowsOf('close')[0] ?? {}));
  });
});

/** What a JSON value is made of: a line a member, `rows[].gross  number`. */
function shapeOf(value: unknown, at = ''): Map<string, Set<string>> {
  const kinds = new Map<string, Set<string>>();
  const note = (where: string, kind: string) => kinds.set(where, (kinds.get(where) ?? new Set()).add(kind));
  const walk = (one: unknown, where: string): void => {
    if (Array.isArray(one)) {
      note(where, 'list');
      for (const part of one) walk(part, `${where}[]`);
    } else if (one !== null && typeof one === 'object') {
      if (where !== '') note(where, 'object');
      for (const [name, part] of Object.entries(one)) walk(part, where === '' ? name : `${where}.${name}`);
    } else note(where, one === null ? 'null' : typeof one === 'string' ? 'text' : typeof one);
  };
  walk(value, at);
  return kinds;
}

describe('-o json', () => {
  it('of every report has the shape it had', () => {
    const shapes = NAMES.map((name) => {
      const lines = [...shapeOf(documents.get(name))].map(([where, kinds]) => `${where}  ${[...kinds].join(' or ')}`);
      return [`$ cops ${asked(name).join(' ')} -o json`, ...lines, ''].join('\n');
    }).join('\n');
    expect(shapes).toBe(golden('reports/shapes.txt', shapes));
  });

  it.each(NAMES)('of %s is documented, member by member and column by column', (name) => {
    const page = readFileSync(path.join(ROOT, 'docs/reports.md'), 'utf8');
    const [head = '', ...sections] = page.split(/^### cops report /m);
    for (const member of Object.keys(documents.get(name) ?? {})) expect(head).toContain(`\`${member}\``);
    const own = sections.find((section) => section.startsWith(`${name}\n`)) ?? '';
    const keys = ['currency', 'cohort', 'month'];
    const columns = Object.keys(rowsOf(name)[0] ?? {}).filter((column) => !keys.includes(column));
    for (const column of columns) expect(own).toContain(`\`${column}\``);
  });

  it.each(NAMES)('of %s is the same each time', async (name) => {
    const again = JSON.parse(await text([...asked(name), '--mirror', 'm.sqlite', '-o', 'json']));
    expect(again).toEqual(documents.get(name));
  });
});

describe.each([80, 120])('on a terminal of %i columns', (columns) => {
  it.each(NAMES)('%s', async (name) => {
    const shown = await text([...asked(name), '--mirror', 'm.sqlite'], { terminal: columns });
    const screen = `$ cops ${asked(name).join(' ')}\n${shown}`;
    expect(screen).toBe(golden(`reports/${name}-${columns}.txt`, screen));
    expect(shown.split('\n').filter((line) => line.length > columns)).toEqual([]);
  });

  it('draws bars where there is room for them, and none in a pipe', async () => {
    const words = [...asked('fees'), '--mirror', 'm.sqlite'];
    expect((await text(words, { terminal: columns })).includes('█')).toBe(columns === 120);
    const dumb = await text(words, { terminal: columns, env: { TERM: 'dumb' } });
    expect([dumb.includes('█'), dumb.includes('##')]).toEqual([false, columns === 120]);
    expect(await text([...words, '-o', 'table'])).not.toMatch(/█|##/);
  });
});

describe('months of which a rolling span holds only a part', () => {
  const ask = ['report', 'revenue', '--last', '45d', '--by', 'month', '--mirror', 'm.sqlite'];

  it('carry a star in the table, and a line below says from when on', async () => {
    const lines = (await text([...ask, '-o', 'table'])).trimEnd().split('\n');
    const months = lines.filter((line) => /^\d{4}-\d\d/.test(line)).map((line) => line.slice(0, 8));
    expect(new Set(months.slice(0, 1)).values().next().value).toMatch(/\*$/);
    expect(lines.at(-1)).toMatch(/^\* Only a part: \d{4}-\d\d from \d{4}-\d\d-\d\dT[\d:]+Z on; /);
  });

  it('are named in the document and on standard error, and their rows stay as they are', async () => {
    const ran = await run([...ask, '-o', 'json']);
    const { partial, rows } = JSON.parse(ran.stdout) as {
      partial: { bucket: string; from: string | null }[];
      rows: Row[];
    };
    expect(partial[0]?.from).toMatch(/T/);
    expect(rows[0]?.month).toBe(partial[0]?.bucket);
    expect(ran.stderr).toContain(`Only a part: ${partial[0]?.bucket} from ${partial[0]?.from} on`);
    const whole = await run([
      'report',
      'revenue',
      '--month',
      'last',
      '--by',
      'month',
      '--mirror',
      'm.sqlite',
      '-o',
      'json',
    ]);
    expect(JSON.parse(whole.stdout)).toMatchObject({ partial: [] });
    expect(whole.stderr).not.toContain('Only a part');
  });

  it('are cohorts as well, and the month that all cohorts are in', async () => {
    const table = await text(['report', 'retention', '--last', '2mo', '--mirror', 'm.sqlite', '-o', 'table']);
    expect(table).toMatch(/^cohort .* month 0 +month 1/m);
    expect(table).toMatch(/^\d{4}-\d\d\* .* \d+\*(?: |$)/m);
    expect(table).toMatch(/so far \(to /);
  });
});

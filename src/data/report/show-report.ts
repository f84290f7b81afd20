import { pageTarget, writeGiven } from '../../account/given-target.js';
import { local, usage } from '../../base/errors/errors.js';
import { typedPath } from '../../base/files/typed-path.js';
import { say } from '../../base/text/command-line.js';
import { partsSaid } from '../../base/time/periods.js';
import { Item } from '../../items/json/item-json.js';
import { sanitiseLines } from '../../items/text/inert.js';
import type { Context, Done } from '../../session/context/context.js';
import { into, lineWithout, rowsAsFile } from '../../session/context/lines.js';
import { accountHead } from '../../session/lookup/account-head.js';
import type { Figures } from './figures.js';
import { namedRows, type ReportAnswer, reportDocument, rowJson } from './report-document.js';
import type { RowsFile } from './report-files.js';
import type { ReportOptions } from './report-options.js';
import type { ReportColumn } from './report-question.js';
import type { AnyReport } from './sectioned-report.js';
import type { ReportRow } from './types.js';

const ROWS_FILE = /\.(csv|xlsx)$/i;

/** The file of rows that `--out` names; undefined if it names none. */
export function rowsFileOf(context: Context, { html, out }: ReportOptions): RowsFile | undefined {
  const format = html === undefined ? ROWS_FILE.exec(out ?? '')?.[1]?.toLowerCase() : undefined;
  if (out === undefined || format === undefined) return undefined;
  return { path: typedPath(context.world, out), typed: out, format: format as RowsFile['format'] };
}

/** The file of the page; undefined if none is wanted. */
export function pageOf(report: AnyReport, options: ReportOptions, argv: readonly string[]): string | undefined {
  const { html, out, journal } = options;
  const ready = lineWithout(argv, ['--html', '--out'], '--html', `${report.name}.html`);
  if (typeof html === 'string' && out !== undefined)
    throw usage('Give the page one name: --html or --out.', say`One is enough: ${ready}`);
  if (html === undefined && out !== undefined && journal !== undefined)
    throw usage('A journal only goes to standard output.', into(lineWithout(argv, ['--out']), out));
  if (html === undefined && out !== undefined && ROWS_FILE.test(out)) return undefined;
  if (html === undefined && out !== undefined && !/\.html?$/i.test(out))
    throw usage(
      `--out needs a file that ends in .html, .csv or .xlsx, not "${out}".`,
      say`For a file of rows: ${rowsAsFile(argv, out)}`,
    );
  const file = typeof html === 'string' ? html : out;
  if ((html === true && file === undefined) || file === '' || file === '-')
    throw usage('--html needs a file name.', ready);
  return file;
}

interface Told extends ReportAnswer {
  /** The column that the line requested. */
  readonly wanted: string | undefined;
  readonly report: AnyReport;
}

/** True if the line requests no particular format: at a terminal, a request for a page means the page alone. */
export async function isBare(context: Context): Promise<boolean> {
  const { query } = await context.settings();
  const { output, columns, wide } = context.options;
  return output === undefined && query === undefined && columns === undefined && !wide;
}

export function rowsLine(count: number, rowsFile: RowsFile | undefined): string {
  const [where, option] = rowsFile ? ['in the file', '--out'] : ['on the page', '--html'];
  return `${count} ${count === 1 ? 'row' : 'rows'} ${where}; leave out ${option} to show them here.\n`;
}

/** `--chart`: one figure, drawn. */
export async function showChart(context: Context, told: Told): Promise<Done> {
  const { figures, question, ground } = told;
  const { chartText } = await import('./report-chart.js');
  const { stdout, env } = context.world;
  const style = { width: Math.max(40, stdout.columns || 80), blocks: env.TERM !== 'dumb' };
  const figure = figureOfInterest(told) ?? '';
  const head = await accountHead(context, ground.mode === 'live' ? 'live' : 'test');
  const markOf = (row: ReportRow, column: string): string => (ground.parts?.isPart(row, column) ? '*' : '');
  const text = chartText(figures, { figure, across: question.across?.across, markOf }, style);
  return { result: { shape: 'text', text: head + sanitiseLines(text), painted: true } };
}

export async function showReport(context: Context, told: Told): Promise<Done> {
  const { format, query, columns, wide } = await context.settings();
  const { statement, rows } = told.figures;
  const isDocument = format === 'json' || format === 'yaml' || query !== undefined;
  const beside = columns && !isDocument ? withCurrency(context, told.figures, columns, format) : undefined;
  if (format === 'table' && !isDocument && (columns === undefined || beside?.chosen)) {
    const { tableText } = await import('./report-text.js');
    const { stdout, env } = context.world;
    const drawn = stdout.isTTY === true;
    const look = {
      drawn,
      width: !drawn ? 0 : wide ? Number.POSITIVE_INFINITY : stdout.columns || 80,
      blocks: env.TERM !== 'dumb',
      wanted: told.wanted,
      asked: figuresNamed(told),
      period: told.question.period,
      parts: told.ground.parts,
      alone: told.wanted !== undefined && !told.question.across && !wide && columns === undefined,
      chosen: beside?.chosen,
    };
    const head = await accountHead(context, told.ground.mode === 'live' ? 'live' : 'test');
    if (told.report.kind === 'sections' && columns === undefined) {
      const text = await told.report.text(told.figures, look);
      return { result: { shape: 'text', text: head + sanitiseLines(text), painted: true } };
    }
    const isCohorts = told.report.kind === 'own' && told.report.cohorts && columns === undefined;
    const text = isCohorts
      ? (await import('./sections-text.js')).cohortText(told.figures, look)
      : tableText(
          columns === undefined && !wide ? mainFigures(context, told) : told.figures,
          told.question.across ? undefined : figureOfInterest(told),
          look,
        );
    return { result: { shape: 'text', text: head + sanitiseLines(text), painted: true } };
  }
  const parts = partsSaid(told.ground.parts?.partial);
  if (parts !== undefined) context.notes.warn(parts);
  if (isDocument) return { result: { shape: 'one', item: new Item(reportDocument(told)) } };
  const items = (async function* (): AsyncGenerator<Item> {
    for (const row of format === 'csv' || format === 'tsv' ? namedRows(rows) : rows)
      yield new Item(rowJson(row, statement.columns));
  })();
  const shownColumns = statement.columns.map(({ name }) => ({ path: name }));
  const usual = beside && { names: beside.names, setting: '--columns' };
  return { result: { shape: 'list', items, columns: shownColumns, idField: 'currency', ...(usual ? { usual } : {}) } };
}

/** The columns that tell the rows behind a figure apart and fit a terminal. */
const OF_ROWS = new Set(['at', 'what', 'customer_name', 'status', 'currency']);

/**
 * Next to another period only the main figures are shown: now, before, and the change, also in percent. A terminal has
 * no room for all columns of the rows behind a figure.
 */
function mainFigures({ notes, world }: Context, { report, figures, against, question, wanted }: Told): Figures {
  const { columns: all, keys: kept } = figures.statement;
  if (all[0]?.name === 'at' && world.stdout.isTTY === true) {
    const columns = all.filter(({ name }, at) =>
      at < kept ? OF_ROWS.has(name) : figures.rows.some((row) => row[name]),
    );
    notes.note('Only the main columns are shown; --wide shows all, --columns chooses.');
    const keys = columns.filter(({ name }) => OF_ROWS.has(name)).length;
    return { ...figures, statement: { ...figures.statement, columns, keys } };
  }
  if (against === undefined || report.kind !== 'grouped') return figures;
  const { measures, drawn } = report;
  const first = (unit: string): string | undefined => measures.find((measure) => measure.unit === unit)?.name;
  const shares = measures.filter(({ unit }) => unit === 'percent').map(({ name }) => name);
  const main = new Set([first('count'), first('money'), drawn, ...shares, question.sort, wanted]);
  const { columns, keys } = figures.statement;
  const shown = columns.filter(
    ({ name }, at) =>
      at < keys || main.has(name.replace(/_(?:before|change(?:_percent)?)$/, '')) || name.endsWith('_share'),
  );
  if (shown.length === columns.length) return figures;
  const isNew = !figures.rows.some((row) =>
    shown.some(({ name }) => /_change_percent$/.test(name) && row[name] !== null),
  );
  const change = isNew ? 'nothing was before, so nothing changed in percent; ' : '';
  notes.note(`Only the main figures are shown, as now, before, and changed; ${change}--wide shows all.`);
  return { ...figures, statement: { ...figures.statement, columns: shown } };
}

/**
 * The columns of `--columns`, with a note or a column for the currency: no figure is shown without one. `chosen` is
 * absent if the report lacks one of them, which the screen refuses.
 */
function withCurrency({ notes }: Context, { statement, rows }: Figures, typed: readonly string[], format: string) {
  const { columns, keys } = statement;
  const places = typed.map((word) =>
    columns.findIndex(({ name, title }) => name === word || title === word || name === word.toLowerCase()),
  );
  const currency = columns.find(({ name }) => name === 'currency');
  const found = places.flatMap((at) => columns[at] ?? []);
  const chosen = found.length === typed.length ? found : undefined;
  const codes = [...new Set(rows.map((row) => row.currency))];
  const firstFigure = places.findIndex((at) => at >= keys);
  if (!currency || firstFigure < 0 || found.includes(currency)) return { names: typed, chosen };
  if (codes.length > 1) {
    notes.note('The currency is shown too: each row is of one currency.');
    const at = format === 'table' ? firstFigure : typed.length;
    return { names: typed.toSpliced(at, 0, currency.name), chosen: chosen?.toSpliced(at, 0, currency) };
  }
  if (typeof codes[0] !== 'string' || !found.some(({ unit }) => unit === 'money')) return { names: typed, chosen };
  notes.note(`All amounts are in ${codes[0]}.`);
  const headed = (column: ReportColumn): ReportColumn =>
    column.unit === 'money' ? { ...column, title: `${column.title ?? column.name} ${codes[0]}` } : column;
  return { names: typed, chosen: chosen?.map(headed) };
}

/** The figure to draw: the one that the line names, else that of the report. */
function figureOfInterest({ question: { across, sort }, report, wanted }: Told): string | undefined {
  return across?.figure ?? sort ?? wanted ?? (report.kind === 'sections' ? undefined : report.drawn);
}

/** The figures that the line names: the one it sorts by, those in `--having`, and the share. */
function figuresNamed({ question: { sort, having = [], share }, figures: { statement } }: Told): string[] {
  const shares = share ? statement.columns.filter(({ name }) => name.endsWith('_share')) : [];
  return [
    ...(sort === undefined ? [] : [sort]),
    ...having.map(({ figure }) => figure),
    ...shares.map(({ name }) => name),
  ];
}

export async function writePage(context: Context, file: string, told: Told): Promise<void> {
  const { reportPage } = await import('./report-page.js');
  const target = pageTarget(context, file);
  if (target.path === told.ground.mirror) throw local('--html names the mirror itself.', 'Name another file.');
  await writeGiven(target, reportPage(told, figureOfInterest(told)));
  context.notes.note(`Written: ${target.path}`);
}

import { usage } from '../base/errors/errors.js';
import type { Column } from '../catalogue/types.js';
import { compact, type Item, indent } from '../items/json/item-json.js';
import { leafPaths, parseLossless } from '../items/json/lossless.js';
import { cellText, Picker } from '../items/json/pick-values.js';
import { sanitise, sanitiseLines } from '../items/text/inert.js';
import { Clock } from '../items/text/times.js';
import { guessAs } from './cells.js';
import type { OutputSink } from './output-formats.js';
import { Spool } from './spool.js';
import {
  cell,
  type Delimited,
  type Excel,
  isCutNumber,
  isFormula,
  isMisread,
  localNumber,
  row,
} from './spreadsheets.js';
import type { AccountLine, Out, ScreenSettings } from './types.js';

/** Turns items into text of one format. Callers must await a returned promise. */
export interface ItemWriter {
  item(item: Item): Promise<void> | undefined;
  end(): Promise<void>;
  /** The items ended with an error: writes what was held back, if it may be shown. */
  abort?(): Promise<void>;
  close?(): Promise<void>;
}

/** How and where to show something. */
export interface ShowOptions {
  readonly settings: ScreenSettings;
  readonly out: Out;
  readonly sink: OutputSink;
}

export interface WriterOptions {
  /** Rows that decide the widths of a table. */
  readonly sample?: number;
  /** Writes elements exactly as received, including whitespace. */
  readonly verbatim?: boolean;
  /** The account that the items belong to. */
  readonly account?: AccountLine | undefined;
  /** A table shows values that all rows share in a heading. */
  readonly shares?: boolean | undefined;
  /** Elements may be any JSON value (a query's answer), not only objects. */
  readonly loose?: boolean;
}

/** The columns of a result: those the operator named, else the known ones. */
export class Columns {
  readonly #projector: Picker | undefined;
  readonly #seen = new Set<number>();

  constructor(
    readonly known: readonly Column[],
    readonly chosen: readonly string[] | undefined,
    /** The chosen columns as typed, for headings the reader recognises. */
    readonly typed?: readonly string[],
  ) {
    this.#projector = chosen ? new Picker(chosen) : undefined;
  }

  /** The columns to show and how to show each; empty where only the items can tell. */
  get shown(): readonly Column[] {
    if (!this.chosen) return this.known;
    return this.chosen.map((path, index) => {
      const as = this.known.find((column) => column.path === path)?.as;
      return { path, as: as ?? guessAs(path), title: this.typed?.[index] ?? path };
    });
  }

  /** Records what an item had in the shown columns, to point out misspelt names. */
  saw(found: readonly (string | undefined)[]): void {
    if (!this.chosen || this.#seen.size === this.chosen.length) return;
    for (const [index] of this.chosen.entries()) if (found[index] !== undefined) this.#seen.add(index);
  }

  /** Named columns that no item had. */
  get missing(): readonly string[] {
    return (this.chosen ?? []).filter((_, index) => !this.#seen.has(index));
  }

  /** For JSON: only the named paths, as an object with those names, digits kept. The whole item if none are named. */
  project(raw: string): string {
    if (!this.#projector) return raw;
    const found = this.#projector.pick(raw);
    this.saw(found);
    return `{${this.#projector.paths.map((path, i) => `${JSON.stringify(path)}:${compact(found[i] ?? 'null')}`).join(',')}}`;
  }
}

export async function writerFor(
  shown: ShowOptions,
  columns: Columns,
  idField: string,
  options: WriterOptions = {},
): Promise<ItemWriter> {
  const { settings, out, sink } = shown;
  switch (settings.format) {
    case 'json':
      return jsonWriter(shown, columns, options);
    case 'jsonl':
      return lines(sink, (item) => {
        const text = compact(columns.project(item.raw));
        return out.interactive ? sanitiseLines(text) : text;
      });
    case 'ids':
      return lines(sink, (item) => idOf(item.raw, idField, out.interactive));
    case 'yaml':
      return yamlWriter(shown, columns);
    case 'csv':
    case 'tsv':
      return delimitedWriter(settings.format, shown, columns, options);
    case 'table':
      return tableWriter(shown, columns, options);
  }
}

function lines(sink: OutputSink, text: (item: Item) => string): ItemWriter {
  return {
    item: (item) => sink.write(`${text(item)}\n`),
    end: () => sink.flush(),
  };
}

/** All or nothing: writes a list as one document, held back until its last element has arrived. */
function documentWriter(sink: OutputSink, text: (item: Item, isFirst: boolean) => string, ending: string): ItemWriter {
  const spool = new Spool();
  let empty = true;
  return {
    item(item) {
      const isFirst = empty;
      empty = false;
      return spool.add(text(item, isFirst));
    },
    async end() {
      if (empty) return sink.write('[]\n');
      await spool.emit(sink);
      await sink.write(ending);
    },
    close: () => spool.close(),
  };
}

function jsonWriter({ out, sink }: ShowOptions, columns: Columns, { verbatim }: WriterOptions): ItemWriter {
  const laid = (raw: string): string => {
    if (!out.interactive) return verbatim ? raw : compact(raw);
    return sanitiseLines(verbatim ? raw : `  ${indent(raw, '  ')}`);
  };
  const text = (item: Item, isFirst: boolean) => `${isFirst ? '[\n' : ',\n'}${laid(columns.project(item.raw))}`;
  return documentWriter(sink, text, '\n]\n');
}

async function yamlWriter({ out, sink }: ShowOptions, columns: Columns): Promise<ItemWriter> {
  const { openYaml } = await import('./yaml.js');
  const yaml = await openYaml();
  const text = (item: Item): string => {
    const element = yaml(columns.project(item.raw), true);
    return out.interactive ? sanitiseLines(element) : element;
  };
  return documentWriter(sink, text, '');
}

/**
 * Writes the header before the first row: the named columns, else the family's own, else the flattened fields of the
 * first item.
 */
function delimitedWriter(format: Delimited, shown: ShowOptions, columns: Columns, options: WriterOptions): ItemWriter {
  const { settings, out, sink } = shown;
  // The tabs between tsv cells stay; tabs inside a cell are already escaped.
  const inert = (text: string): string =>
    text
      .split('\t')
      .map(sanitiseLines)
      .join(format === 'tsv' ? '\t' : '\\u0009');
  const { excel } = settings;
  const safe = settings.csvSafe === true || excel !== undefined;
  const clock = settings.times === 'unix' ? undefined : new Clock(settings.tz);
  const line = (cells: readonly string[]): string => {
    const text = row(cells, format, excel?.separator);
    return out.interactive ? inert(text) : text;
  };
  let moments: readonly boolean[] = [];
  let picker: Picker | undefined;
  const start = (paths: readonly string[]): Promise<void> | undefined => {
    picker = new Picker(paths);
    // A related row's time goes by the name on the line: `transaction.created`.
    const times = new Set(columns.shown.flatMap((column) => (column.as === 'time' ? [column.path] : [])));
    moments = paths.map((path) => clock !== undefined && (/_unix$/.test(path) || times.has(path)));
    return paths.length > 0
      ? sink.write(
          (excel ? BYTE_ORDER_MARK : '') + line(paths.map((path) => (safe && isFormula(path) ? `'${path}` : path))),
        )
      : undefined;
  };
  return {
    item(item) {
      if (options.loose && !/^\s*\{/.test(item.raw)) return sink.write(line(looseCells(item, safe)));
      const begun = picker ? undefined : start(pathsOf(columns.shown) ?? leafPaths(parseLossless(item.raw)));
      const found = picker?.pick(item.raw) ?? [];
      columns.saw(found);
      const cells = found.map((raw, i) =>
        clock && moments[i] && raw !== undefined && /^\d{1,11}$/.test(raw)
          ? moment(clock, Number(raw), excel)
          : excel
            ? excelCell(raw, excel)
            : cell(raw, safe),
      );
      const wait = sink.write(line(cells));
      return begun ? Promise.all([begun, wait]).then(() => undefined) : wait;
    },
    async end() {
      const paths = pathsOf(columns.shown);
      if (!picker && paths && !options.loose) await start(paths);
      await sink.flush();
    },
  };
}

const BYTE_ORDER_MARK = '\ufeff';

/** Seconds since the epoch as text; empty for 0, which the service uses for "none". */
function moment(clock: Clock, unix: number, excel: Excel | undefined): string {
  if (unix === 0) return '';
  return excel ? clock.plain(unix) : clock.iso(unix);
}

/** A cell that a spreadsheet program reads correctly. */
function excelCell(raw: string | undefined, excel: Excel): string {
  const text = cell(raw, true);
  if (raw?.charCodeAt(0) === 0x22) return isMisread(text, excel) ? `'${text}` : text;
  return isCutNumber(text) ? `'${text}` : localNumber(text, excel);
}

function pathsOf(columns: readonly Column[]): string[] | undefined {
  return columns.length > 0 ? columns.map((column) => column.path) : undefined;
}

/** A query may return lists (one row each) or scalars (one cell each); such rows have no header. */
function looseCells(item: Item, safe: boolean): string[] {
  const value = parseLossless(item.raw);
  if (!Array.isArray(value)) return [cell(item.raw, safe)];
  return new Picker(value.map((_, index) => String(index))).pick(item.raw).map((raw) => cell(raw, safe));
}

async function tableWriter(
  { settings, out, sink }: ShowOptions,
  columns: Columns,
  options: WriterOptions,
): Promise<ItemWriter> {
  const { Table } = await import('./table.js');
  const open = (shown: readonly Column[]) =>
    Table.open({
      columns: shown,
      tz: settings.tz,
      color: out.color,
      width: out.interactive && !settings.wide ? out.width : undefined,
      asked: settings.columns !== undefined,
      picked: (found) => columns.saw(found),
      sample: options.sample,
      account: out.interactive ? options.account : undefined,
      shares: out.interactive && options.shares === true,
    });
  let table = columns.shown.length > 0 ? await open(columns.shown) : undefined;
  let any = false;
  const put = (text: string) => (text === '' ? undefined : sink.write(text));
  const rest = async (): Promise<void> => {
    if (any && table) await put(await table.end());
  };
  return {
    item(item) {
      any = true;
      if (options.loose && !/^\s*\{/.test(item.raw))
        return sink.write(`${looseCells(item, false).map(sanitise).join('  ')}\n`);
      if (table) return put(table.add(item));
      return open(leafPaths(parseLossless(item.raw)).map((path) => ({ path }))).then((made) => {
        table = made;
        return put(table.add(item));
      });
    },
    async end() {
      await rest();
      if (any && table && table.hidden.length > 0) {
        // Remarks about the table follow it.
        await sink.flush();
        out.note?.(
          `Not shown for lack of room: ${table.hidden.join(', ').toLowerCase()} (--wide, or choose with --columns).`,
        );
      }
      await sink.flush();
    },
    abort: rest,
  };
}

/**
 * The id of an item or of a write's answer, for one line of `-o ids`.
 *
 * @throws CopsError `usage` when it has none
 */
function idOf(raw: string, idField: string, interactive: boolean): string {
  const first = raw.trimStart().charAt(0);
  let id: string | undefined;
  if (first === '{') {
    const found = new Picker([idField, 'id']).pick(raw);
    id = [found[0], found[1], answerId(raw)].find((text) => text !== undefined && /^["\d-]/.test(text));
  } else if (first !== '[' && first !== 'n' && first !== 't' && first !== 'f') {
    id = raw.trim();
  }
  const text = cellText(id);
  if (text === '') throw usage(`-o ids: no "${idField}" to print.`, 'Choose another format with -o.');
  if (/[\r\n]/.test(text)) throw usage('-o ids: an id with a line end cannot be printed on one line.', 'Use -o json.');
  return interactive ? sanitise(text) : text;
}

/** The id of the resource in a write's answer: its only `…_id` besides `api_call_id` (service.md#envelopes). */
function answerId(raw: string): string | undefined {
  const value = parseLossless(raw);
  if (!(value instanceof Map)) return undefined;
  const names = [...value.keys()].filter((name) => name.endsWith('_id') && name !== 'api_call_id');
  return names.length === 1 ? new Picker([names[0] as string]).pick(raw)[0] : undefined;
}

import type { Column } from '../catalogue/types.js';
import type { Item } from '../json/item.js';
import { cellText, Picker, pathSteps } from '../json/pick.js';
import { type As, Cells, guessAs, paint } from './cells.js';
import { type Palette, palette } from './colour.js';
import { sanitise } from './sanitise.js';
import { type Measure, openMeasure, wrapWords } from './width.js';

/** Rows that decide the widths: one page of the service, so that the first page is shown as soon as it is there. */
export const SAMPLE = 25;
const GAP = '  ';
const NO_BORDERS = Object.fromEntries(
  ['', '-mid', '-left', '-right'].flatMap((part) =>
    ['top', 'bottom', 'left', 'right', 'mid'].map((side) => [`${side}${part}`, '']),
  ),
);
const MIN_TEXT = 8;
/** With fewer columns than this (and more wanted) a table is given up for blocks. */
const FEWEST = 3;
/** Room that a text column gets beyond what the sample needs, when rows will follow. */
const SLACK = 8;

/** What people look for in rows whose own columns are empty, most useful first. */
const USEFUL: readonly Column[] = [
  'status',
  'name',
  'title',
  'subject',
  'amount',
  'amount_total',
  'price',
  'iso_currency',
  'email',
  'customer.email',
  'customer.last_name',
  'payment_type.name',
  'card_type',
  'card_last_digits',
  'last_digits',
  'product.name',
  'campaign_name',
  'result',
  'reason',
  'description',
  'type',
  'enabled',
  'created_date_unix',
].map((path) => ({ path }));

interface Laid {
  readonly title: string;
  readonly path: string;
  readonly as: As;
  readonly right: boolean;
  /** False for ids, times and money: cut, they would be of no use. */
  readonly cuttable: boolean;
  /** Stands in for a column that is empty in all rows. */
  readonly spare: boolean;
  /** False for a column that gave way, and for a spare one that was not needed. */
  used: boolean;
  width: number;
}

export interface TableOptions {
  readonly columns: readonly Column[];
  readonly tz: string;
  readonly color: boolean;
  /** Columns of the terminal; undefined for no limit (`--wide`, or no terminal). */
  readonly width: number | undefined;
  /** The columns were asked for by name: none goes without a word. */
  readonly asked?: boolean;
  /** Is told the texts that an item had at the columns. */
  readonly picked?: (found: readonly (string | undefined)[]) => void;
  /** Rows that decide the widths; `SAMPLE` unless told. */
  readonly sample?: number;
}

/** Lays out a stream of items as lines: a header and one line an item. */
export class Table {
  /** Titles of the columns that the terminal had no room for. */
  readonly hidden: string[] = [];
  readonly #options: TableOptions;
  #picker: Picker;
  readonly #cells: Cells;
  readonly #palette: Palette;
  readonly #measure: Measure;
  #sample: string[][] | undefined = [];
  #laid: Laid[];
  #stacked = false;

  private constructor(options: TableOptions, palette: Palette, measure: Measure) {
    this.#options = options;
    this.#palette = palette;
    this.#measure = measure;
    this.#cells = new Cells(options.tz);
    const known = new Set(options.columns.map(({ path }) => path));
    // Rows that come one by one cannot tell what all of them will hold.
    const spare = options.asked || options.sample !== undefined ? [] : USEFUL.filter(({ path }) => !known.has(path));
    const columns = [...options.columns, ...spare];
    this.#picker = new Picker([...columns.map((column) => column.path), 'iso_currency']);
    this.#laid = columns.map((column, index) => {
      const as = column.as ?? guessAs(column.path);
      const isId = /^(id|.*_id)$/.test(pathSteps(column.path).at(-1) ?? '');
      return {
        title: sanitise(column.title ?? column.path).toUpperCase(),
        path: column.path,
        as,
        right: as === 'money',
        cuttable: !isId && (as === 'text' || as === 'prose'),
        spare: index >= options.columns.length,
        used: index < options.columns.length,
        width: 0,
      };
    });
  }

  static async open(options: TableOptions): Promise<Table> {
    const [colours, measure] = await Promise.all([palette(options.color), openMeasure()]);
    return new Table(options, colours, measure);
  }

  /** The lines that can be written now; '' while the sample is being gathered. */
  add(item: Item): string {
    const raws = this.#picker.pick(item.raw);
    this.#options.picked?.(raws);
    const currency = cellText(raws[raws.length - 1]);
    const row = this.#laid.map((column, index) => this.#cells.show(raws[index], column.as, currency));
    if (this.#sample === undefined) return this.#stacked ? this.#block(row) : this.#line(row);
    this.#sample.push(row);
    return this.#sample.length >= (this.#options.sample ?? SAMPLE) ? this.#release(true) : '';
  }

  /** The lines that are left: of a list that ended within its sample, the whole table. */
  async end(): Promise<string> {
    if (this.#sample === undefined) return '';
    const rows = this.#sample;
    const lines = this.#release(false);
    const wraps = this.#options.width !== undefined && this.#laid.some(({ as }) => as === 'prose');
    return this.#stacked || wraps || rows.length === 0 ? lines : this.#screenful(rows);
  }

  #release(more: boolean): string {
    const rows = this.#sample ?? [];
    this.#sample = undefined;
    this.#choose(rows);
    for (const [index, column] of this.#laid.entries()) {
      if (!column.used) continue;
      column.width = Math.max(
        this.#measure.width(column.title),
        ...rows.map((row) => this.#measure.width(row[index] ?? '')),
      );
      if (rows.length > 0 && rows.every((row) => /^-?\d+(\.\d+)?$|^$/.test(row[index] ?? ''))) {
        this.#laid[index] = { ...column, right: column.right || rows.some((row) => row[index] !== '') };
      }
    }
    if (this.#options.width !== undefined && !this.#fit(this.#options.width, more)) {
      this.#stacked = true;
      return rows.map((row) => this.#block(row)).join('');
    }
    const header = this.#line(
      this.#laid.map((column) => column.title),
      true,
    );
    return header + rows.map((row) => this.#line(row)).join('');
  }

  /** Columns that are empty in all rows give way to the most useful ones that are not. */
  #choose(rows: readonly string[][]): void {
    if (rows.length === 0 || !this.#laid.some(({ spare }) => spare)) return;
    const empty = (index: number) => rows.every((row) => (row[index] ?? '') === '');
    let free = 0;
    for (const [index, column] of this.#laid.entries()) {
      if (index > 0 && !column.spare && empty(index)) {
        column.used = false;
        free++;
      } else if (column.spare && free > 0 && !empty(index)) {
        column.used = true;
        free--;
      }
    }
    // What is not needed is not looked for in the rows that follow.
    const kept = this.#laid
      .map((column, index) => ({ column, index }))
      .filter(({ column }) => column.used || !column.spare);
    this.#laid = kept.map(({ column }) => column);
    this.#picker = new Picker([...this.#laid.map(({ path }) => path), 'iso_currency']);
    for (const row of rows) row.splice(0, row.length, ...kept.map(({ index }) => row[index] ?? ''));
  }

  /**
   * A whole short table, laid out by the table library with the widths that were found. Longer lists are written
   * row by row as they come: the library needs seconds for some thousand rows.
   */
  async #screenful(rows: readonly (readonly string[])[]): Promise<string> {
    const { default: CliTable } = await import('cli-table3');
    const shown = this.#laid.flatMap((column, index) => (column.width > 0 ? [{ column, index }] : []));
    const table = new CliTable({
      chars: { ...NO_BORDERS, middle: GAP },
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
      colAligns: shown.map(({ column }) => (column.right ? 'right' : 'left')),
      colWidths: shown.map(({ column }) => column.width),
    });
    const titles = this.#laid.map((column) => column.title);
    const limited = this.#options.width !== undefined;
    for (const [at, row] of [titles, ...rows].entries()) {
      const header = at === 0;
      table.push(
        shown.map(({ column, index }) => {
          const text = row[index] ?? '';
          const cut = limited && (column.cuttable || header) ? this.#measure.cut(text, column.width) : text;
          return header ? this.#palette.strong(cut) : paint(cut, column.as, this.#palette);
        }),
      );
    }
    const lines = table.toString().split('\n');
    return lines.map((line) => `${line.trimEnd()}\n`).join('');
  }

  /**
   * Cuts text columns to the terminal, and leaves out columns from the right when that is not enough. False when
   * so little would stay that items are better shown as blocks.
   */
  #fit(limit: number, more: boolean): boolean {
    const shown = () => this.#laid.filter((column) => column.width > 0);
    const total = () => shown().reduce((sum, column) => sum + column.width + GAP.length, -GAP.length);
    const smallest = (column: Laid) => (column.cuttable ? Math.min(column.width, MIN_TEXT) : column.width);
    const least = () => shown().reduce((sum, column) => sum + smallest(column) + GAP.length, -GAP.length);
    const currency = this.#options.asked ? undefined : this.#laid.find((column) => column.path === 'iso_currency');
    // Where room is short: the amounts say their currency themselves.
    if (currency && total() > limit && shown().some((column) => column.as === 'money')) currency.width = 0;
    while (least() > limit && shown().length > 1) {
      if (shown().length <= FEWEST) {
        this.hidden.length = 0;
        return false;
      }
      const last = shown().at(-1) as Laid;
      this.hidden.unshift(last.title);
      last.width = 0;
    }
    let over = total() - limit;
    while (over > 0) {
      const widest = shown()
        .filter((column) => column.cuttable && column.width > MIN_TEXT)
        .sort((a, b) => b.width - a.width)[0];
      if (widest === undefined) break;
      widest.width--;
      over--;
    }
    const flexible = more ? shown().filter((column) => column.cuttable) : [];
    for (let room = Math.min(-over, SLACK * flexible.length); room > 0 && flexible.length > 0; ) {
      for (const column of flexible) {
        if (room === 0) break;
        column.width++;
        room--;
      }
    }
    return true;
  }

  /** An item on a narrow terminal: its id, below it a line for each other column that has a value. */
  #block(row: readonly string[]): string {
    const limit = this.#options.width ?? 80;
    const keyWidth = Math.max(
      0,
      ...this.#laid.slice(1).map((column) => (column.used ? this.#measure.width(column.title) : 0)),
    );
    let text = `${this.#palette.strong(row[0] ?? '')}\n`;
    for (const [index, column] of this.#laid.entries()) {
      const value = row[index] ?? '';
      if (index === 0 || value === '' || !column.used) continue;
      const pad = ' '.repeat(keyWidth - this.#measure.width(column.title) + GAP.length);
      const room = Math.max(MIN_TEXT, limit - keyWidth - 2 * GAP.length);
      const below = `\n${' '.repeat(keyWidth + 2 * GAP.length)}`;
      const prose = column.as === 'prose';
      const cut = column.cuttable && !prose ? this.#measure.cut(value, room) : value;
      const shown = prose ? wrapWords(value, room, this.#measure).join(below) : cut;
      text += `${GAP}${this.#palette.faint(column.title.toLowerCase())}${pad}${paint(shown, column.as, this.#palette)}\n`;
    }
    return text;
  }

  #line(row: readonly string[], header = false): string {
    const wraps = !header && this.#options.width !== undefined;
    if (!wraps || !this.#laid.some(({ as }) => as === 'prose')) return this.#rowLine(row, header);
    const cells = this.#laid.map(({ as, width }, index) => {
      const text = row[index] ?? '';
      return as === 'prose' && width > 0 ? wrapWords(text, width, this.#measure) : [text];
    });
    const height = Math.max(...cells.map((lines) => lines.length));
    const rows = Array.from({ length: height }, (_, at) => cells.map((lines) => lines[at] ?? ''));
    return rows.map((one) => this.#rowLine(one, false)).join('');
  }

  #rowLine(row: readonly string[], header: boolean): string {
    let line = '';
    let pending = '';
    const limited = this.#options.width !== undefined;
    for (const [index, column] of this.#laid.entries()) {
      if (column.width === 0) {
        // A later row has what the first ones had not.
        if (
          !column.used &&
          !column.spare &&
          (row[index] ?? '') !== '' &&
          !header &&
          !this.hidden.includes(column.title)
        ) {
          this.hidden.push(column.title);
        }
        continue;
      }
      let text = row[index] ?? '';
      if (limited && ((column.cuttable && column.as !== 'prose') || header))
        text = this.#measure.cut(text, column.width);
      const pad = ' '.repeat(Math.max(0, column.width - this.#measure.width(text)));
      if (text === '') {
        pending += pad + GAP;
        continue;
      }
      const painted = header ? this.#palette.strong(text) : paint(text, column.as, this.#palette);
      line += pending + (column.right ? pad + painted : painted);
      pending = (column.right ? '' : pad) + GAP;
    }
    return `${line}\n`;
  }
}

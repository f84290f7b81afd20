import type { Column } from '../catalogue/types.js';
import type { Item } from '../items/json/item-json.js';
import { cellText, Picker } from '../items/json/pick-values.js';
import { stateOf } from '../items/select/states.js';
import { openMeasure, type TextMeasure, wrapParts, wrapWords } from '../items/text/width.js';
import { CellTexts, paint } from './cells.js';
import { type AccountLine, accountLine, type Palette, PLAIN, palette } from './colour.js';
import { chooseColumns, chooseLearnt, type Laid, layColumns, learntColumns, type Shared } from './table-columns.js';
import { dayOf, daysOf, fitColumns } from './table-fit.js';

/** Rows that decide the widths: one page of the service, so that the first page is shown as soon as it is there. */
export const SAMPLE = 25;
/** The same where all that a terminal shows unless told otherwise can be laid out at once. */
const SCREENS = 100;
const GAP = '  ';
/** Room for `1234.00 USD` in a table that is laid out by its first rows alone. */
const USUAL_AMOUNT = 11;
const NO_BORDERS = Object.fromEntries(
  ['', '-mid', '-left', '-right'].flatMap((part) =>
    ['top', 'bottom', 'left', 'right', 'mid'].map((side) => [`${side}${part}`, '']),
  ),
);
const MIN_TEXT = 8;
/** An id of the service, or several. */
const ID = /^(?=.*\d)(?=.*[A-Z])\w{20}(, \w{20})*$/;

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
  /** Rows that decide the widths; `SAMPLE` unless told, more under an `account`. */
  readonly sample?: number;
  /** Whose rows they are: said in a heading, with what all rows share. */
  readonly account?: AccountLine | undefined;
  /** What all rows share is said in a heading, although they are of no one account. */
  readonly shares?: boolean;
  /** Paths whose values are said elsewhere: they stand in for no empty column. */
  readonly told?: readonly string[];
  /** The zone of times is said elsewhere. */
  readonly zoneSaid?: boolean;
}

/** Whether an item has one of the values with which a column of it means nothing. */
function isWith({ path, values }: NonNullable<Column['unless']>, raw: string): boolean {
  const [found] = new Picker([path]).pick(raw);
  return values.includes(cellText(found).toLowerCase());
}

/** Lays out a stream of items as lines: a header and one line an item. */
export class Table {
  /** Titles of the columns that the terminal had no room for. */
  readonly hidden: string[] = [];
  readonly #options: TableOptions;
  #picker: Picker;
  readonly #cells: CellTexts;
  readonly #palette: Palette;
  readonly #measure: TextMeasure;
  #sample: string[][] | undefined = [];
  #laid: Laid[];
  #raws: string[] = [];
  #heading = '';
  #stacked = false;
  readonly #shares: boolean;

  private constructor(options: TableOptions, palette: Palette, measure: TextMeasure) {
    this.#options = options;
    this.#palette = palette;
    this.#measure = measure;
    this.#shares = options.account !== undefined || options.shares === true;
    this.#cells = new CellTexts(options.tz, options.zoneSaid === true || this.#shares);
    // Rows that come one by one cannot tell what all of them will hold.
    const laid = layColumns(options.columns, !options.asked && options.sample === undefined);
    this.#laid = laid.filter(({ path, spare }) => !spare || options.told?.includes(path) !== true);
    this.#picker = new Picker([...this.#laid.map(({ path }) => path), 'iso_currency']);
  }

  static async open(options: TableOptions): Promise<Table> {
    const [colours, measure] = await Promise.all([palette(options.color), openMeasure()]);
    return new Table(options, colours, measure);
  }

  /** The lines that can be written now; '' while the sample is being gathered. */
  add(item: Item): string {
    const row = this.#rowOf(item.raw, this.#laid, this.#picker, this.#options.picked);
    if (this.#sample === undefined) return this.#stacked ? this.#block(row) : this.#line(row);
    const most = this.#options.sample ?? (this.#shares ? SCREENS + 1 : SAMPLE);
    this.#sample.push(row);
    this.#raws.push(item.raw);
    return this.#sample.length >= most ? this.#release(true) : '';
  }

  #rowOf(
    raw: string,
    columns: readonly Laid[],
    picker: Picker,
    picked?: (found: readonly (string | undefined)[]) => void,
  ): string[] {
    const raws = picker.pick(raw);
    picked?.(raws);
    const currency = cellText(raws[raws.length - 1]);
    return columns.map((column, index) => {
      if (column.unless && !this.#options.asked && isWith(column.unless, raw)) return '';
      return column.state ? stateOf(column.state, raw) : this.#cells.show(raws[index], column.as, currency);
    });
  }

  /** The lines that are left: of a list that ended within its sample, the whole table. */
  async end(): Promise<string> {
    if (this.#sample === undefined) return '';
    const rows = this.#sample;
    const lines = this.#release(false);
    const wraps = this.#options.width !== undefined && this.#laid.some(({ as }) => as === 'prose');
    return this.#stacked || wraps || rows.length === 0 ? lines : this.#heading + (await this.#screenful(rows));
  }

  #release(more: boolean): string {
    const rows = this.#sample ?? [];
    this.#sample = undefined;
    const shared = this.#choose(rows, !more);
    for (const [index, column] of this.#laid.entries()) {
      if (!column.used) continue;
      column.width = Math.max(
        this.#measure.width(column.title),
        ...rows.map((row) => this.#measure.width(row[index] ?? '')),
        this.#options.sample !== undefined && column.as === 'money' ? USUAL_AMOUNT : 0,
      );
      // An id says so itself, whatever its field is called.
      if (rows.some((row) => ID.test(row[index] ?? ''))) column.cuttable = false;
      if (rows.length > 0 && rows.every((row) => /^-?\d+(\.\d+)?$|^$/.test(row[index] ?? ''))) {
        this.#laid[index] = { ...column, right: column.right || rows.some((row) => row[index] !== '') };
      }
    }
    if (rows.length > 0) this.#heading = this.#headingOf(shared);
    const { width: limit, asked, sample } = this.#options;
    if (limit !== undefined) {
      for (const [index, column] of this.#laid.entries()) {
        const cells = rows.map((row) => row[index] ?? '');
        if (asked || column.as !== 'time' || column.own) continue;
        const { dayWidth, hasDays } = daysOf(column.title, cells);
        // What comes live is of one day.
        Object.assign(column, { dayWidth, hasDays: hasDays && !column.needsHours && sample === undefined });
      }
      const hidden = fitColumns(this.#laid, { limit, gap: GAP.length, more, asked: asked === true });
      if (!hidden) {
        this.#stacked = true;
        return this.#heading + rows.map((row) => this.#block(row)).join('');
      }
      this.hidden.push(...hidden);
    }
    const header = this.#line(
      this.#laid.map((column) => column.title),
      true,
    );
    return this.#heading + header + rows.map((row) => this.#line(row)).join('');
  }

  /** Settles which columns are used, and gives the rows theirs; what all rows share is returned. */
  #choose(rows: readonly string[][], whole: boolean): Shared[] {
    const { account, asked, sample } = this.#options;
    if (rows.length === 0) return [];
    const shared = asked ? [] : chooseColumns(this.#laid, rows, { whole, account, shares: this.#shares });
    // What is not needed is not looked for in the rows that follow.
    const kept = this.#laid
      .map((column, index) => ({ column, index }))
      .filter(({ column }) => column.used || !column.spare);
    this.#laid = kept.map(({ column }) => column);
    for (const row of rows) row.splice(0, row.length, ...kept.map(({ index }) => row[index] ?? ''));
    const learnt = account && !asked && sample === undefined ? this.#learn(rows) : [];
    this.#raws = [];
    this.#picker = new Picker([...this.#laid.map(({ path }) => path), 'iso_currency']);
    return account && whole ? this.#shareCurrency(rows, [...shared, ...learnt]) : shared;
  }

  /** Fills a table of few columns with what else tells its rows apart; what they share of it is returned. */
  #learn(rows: readonly string[][]): readonly Shared[] {
    const learnt = learntColumns(this.#laid, this.#raws);
    if (learnt.length === 0) return [];
    const picker = new Picker([...learnt.map(({ path }) => path), 'iso_currency']);
    const texts = this.#raws.map((raw) => this.#rowOf(raw, learnt, picker));
    const last = this.#laid.at(-1)?.path === 'created_date_unix' ? this.#laid.length - 1 : this.#laid.length;
    const { chosen, shared } = chooseLearnt(this.#laid, learnt, { rows: texts, known: rows });
    this.#laid.splice(last, 0, ...chosen.map((index) => ({ ...(learnt[index] as Laid), used: true })));
    for (const [at, row] of rows.entries()) row.splice(last, 0, ...chosen.map((index) => texts[at]?.[index] ?? ''));
    return shared;
  }

  /** Takes the currency out of the cells where all amounts have the same; it is stated above them. */
  #shareCurrency(rows: readonly string[][], shared: readonly Shared[]): Shared[] {
    const money = this.#laid.flatMap(({ as, used }, index) => (as === 'money' && used ? [index] : []));
    const cells = rows.flatMap((row) => money.map((index) => row[index] ?? '')).filter((text) => text !== '');
    const [unit = ''] = / [A-Z]{3}$/.exec(cells[0] ?? '') ?? [];
    if (unit === '' || rows.length < 2 || !cells.every((text) => text.endsWith(unit))) return [...shared];
    const bare = (text: string) => (text.endsWith(unit) ? text.slice(0, -unit.length) : text);
    for (const row of rows) for (const index of money) row[index] = bare(row[index] ?? '');
    return [
      { title: 'amounts in', text: unit.trim() },
      ...shared.map(({ title, text }) => ({ title, text: bare(text) })),
    ];
  }

  /** Whose rows these are, and what holds for all of them. */
  #headingOf(shared: readonly Shared[]): string {
    const { account, tz, width } = this.#options;
    if (!this.#shares) return '';
    const parts = this.#laid.some(({ as, used }) => as === 'time' && used) ? [`times in ${tz}`] : [];
    parts.push(...shared.map(({ title, text }) => (title.endsWith(' in') ? `${title} ${text}` : `${title}: ${text}`)));
    const plain = account ? accountLine(account, PLAIN) : '';
    const painted = account ? accountLine(account, this.#palette) : '';
    const said = [plain, ...parts].filter(Boolean);
    if (said.length === 0) return '';
    const lines = width === undefined ? [said.join('; ')] : wrapParts(said, width, this.#measure);
    const { faint } = this.#palette;
    return lines
      .map((text, at) => (at === 0 && text.startsWith(plain) ? painted + faint(text.slice(plain.length)) : faint(text)))
      .map((text) => `${text}\n`)
      .join('');
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
          const text = shownOf(column, row[index]);
          const cut = limited && (column.cuttable || header) ? this.#measure.cut(text, column.width) : text;
          return header ? this.#palette.strong(cut) : paint(cut, column.as, this.#palette);
        }),
      );
    }
    const lines = table.toString().split('\n');
    return lines.map((line) => `${line.trimEnd()}\n`).join('');
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
          !column.isSaid &&
          (row[index] ?? '') !== '' &&
          !header &&
          !this.hidden.includes(column.title)
        ) {
          this.hidden.push(column.title);
        }
        continue;
      }
      let text = shownOf(column, row[index]);
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

/** A cell's text in a column that may show days only. */
function shownOf({ days }: Laid, text = ''): string {
  return days ? dayOf(text) : text;
}

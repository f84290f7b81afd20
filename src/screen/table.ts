import type { Column } from '../catalogue/types.js';
import type { Item } from '../items/json/item-json.js';
import { Picker } from '../items/json/pick-values.js';
import { openMeasure, type TextMeasure, wrapParts, wrapWords } from '../items/text/width.js';
import { CellTexts, paint, rowTexts } from './cells.js';
import { accountLine, PLAIN, palette } from './style.js';
import {
  ADDRESS,
  chooseColumns,
  chooseLearnt,
  EMAIL,
  type Laid,
  layColumns,
  learntColumns,
  type Shared,
} from './table-columns.js';
import { daysOf, type Fitting, fitColumns, shownTime } from './table-fit.js';
import type { AccountLine, Palette } from './types.js';

/** Rows that decide the widths: one page of the service, so that the first page shows as soon as it arrives. */
export const SAMPLE = 25;
/** The same for a terminal, where one layout fits all the rows shown by default. */
const SCREENS = 100;
const GAP = '  ';
/** Room for `1234.00 USD` in a table whose widths come from its first rows alone. */
const USUAL_AMOUNT = 11;
const NO_BORDERS = Object.fromEntries(
  ['', '-mid', '-left', '-right'].flatMap((part) =>
    ['top', 'bottom', 'left', 'right', 'mid'].map((side) => [`${side}${part}`, '']),
  ),
);
const MIN_TEXT = 8;
/** Prose in a column narrower than this is hard to read: it goes below its row. */
const PROSE_LEAST = 30;
/** One or more ids of the service. */
const ID = /^(?=.*\d)(?=.*[A-Z])\w{20}(, \w{20})*$/;
/** Names for machines, such as paths, events and families: useless when cut. */
const CODE = /^[\w.:/{}[\]*-]*$/;
const JOINED = /\w[.:/-][\w{]/;

export interface TableOptions {
  readonly columns: readonly Column[];
  readonly tz: string;
  readonly color: boolean;
  /** Width of the terminal in columns; undefined for no limit (`--wide`, or no terminal). */
  readonly width: number | undefined;
  /** The columns were named explicitly: none is dropped without a note. */
  readonly asked?: boolean;
  /** Called with the values that an item had in the columns. */
  readonly picked?: (found: readonly (string | undefined)[]) => void;
  /** Rows that decide the widths; by default `SAMPLE`, or more under an `account`. */
  readonly sample?: number;
  /** The account of the rows; shown in a heading with the values that all rows share. */
  readonly account?: AccountLine | undefined;
  /** Values that all rows share move to a heading, although the rows do not belong to one account. */
  readonly shares?: boolean;
  /** Paths whose values are shown elsewhere: they never stand in for an empty column. */
  readonly told?: readonly string[];
  /** The time zone is shown elsewhere. */
  readonly zoneSaid?: boolean;
}

/** Lays out a stream of items as lines: a header and one line per item. */
export class Table {
  /** Titles of the columns that did not fit the terminal. */
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
  /** The column whose text is below its row. */
  #below: number | undefined;
  readonly #shares: boolean;

  private constructor(options: TableOptions, palette: Palette, measure: TextMeasure) {
    this.#options = options;
    this.#palette = palette;
    this.#measure = measure;
    this.#shares = options.account !== undefined || options.shares === true;
    this.#cells = new CellTexts(options.tz, options.zoneSaid === true || this.#shares);
    // Rows that arrive one by one cannot show what later rows will hold.
    const laid = layColumns(options.columns, !options.asked && options.sample === undefined);
    this.#laid = laid.filter(({ path, spare }) => !spare || options.told?.includes(path) !== true);
    this.#picker = new Picker([...this.#laid.map(({ path }) => path), 'iso_currency']);
  }

  static async open(options: TableOptions): Promise<Table> {
    return new Table(options, await palette(options.color), await openMeasure());
  }

  /** The lines ready to write; '' while the sample is being collected. */
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
    return rowTexts(raw, raws, columns, this.#cells, this.#options.asked);
  }

  /** The remaining lines; for a list that ended within its sample, the whole table. */
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
      // An id is recognisable, whatever its field is called.
      const cells = rows.map((row) => row[index] ?? '');
      const isCode =
        column.as === 'text' && cells.every((text) => CODE.test(text)) && cells.some((text) => JOINED.test(text));
      // In a tail, what later rows hold is unknown.
      const isAddress = EMAIL.test(column.path) && column.width <= ADDRESS && this.#options.sample === undefined;
      if (isCode || (isAddress && this.#buyer === undefined) || cells.some((text) => ID.test(text)))
        column.cuttable = false;
      if (rows.length > 0 && rows.every((row) => /^-?\d+(\.\d+)?$|^$/.test(row[index] ?? '')))
        this.#laid[index] = { ...column, right: column.right || rows.some((row) => row[index] !== '') };
    }
    const { width: limit, asked = false, sample } = this.#options;
    if (limit !== undefined) {
      for (const [index, column] of this.#laid.entries()) {
        const cells = rows.map((row) => row[index] ?? '');
        if (asked || column.as !== 'time' || column.own) continue;
        const { dayWidth, hasDays, day } = daysOf(column.title, cells, this.#shares && !more);
        // Rows of a tail all belong to one day.
        Object.assign(column, { dayWidth, hasDays: hasDays && !column.needsHours && sample === undefined, day });
      }
      const wide = this.#laid.map(({ width }) => width);
      const hidden = this.#fit(rows, { limit, gap: GAP.length, more, asked });
      const isCut =
        this.#below !== undefined || this.#laid.some(({ width, days }, at) => !days && width < (wide[at] ?? 0));
      // A single row that does not fit is shown as a block instead.
      const isTurned = this.#shares && !more && !asked && rows.length === 1 && sample === undefined;
      this.#stacked = !hidden || (isTurned && (isCut || hidden.length > 0));
      if (!this.#stacked) this.hidden.push(...(hidden ?? []));
    }
    if (rows.length > 0) this.#heading = this.#headingOf(shared);
    if (this.#stacked) return this.#heading + rows.map((row) => this.#block(row)).join('');
    const header = this.#line(
      this.#laid.map((column) => column.title),
      true,
    );
    return this.#heading + header + rows.map((row) => this.#line(row)).join('');
  }

  /** The place of the customer's name, which an address without room gives way to. */
  get #buyer(): number | undefined {
    const at = this.#laid.findIndex(({ state }) => state === 'buyer');
    return at < 0 ? undefined : at;
  }

  /** Fits the columns, and what is hard to read when it is cut finds another place. */
  #fit(rows: readonly string[][], fitting: Fitting): string[] | undefined {
    const wide = this.#laid.map(({ width }) => width);
    let hidden = fitColumns(this.#laid, fitting);
    const again = (): void => {
      for (const [at, column] of this.#laid.entries()) Object.assign(column, { width: wide[at], days: false });
      hidden = fitColumns(this.#laid, fitting);
    };
    const isCut = (at: number): boolean => !hidden || (this.#laid[at]?.width ?? 0) < (wide[at] ?? 0);
    const mail = this.#laid.findIndex(({ path, used }) => path === 'customer.email' && used);
    const buyer = this.#buyer;
    if (buyer !== undefined && mail >= 0 && hidden && isCut(mail) && rows.every((row) => !row[mail] || row[buyer])) {
      wide[mail] = 0;
      wide[buyer] = Math.max(...rows.map((row) => this.#measure.width(row[buyer] ?? '')), 'CUSTOMER'.length);
      Object.assign(this.#laid[buyer] as Laid, { used: true });
      again();
      hidden?.push('CUSTOMER.EMAIL');
    }
    const prose = this.#laid.flatMap(({ as, width }, at) => (as === 'prose' && width > 0 ? [at] : []));
    const [at] = prose;
    if (at !== undefined && prose.length === 1 && isCut(at)) {
      const width = this.#laid[at]?.width ?? 0;
      const words = rows.flatMap((row) => (row[at] ?? '').split(' '));
      if (width < PROSE_LEAST || words.some((word) => this.#measure.width(word) > width)) {
        wide[at] = 0;
        this.#below = at;
        again();
      }
    }
    return hidden;
  }

  /** Decides which columns to use and reduces the rows to them; returns the values that all rows share. */
  #choose(rows: readonly string[][], whole: boolean): Shared[] {
    const { account, asked, sample } = this.#options;
    if (rows.length === 0) return [];
    const shared = asked ? [] : chooseColumns(this.#laid, rows, { whole, account, shares: this.#shares });
    // Unused columns are not read from later rows.
    const kept = this.#laid
      .map((column, index) => ({ column, index }))
      .filter(({ column }) => column.used || !column.spare || column.state === 'buyer');
    this.#laid = kept.map(({ column }) => column);
    for (const row of rows) row.splice(0, row.length, ...kept.map(({ index }) => row[index] ?? ''));
    const learnt = account && !asked && sample === undefined ? this.#learn(rows) : [];
    this.#raws = [];
    this.#picker = new Picker([...this.#laid.map(({ path }) => path), 'iso_currency']);
    return account && whole ? this.#shareCurrency(rows, [...shared, ...learnt]) : shared;
  }

  /** Fills a table of few columns with others that tell its rows apart; returns the values that all rows share. */
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

  /** Removes the currency from the cells where all amounts share one; it is stated above them. */
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

  /** The heading: the account of the rows, and the values that all of them share. */
  #headingOf(shared: readonly Shared[]): string {
    const { account, tz, width } = this.#options;
    if (!this.#shares) return '';
    const parts = this.#laid.some(({ as, used }) => as === 'time' && used) ? [`times in ${tz}`] : [];
    for (const { title, width: shown, days, day } of this.#stacked ? [] : this.#laid)
      if (days && shown > 0 && day !== undefined) parts.push(`${title.toLowerCase()}: ${day}`);
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
   * A short table in one piece, laid out by the table library with the computed widths. Longer lists are written row by
   * row as they arrive: the library takes seconds for a few thousand rows.
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

  /** An item on a narrow terminal: its id, then a line for each other column with a value. */
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
    if (this.#below !== undefined) return this.#rowLine(row, header) + this.#belowOf(row[this.#below] ?? '', header);
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

  #belowOf(text: string, header: boolean): string {
    if (text === '') return '';
    const lines = wrapWords(text, (this.#options.width ?? 80) - GAP.length, this.#measure);
    return lines.map((line) => `${GAP}${header ? this.#palette.strong(line) : line}\n`).join('');
  }

  #rowLine(row: readonly string[], header: boolean): string {
    let line = '';
    let pending = '';
    const limited = this.#options.width !== undefined;
    for (const [index, column] of this.#laid.entries()) {
      if (column.width === 0) {
        // A later row has a value that the first ones lacked.
        if (
          !column.used &&
          !column.spare &&
          !column.isSaid &&
          (row[index] ?? '') !== '' &&
          !header &&
          !this.hidden.includes(column.title)
        )
          this.hidden.push(column.title);
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

/** A cell's text in a column that may show only a part of its times. */
function shownOf({ days, day }: Laid, text = ''): string {
  return days ? shownTime(text, day) : text;
}

import type { Column } from '../catalogue/types.js';
import { Item } from '../items/json/item-json.js';
import { Digits, get, type Lossless, parseLossless, textOf } from '../items/json/lossless.js';
import { sanitise } from '../items/text/inert.js';
import { filled, openMeasure, type TextMeasure, wrapWords } from '../items/text/width.js';
import { type As, CellTexts, guessAs, nested, paint } from './cells.js';
import { palette } from './style.js';
import { Table, type TableOptions } from './table.js';
import type { Palette, RelatedSection } from './types.js';

/** The meaning of a renewal's or sale's amounts (service.md#payments). */
const AMOUNTS: Readonly<Record<string, string>> = {
  amount_total: 'original minus refunds and discounts',
  amount_gross: 'payments minus refunded payments',
  amount_net: 'gross minus fees',
  amount_fees: "the processor's share of gross",
  amount_remaining: 'to salvage, or due after a trial',
};

/** Keys up to this length share one column across all groups. */
const USUAL_KEY = 30;

interface Line {
  readonly key: string;
  readonly value: string;
  readonly as: As;
  readonly note?: string;
}

interface Group {
  readonly title: string;
  readonly lines: readonly Line[];
  /** Text with its own layout, instead of lines. */
  readonly text?: string;
  /** Sentences of a list, each on a new line, instead of lines. */
  readonly elements?: readonly string[];
}

export interface RecordLayout extends Pick<TableOptions, 'tz' | 'color' | 'width'> {
  /** How to show known paths. */
  readonly columns: readonly Column[];
  /** Paths that the operator named: only these are shown. */
  readonly chosen: readonly string[] | undefined;
  /** Items below the member `related`, each with a section of its own. */
  readonly related?: readonly RelatedSection[];
}

/** One item as grouped, aligned lines: its own fields, amounts, customer, nested objects, related ids. */
export async function renderRecord(raw: string, options: RecordLayout): Promise<string> {
  const colours = await palette(options.color);
  const measure = await openMeasure();
  const value = parseLossless(raw);
  const sections = options.chosen ? [] : (options.related ?? []);
  const along = value instanceof Map && sections.length > 0 ? value.get('related') : undefined;
  if (along instanceof Map && value instanceof Map) {
    value.delete('related');
    // The related item says more than the copy inside this one.
    for (const { word, one } of sections) if (one && along.get(word) instanceof Map) value.delete(word);
  }
  const view = new View(options, value);
  const groups = options.chosen ? [view.chosen(options.chosen)] : view.groups();
  for (const section of sections) groups.push(await view.section(section, get(along ?? null, section.word) ?? null));
  return layOut(
    groups.filter((group) => group.lines.length > 0 || group.text !== undefined || group.elements !== undefined),
    options.width,
    colours,
    measure,
  );
}

class View {
  readonly #cells: CellTexts;
  readonly #as: ReadonlyMap<string, As>;
  readonly #currency: string;

  constructor(
    readonly options: RecordLayout,
    readonly root: Lossless,
  ) {
    this.#cells = new CellTexts(options.tz);
    this.#as = new Map(options.columns.flatMap((column) => (column.as ? [[column.path, column.as]] : [])));
    const currency = get(root, 'iso_currency');
    this.#currency = typeof currency === 'string' ? currency : '';
  }

  chosen(paths: readonly string[]): Group {
    return { title: '', lines: paths.map((path) => this.#line(path, path, get(this.root, path) ?? null)) };
  }

  groups(): Group[] {
    if (!(this.root instanceof Map))
      return [{ title: '', lines: [{ key: '', value: sanitise(nested(this.root)), as: 'text' }] }];
    const main: Line[] = [];
    const amounts: Line[] = [];
    const related: Line[] = [];
    const groups: Group[] = [];
    for (const [name, value] of this.root) {
      if (isEmpty(value)) continue;
      if (/^amount(_|$)/.test(name)) amounts.push({ ...this.#line(name, name, value), note: AMOUNTS[name] });
      else if (isIds(value)) related.push(this.#line(name, name, value));
      else if (value instanceof Map && !isNamed(value)) groups.push({ title: name, lines: this.#flat(name, value) });
      else if (Array.isArray(value) && value.some((element) => element instanceof Map))
        groups.push(this.#list(name, value));
      else if (isProse(value))
        groups.push({ title: name.replaceAll('_', ' '), lines: [], elements: value.map(sanitise) });
      else main.push(this.#line(name, name, value));
    }
    const customer = groups.filter((group) => group.title === 'customer');
    const others = groups.filter((group) => group.title !== 'customer');
    return [
      { title: '', lines: main },
      { title: 'amounts', lines: alignAmounts(amounts) },
      ...customer,
      ...others,
      { title: 'related', lines: related },
    ];
  }

  /** A single related item as lines, several as a table with their family's columns. */
  async section({ word, columns, unread }: RelatedSection, value: Lossless): Promise<Group> {
    const title = word.replaceAll('_', ' ');
    const lost = unread > 0 ? `${unread} could not be read` : '';
    if (value instanceof Map) return { title, lines: this.#flat(`related.${word}`, value) };
    if (!Array.isArray(value) || value.length === 0) return { title, lines: [], text: `${lost || 'none'}\n` };
    const { tz, color, width } = this.options;
    const table = await Table.open({ columns, tz, color, width });
    let text = '';
    for (const element of value) text += table.add(new Item(textOf(element)));
    text += await table.end();
    if (lost !== '') text += `(${lost})\n`;
    if (table.hidden.length > 0) text += `(${table.hidden.length} more columns: --wide)\n`;
    return { title: `${title} (${value.length})`, lines: [], text };
  }

  #flat(path: string, value: Map<string, Lossless>, prefix = ''): Line[] {
    return [...value].flatMap(([name, member]) => {
      if (isEmpty(member)) return [];
      const key = prefix + name;
      if (member instanceof Map && !isNamed(member)) return this.#flat(`${path}.${name}`, member, `${key}.`);
      return [this.#line(key, `${path}.${name}`, member)];
    });
  }

  /**
   * Name-value pairs as one line each; other objects as one line each, or one line per member where they contain
   * objects.
   */
  #list(name: string, list: readonly Lossless[]): Group {
    const deep = list.some((element) => element instanceof Map && [...element.values()].some(isDeep));
    return {
      title: name,
      lines: list.flatMap((element, index) => {
        const label = get(element, 'name');
        const value = get(element, 'value');
        if (element instanceof Map && element.size === 2 && typeof label === 'string' && value !== undefined)
          return [this.#line(label, '', value)];
        const place = String(index + 1);
        return deep && element instanceof Map
          ? this.#flat(name, element, `${place}.`)
          : [this.#line(place, '', element)];
      }),
    };
  }

  #line(key: string, path: string, value: Lossless): Line {
    const as = this.#as.get(path) ?? guessAs(path);
    const shown = value instanceof Map && isNamed(value) ? named(value) : this.#show(value, as);
    return { key: sanitise(key), value: shown, as };
  }

  #show(value: Lossless, as: As): string {
    if (value instanceof Map && !isNamed(value)) return sanitise(members(value));
    return this.#cells.show(textOf(value), as, this.#currency);
  }
}

/** `Some name (id)`: the id stays because the next command needs it. */
function named(value: Map<string, Lossless>): string {
  const id = get(value, 'id');
  const name = get(value, 'name');
  const idText = id instanceof Digits ? id.text : String(id);
  return sanitise(typeof name === 'string' && name !== '' ? `${name} (${idText})` : idText);
}

/** A list element with all its members on one line. */
function members(value: Map<string, Lossless>): string {
  const told = [...value].filter(([, member]) => !isEmpty(member));
  return told.map(([name, member]) => `${name}: ${nested(member)}`).join(', ');
}

function isNamed(value: Map<string, Lossless>): boolean {
  const id = value.get('id');
  if (!(typeof id === 'string' || id instanceof Digits)) return false;
  return value.size === 1 || (value.size === 2 && value.has('name'));
}

/**
 * True for a value that would be ambiguous on one line; not for an object with an id and a name, which those identify.
 */
function isDeep(value: Lossless): boolean {
  if (Array.isArray(value)) return value.some(isDeep);
  return value instanceof Map && value.size > 0 && !isNamed(value);
}

function isIds(value: Lossless): boolean {
  return Array.isArray(value) && value.every((element) => typeof element === 'string' && /^\w{20}$/.test(element));
}

/** True for strings of several words, which commas between them would not separate clearly. */
function isProse(value: Lossless): value is string[] {
  const isTexts = Array.isArray(value) && value.every((element) => typeof element === 'string');
  return isTexts && value.some((element) => / /.test(element) && (element.includes(', ') || element.length > 40));
}

function isEmpty(value: Lossless): boolean {
  if (value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : value instanceof Map && value.size === 0;
}

function alignAmounts(lines: readonly Line[]): Line[] {
  const width = Math.max(0, ...lines.map((line) => line.value.length));
  return lines.map((line) => ({ ...line, value: line.value.padStart(width) }));
}

function layOut(groups: readonly Group[], width: number | undefined, colours: Palette, measure: TextMeasure): string {
  const widthIn = ({ lines }: Group) => Math.max(0, ...lines.map((line) => measure.width(line.key)));
  // A group with long keys gets its own column, so that it does not push all other values to the right.
  const usual = Math.max(0, ...groups.map(widthIn).filter((wide) => wide <= USUAL_KEY));
  // A key longer than its column is never cut: it moves only its own value to the right.
  let text = '';
  for (const group of groups) {
    const keyWidth = Math.max(usual, widthIn(group));
    const widest = Math.max(0, ...group.lines.map(({ value }) => measure.width(value)));
    const fits = width === undefined || keyWidth + 2 + widest <= width;
    const column = fits ? keyWidth : Math.min(keyWidth, Math.max(8, Math.floor(width / 2) - 2));
    if (text !== '') text += '\n';
    if (group.title !== '') text += `${colours.strong(sanitise(group.title).toUpperCase())}\n`;
    text += group.text ?? '';
    for (const element of group.elements ?? []) {
      // A command line stays on one line, ready to paste.
      const isWhole = width === undefined || element.startsWith('cops ');
      const wrapped = isWhole ? [element] : wrapWords(element, Math.max(20, width - 4), measure);
      text += `  ${wrapped.join('\n    ')}\n`;
    }
    for (const line of group.lines) {
      const key = line.key;
      const keyed = key === '' ? 0 : measure.width(key);
      const laid = broken(line.value, key === '' ? 0 : Math.max(column, keyed) + 2, width, measure);
      const pad = laid.startsWith('\n') ? '' : ' '.repeat(Math.max(0, column - keyed) + 2);
      const value = paint(laid, line.as, colours);
      const isNoted = width === undefined || !line.note || column + 4 + measure.width(line.value + line.note) <= width;
      const note = line.note && isNoted ? `  ${colours.faint(line.note)}` : '';
      text += `${key === '' ? '' : `${colours.faint(key)}${pad}`}${value}${note}\n`;
    }
  }
  return text;
}

/**
 * A value too wide for the space after its key: broken after the commas of a list or, if nothing else helps, moved
 * below its key. Ids that the terminal breaks are hard to read and to copy.
 */
function broken(value: string, begin: number, width: number | undefined, measure: TextMeasure): string {
  if (width === undefined || begin + measure.width(value) <= width) return value;
  const parts = value.split(', ');
  const widest = Math.max(...parts.map((part) => measure.width(part))) + 1;
  const below = begin + widest > width;
  const indent = below ? 2 : begin;
  const lines = filled(parts, ', ', (line) => indent + measure.width(`${line},`) <= width);
  const next = `\n${' '.repeat(indent)}`;
  if (lines.some((line) => indent + measure.width(line) > width))
    return wrapWords(value, Math.max(20, width - begin), measure).join(`\n${' '.repeat(begin)}`);
  return (below && begin > 0 ? next : '') + lines.join(`,${next}`);
}

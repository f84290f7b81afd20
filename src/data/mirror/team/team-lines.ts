import type { Database } from '../../../base/database/types.js';
import type { Family } from '../../../catalogue/types.js';
import {
  catalogueTypes,
  copyCell,
  copyText,
  guessedType,
  OWN_COLUMNS,
  storedName,
  type TeamColumn,
} from './team-layout.js';

const UNIX = /_unix$/;
const NULL = '\\N';
const BACKSLASH = 0x5c;
/** Bytes of a part: many would have to be copied where one buffer grew. */
const PART_BYTES = 1 << 20;

/** A family's table in the team's mirror, with planned changes. */
export class TeamColumns {
  /** By the names of the SQLite mirror. */
  readonly known = new Map<string, TeamColumn>();
  readonly #taken = new Set<string>(OWN_COLUMNS);
  readonly #types: ReturnType<typeof catalogueTypes>;

  constructor(
    readonly database: Database,
    readonly family: Family,
    columns: readonly TeamColumn[],
  ) {
    this.#types = catalogueTypes(family);
    for (const column of columns) this.#add(column);
  }

  /** The column of a name: its type comes from the catalogue, else from a value. */
  of(name: string, value: unknown, isName: (name: string) => boolean): TeamColumn {
    const found = this.known.get(name);
    if (found) return found;
    const told = this.database
      .prepare('SELECT path, minor = ? FROM _columns WHERE family = ? AND (name = ? OR minor = ?)')
      .get(name, this.family.name, name, name);
    const type = told?.[1] === 1 ? 'numeric' : (this.#types.get(String(told?.[0])) ?? guessedType(name, value));
    const twin = name.replace(UNIX, '');
    let stored = storedName(type === 'timestamptz' && !isName(twin) ? twin : name);
    while (this.#taken.has(stored)) stored = storedName(`${stored}_`);
    const column = { name, stored, type };
    this.#add(column);
    return column;
  }

  #add(column: TeamColumn): void {
    this.known.set(column.name, column);
    this.#taken.add(column.stored);
  }
}

/** Rows with the same columns in the form of COPY: new ones, and the others. */
export interface CopyLines {
  readonly columns: readonly TeamColumn[];
  readonly fresh: CopyBytes;
  readonly known: CopyBytes;
}

/** A growing number of bytes, in parts. */
export class CopyBytes {
  readonly #full: Buffer[] = [];
  #bytes = Buffer.allocUnsafe(0);
  #length = 0;

  text(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  /** Appends the bytes of JSON: doubles each backslash; everything else is unchanged unless it contains line ends. */
  json(bytes: Buffer): void {
    if (bytes.includes(0x0a) || bytes.includes(0x0d) || bytes.includes(0x09)) {
      this.text(copyText(bytes.toString('utf8')) ?? NULL);
      return;
    }
    this.#reserve(bytes.length * 2);
    let from = 0;
    for (let at = bytes.indexOf(BACKSLASH); at >= 0; at = bytes.indexOf(BACKSLASH, at + 1)) {
      this.#length += bytes.copy(this.#bytes, this.#length, from, at + 1);
      this.#bytes[this.#length++] = BACKSLASH;
      from = at + 1;
    }
    this.#length += bytes.copy(this.#bytes, this.#length, from);
  }

  /** What there is; only the last part grows. */
  get parts(): readonly Buffer[] {
    return this.#length === 0 ? this.#full : [...this.#full, this.#bytes.subarray(0, this.#length)];
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    if (this.#length > 0) this.#full.push(this.#bytes.subarray(0, this.#length));
    this.#bytes = Buffer.allocUnsafe(Math.max(PART_BYTES, more));
    this.#length = 0;
  }
}

/** Makes lines of a family's rows; a column is not sent as long as all of its values are NULL. */
export class LineWriter {
  #segments: CopyLines[] = [];
  #names: readonly string[] = [];
  /** By index in a row: its column, once it has had a value. */
  #shown: (TeamColumn | undefined)[] = [];
  #places: number[] = [];
  #moment: readonly [value: unknown, text: string] = [undefined, ''];
  /** Values that do not fit their column. */
  readonly unfit: [id: string, name: string][] = [];
  readonly ids: string[] = [];

  constructor(
    readonly columns: TeamColumns,
    readonly change: number,
  ) {}

  /** @param cells a row from `from` on: its id, its values, window, time, whether it is open, and the item itself */
  add(names: readonly string[], cells: readonly unknown[], from: number, bytes: Buffer, isNew: boolean): void {
    const lines = this.#segmentFor(names, cells, from);
    const id = String(cells[from]);
    let line = copyText(id) ?? '';
    for (const place of this.#places) {
      const column = this.#shown[place] as TeamColumn;
      const value = cells[from + place];
      if (value === null) {
        line += `\t${NULL}`;
        continue;
      }
      const cell = copyCell(value, column.type);
      if (cell === undefined) this.unfit.push([id, column.name]);
      line += `\t${cell ?? NULL}`;
    }
    const last = from + names.length - 1;
    const target = isNew ? lines.fresh : lines.known;
    target.text(`${line}\t${this.#momentOf(cells[last - 2])}\t${String(cells[last - 3])}\t${this.change}\t`);
    target.json(bytes);
    target.text('\n');
    if (!isNew) this.ids.push(id);
  }

  /** What has been added so far. */
  get segments(): readonly CopyLines[] {
    return this.#segments;
  }

  /** Rows of one run were all seen at one time. */
  #momentOf(value: unknown): string {
    if (this.#moment[0] !== value) this.#moment = [value, new Date(Number(value) * 1000).toISOString()];
    return this.#moment[1];
  }

  #segmentFor(names: readonly string[], cells: readonly unknown[], from: number): CopyLines {
    let isOther = false;
    if (names !== this.#names) {
      this.#names = names;
      this.#shown = names.map(() => undefined);
      isOther = true;
    }
    const shown = this.#shown;
    const own = names.length - OWN_AT_END;
    for (let place = 1; place < own; place++) {
      const value = cells[from + place];
      if (shown[place] !== undefined || value === null) continue;
      shown[place] = this.columns.of(names[place] as string, value, (name) => names.includes(name));
      isOther = true;
    }
    if (isOther) {
      this.#places = [...shown.keys()].filter((place) => shown[place] !== undefined);
      const columns = this.#places.map((place) => shown[place] as TeamColumn);
      this.#segments.push({ columns, fresh: new CopyBytes(), known: new CopyBytes() });
    }
    return this.#segments.at(-1) as CopyLines;
  }
}

/** The mirror's own cells at the end of a row: window, time, whether it is open, and the item. */
const OWN_AT_END = 4;

import { type Fault, faultsError, usage } from '../base/errors/errors.js';
import { type CommandLine, copsLine, say, type Text } from '../base/text/command-line.js';
import { bodyFieldAt, bodyFields, isOpenBody } from '../catalogue/body-fields.js';
import { pathParameters } from '../catalogue/index.js';
import type { Family, Field, Operation } from '../catalogue/types.js';
import { looksLikeId, parameterFault } from '../catalogue/value-formats.js';
import { isEmptyEdit } from '../items/checks/body-faults.js';
import { JsonSyntaxFault, parseJson, parseWritten } from '../items/json/parse-json.js';
import { isObject, serialise, type Tree, type TreeObject } from '../items/json/tree.js';
import { holdsCard } from '../items/secrets/redact.js';
import { secretPlaces } from '../items/secrets/secret-fields.js';
import {
  type BodyClock,
  holesOf,
  instantOf,
  namedSum,
  PathFault,
  parsePath,
  setAt,
  settleSums,
  takesMoment,
  typedValue,
  ValueFault,
} from '../service/body/data-path.js';
import { idIn } from '../session/names/many-names.js';
import { mayName } from '../session/names/order-parts.js';
import { noTag } from './hashes.js';
import { columnCalled, columnOfNames, idsListed, noIdColumn } from './id-column.js';
import {
  changedNumber,
  changeIn,
  concrete,
  itemPlace,
  parseRowTemplate,
  type RowTemplate,
  type TemplatePart,
} from './row-templates.js';
import { digitsOf, hasMember, itemFamily, memberOf, rowText, valuesOf } from './row-values.js';
import type { PlannedRow, RowRecord, RowSubject } from './types.js';

/** What an empty cell of the body means: its field is left out, or `null`. */
export type EmptyCells = 'skip' | 'null';

export interface MapperOptions {
  readonly family: Family;
  readonly operation: Operation;
  /** The values of `-d`: `path={column}`, `path:={column}`, or a constant. */
  readonly templates: readonly string[];
  /** The id column if its name does not show it (`--id-column`). */
  readonly idColumn?: string | undefined;
  /** False where rows are bare ids. */
  readonly hasColumns?: boolean | undefined;
  /** A body that every row starts with. */
  readonly base?: TreeObject;
  /** What an empty cell means; a fault unless given. */
  readonly empty?: EmptyCells;
  /** The clock for reading dates where the service wants instants; a continued run uses that of its start. */
  readonly clock?: BodyClock | undefined;
  /** The typed command line with further words. */
  lineWith?(...words: readonly string[]): CommandLine;
  /** Faults of a body by the schema and the documented checks. */
  checkBody?(body: TreeObject): Promise<readonly Fault[]>;
  /** The body field that says whose each row is, if the path does not; its column is found like that of an id. */
  readonly subject?: RowSubject | undefined;
  /** True if the rows are already writes, as `named-rows.ts` stores them: nothing is left to map. */
  readonly areSettled?: boolean | undefined;
  /** True if names may be given instead of ids: they are looked up before anything is sent. */
  readonly takesNames?: boolean | undefined;
  /** The mark that equal writes share. */
  tagOf(ids: readonly string[], body: TreeObject): string;
}

/** The first line of a table, where bare ids were meant: a heading, or several cells. */
const HEADER = /^\s*"?(?:[a-z_]{1,60}_)?id"?\s*(?:[,;\t].*)?$|[,;\t]/i;

/**
 * Turns rows into writes (command-line.md#bulk). Without templates the columns are the path's ids and body fields by
 * their names; with templates only they and the id columns count.
 */
export class RowMapper {
  /** Ignored columns: templates say what is used, or items show them and the action has no such field. */
  readonly ignored = new Set<string>();
  /** Paths of templates whose fields go into each body although they are not documented. */
  readonly unknown = new Set<string>();
  /** Columns that are not sent, because no field of the action is documented. */
  readonly unsent = new Set<string>();
  /** Columns read as ids despite another name, with what they give. */
  readonly readAs = new Map<string, string>();
  /** The first line whose row sends a secret, and the first whose input holds one. */
  secretSent: number | undefined;
  secretRead: number | undefined;
  readonly #o: MapperOptions;
  #namesSeen = false;
  #headerSeen = false;
  readonly #names: readonly string[];
  readonly #templates: readonly RowTemplate[];
  readonly #isUndocumented: boolean;
  /** The fields of columns that are checked but not sent, by the body of their row. */
  readonly #typed = new WeakMap<TreeObject, TreeObject>();
  /** What items of the family show. */
  readonly #shown: ReadonlySet<string>;
  /** Columns that a template uses. */
  readonly #used: ReadonlySet<string>;
  /** Paths on the row's item that templates take values from. */
  readonly itemPaths: ReadonlySet<string>;
  /** True if a value is computed from a field of the row's item, which must not have changed when the row is sent. */
  readonly computes: boolean;
  /** True if an amount is computed with a factor, and so rounded. */
  readonly rounds: 'down' | 'half up' | undefined;
  /** True where each row is about one item, which tells the currency of its sums. */
  readonly #hasItem: boolean;
  /** The body of all rows that are only ids. */
  #plainBody: TreeObject | undefined;
  /** The id columns of a table, according to its first row. */
  #ofTable: readonly string[] | undefined;
  #checked: { readonly body: TreeObject; readonly text: string; readonly faults: readonly Fault[] } | undefined;

  /** @throws CopsError usage (2) for templates that cannot be used */
  constructor(options: MapperOptions) {
    this.#o = options;
    this.#names = pathParameters(options.operation);
    const documented = bodyFields(options.operation);
    // With --no-validate every column is sent.
    this.#isUndocumented = options.checkBody !== undefined && Object.keys(documented).length === 0;
    this.#shown = new Set(Object.keys(options.family.item ?? {}));
    const faults: Fault[] = [];
    this.#templates = options.templates.flatMap((text) =>
      parseRowTemplate(text, options.operation, options.hasColumns !== false, faults),
    );
    this.#used = new Set(
      this.#templates.flatMap(({ parts }) => parts.flatMap((part) => ('column' in part ? [part.column] : []))),
    );
    this.itemPaths = new Set(
      this.#templates.flatMap(({ parts }) => parts.flatMap((part) => ('item' in part ? [part.item] : []))),
    );
    this.computes = this.itemPaths.size > 0 && this.#templates.some((one) => changeIn(one) !== undefined);
    const rounds = this.#templates.some((one) => /[*%]/.test(changeIn(one) ?? ''));
    this.rounds = rounds ? (this.#isRefund ? 'down' : 'half up') : undefined;
    const known = { idempotency_key: {}, ...documented };
    for (const { path, steps } of this.#templates) if (!Object.hasOwn(known, String(steps[0]))) this.unknown.add(path);
    this.#hasItem = itemFamily(options) !== undefined;
    const [path] = this.#hasItem ? [] : this.itemPaths;
    if (path !== undefined)
      faults.push({
        path: itemPlace(path),
        message: 'its rows have no item: they have only columns',
      });
    if (faults.length > 0) throw faultsError('-d', faults);
    if (options.idColumn !== undefined && this.#names.length !== 1)
      throw usage(`--id-column needs an action with one id; this one takes ${this.#names.length}.`);
  }

  /** The write that a row means, or what is wrong with it, apart from the schema of its body. Rows may share a body. */
  map(record: RowRecord): { row: PlannedRow } | { faults: readonly Fault[] } {
    const { row: number, line, object } = record;
    if (this.#o.areSettled && object) {
      const [ids, body] = [object.ids as readonly string[], object.body as TreeObject];
      const read = object.read as PlannedRow['read'];
      return { row: this.#planned(record, { row: number, line, ids, body, read }) };
    }
    const faults: Fault[] = [];
    const ids = this.#ids(record, faults);
    const plain = record.id !== undefined && this.#templates.length === 0;
    const body = (plain ? this.#plainBody : undefined) ?? this.#body(record, faults);
    if (faults.length > 0) return { faults };
    if (plain) this.#plainBody = body;
    return { row: this.#planned(record, { row: number, line, ids, body }) };
  }

  #planned({ item }: RowRecord, row: Omit<PlannedRow, 'tag'>): PlannedRow {
    const isMapped = item !== undefined || this.itemPaths.size === 0;
    if (this.#o.empty !== 'skip' || !isMapped || !isEmptyEdit(this.#o.operation, row.body))
      return { ...row, tag: this.#o.tagOf(row.ids, row.body) };
    return { ...row, tag: noTag(row.row), skipped: 'its cells are empty: there is nothing to change' };
  }

  #body(record: RowRecord, faults: Fault[]): TreeObject {
    const body: TreeObject = this.#o.base ? structured(this.#o.base) : {};
    const digits = digitsOf(record);
    const members = valuesOf(record, this.#idColumns(record));
    const { subject } = this.#o;
    if (subject && !this.#isFilled(subject.field)) body[subject.field] = this.#subjectOf(record, subject, faults);
    if (this.#templates.length > 0) {
      this.#fromTemplates(record, body, faults);
      for (const [column] of members) if (!this.#used.has(column)) this.ignored.add(column);
    } else
      for (const [column, value] of members) {
        // An undocumented field is sent only if a template names it, but it is checked all the same: it may ask for
        // something the service cannot do. Fields that the family's items show come from a saved list.
        if (!this.#isUndocumented) this.#fromColumn(column, value, body, faults, digits);
        else if (this.#shown.has(column.split('.')[0] ?? '')) this.ignored.add(column);
        else {
          this.unsent.add(column);
          if (value === undefined) continue;
          const typed = this.#typed.get(body) ?? {};
          this.#fromColumn(column, value, typed, faults, digits);
          this.#typed.set(body, typed);
        }
      }
    for (const hole of holesOf(body)) faults.push({ path: hole, message: 'is missing: give each element of a list' });
    if (faults.length === 0) faults.push(...settleSums(this.#o.operation, body, this.#o.base));
    const named = this.#hasItem ? undefined : namedSum(body);
    if (named) faults.push({ path: named.path, message: `names a currency: in a file write ${named.sum.text}` });
    if (Object.hasOwn(body, 'idempotency_key'))
      faults.push({ path: 'idempotency_key', message: 'cannot be given for rows: each row gets a separate key' });
    this.#watchSecrets(record, body);
    return body;
  }

  #watchSecrets({ line, object, cells, id = '' }: RowRecord, body: TreeObject): void {
    if (secretPlaces(this.#o.operation, body).length > 0 || holdsCard(serialise(body))) this.secretSent ??= line;
    const holds = this.secretSent === line || holdsCard(serialise(object ?? cells ?? { id }));
    if (holds) this.secretRead ??= line;
  }

  /** Whose a row is, if no template says so. */
  #subjectOf(record: RowRecord, { field }: RowSubject, faults: Fault[]): string {
    if (record.id !== undefined) return record.id;
    const [column = field] = this.#idColumns(record);
    if (record.cells && !hasMember(record, column)) throw noIdColumn(record, field, this.#o);
    const value = rowText(memberOf(record, column));
    if (value === undefined) faults.push({ path: column, message: 'is missing' });
    return value ?? '';
  }

  #isFilled(field: string): boolean {
    return this.#templates.some(({ path }) => path === field);
  }

  /** Faults of a mapped body by the schema and the documented checks. */
  async check({ body, skipped }: PlannedRow): Promise<readonly Fault[]> {
    const { checkBody } = this.#o;
    // A body that lacks values of its item is checked once it has them.
    if (!checkBody || skipped !== undefined || this.itemPaths.size > 0) return [];
    // Rows often have the same body, above all lists of ids.
    if (this.#checked?.body === body) return this.#checked.faults;
    const whole = { ...body, ...this.#typed.get(body) };
    const text = serialise(whole);
    const faults = this.#checked?.text === text ? this.#checked.faults : await checkBody(whole);
    this.#checked = { body, text, faults };
    return faults;
  }

  /** Which column gives which id. */
  #idColumns(record: RowRecord): readonly string[] {
    if (record.id !== undefined) return this.#names;
    if (this.#names.length === 0 && this.#o.subject === undefined) return [];
    if (record.object) return this.#columnsOf(record);
    this.#ofTable ??= this.#columnsOf(record);
    return this.#ofTable;
  }

  #columnsOf(record: RowRecord): readonly string[] {
    const { idColumn, family, operation, subject, takesNames } = this.#o;
    if (idColumn !== undefined) return [idColumn];
    const has = (name: string) => hasMember(record, name);
    const names = subject ? [subject.field] : this.#names;
    const alone = names.length === 1;
    const ownId = alone && (subject !== undefined || operation.path.startsWith(`/${family.name}/{`));
    const own = subject?.family ?? family;
    return names.map((name) => {
      const exact = has(name) ? name : alone ? [own.idField, 'id'].find(has) : undefined;
      const ids = exact ?? columnCalled(record, name, operation, ownId ? own : undefined);
      const called = ids ?? (ownId && takesNames ? columnOfNames(record, operation, own, this.#used) : undefined);
      if (called !== undefined && exact === undefined) this.readAs.set(called, name);
      return called ?? name;
    });
  }

  /** What to do about rows with names instead of ids; undefined if there were none. */
  get idsHint(): Text | undefined {
    if (this.#headerSeen) {
      const typed = this.#o
        .lineWith?.()
        .words.map((word) => (typeof word === 'string' ? word.replace(/^--ids(?==|$)/, '--input') : word));
      return say`Give bare ids one per line. For a table with a header, use --input${typed ? say`: ${copsLine(typed)}` : '.'}`;
    }
    return this.#namesSeen
      ? say`Words that are not ids are not names of items either; ${idsListed(this.#o.operation)} shows the ids.`
      : undefined;
  }

  #ids(record: RowRecord, faults: Fault[]): readonly string[] {
    const { operation } = this.#o;
    const hasOne = this.#names.length === 1 || (this.#names.length === 0 && this.#o.subject !== undefined);
    if (record.id !== undefined && !hasOne) {
      faults.push({ path: '', message: 'an id list fits only operations with one id: give a file of rows' });
      return [];
    }
    const columns = this.#idColumns(record);
    return this.#names.map((name, index) => {
      const column = columns[index] ?? name;
      if (record.cells && !Object.hasOwn(record.cells, column)) throw noIdColumn(record, name, this.#o);
      const value = record.id ?? rowText(memberOf(record, column));
      const kind = operation.params?.[name] ?? 'id';
      const isName = value !== undefined && index === 0 && kind === 'id' && this.#isName(value);
      if (isName) return value.trim();
      const fault = value === undefined ? 'is missing' : parameterFault(kind, value.trim());
      if (fault && record.cells === undefined && record.line === 1 && HEADER.test(value ?? '')) this.#headerSeen = true;
      else if (fault && kind === 'id' && value !== undefined && /[^A-Za-z0-9]/.test(value.trim()))
        this.#namesSeen = true;
      if (fault) faults.push({ path: column, message: value ? `${quoted(value)} ${fault}` : fault });
      return (value ?? '').trim();
    });
  }

  /** Whether a word may be looked up as a name, or is an id with something around it. */
  #isName(word: string): boolean {
    const { takesNames, family, operation } = this.#o;
    const isOwn = operation.path.startsWith(`/${family.name}/{`);
    if (takesNames !== true || !isOwn || looksLikeId(word.trim())) return false;
    return idIn(word) !== undefined || mayName(family, word);
  }

  #fromColumn(
    column: string,
    value: Tree | undefined,
    body: TreeObject,
    faults: Fault[],
    digits: number | undefined,
  ): void {
    if (value === undefined && !this.#emptyTaken(column, column, faults)) return;
    guarded(column, faults, () => {
      const steps = parsePath(column);
      const known = bodyFieldAt(this.#o.operation, concrete(steps));
      if (!known.field && !known.open && !isOpenBody(this.#o.operation))
        throw new PathFault('is not a field of the body (with -d path={column} only the named columns count)');
      const tree = value ?? null;
      setAt(
        body,
        steps,
        typeof tree === 'string' && known.field ? this.#valueOf(known.field, tree, column, digits) : tree,
      );
    });
  }

  #valueOf(field: Field | undefined, text: string, path: string, digits: number | undefined): Tree {
    const { clock } = this.#o;
    const instant = clock && field && takesMoment(field) ? instantOf(field, text, clock, path) : undefined;
    return instant?.tree ?? typedValue(field, text, path, digits);
  }

  /** Whether an empty cell is set as `null`: left out silently, a refund would refund everything. */
  #emptyTaken(path: string, column: string, faults: Fault[]): boolean {
    return this.#emptyMeant(path, path === column ? 'its cell' : `the cell of column ${column}`, faults);
  }

  get #isRefund(): boolean {
    return this.#o.operation.preview?.refund !== undefined;
  }

  #emptyMeant(path: string, which: string, faults: Fault[]): boolean {
    if (this.#o.empty) return this.#o.empty === 'null';
    faults.push({
      path,
      message: `${which} is empty: fill it, or use --empty skip or --empty null`,
    });
    return false;
  }

  #fromTemplates(record: RowRecord, body: TreeObject, faults: Fault[]): void {
    const digits = digitsOf(record);
    for (const template of this.#templates) {
      const { path, steps, json, parts } = template;
      if (record.item === undefined && parts.some((part) => 'item' in part)) continue;
      const { field } = bodyFieldAt(this.#o.operation, concrete(steps));
      const isNumber = !json && (field?.type === 'number' || field?.type === 'integer');
      const change = isNumber ? changeIn(template) : undefined;
      const value = this.#filled(path, change === undefined ? parts : parts.slice(0, 1), record, faults);
      if (value === undefined) continue;
      guarded(path, faults, () => {
        const sum = change === undefined ? value : changedNumber(rowText(value) ?? '', change, digits, this.#isRefund);
        setAt(body, steps, this.#templated(field, path, sum, json, digits));
      });
    }
  }

  /** A cell as it is, or the text of several parts; `null` for an empty cell, undefined if the field is left out. */
  #filled(path: string, parts: readonly TemplatePart[], record: RowRecord, faults: Fault[]): Tree | undefined {
    const values: Tree[] = [];
    for (const part of parts) {
      if ('item' in part) {
        const value = this.#ofItem(path, part.item, record, faults);
        if (value === undefined || (value === null && parts.length > 1)) return undefined;
        values.push(value);
        continue;
      }
      if ('column' in part && !hasMember(record, part.column)) {
        faults.push({
          path,
          message: `there is no column ${part.column}${this.#hasItem ? ` (a value of the row's item is {${itemPlace(part.column)}})` : ''}`,
        });
        return undefined;
      }
      const value = 'text' in part ? part.text : memberOf(record, part.column);
      const isEmpty = value === undefined || (value === null && parts.length > 1);
      if (isEmpty) return 'column' in part && this.#emptyTaken(path, part.column, faults) ? null : undefined;
      values.push(value);
    }
    return values.length === 1 ? values[0] : values.map(rowText).join('');
  }

  /** A value of the row's item; undefined where it has none, `null` where an empty one is to be sent so. */
  #ofItem(path: string, asked: string, record: RowRecord, faults: Fault[]): string | null | undefined {
    const name = itemPlace(asked);
    const found = record.item?.values.get(asked) ?? { fault: 'was not read' };
    const fault = hasMember(record, name)
      ? `{${name}} is a value of the row's item, and there is a column ${name} as well: call the column otherwise`
      : 'fault' in found && `${name}: ${found.fault}`;
    if (fault) faults.push({ path, message: fault });
    if (fault || 'fault' in found) return undefined;
    if (found.value !== null && found.value !== '') return found.value;
    return this.#emptyMeant(path, `${name} of its item`, faults) ? null : undefined;
  }

  #templated(field: Field | undefined, path: string, value: Tree, json: boolean, digits: number | undefined): Tree {
    if (typeof value !== 'string') return value;
    return json ? parseWritten(value) : this.#valueOf(field, value, path, digits);
  }
}

function guarded(path: string, faults: Fault[], work: () => void): void {
  try {
    work();
  } catch (fault) {
    const ours = fault instanceof PathFault || fault instanceof ValueFault || fault instanceof JsonSyntaxFault;
    if (!ours) throw fault;
    faults.push({
      path,
      message: fault instanceof JsonSyntaxFault ? `is not valid JSON: ${fault.message}` : fault.message,
    });
  }
}

function structured(base: TreeObject): TreeObject {
  const named = namedSum(base);
  if (named)
    throw usage(
      `${named.path}: the currency beside ${named.sum.text} can be compared with the item only in a single write.`,
      'Nothing was sent. Give the amount as digits only.',
    );
  const { value } = parseJson(serialise(base));
  if (!isObject(value)) throw usage('the body must be an object');
  return value;
}

function quoted(value: string): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 37)}..."` : text;
}

import { type Fault, local, usage } from '../base/errors/errors.js';
import type { Text } from '../base/text/command-line.js';
import { noTag, RowMarks } from './hashes.js';
import type { RowSource } from './input.js';
import type { RowMapper } from './map-row.js';
import type { PlannedRow, RowRecord } from './types.js';

/** The maximum number of errors reported; the rest are counted. */
const TOLD = 50;

/** What is wrong with rows, by their lines. */
export class RowFaults {
  readonly lines = new Set<number>();
  #count = 0;
  readonly #faults: (Fault & { readonly line: number })[] = [];

  constructor(private readonly source: RowSource) {}

  tell(line: number, path: string, message: string): void {
    this.#count++;
    this.lines.add(line);
    const place = this.source.kind === 'list' ? `id ${line}` : `line ${line}`;
    if (this.#faults.length < TOLD)
      this.#faults.push({ line, path: path === '' ? place : `${place}, ${path}`, message });
  }

  /** @throws CopsError usage (2) that lists them, if there are any */
  refuse(hint?: Text): void {
    const count = this.#count;
    if (count === 0) return;
    const faults = this.#faults.sort((a, b) => a.line - b.line).map(({ path, message }) => ({ path, message }));
    const more = count > faults.length ? ` (the first ${faults.length} of them)` : '';
    const lines = faults.map(({ path, message }) => `\n  ${path}: ${message}`).join('');
    throw usage(
      `${this.source.name}: ${count} ${count === 1 ? 'fault' : 'faults'}${more}, nothing was sent:${lines}`,
      hint,
      faults,
    );
  }
}

/**
 * `rows`: those that are to be sent. `first`: the first rows wanted, for a dry run and the confirmation. `skipped`: those
 * of the rows wanted that have nothing to change. `some`: true if the caller is looking for this row.
 */
export type Checked = Awaited<ReturnType<typeof checkInput>>;

/**
 * Reads the whole input once, before the first request: ids, bodies and repeated rows (command-line.md#bulk). Of the
 * rows that are `wanted`, by their numbers, the first `keep` are handed out.
 * @param told collects the faults instead, if the input has a row that the caller is looking for: later steps add more
 * @throws CopsError usage (2) that lists the errors with their rows
 */
export async function checkInput(
  source: RowSource,
  mapper: RowMapper,
  keep: number,
  wanted: (row: number) => boolean = () => true,
  isOne: (row: PlannedRow) => boolean = () => false,
  told?: RowFaults,
) {
  const marks = new RowMarks();
  const all = told ?? new RowFaults(source);
  const first: PlannedRow[] = [];
  let sha256 = '';
  let some = false;
  let skipped = 0;
  const lineOf = new LineNotes();
  for await (const records of source.rows((sum) => {
    sha256 = sum;
  })) {
    for (const record of records) {
      const mapped = mapper.map(record);
      lineOf.note(record.row, record.line);
      const faults = 'faults' in mapped ? mapped.faults : await mapper.check(mapped.row);
      for (const { path, message } of faults) all.tell(record.line, path, message);
      if ('faults' in mapped || faults.length > 0) {
        marks.add(noTag(record.row));
        continue;
      }
      const { row } = mapped;
      some ||= isOne(row);
      const before = marks.add(row.tag);
      if (before !== undefined) all.tell(row.line, '', `is the same as line ${lineOf.of(before)}: each write once`);
      else if (!wanted(row.row)) continue;
      else if (row.skipped !== undefined) skipped++;
      else if (first.length < keep) first.push(row);
    }
  }
  if (marks.count === 0 && all.lines.size === 0) throw usage(`${source.name}: there are no rows in it`);
  if (!(told && some) || mapper.idsHint) all.refuse(mapper.idsHint);
  return { rows: marks.count - skipped, sha256, marks, first, skipped, some };
}

/**
 * Reads the input once more, some rows at a time, and proves of each row as it is taken that it is the one that was
 * checked.
 * @throws CopsError local (11) if the input has changed in the meantime
 */
export async function* checkedRows(
  source: RowSource,
  mapper: RowMapper,
  marks: RowMarks,
): AsyncIterable<Iterable<PlannedRow>> {
  let count = 0;
  const prove = function* (records: Iterable<RowRecord>): Iterable<PlannedRow> {
    for (const record of records) {
      // The mark proves that exactly this body was checked before.
      const mapped = mapper.map(record);
      if ('faults' in mapped || !marks.matches(record.row, mapped.row.tag)) throw changed(source);
      count++;
      yield mapped.row;
    }
  };
  for await (const records of source.rows()) yield prove(records);
  if (count !== marks.count) throw changed(source);
}

function changed(source: RowSource) {
  return local(`${source.name} changed during reading: the run stops`, 'The journal has the rows that were sent.');
}

/** Line numbers of rows that do not simply follow each other: stored only where the difference changes. */
class LineNotes {
  readonly #from: number[] = [];
  readonly #shift: number[] = [];

  note(row: number, line: number): void {
    if (line - row === (this.#shift.at(-1) ?? 0)) return;
    this.#from.push(row);
    this.#shift.push(line - row);
  }

  of(row: number): number {
    let shift = 0;
    for (const [index, from] of this.#from.entries()) {
      if (from > row) break;
      shift = this.#shift[index] ?? 0;
    }
    return row + shift;
  }
}

import { local, usage } from '../base/errors/errors.js';
import { RowMarks } from './hashes.js';
import type { RowSource } from './input.js';
import type { RowMapper } from './map-row.js';
import type { PlannedRow, RowRecord } from './types.js';

/** The maximum number of errors reported; the rest are counted. */
const TOLD = 50;

export interface Checked {
  readonly rows: number;
  readonly sha256: string;
  readonly marks: RowMarks;
  /** The first rows wanted, for a dry run and the confirmation. */
  readonly first: readonly PlannedRow[];
  /** True if the caller is looking for this row. */
  readonly some: boolean;
}

/**
 * Reads the whole input once, before the first request: ids, bodies and repeated rows (command-line.md#bulk). Of the
 * rows that are `wanted`, by their numbers, the first `keep` are handed out.
 * @throws CopsError usage (2) that lists the errors with their rows
 */
export async function checkInput(
  source: RowSource,
  mapper: RowMapper,
  keep: number,
  wanted: (row: number) => boolean = () => true,
  isOne: (row: PlannedRow) => boolean = () => false,
): Promise<Checked> {
  const marks = new RowMarks();
  const faults: { path: string; message: string }[] = [];
  const first: PlannedRow[] = [];
  let count = 0;
  let sha256 = '';
  let some = false;
  const tell = (line: number, path: string, message: string) => {
    count++;
    const place = source.kind === 'list' ? `id ${line}` : `line ${line}`;
    if (faults.length < TOLD) faults.push({ path: path === '' ? place : `${place}, ${path}`, message });
  };
  const lineOf = new LineNotes();
  for await (const records of source.rows((sum) => {
    sha256 = sum;
  })) {
    for (const record of records) {
      const mapped = mapper.map(record);
      lineOf.note(record.row, record.line);
      const faults = 'faults' in mapped ? mapped.faults : await mapper.check(mapped.row.body);
      for (const { path, message } of faults) tell(record.line, path, message);
      if ('faults' in mapped || faults.length > 0) {
        // Keeps row numbers and marks in step; no good row has this mark.
        marks.add(record.row.toString(16).padStart(16, '0'));
        continue;
      }
      const { row } = mapped;
      some ||= isOne(row);
      const before = marks.add(row.tag);
      if (before !== undefined) tell(row.line, '', `is the same as line ${lineOf.of(before)}: give each write once`);
      else if (first.length < keep && wanted(row.row)) first.push(row);
    }
  }
  if (marks.count === 0) throw usage(`${source.name} has no rows`);
  if (count > 0) {
    const more = count > faults.length ? ` (the first ${faults.length} of them)` : '';
    const lines = faults.map(({ path, message }) => `\n  ${path}: ${message}`).join('');
    throw usage(
      `${source.name}: ${count} ${count === 1 ? 'fault' : 'faults'}${more}, nothing was sent:${lines}`,
      mapper.idsHint,
      faults,
    );
  }
  return { rows: marks.count, sha256, marks, first, some };
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

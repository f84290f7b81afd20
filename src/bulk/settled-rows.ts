import { rename } from 'node:fs/promises';
import type { JournalHeader } from '../account/journal/journal-lines.js';
import { CopsError, usage } from '../base/errors/errors.js';
import { onceFree } from '../base/files/replace-file.js';
import { cops, copsLine, say } from '../base/text/command-line.js';
import type { TreeObject } from '../items/json/tree.js';
import type { Context } from '../session/context/context.js';
import { openReader } from '../session/read/reading.js';
import { keptBefore } from '../session/write/edited-fields.js';
import type { BulkInput } from './binding.js';
import { checkInput, RowFaults } from './check.js';
import { fileSource, type RowSource } from './input.js';
import type { RowMapper } from './map-row.js';
import { openRows, rowsByName } from './named-rows.js';
import { type BulkJob, mapperOf } from './run-journal.js';
import type { PlannedRow } from './types.js';

/** The most rows that a dry run keeps in memory. */
const DRY_RUN_ROWS = 100_000;
/** Rows whose items are read for the sums of the question. */
const QUESTION_ROWS = 100;

/** The number of rows kept for display or for the confirmation. */
export function shownRows({ dryRun, curl }: Context['options']): number {
  return dryRun || curl ? DRY_RUN_ROWS : QUESTION_ROWS;
}

/** Tells which columns are not used, and which fields are sent although they are not documented. */
function sayColumns(
  { notes, world }: Context,
  { ignored, unknown, unsent, readAs, rounds }: RowMapper,
  { separator, name }: RowSource,
): void {
  if (separator !== undefined)
    notes.note(`Reading the cells of ${name} as separated by ${separator === ';' ? 'semicolons' : 'tabs'}.`);
  for (const [column, name] of readAs) notes.note(`Column ${column} is read as ${name}.`);
  if (unknown.size > 0)
    notes.warn(
      `Sent in each body, although this action has no documented field of that name: ${[...unknown].join(', ')}.`,
    );
  if (unsent.size > 0)
    notes.warn(
      say`Not sent, because no field of this action is documented: ${[...unsent].join(', ')}. To send it anyway: ${cops`${world.argv} ${[...unsent].flatMap((one) => ['-d', `${one}={${one}}`])}`}`,
    );
  if (rounds) notes.note(`Amounts computed with % or * are rounded ${rounds} to the digits of their currency.`);
  if (ignored.size > 0) notes.note(`Columns left out: ${[...ignored].join(', ')}.`);
}

export interface TypedRows {
  readonly typed: RowSource;
  readonly path: string;
  readonly rowsPath: string;
  readonly base: TreeObject;
  readonly dates: JournalHeader['clock'];
  readonly argv: readonly string[];
}

/** Checks the rows; turns the names in them into ids, and puts in what they take of their items. */
export async function settledRows(
  context: Context,
  asTyped: BulkInput & BulkJob,
  { typed, path, rowsPath, base, dates, argv }: TypedRows,
) {
  const profile = await context.profile();
  const lineWith = (...words: readonly string[]) => copsLine([...argv, ...words]);
  const hasColumns = typed.kind !== 'ids' && typed.kind !== 'list';
  const mapper = mapperOf(profile, { ...asTyped, hasColumns }, asTyped.templates ?? [], base, dates, lineWith);
  const shown = shownRows(context.options);
  const faults = new RowFaults(typed);
  const needsItem = asTyped.subject !== undefined || mapper.itemPaths.size > 0;
  const isOpenRow = openRows(asTyped);
  const isOne = (row: PlannedRow): boolean => needsItem || isOpenRow(row);
  const checked = await checkInput(typed, mapper, shown, undefined, isOne, faults);
  const isOpen = checked.some || needsItem;
  // Rows from standard input are stored as they came, others as what they send.
  const secret = typed.path === rowsPath ? mapper.secretRead : isOpen ? mapper.secretSent : undefined;
  if (secret !== undefined)
    throw usage(
      `line ${secret} contains a secret, or a number that is valid as a card number, and the rows would be stored: nothing was sent`,
      'Give them as a file (--input <file>), with ids.',
    );
  sayColumns(context, mapper, typed);
  const kept = keptBefore({ operation: asTyped.operation, body: checked.first[0]?.body ?? {} }, undefined);
  if (kept) context.notes.warn(kept, {});
  if (!isOpen) return { source: typed, mapper, checked, job: asTyped, named: [], leftOut: 0 };
  await context.transport(asTyped.concurrency);
  const reader = await openReader(context);
  // Rows read from standard input are stored where the resolved rows go.
  const into = typed.path === rowsPath ? `${path}.settled` : rowsPath;
  const skips = asTyped.skipUnresolved === true;
  const input = { context, reader, job: asTyped, source: typed, mapper, faults, skips };
  const found = await rowsByName({ ...input, rowsPath: into });
  if (into !== rowsPath) await onceFree(() => rename(into, rowsPath));
  const source = fileSource(rowsPath, 'jsonl', typed.name);
  const job = { ...asTyped, areSettled: true, templates: [], base: undefined, idColumn: undefined };
  const settled = mapperOf(profile, job, [], base, dates, lineWith);
  const settledCheck = await checkInput(source, settled, shown, undefined, () => true, faults).catch((error) => {
    throw found.refused ?? error;
  });
  const { refused } = found;
  faults.refuse(refused && say`${refused.message}\n${refused.facts.hint ?? ''}`);
  if (refused) throw refused;
  return { ...found, source, mapper: settled, job, checked: settledCheck };
}

/** The error for a run that left out rows: their names did not resolve, or there was nothing to change. */
export function leftOutError(unresolved: number, skipped: number): CopsError | undefined {
  const [count, why] =
    unresolved > 0 ? [unresolved, 'their names match no item, or several'] : [skipped, 'there is nothing to change'];
  if (count === 0) return undefined;
  return new CopsError('incomplete', `${count === 1 ? 'One row was' : `${count} rows were`} left out: ${why}.`);
}

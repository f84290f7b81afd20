import type { EmptyCells } from '../../bulk/map-row.js';
import type { Context } from '../../command/context.js';
import type { Done } from '../../command/run.js';
import { wholeNumber } from '../../command/whole-number.js';
import { usage } from '../../errors/errors.js';
import type { TreeObject } from '../../json/tree.js';
import { reasonOf } from '../operation/limited-history.js';
import type { PreparedWrite } from '../operation/write.js';
import { type BulkInput, bulkRun } from './journals.js';

/** Several ids on one command: the same bulk run that `cops bulk` makes (command line, section 1). */
export function runManyIds(
  context: Context,
  prepared: readonly PreparedWrite[],
  options: Readonly<Record<string, unknown>>,
): Promise<Done> {
  const [first] = prepared;
  if (!first) throw new RangeError('no ids');
  return bulkRun(context, {
    family: first.family,
    operation: first.operation,
    risk: first.risk,
    ids: prepared.map((one) => one.ids[0] ?? ''),
    base: first.body as TreeObject,
    noKey: first.key === null,
    validate: options.validate !== false,
    ...bulkNumbers(options),
  });
}

/** The numbers that a bulk run takes from the command line, checked. */
export function bulkNumbers(options: Readonly<Record<string, unknown>>): Partial<BulkInput> {
  const { concurrency, maxFailures, expect, journal, empty } = options as Readonly<Record<string, string | undefined>>;
  return {
    concurrency: wholeNumber(concurrency, '--concurrency', 1, 64),
    maxFailures: wholeNumber(maxFailures, '--max-failures', 1),
    expect: wholeNumber(expect, '--expect', 0),
    journal,
    empty: emptyCells(empty),
    reason: reasonOf(options.reason),
    again: options.again === true,
    stopOnFraud: options.stopOnFraud === true,
  };
}

function emptyCells(text: string | undefined): EmptyCells | undefined {
  if (text === undefined || text === 'skip' || text === 'null') return text;
  throw usage(`--empty ${text}: give skip or null.`);
}

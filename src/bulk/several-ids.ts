import { usage, wrongOption } from '../base/errors/errors.js';
import type { TreeObject } from '../items/json/tree.js';
import type { Notes } from '../screen/types.js';
import type { Context, Done } from '../session/context/context.js';
import { wholeNumber } from '../session/context/typed-words.js';
import type { OperationOptions } from '../session/operation/spec.js';
import { type PreparedWrite, reasonOf } from '../session/write/prepared-write.js';
import type { BulkInput } from './binding.js';
import { bulkRun } from './journals.js';

/** Typed options of a run. */
export interface RunOptions
  extends Pick<
    OperationOptions,
    'concurrency' | 'maxFailures' | 'expect' | 'journal' | 'reason' | 'again' | 'idempotencyKey' | 'validate'
  > {
  readonly empty?: string;
  readonly idColumn?: string;
  readonly stopOnFraud?: boolean;
  readonly skipUnresolved?: boolean;
  readonly strictIds?: boolean;
  readonly latest?: boolean;
}

/** Several ids on one command: the same bulk run as `cops bulk` (command-line.md#grammar). */
export function runManyIds(
  context: Context,
  prepared: readonly PreparedWrite[],
  options: OperationOptions,
): Promise<Done> {
  const [first] = prepared;
  if (!first) throw new RangeError('no ids');
  return bulkRun(context, {
    family: first.family,
    operation: first.operation,
    risk: first.risk,
    ids: prepared.map((one) => one.ids[0] ?? ''),
    base: first.body as TreeObject,
    byName: prepared.some(({ named }) => (named?.length ?? 0) > 0),
    ...runOptions(options),
  });
}

/** The reason of a run: one text for all its rows. @throws CopsError usage (2) for a template */
function runReason(text: string | undefined, notes: Notes | undefined): string | undefined {
  if (text !== undefined && /\{[\w.-]+\}/.test(text))
    throw wrongOption('--reason', `it is one text for all rows, so ${text} would be recorded as typed.`);
  return reasonOf(text, notes);
}

/** What a run takes from the command line, checked. */
export function runOptions(options: RunOptions, notes?: Notes): Partial<BulkInput> {
  const { concurrency, maxFailures, expect, journal, empty, idempotencyKey, validate, again, stopOnFraud } = options;
  if (empty !== undefined && empty !== 'skip' && empty !== 'null') throw usage(`--empty ${empty}: use skip or null.`);
  return {
    concurrency: wholeNumber(concurrency, '--concurrency', 1, 64),
    maxFailures: wholeNumber(maxFailures, '--max-failures', 1),
    expect: wholeNumber(expect, '--expect', 0),
    journal,
    empty,
    idColumn: options.idColumn,
    reason: runReason(options.reason, notes),
    again: again === true,
    stopOnFraud: stopOnFraud === true,
    noKey: idempotencyKey === false,
    validate: validate !== false,
    skipUnresolved: options.skipUnresolved === true,
    latest: options.latest === true,
    strictIds: options.strictIds !== false,
  };
}

import { bodyFields } from '../catalogue/body-fields.js';
import type { FieldType, Operation } from '../catalogue/types.js';
import { isSecretPath } from '../secrets/secret-paths.js';
import { filterOptions } from './query.js';

/** An option of the command line that sets one top-level field of the body. */
export interface TypedOption {
  /** Without dashes in front: `trial-days`. A boolean has `--no-<flag>` as well. */
  readonly flag: string;
  /** The field: `trial_days`. */
  readonly field: string;
  readonly type: FieldType;
  readonly enum?: readonly string[];
  readonly common: boolean;
  readonly note?: string;
}

/**
 * Words that mean something on every command line (global options) or beside a body, a list or a bulk run. A field
 * of such a name is given with `-d`.
 */
export const RESERVED_OPTIONS: ReadonlySet<string> = new Set(
  `profile live test base-url output columns query wide raw tz timeout max-wait max-retries rate dry-run yes
  mode-unproven send-key-to input color quiet
  verbose debug help version body data skeleton validate editor idempotency-key again wait wait-limit from to last range
  oldest-first limit all page-size page ids expect journal concurrency max-failures format out gzip shard restart
  since-last refresh paginate with csv-safe times excel where sort count group-by sum month quarter year pager
  strict-ids reason all-time first-day`.split(/\s+/),
);

const SCALARS: ReadonlySet<FieldType> = new Set(['string', 'integer', 'number', 'boolean']);

/** The typed options of an operation: its top-level scalar fields that are no secret and clash with nothing. */
export function typedOptions(operation: Operation): TypedOption[] {
  const taken = new Set(filterOptions(operation).map((filter) => filter.option));
  const options: TypedOption[] = [];
  for (const [name, field] of Object.entries(bodyFields(operation))) {
    const flag = name.replaceAll('_', '-');
    const negated = flag.startsWith('no-');
    if (!SCALARS.has(field.type) || isSecretPath(operation, [name])) continue;
    if (RESERVED_OPTIONS.has(flag) || taken.has(flag) || negated) continue;
    options.push({
      flag,
      field: name,
      type: field.type,
      common: field.common === true,
      enum: field.enum,
      note: field.note,
    });
  }
  return options;
}

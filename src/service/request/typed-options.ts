import { bodyFields } from '../../catalogue/body-fields.js';
import { RESERVED_OPTIONS } from '../../catalogue/option-names.js';
import type { FieldType, Operation } from '../../catalogue/types.js';
import { isSecretPath } from '../../items/secrets/secret-fields.js';
import { filterOptions } from './request-plan.js';

/** An option of the command line that sets one top-level field of the body. */
export interface TypedOption {
  /** Without dashes in front: `trial-days`. A boolean has `--no-<flag>` as well. */
  readonly flag: string;
  /** The field: `trial_days`. */
  readonly field: string;
  readonly type: FieldType;
}

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
    options.push({ flag, field: name, type: field.type });
  }
  return options;
}

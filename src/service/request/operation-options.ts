import { bodyFields } from '../../catalogue/body-fields.js';
import { filterOptions } from '../../catalogue/index.js';
import { RESERVED_OPTIONS } from '../../catalogue/option-names.js';
import type { FieldType, Operation } from '../../catalogue/types.js';
import { isSecretPath } from '../../items/secrets/secret-fields.js';

/** A command-line option that sets one top-level field of the body. */
export interface TypedOption {
  /** Without leading dashes: `trial-days`. A boolean also has `--no-<flag>`. */
  readonly flag: string;
  /** The field: `trial_days`. */
  readonly field: string;
  readonly type: FieldType;
}

const SCALARS: ReadonlySet<FieldType> = new Set(['string', 'integer', 'number', 'boolean']);

/** The typed options of an operation: its top-level scalar fields, except secrets and names that clash. */
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

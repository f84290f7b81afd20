import type { Family, Operation } from '../catalogue/types.js';

/** A line that names an option which is none, and what the parser knows at that place. */
export interface OptionPlace {
  readonly argv: readonly string[];
  /** As it stands on the line: `--since`, `--since=3d`, `-n`. */
  readonly option: string;
  /** Long names that the place takes, with their dashes. */
  readonly known: readonly string[];
  /** The operation whose line it is, where it is one. */
  readonly operation?: Operation | undefined;
  /** The family of the operation. */
  readonly family?: Family | undefined;
}

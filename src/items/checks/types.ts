import type { Fault } from '../../base/errors/errors.js';
import type { TreeObject } from '../json/tree.js';

/** What a check may know besides the body. */
export interface CheckContext {
  /**
   * The current item, if it was read (`edit --editor`): it has the values that the body omits. Absent in most edits, so
   * a check cannot tell whether something is already set.
   */
  readonly current?: TreeObject;
  /** True when the body is the whole item (a create, or `check <file>`): what it omits does not exist. */
  readonly whole: boolean;
}

/** A fault or, with `note`, a remark that stops nothing. */
export interface BodyFinding extends Fault {
  readonly note?: true;
}

export type BodyFindings = Iterable<BodyFinding>;

/**
 * One documented rule. Pure: it yields its findings. A body may hold any value anywhere: types are for the schema to
 * check, so a check skips values of an unexpected type.
 */
export type Check = (body: TreeObject, context: CheckContext) => BodyFindings | AsyncIterable<BodyFinding>;

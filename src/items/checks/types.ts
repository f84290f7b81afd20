import type { Fault } from '../../base/errors/errors.js';
import type { TreeObject } from '../json/tree.js';

/** What a check may know beside the body. */
export interface CheckContext {
  /**
   * The item as it is now, when it was read (`edit --editor`): what the body leaves out is there. Absent in most
   * edits, so that a check can't tell whether something is set already.
   */
  readonly current?: TreeObject;
  /** True when the body is the whole item (a create, or `check <file>`): what it leaves out is not there. */
  readonly whole: boolean;
}

/** A fault, or with `note` something to tell that stops nothing. */
export interface BodyFinding extends Fault {
  readonly note?: true;
}

export type BodyFindings = Iterable<BodyFinding>;

/**
 * One documented rule, pure: it yields what it finds. A body may hold anything at any place: types are the schema's to
 * judge, so a check passes over what has another type than it expects.
 */
export type Check = (body: TreeObject, context: CheckContext) => BodyFindings | AsyncIterable<BodyFinding>;

import type { Families } from '../../setup/families.js';
import type { SetupState, StatePlace } from '../../setup/state.js';
import type { FileObject, Plan, Snapshot } from '../../setup/types.js';

/** What an apply works with beside the plan. */
export interface ApplyInput {
  readonly plan: Plan;
  readonly families: Families;
  readonly place: StatePlace;
  readonly state: SetupState;
  readonly snapshot: Snapshot;
  /** The files that the plan was made from; none for a kept plan. */
  readonly files: ReadonlyMap<string, FileObject>;
}

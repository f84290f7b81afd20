import type { Families } from './families.js';
import type { SetupState } from './recorded-state.js';
import type { Drift, Environment, FileObject, PlanStep, Snapshot } from './types.js';

export interface PlanningInput {
  readonly files: ReadonlyMap<string, FileObject>;
  readonly snapshot: Snapshot;
  readonly state: SetupState;
  readonly families: Families;
  readonly environment: Environment;
  readonly from?: Environment | undefined;
  /** RFC 3339. */
  readonly time: string;
  readonly folder?: string | undefined;
  readonly wanted: ReadonlySet<string>;
  /** Only some objects of their families take part: what is not among them is not missed. */
  readonly partial?: boolean | undefined;
  /** Families whose objects may be deleted; none unless told. */
  readonly deletable: ReadonlySet<string>;
  readonly overwriteDrift: boolean;
  /** Writes what both modes of the account see. */
  readonly writeShared: boolean;
  /** Ids that another mode's key sees as well. */
  readonly sharedIds: ReadonlySet<string>;
  /** Mark of a secret's value; undefined where it is not to be looked at. */
  readonly secretMark: (object: FileObject, variable: string) => string | undefined;
}

/** What cannot be planned at all, each with its place. */
export interface PlanFault {
  readonly object?: FileObject | undefined;
  readonly parts: readonly (string | number)[];
  readonly message: string;
}

/** A step while the plan is made: what it needs is told by addresses and own steps. */
export interface Draft extends Omit<PlanStep, 'n' | 'needs' | 'level'> {
  readonly address: string;
  /** Drafts that come before. */
  readonly after: readonly Draft[];
  /** Objects that must have been created before. */
  readonly refs: readonly string[];
}

/** Everything that a plan gathers. */
export interface Planning {
  readonly input: PlanningInput;
  readonly drafts: Draft[];
  readonly drift: Drift[];
  readonly shared: string[];
  readonly cannot: string[];
  readonly notes: string[];
  readonly faults: PlanFault[];
}

import type { Risk } from '../catalogue/types.js';
import type { TextPlace } from '../items/json/parse-json.js';
import type { Tree, TreeObject } from '../items/json/tree.js';
import type { Managed } from './families.js';
import type { SetupSettings } from './setup-settings.js';

/** A fault in a file, with its place. */
export interface FileFault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
  /** True if a file of the folder is missing, which a pull restores. */
  readonly isGone?: boolean | undefined;
}

/** One object as its file describes it. */
export interface FileObject {
  readonly address: string;
  readonly managed: Managed;
  readonly key: string;
  /** Relative to the folder: `products/coffee.yaml`. */
  readonly file: string;
  /**
   * The managed fields, with variables replaced, long texts read and references as addresses; secrets stay variables.
   */
  readonly shape: TreeObject;
  /** The id of the object in the environment, if the file pins it. */
  readonly pinned?: string | undefined;
  /** Its name before the rename. */
  readonly was?: string | undefined;
  /** The item it was read from, if no file holds it. */
  readonly item?: TreeObject | undefined;
  /** Lists that only add to the existing ones: the file alone changes them, and they are not recorded as known. */
  readonly adds?: ReadonlySet<string> | undefined;
  placeOf(parts: readonly (string | number)[]): TextPlace & { readonly file: string };
}

export interface Folder {
  readonly path: string;
  readonly settings: SetupSettings;
  readonly objects: ReadonlyMap<string, FileObject>;
  /** Families that have a folder. */
  readonly families: ReadonlySet<string>;
  /** Files next to objects that an object names. */
  readonly named: ReadonlySet<string>;
  readonly faults: readonly FileFault[];
}

/** One object of the service as files would hold it. */
export interface Remote extends Pick<FileObject, 'address' | 'managed' | 'key'> {
  readonly id: string;
  readonly item: TreeObject;
  /** With references instead of ids. */
  readonly shape: TreeObject;
  readonly hash: string;
}

/** The contents of one environment. */
export interface Snapshot {
  readonly objects: ReadonlyMap<string, Remote>;
  /** The same by id, including all objects that share an address. */
  readonly byId: ReadonlyMap<string, Remote>;
  /** Every id seen, with the address of its object, including external ones. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Ids by address; two if several objects share a key. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** Lists that could not be proven complete. */
  readonly unproven: readonly string[];
  /** Items without a name, which no file can hold. */
  readonly nameless: readonly string[];
}

export interface Environment {
  readonly profile: string;
  readonly mode: 'test' | 'live';
  readonly base_url: string;
  /** Of the API key. */
  readonly fingerprint: string;
}

export interface PlannedChange {
  readonly field: string;
  readonly from?: Tree | undefined;
  readonly to?: Tree | undefined;
}

export type Action = 'create' | 'edit' | 'enable' | 'delete';

/** One write of a plan. */
export interface PlanStep {
  /** From 1. */
  readonly n: number;
  readonly action: Action;
  readonly family: string;
  readonly key: string;
  /** The name before a rename, for an object to create: an id may be known by it. */
  readonly was?: string | undefined;
  readonly id?: string | undefined;
  readonly risk: Risk;
  readonly changes: readonly PlannedChange[];
  /** What is sent; references and secrets are filled in when it leaves. */
  readonly body: TreeObject;
  /** Steps that must be done first. */
  readonly needs: readonly number[];
  /** Steps of one level do not need each other. */
  readonly level: number;
  /** Hash of the object as read, for a change of an existing object. */
  readonly hash?: string | undefined;
  /** Secrets that the service requires and no file names. */
  readonly asks?: readonly string[] | undefined;
  /** What it does beyond its fields: money, things that work by themselves. */
  readonly says: readonly string[];
}

/** An object that the service changed since it was last applied or pulled here, or that this folder never knew. */
export interface Drift {
  readonly address: string;
  readonly id: string;
  /** `unknown`: it exists, but nothing is recorded about it here. */
  readonly kind: 'changed there' | 'unknown';
  readonly changes: readonly PlannedChange[];
  /** The plan takes it back (`--overwrite-drift`). */
  readonly overwritten?: true | undefined;
}

/** Drift that an apply leaves unchanged. */
export function keptDrift(drift: readonly Drift[]): readonly Drift[] {
  return drift.filter(({ overwritten }) => overwritten !== true);
}

export interface SetupPlan {
  readonly version: 1;
  /** What `--expect-plan` compares: the same for the same steps. */
  readonly id: string;
  readonly environment: Environment;
  /** The environment that this one should match; absent for a plan of files. */
  readonly from?: Environment | undefined;
  /** RFC 3339. */
  readonly time: string;
  /** The folder it was made from, absolute; absent for a promotion. */
  readonly folder?: string | undefined;
  readonly families: readonly string[];
  readonly summary: string;
  readonly steps: readonly PlanStep[];
  readonly drift: readonly Drift[];
  /** Objects that the key of the other mode sees as well. */
  readonly shared: readonly string[];
  /** Ids of existing objects that are referred to. */
  readonly ids: Readonly<Record<string, string>>;
  readonly externals: readonly string[];
  /** How much depends on what is changed. */
  readonly reach: Readonly<Record<string, string>>;
  /** Wanted changes that this interface cannot make. */
  readonly cannot: readonly string[];
  readonly notes: readonly string[];
}

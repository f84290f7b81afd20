import { plainTree } from '../items/checks/body-faults.js';
import { faultsOfBody } from '../items/checks/validate.js';
import { ownMember, pathText, type TreeObject, withoutParts } from '../items/json/tree.js';
import { isSecretPath, secretFields } from '../items/secrets/secret-fields.js';
import { faultText, withPlaceholders } from './check-folder.js';
import type { PlacedObject } from './creation-order.js';
import { fieldsOf, firesByItself, type Managed } from './families.js';
import type { KnownHere } from './known-ids.js';
import { refOf, refsIn } from './shape-references.js';
import type { Drift, Environment, FileObject, PlanStep } from './types.js';

export interface PlanningInput extends Omit<KnownHere, 'place'> {
  readonly files: ReadonlyMap<string, FileObject>;
  readonly environment: Environment;
  /** The environment whose objects take the place of files. */
  readonly from?: Environment | undefined;
  /** RFC 3339. */
  readonly time: string;
  readonly wanted: ReadonlySet<string>;
  /** Only some objects of each family take part; the others do not count as missing. */
  readonly partial?: boolean | undefined;
  /** Families whose objects may be deleted; empty by default. */
  readonly deletable: ReadonlySet<string>;
  readonly overwriteDrift: boolean;
  /** Whether to write objects that both modes of the account share. */
  readonly writeShared: boolean;
  /** Ids that the key of another mode also sees. */
  readonly sharedIds: ReadonlySet<string>;
  /** Hash of a secret's value; undefined where the value must not be read. */
  readonly secretMark: (object: FileObject, variable: string) => string | undefined;
}

/** What makes a plan impossible, each fault with its place. */
export interface PlanFault {
  readonly object?: FileObject | undefined;
  readonly parts: readonly (string | number)[];
  readonly message: string;
}

/** A step while the plan is being made: its dependencies are addresses and other drafts. */
export interface Draft extends Omit<PlanStep, 'n' | 'needs' | 'level'> {
  readonly address: string;
  /** Drafts that must run first. */
  readonly after: readonly Draft[];
  /** Objects that must be created first. */
  readonly refs: readonly string[];
}

/** What planning collects. */
export interface Planning {
  readonly input: PlanningInput;
  readonly drafts: Draft[];
  readonly drift: Drift[];
  readonly shared: string[];
  readonly cannot: string[];
  readonly notes: string[];
  readonly faults: PlanFault[];
}

/**
 * The steps that create one object: a create with every field it takes (disabled if the object acts on its own), then
 * an edit with the fields that only an edit takes or that refer to later objects, then enabling it.
 */
export function createSteps(planning: Planning, placed: PlacedObject<FileObject>): readonly Draft[] {
  const { node: file } = placed;
  const { managed } = file;
  if (!managed.create) {
    const message = 'does not exist, and cannot be created through this interface';
    planning.faults.push({ object: file, parts: [], message });
    return [];
  }
  const body = createBody(placed);
  const asks = missingSecrets(planning, file, 'create', body);
  const says = (action: string) => saysOf(managed, action, file);
  const create = draftOf(file, 'create', body, {
    ...{ was: file.was, says: says('create') },
    asks: asks.length > 0 ? asks : undefined,
  });
  const rest = restBody(planning, placed, body);
  const edit = Object.keys(rest).length > 0 ? [draftOf(file, 'edit', rest, { after: [create] })] : [];
  const enabling = isEnabledLast(file)
    ? [draftOf(file, 'enable', { enabled: true }, { after: [create, ...edit], says: says('enable') })]
    : [];
  noteCredentials(planning, file);
  return [create, ...edit, ...enabling];
}

function isEnabledLast(file: FileObject): boolean {
  return (
    firesByItself(file.managed) &&
    ownMember(file.shape, 'enabled') === true &&
    fieldsOf(file.managed.edit).has('enabled')
  );
}

function createBody({ node: file, later, waiting }: PlacedObject<FileObject>): TreeObject {
  const taken = fieldsOf(file.managed.create);
  const body: TreeObject = {};
  for (const [name, value] of Object.entries(file.shape)) {
    if (!taken.has(name)) continue;
    if (!later.has(name)) body[name] = value;
    // A reference to an object that does not exist yet has to wait.
    else if (taken.get(name)?.required)
      body[name] = withoutParts(value, (part) => waiting.has(refOf(part) ?? '')) ?? {};
  }
  if (isEnabledLast(file) && taken.has('enabled')) body.enabled = false;
  return body;
}

/** The fields that a create does not take, or cannot take yet. */
function restBody(
  planning: Planning,
  { node: file, later }: PlacedObject<FileObject>,
  created: TreeObject,
): TreeObject {
  const editable = fieldsOf(file.managed.edit);
  const body: TreeObject = {};
  for (const [name, value] of Object.entries(file.shape)) {
    if (Object.hasOwn(created, name) && !later.has(name)) continue;
    if (editable.has(name)) body[name] = name === 'enabled' && isEnabledLast(file) ? false : value;
    else planning.cannot.push(`${file.address}: ${name} cannot be set through this interface`);
  }
  return body;
}

/** Secrets that the service requires and the file does not name. Any other fault makes the plan fail. */
export function missingSecrets(
  planning: Planning,
  file: FileObject,
  action: 'create' | 'edit',
  body: TreeObject,
): readonly string[] {
  const operation = file.managed[action];
  const asks: string[] = [];
  for (const fault of faultsOfBody(operation?.body, plainTree(withPlaceholders(body)))) {
    if (fault.kind === 'missing' && isSecretPath(operation, fault.place)) asks.push(pathText(fault.place));
    else if (fault.kind !== 'unknown')
      planning.faults.push({ object: file, parts: fault.place, message: `${faultText(fault)} to ${action} it` });
  }
  return asks;
}

/** Drafts a step for an object; `more` overrides the defaults. */
export function draftOf(
  { address, managed, key }: Pick<FileObject, 'address' | 'managed' | 'key'>,
  action: PlanStep['action'],
  body: TreeObject,
  more: Partial<Draft>,
): Draft {
  const operation = action === 'create' ? managed.create : managed.edit;
  return {
    action,
    address,
    family: managed.name,
    key,
    risk: action === 'delete' ? 'irreversible' : (operation?.risk ?? 'write'),
    changes: Object.entries(body).map(([field, to]) => ({ field, to })),
    body,
    says: [],
    after: [],
    refs: refsIn(body).map((ref) => ref.address),
    ...more,
  };
}

function saysOf(managed: Managed, action: string, file: FileObject): readonly string[] {
  const says: string[] = [];
  if (action === 'enable') says.push('it acts on its own from then on');
  if (action === 'create' && managed.fields.template_trigger && file.shape.template_trigger !== 'api_direct')
    says.push('it sends mail on its own as soon as it exists');
  if (action === 'create' && managed.create?.risk === 'money')
    says.push('money: it decides what is charged, how or when');
  return says;
}

/** Reports credentials that the family has and the file does not name: they are entered elsewhere. */
function noteCredentials(planning: Planning, file: FileObject): void {
  const { create, edit } = file.managed;
  const paths = new Set([...(create ? secretFields(create) : []), ...(edit ? secretFields(edit) : [])]);
  const missing = [...paths].filter((path) => /^(?:fields\[\]|third_party_credentials)/.test(path));
  const top = missing
    .map((path) => path.split(/[.[]/)[0] ?? '')
    .filter((name) => ownMember(file.shape, name) === undefined);
  if (missing.length > 0 && top.length > 0)
    planning.cannot.push(`${file.address}: no file holds stored credentials: enter them through a secure form`);
}

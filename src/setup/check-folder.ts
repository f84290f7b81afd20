import type { Fault } from '../base/errors/errors.js';
import { orMeant } from '../base/errors/nearest.js';
import { typeName } from '../catalogue/body-fields.js';
import { formatFault } from '../catalogue/value-formats.js';
import { plainTree, runChecks } from '../items/checks/body-faults.js';
import { type BodyFault, faultsOfBody } from '../items/checks/validate.js';
import { replaced, type Tree, type TreeObject } from '../items/json/tree.js';
import { isSecretPath } from '../items/secrets/secret-fields.js';
import { hardCycles } from './creation-order.js';
import { type Families, partsOfAddress } from './families.js';
import { refOf, refsIn } from './shape-references.js';
import type { FileFault, FileObject, Folder } from './types.js';
import { isSecretVariable } from './variables.js';

/** A well-formed id in place of one that is not known yet. */
export const ANY_ID = 'AAAAAAAAAAAAAAAAAAAA';

/** Faults in the objects of a folder: fields, references and names. */
export async function checkFolder(folder: Omit<Folder, 'faults'>, families: Families): Promise<FileFault[]> {
  const faults: FileFault[] = [];
  const at = (...fault: Parameters<typeof faultAt>) => faults.push(faultAt(...fault));
  for (const object of folder.objects.values()) {
    for (const fault of faultsOfBody(object.managed.body, plainTree(withPlaceholders(object.shape)))) {
      // A secret that is in no file is requested when the object is written.
      const isAsked = fault.kind === 'missing' && isSecretPath(operationOf(object), fault.place);
      if (!isAsked) at(object, fault.place, faultText(fault));
    }
    for (const { path, message } of await documentedFaults(object)) at(object, partsOf(path), message);
    for (const { address, parts } of refsIn(object.shape)) {
      const problem = wrongReference(address, folder, families);
      const isGone = families.managed.has(partsOfAddress(address).name);
      if (problem !== undefined) at(object, parts, problem, isGone);
    }
  }
  for (const cycle of hardCycles([...folder.objects.values()])) {
    const first = folder.objects.get(cycle[0] ?? '');
    if (first) at(first, [], `refers to itself, and no part can be created first: ${cycle.join(' → ')}`);
  }
  return faults;
}

export function faultAt(
  object: FileObject,
  parts: readonly (string | number)[],
  message: string,
  isGone?: boolean,
): FileFault {
  return { ...object.placeOf(parts), path: parts.join('.'), message, isGone };
}

/** Values that the service documents as refused, beyond types and fields. */
async function documentedFaults(object: FileObject): Promise<readonly Fault[]> {
  const operation = object.managed.create ?? object.managed.edit;
  if (!operation?.checks) return [];
  return runChecks(operation.checks, withPlaceholders(object.shape) as TreeObject, { operation, whole: false });
}

function partsOf(path: string): (string | number)[] {
  return path.split(/[.[\]]+/).flatMap((part) => (part === '' ? [] : [/^\d+$/.test(part) ? Number(part) : part]));
}

function operationOf({ managed }: FileObject) {
  return managed.edit ?? managed.create;
}

function wrongReference(address: string, folder: Omit<Folder, 'faults'>, families: Families): string | undefined {
  if (folder.objects.has(address)) return undefined;
  const { name, key } = partsOfAddress(address);
  if (families.external.has(name)) return undefined;
  if (!families.managed.has(name)) return `there is no family ${name}${orMeant(name, [...families.managed.keys()])}`;
  // An object without a file may still be in the account, if the folder does not hold its family.
  if (!folder.families.has(name)) return undefined;
  const others = [...folder.objects.values()].filter((one) => one.managed.name === name).map((one) => one.key);
  return `there is no ${name}/${key} in this folder${orMeant(key, others)}`;
}

/** The shape with valid placeholders for references and secrets. */
export function withPlaceholders(shape: Tree): Tree {
  return replaced(shape, (part) => {
    if (refOf(part) !== undefined) return ANY_ID;
    return isSecretVariable(part) ? 'secret' : undefined;
  });
}

const bounds = ({ min, max, actual }: { min: number; max: number; actual: number }) =>
  `must be ${min} to ${max}, it is ${actual}`;

const TEXTS: { readonly [Kind in BodyFault['kind']]: (fault: Extract<BodyFault, { kind: Kind }>) => string } = {
  missing: () => 'is required',
  unknown: ({ place, known }) => `is not a field${orMeant(String(place.at(-1)), known)}`,
  type: ({ expected }) => `must be ${typeName(expected)}`,
  fraction: () => 'must be a whole number',
  unix: () => 'must be a time in unix seconds, not milliseconds',
  value: ({ allowed }) => `must be one of ${allowed.join(', ')}`,
  format: ({ format, given }) => formatFault(format, given) ?? 'does not have the expected form',
  ...{ length: bounds, range: bounds, count: bounds },
};

/** Describes what is wrong with a value of a body. */
export const faultText = (fault: BodyFault): string => (TEXTS[fault.kind] as (one: BodyFault) => string)(fault);

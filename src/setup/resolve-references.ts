import type { Field } from '../catalogue/types.js';
import { isNumberText, isObject, NumberText, ownMember, type Tree, type TreeObject } from '../items/json/tree.js';
import { readYaml, YamlFault } from '../service/body/parse-yaml.js';
import type { Managed } from './families.js';
import { UnfitFile } from './folder-files.js';
import { refOf } from './shape-references.js';
import { isSecretVariable, onlyVariable, substituted, type Variable } from './variables.js';

type Parts = readonly (string | number)[];

export interface Resolving {
  valueOf(variable: Variable): string | undefined;
  /** Why a variable has no value. */
  unset(variable: Variable): string;
  fault(parts: Parts, message: string, isGone?: boolean): void;
  /** The text of a file next to the object's own. @throws UnfitFile */
  text(name: string): Promise<string>;
}

/** Resolves the tree of a file: replaces variables, reads files and turns references into addresses. */
export async function resolveTree(managed: Managed, tree: TreeObject, how: Resolving): Promise<TreeObject> {
  const resolved: TreeObject = {};
  for (const [name, value] of Object.entries(tree))
    resolved[name] = name.startsWith('_') ? value : await resolve(value, managed.fields[name], [name], how);
  return resolved;
}

async function resolve(value: Tree, field: Field | undefined, parts: Parts, how: Resolving): Promise<Tree> {
  if (typeof value === 'string') return typed(value, field, textOf(value, parts, how));
  const address = refOf(value);
  if (address !== undefined) return { ref: address };
  const file = fileOf(value);
  if (file !== undefined) return fromFile(file, field, parts, how);
  if (Array.isArray(value)) {
    const elements: Tree[] = [];
    for (const [index, element] of value.entries())
      elements.push(await resolve(element, field?.items, [...parts, index], how));
    return elements;
  }
  if (!isObject(value)) return value;
  const members: TreeObject = {};
  for (const [name, member] of Object.entries(value))
    members[name] = await resolve(member, field?.fields?.[name], [...parts, name], how);
  return members;
}

function textOf(text: string, parts: Parts, how: Resolving): string {
  return substituted(text, how.valueOf, (variable) => how.fault(parts, how.unset(variable)));
}

/** A number or boolean from a variable takes the type of its field. */
function typed(written: string, field: Field | undefined, text: string): Tree {
  if (onlyVariable(written) === undefined || isSecretVariable(text) || field === undefined) return text;
  if ((field.type === 'number' || field.type === 'integer') && isNumberText(text)) return new NumberText(text);
  if (field.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function fileOf(value: Tree): string | undefined {
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  const file = ownMember(value, 'file');
  return typeof file === 'string' ? file : undefined;
}

async function fromFile(name: string, field: Field | undefined, parts: Parts, how: Resolving): Promise<Tree> {
  if (!/^[^/\\]+$/.test(name) || name.startsWith('.')) {
    how.fault(parts, 'file must name a file of the same folder, without a path');
    return '';
  }
  try {
    const text = await how.text(name);
    if (field?.type !== 'array') return textOf(text, parts, how);
    return await resolve((await readYaml(text)).value, field, parts, how);
  } catch (error) {
    if (error instanceof UnfitFile)
      how.fault(parts, `${JSON.stringify(name)} ${error.message}`, error.code === 'ENOENT');
    else if (error instanceof YamlFault) how.fault(parts, `${name}: ${error.message}`);
    else throw error;
    return field?.type === 'array' ? [] : '';
  }
}

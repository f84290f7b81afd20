import type { Field } from '../catalogue/types.js';
import type { Families, Managed } from './families.js';
import { refsIn } from './shape-references.js';
import type { FileObject } from './types.js';

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** Field that holds the reference. */
  readonly field: string;
}

/** The references between the objects of a folder. */
export function objectEdges(objects: Iterable<FileObject>): readonly Edge[] {
  return [...objects].flatMap((object) =>
    refsIn(object.shape).map(({ address, parts }) => ({ from: object.address, to: address, field: parts.join('.') })),
  );
}

/** The references that families can have, from the catalogue. */
export function familyEdges(families: Families): readonly Edge[] {
  return [...families.managed.values()].flatMap((managed: Managed) =>
    managedReferences(managed).map(({ to, field }) => ({ from: managed.name, to, field })),
  );
}

/** The families that a family's fields refer to, each with the path of the field. */
function managedReferences(managed: Managed): readonly { readonly to: string; readonly field: string }[] {
  const found: { to: string; field: string }[] = [];
  const walk = (fields: Readonly<Record<string, Field>>, path: string): void => {
    for (const [name, field] of Object.entries(fields)) {
      const here = path === '' ? name : `${path}.${name}`;
      for (const to of field.refers ?? []) found.push({ to: to.replaceAll('_', '-'), field: here });
      walk(field.fields ?? {}, here);
      walk(field.items?.fields ?? {}, `${here}[]`);
    }
  };
  walk(managed.fields, '');
  return found;
}

/** The graph in Graphviz's language. */
export function dotOf(edges: readonly Edge[], alone: readonly FileObject[]): string {
  const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`;
  const nodes = alone.map(({ address }) => `  ${quoted(address)};`);
  const lines = edges.map(({ from, to, field }) => `  ${quoted(from)} -> ${quoted(to)} [label=${quoted(field)}];`);
  return `digraph setup {\n  rankdir=LR;\n${[...nodes, ...lines].join('\n')}\n}\n`;
}

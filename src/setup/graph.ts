import type { Families, Managed } from './families.js';
import { managedReferences } from './references.js';
import { refsIn } from './shape.js';
import type { FileObject } from './types.js';

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** Field that holds the reference. */
  readonly field: string;
}

/** What the objects of a folder refer to. */
export function objectEdges(objects: Iterable<FileObject>): readonly Edge[] {
  return [...objects].flatMap((object) =>
    refsIn(object.shape).map(({ address, parts }) => ({ from: object.address, to: address, field: parts.join('.') })),
  );
}

/** What families may refer to, by the catalogue. */
export function familyEdges(families: Families): readonly Edge[] {
  return [...families.managed.values()].flatMap((managed: Managed) =>
    managedReferences(managed).map(({ to, field }) => ({ from: managed.name, to, field })),
  );
}

/** The graph as Graphviz reads it. */
export function dotOf(edges: readonly Edge[], alone: readonly FileObject[]): string {
  const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`;
  const nodes = alone.map(({ address }) => `  ${quoted(address)};`);
  const lines = edges.map(({ from, to, field }) => `  ${quoted(from)} -> ${quoted(to)} [label=${quoted(field)}];`);
  return `digraph setup {\n  rankdir=LR;\n${[...nodes, ...lines].join('\n')}\n}\n`;
}

import type { TreeObject } from '../items/json/tree.js';
import { fieldsOf, type Managed } from './families.js';
import { refsIn } from './shape-references.js';

/** What ordering needs of an object. */
export interface Node {
  readonly address: string;
  readonly managed: Managed;
  readonly shape: TreeObject;
}

/** An object in the order of creation, with the fields that can only be set once others are there. */
export interface PlacedObject<N extends Node> {
  readonly node: N;
  readonly later: ReadonlySet<string>;
  /** Objects that come after it. */
  readonly waiting: ReadonlySet<string>;
}

/** What each field of a node refers to, among the given addresses. */
function fieldRefs(node: Node, among: { has(address: string): boolean }): Map<string, Set<string>> {
  const refs = new Map<string, Set<string>>();
  for (const { address, parts } of refsIn(node.shape)) {
    const field = String(parts[0]);
    if (among.has(address)) refs.set(field, (refs.get(field) ?? new Set()).add(address));
  }
  return refs;
}

/** A field without which the object cannot be created, or that no edit can set. */
function isHard(node: Node, field: string): boolean {
  const first = fieldsOf(node.managed.create).get(field);
  // Of a required object only the part that refers to others waits.
  return (
    (first?.required === true && first.type !== 'object') ||
    (first !== undefined && !fieldsOf(node.managed.edit).has(field))
  );
}

/**
 * Objects in the order in which they can be created: what a field refers to comes first. Where objects refer to each
 * other, the field that can wait is left for an edit. Objects of a cycle that cannot be broken come last.
 */
export function creationOrder<N extends Node>(nodes: readonly N[]): readonly PlacedObject<N>[] {
  const open = new Map(nodes.map((node) => [node.address, node]));
  const refs = new Map(nodes.map((node) => [node.address, fieldRefs(node, open)]));
  const placed: PlacedObject<N>[] = [];
  while (open.size > 0) {
    const all = [...open.values()];
    const unmet = (node: N, hardOnly: boolean): string[] => {
      const fields = [...(refs.get(node.address) ?? [])];
      return fields
        .filter(([field, to]) => (!hardOnly || isHard(node, field)) && [...to].some((address) => open.has(address)))
        .map(([field]) => field);
    };
    const ready = all.filter((node) => unmet(node, false).length === 0);
    const next = ready.length > 0 ? ready : [all.find((node) => unmet(node, true).length === 0) ?? (all[0] as N)];
    const later = next.map((node) => new Set(unmet(node, false)));
    for (const [index, node] of next.entries()) {
      open.delete(node.address);
      placed.push({ node, later: later[index] ?? new Set(), waiting: new Set(open.keys()) });
    }
  }
  return placed;
}

/** Circles of references none of which can wait: no order creates them. */
export function hardCycles(nodes: readonly Node[]): readonly (readonly string[])[] {
  const byAddress = new Map(nodes.map((node) => [node.address, node]));
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (address: string, way: readonly string[]): void => {
    if (way.includes(address)) {
      cycles.push([...way.slice(way.indexOf(address)), address]);
      return;
    }
    const node = byAddress.get(address);
    if (!node || done.has(address)) return;
    for (const [field, to] of fieldRefs(node, byAddress))
      if (isHard(node, field)) for (const next of to) visit(next, [...way, address]);
    done.add(address);
  };
  for (const { address } of nodes) visit(address, []);
  return cycles;
}

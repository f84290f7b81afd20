import type { TreeObject } from '../items/json/tree.js';
import { fieldsOf, type Managed } from './families.js';
import { refsIn } from './shape-references.js';

/** The parts of an object that ordering needs. */
export interface Node {
  readonly address: string;
  readonly managed: Managed;
  readonly shape: TreeObject;
}

/** An object in creation order, with the fields that can be set only once other objects exist. */
export interface PlacedObject<N extends Node> {
  readonly node: N;
  readonly later: ReadonlySet<string>;
  /** Objects that are created after it. */
  readonly waiting: ReadonlySet<string>;
}

/** The addresses that each field of a node refers to, limited to the given ones. */
function fieldRefs(node: Node, among: { has(address: string): boolean }): Map<string, Set<string>> {
  const refs = new Map<string, Set<string>>();
  for (const { address, parts } of refsIn(node.shape)) {
    const field = String(parts[0]);
    if (among.has(address)) refs.set(field, (refs.get(field) ?? new Set()).add(address));
  }
  return refs;
}

/** Whether the object cannot be created without the field, or no edit can set it. */
function isHard(node: Node, field: string): boolean {
  const first = fieldsOf(node.managed.create).get(field);
  // Only the part of a required object that refers to other objects can wait.
  return (
    (first?.required === true && first.type !== 'object') ||
    (first !== undefined && !fieldsOf(node.managed.edit).has(field))
  );
}

/**
 * Sorts objects into an order in which they can be created: an object comes after those its fields refer to. Where
 * objects refer to each other, the field that can wait is left for an edit. Objects of an unbreakable cycle come last.
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

/** Cycles of references that no order of creation can satisfy, because no reference can wait. */
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

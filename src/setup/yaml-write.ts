import type { Document, Scalar, YAMLMap } from 'yaml';
import { isObject, NumberText, sameTree, type Tree, type TreeObject } from '../json/tree.js';

type Yaml = typeof import('yaml');

/** Writes the trees of a set-up as YAML: names sorted, digits as they came, quotes only where needed. */
export interface YamlWriter {
  /** A whole new file. @param first names that come before all others */
  fresh(value: Tree, head: string, first?: readonly string[]): string;
  /**
   * An existing file with what differs changed: comments, order and spelling of all else stay.
   * @param meant what the file means now, with its variables replaced
   */
  changed(text: string, meant: TreeObject, wanted: TreeObject, written: (name: string, value: Tree) => Tree): string;
}

export async function openYamlWriter(): Promise<YamlWriter> {
  const yaml = await import('yaml');
  const options = {
    version: '1.2',
    schema: 'core',
    customTags: (tags: readonly unknown[]) => [digitsTag, ...tags],
    lineWidth: 0,
    aliasDuplicateObjects: false,
    flowCollectionPadding: false,
  } as const;
  const make = () => new yaml.Document(undefined, options as never);
  const print = (document: Document): string => document.toString({ lineWidth: 0, flowCollectionPadding: false });
  return {
    fresh(value, head, first = []) {
      const document = make();
      document.contents = nodeOf(yaml, document, value, first) as never;
      return `${head}${print(document)}`;
    },
    changed(text, meant, wanted, written) {
      const document = yaml.parseDocument(text, options as never) as unknown as Document;
      keepDigits(yaml, document);
      const map = document.contents;
      if (!yaml.isMap(map)) return print(document);
      mergeInto(yaml, document, map, meant, wanted, written);
      return print(document);
    },
  };
}

const digitsTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value: unknown) => value instanceof NumberText,
  test: /^(?!)/,
  resolve: (text: string) => text,
  stringify: (item: { value: unknown }) => (item.value as NumberText).text,
} as const;

/** Numbers of a file that is changed elsewhere keep the digits that a person gave them. */
function keepDigits(yaml: Yaml, document: Document): void {
  yaml.visit(document, {
    Scalar(_key, node: Scalar) {
      if (typeof node.value === 'number' && node.source !== undefined) node.value = new NumberText(node.source);
    },
  });
}

function mergeInto(
  yaml: Yaml,
  document: Document,
  map: YAMLMap,
  meant: TreeObject,
  wanted: TreeObject,
  written: (name: string, value: Tree) => Tree,
): void {
  for (const name of Object.keys(meant)) {
    if (!name.startsWith('_') && !Object.hasOwn(wanted, name)) map.delete(name);
  }
  for (const name of Object.keys(wanted).sort()) {
    const before = meant[name];
    const after = wanted[name] as Tree;
    if (before !== undefined && sameTree(before, after)) continue;
    const node = map.get(name, true);
    if (yaml.isMap(node) && isObject(before) && isObject(after) && !isRef(before) && !isRef(after)) {
      mergeInto(yaml, document, node as YAMLMap, before, after, (_inner, value) => value);
    } else setKeepingComment(yaml, document, map, name, written(name, after));
  }
}

function isRef(value: TreeObject): boolean {
  return Object.keys(value).length === 1 && (Object.hasOwn(value, 'ref') || Object.hasOwn(value, 'file'));
}

function setKeepingComment(yaml: Yaml, document: Document, map: YAMLMap, name: string, value: Tree): void {
  const before = map.get(name, true) as Scalar | undefined;
  const node = nodeOf(yaml, document, value, []) as Scalar;
  if (before?.comment && yaml.isScalar(node)) node.comment = before.comment;
  if (before?.commentBefore) node.commentBefore = before.commentBefore;
  map.set(name, node);
}

function nodeOf(yaml: Yaml, document: Document, value: Tree, first: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const list = new yaml.YAMLSeq();
    list.items = value.map((element) => nodeOf(yaml, document, element, []));
    if (value.length === 0) list.flow = true;
    return list;
  }
  if (!isObject(value)) return document.createNode(value);
  const map = new yaml.YAMLMap();
  for (const name of sortedNames(value, first))
    map.items.push(document.createPair(name, nodeOf(yaml, document, value[name] as Tree, [])) as never);
  if (map.items.length === 0 || isRef(value)) map.flow = true;
  return map;
}

function sortedNames(value: TreeObject, first: readonly string[]): readonly string[] {
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  return Object.keys(value).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

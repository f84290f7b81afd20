import type { Document, Scalar, YAMLMap } from 'yaml';
import { isObject, NumberText, sameTree, type Tree, type TreeObject } from '../items/json/tree.js';

type Yaml = typeof import('yaml');

/** Writes the trees of a set-up as YAML: names sorted, digits as they came, quotes only where needed. */
export class YamlWriter {
  private constructor(private readonly yaml: Yaml) {}

  static async open(): Promise<YamlWriter> {
    return new YamlWriter(await import('yaml'));
  }

  /** A whole new file. @param first names that come before all others */
  fresh(value: Tree, head: string, first: readonly string[] = []): string {
    const document: Document = new this.yaml.Document(undefined, OPTIONS as never);
    document.contents = this.#nodeOf(document, value, first) as never;
    return `${head}${print(document)}`;
  }

  /** An existing file with what differs from its present meaning (`meant`) changed; comments, order, spelling stay. */
  changed(text: string, meant: TreeObject, wanted: TreeObject, written: (name: string, value: Tree) => Tree): string {
    const document = this.yaml.parseDocument(text, OPTIONS as never) as unknown as Document;
    // Numbers of a file that is changed elsewhere keep the digits that a person gave them.
    this.yaml.visit(document, {
      Scalar(_key, node: Scalar) {
        if (typeof node.value === 'number' && node.source !== undefined) node.value = new NumberText(node.source);
      },
    });
    const map = document.contents;
    if (this.yaml.isMap(map)) this.#merge(document, map, meant, wanted, written);
    return print(document);
  }

  #merge(
    document: Document,
    map: YAMLMap,
    meant: TreeObject,
    wanted: TreeObject,
    written: (name: string, value: Tree) => Tree,
  ): void {
    for (const name of Object.keys(meant)) if (!name.startsWith('_') && !Object.hasOwn(wanted, name)) map.delete(name);
    for (const name of Object.keys(wanted).sort()) {
      const before = meant[name];
      const after = wanted[name] as Tree;
      if (before !== undefined && sameTree(before, after)) continue;
      const node = map.get(name, true);
      if (this.yaml.isMap(node) && isObject(before) && isObject(after) && !isRef(before) && !isRef(after)) {
        this.#merge(document, node as YAMLMap, before, after, (_inner, value) => value);
      } else this.#setKeepingComment(document, map, name, written(name, after));
    }
  }

  #setKeepingComment(document: Document, map: YAMLMap, name: string, value: Tree): void {
    const before = map.get(name, true) as Scalar | undefined;
    const node = this.#nodeOf(document, value) as Scalar;
    if (before?.comment && this.yaml.isScalar(node)) node.comment = before.comment;
    if (before?.commentBefore) node.commentBefore = before.commentBefore;
    map.set(name, node);
  }

  #nodeOf(document: Document, value: Tree, first: readonly string[] = []): unknown {
    if (Array.isArray(value)) {
      const list = new this.yaml.YAMLSeq();
      list.items = value.map((element) => this.#nodeOf(document, element));
      if (value.length === 0) list.flow = true;
      return list;
    }
    if (!isObject(value)) return document.createNode(value);
    const map = new this.yaml.YAMLMap();
    for (const name of sortedNames(value, first))
      map.items.push(document.createPair(name, this.#nodeOf(document, value[name] as Tree)) as never);
    if (map.items.length === 0 || isRef(value)) map.flow = true;
    return map;
  }
}

const digitsTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value: unknown) => value instanceof NumberText,
  test: /^(?!)/,
  resolve: (text: string) => text,
  stringify: (item: { value: unknown }) => (item.value as NumberText).text,
} as const;

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  customTags: (tags: readonly unknown[]) => [digitsTag, ...tags],
  lineWidth: 0,
  aliasDuplicateObjects: false,
  flowCollectionPadding: false,
} as const;

const print = (document: Document): string => document.toString({ lineWidth: 0, flowCollectionPadding: false });

function isRef(value: TreeObject): boolean {
  return Object.keys(value).length === 1 && (Object.hasOwn(value, 'ref') || Object.hasOwn(value, 'file'));
}

function sortedNames(value: TreeObject, first: readonly string[]): readonly string[] {
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  return Object.keys(value).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

import { MAX_BODY_DEPTH, placeAt, type TextPlace } from '../../items/json/parse-json.js';
import { isForbiddenName, isNumberText, NumberText, type Tree, type TreeObject } from '../../items/json/tree.js';

/** YAML that cannot be read as a body; the message never repeats the text. */
export class YamlFault extends Error {
  override readonly name = 'YamlFault';

  /** @param at where it is, where one place can be named */
  constructor(
    message: string,
    readonly at?: TextPlace,
  ) {
    super(at ? `${message} (line ${at.line}, column ${at.column})` : message);
  }
}

/** A YAML text as a tree that knows where its values stand. */
export interface ReadYaml {
  readonly value: Tree;
  /** Where a value, or the nearest thing around it, stands. */
  placeOf(parts: readonly (string | number)[]): TextPlace;
}

/** More than the largest body that the service takes; ends the expansion of aliases that multiply. */
const MAX_NODES = 200_000;
/** Colons and commas of a YAML text. */
const MOST_MARKS = 50_000;

/**
 * Reads one YAML 1.2 document (core schema) into a tree. Numbers keep their digits; what only YAML takes for a
 * number (`007`, `0x1F`, `+5`) stays text, since a leading zero has a meaning in zip codes and ids.
 * Throws {@link YamlFault}, also on duplicate names.
 */
export async function parseYaml(text: string): Promise<Tree> {
  return (await readYaml(text)).value;
}

/** As {@link parseYaml}, with the places of the values. */
export async function readYaml(text: string): Promise<ReadYaml> {
  // The library takes seconds and gigabytes for more names than any body has: they are counted before it begins.
  let names = 0;
  for (const _ of text.matchAll(/:(?=\s|$)|,/g))
    if (++names > MOST_MARKS) throw new YamlFault(`it has too many names and values (more than ${MOST_MARKS})`);
  const yaml = await import('yaml');
  checkDepth(yaml, text);
  const document = yaml.parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false, logLevel: 'error' });
  const first = document.errors[0];
  if (first) throw new YamlFault(REASONS[first.code] ?? 'it is not valid YAML', placeAt(text, first.pos[0]));
  let nodes = 0;
  // The library looks for a mark in the whole document each time it is asked.
  const meanings = new Map<unknown, unknown>();
  const convert = (node: unknown, depth: number): Tree => {
    nodes += 1;
    if (nodes > MAX_NODES) throw new YamlFault(`it has more than ${MAX_NODES} values`);
    if (depth > MAX_BODY_DEPTH) throw new YamlFault(`it is nested deeper than ${MAX_BODY_DEPTH} levels`);
    if (yaml.isAlias(node)) {
      const meant = meanings.get(node) ?? node.resolve(document);
      meanings.set(node, meant);
      if (meant === undefined) throw new YamlFault(`nothing before it is marked with &${node.source}`);
      return convert(meant, depth + 1);
    }
    if (yaml.isMap(node)) {
      const object: TreeObject = {};
      for (const pair of node.items) {
        const name = yaml.isScalar(pair.key) ? (pair.key.source ?? String(pair.key.value)) : undefined;
        if (name === undefined) throw new YamlFault('a name in it is not plain text');
        if (isForbiddenName(name)) throw new YamlFault(`the name ${name} is not allowed`);
        if (name === '<<') throw new YamlFault('a merge key (<<) is no part of YAML 1.2: write its values out');
        object[name] = convert(pair.value, depth + 1);
      }
      return object;
    }
    if (yaml.isSeq(node)) return node.items.map((item) => convert(item, depth + 1));
    if (yaml.isScalar(node)) return scalar(node.value, node.source);
    return null;
  };
  const placeOf = (parts: readonly (string | number)[]): TextPlace => {
    for (let length = parts.length; length > 0; length--) {
      const above = length === 1 ? document.contents : document.getIn(parts.slice(0, length - 1), true);
      const last = parts[length - 1];
      const pair = yaml.isMap(above)
        ? above.items.find((item) => yaml.isScalar(item.key) && item.key.value === last)
        : undefined;
      const node = yaml.isSeq(above) && typeof last === 'number' ? above.items[last] : (pair?.key ?? undefined);
      if (yaml.isNode(node) && node.range) return placeAt(text, node.range[0]);
    }
    return { line: 1, column: 1 };
  };
  return { value: convert(document.contents, 0), placeOf };
}

/**
 * The library composes a document by recursion, and where the stack ends there V8 may end the whole process: the depth
 * is known from the tokens before anything is composed.
 */
function checkDepth(yaml: typeof import('yaml'), text: string): void {
  const parser = new yaml.Parser();
  for (const lexeme of new yaml.Lexer().lex(text)) {
    for (const _token of parser.next(lexeme)) {
      // Only what is still open counts.
    }
    // A level may hold two tokens open: a collection and the scalar in it.
    if (parser.stack.length > 2 * MAX_BODY_DEPTH)
      throw new YamlFault(`it is nested deeper than ${MAX_BODY_DEPTH} levels`);
  }
}

function scalar(value: unknown, source: string | undefined): Tree {
  if (typeof value === 'number' || typeof value === 'bigint') {
    const written = source ?? String(value);
    return isNumberText(written) ? new NumberText(written) : written;
  }
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  throw new YamlFault('a value in it has a type that JSON does not know');
}

const REASONS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'a name comes twice in one object',
  MULTIPLE_DOCS: 'it holds more than one document',
  BAD_INDENT: 'the indentation is wrong',
  TAB_AS_INDENT: 'a tab is used for indentation',
};

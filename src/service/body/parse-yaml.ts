import { MAX_BODY_DEPTH, placeAt, type TextPlace } from '../../items/json/parse-json.js';
import { isForbiddenName, isNumberText, NumberText, type Tree, type TreeObject } from '../../items/json/tree.js';

/** YAML that cannot be read as a body; the message never repeats the text. */
export class YamlFault extends Error {
  override readonly name = 'YamlFault';

  /** @param at the position, where there is a single one */
  constructor(
    message: string,
    readonly at?: TextPlace,
  ) {
    super(at ? `${message} (line ${at.line}, column ${at.column})` : message);
  }
}

/**
 * A parsed YAML text that knows the positions of its values. `placeOf`: the position of a value, or of its nearest
 * ancestor.
 */
export type ReadYaml = Awaited<ReturnType<typeof readYaml>>;

/** More nodes than the largest body the service accepts; stops aliases that multiply when expanded. */
const MAX_NODES = 200_000;
/** Most colons and commas in a YAML text. */
const MOST_MARKS = 50_000;

/**
 * Reads one YAML 1.2 document (core schema) into a tree. Numbers keep their digits. Text that only YAML considers a
 * number (`007`, `0x1F`, `+5`) stays a string, since leading zeros matter in zip codes and ids. Throws
 * {@link YamlFault}, also for duplicate names.
 */
export async function parseYaml(text: string): Promise<Tree> {
  return (await readYaml(text)).value;
}

/** As {@link parseYaml}, plus the positions of the values. */
export async function readYaml(text: string) {
  // The library needs seconds and gigabytes for more names than any body has, so they are counted first.
  let names = 0;
  for (const _ of text.matchAll(/:(?=\s|$)|,/g))
    if (++names > MOST_MARKS) throw new YamlFault(`it has too many names and values (more than ${MOST_MARKS})`);
  const yaml = await import('yaml');
  checkDepth(yaml, text);
  const document = yaml.parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false, logLevel: 'error' });
  const first = document.errors[0];
  if (first) throw new YamlFault(REASONS[first.code] ?? 'it is not valid YAML', placeAt(text, first.pos[0]));
  let nodes = 0;
  // For each alias the library searches the whole document for its anchor.
  const meanings = new Map<unknown, unknown>();
  const convert = (node: unknown, depth: number): Tree => {
    nodes += 1;
    if (nodes > MAX_NODES) throw new YamlFault(`it has more than ${MAX_NODES} values`);
    if (depth > MAX_BODY_DEPTH) throw new YamlFault(`it is nested deeper than ${MAX_BODY_DEPTH} levels`);
    if (yaml.isAlias(node)) {
      const meant = meanings.get(node) ?? node.resolve(document);
      meanings.set(node, meant);
      if (meant === undefined) throw new YamlFault(`no earlier value has the anchor &${node.source}`);
      return convert(meant, depth + 1);
    }
    if (yaml.isMap(node)) {
      const object: TreeObject = {};
      for (const pair of node.items) {
        const name = yaml.isScalar(pair.key) ? (pair.key.source ?? String(pair.key.value)) : undefined;
        if (name === undefined) throw new YamlFault('a name in it is not plain text');
        if (isForbiddenName(name)) throw new YamlFault(`the name ${name} is not allowed`);
        if (name === '<<') throw new YamlFault('a merge key (<<) is not part of YAML 1.2: write out its values');
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
 * The library composes a document recursively, and V8 may end the whole process where the stack overflows. The tokens
 * give the depth before anything is composed.
 */
function checkDepth(yaml: typeof import('yaml'), text: string): void {
  const parser = new yaml.Parser();
  for (const lexeme of new yaml.Lexer().lex(text)) {
    for (const _token of parser.next(lexeme)) {
      // Counts only what is still open.
    }
    // A level may hold two open tokens: a collection and the scalar in it.
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
  DUPLICATE_KEY: 'a name appears twice in one object',
  MULTIPLE_DOCS: 'it holds more than one document',
  BAD_INDENT: 'the indentation is wrong',
  TAB_AS_INDENT: 'a tab is used for indentation',
};

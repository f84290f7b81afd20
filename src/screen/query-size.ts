/** The parts of a parsed JMESPath expression that matter here. */
export interface QueryNode {
  readonly type: string;
  readonly name?: string;
  readonly children?: readonly (QueryNode | null)[] | QueryNode;
  /** Set for a member of a multi-select hash, and for a literal. */
  readonly value?: unknown;
}

/** Largest size an answer may grow to, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Never refuse an answer up to this many times its data: expressions that select values more than once do that. */
const HARMLESS = 16;

/**
 * Whether an expression may multiply its data beyond what memory can hold: `[@,@]|[@,@]|…` doubles at each step. An
 * upper bound from the expression alone. Parts that begin at fields of different names do not add up, since they select
 * different data.
 */
export function multiplies(expression: QueryNode, bytes: number): boolean {
  const bound = new Bound(Math.max(MOST_BYTES, HARMLESS * bytes));
  bound.of(expression, Math.max(bytes, 64));
  return bound.isPassed;
}

/** Functions whose result is small for any input. */
const SMALL = new Set('abs avg ceil contains ends_with floor length starts_with sum to_number type'.split(' '));

class Bound {
  isPassed = false;

  constructor(private readonly most: number) {}

  /** The largest possible size of the answer, in bytes, for data of a given size. */
  of(node: QueryNode | null | undefined, size: number): number {
    const answer = node ? this.#size(node, size) : size;
    // Intermediate results are built too.
    if (answer > this.most) this.isPassed = true;
    return answer;
  }

  #size(node: QueryNode, size: number): number {
    const children = childrenOf(node);
    switch (node.type) {
      case 'Literal':
        return (JSON.stringify(node.value) ?? '').length;
      case 'MultiSelectList':
      case 'MultiSelectHash':
      case 'OrExpression':
      case 'AndExpression':
        return this.#together(children, size);
      case 'Comparator':
      case 'NotExpression':
        this.#together(children, size);
        return 8;
      case 'Function':
        return this.#called(node, children, size);
      case 'ExpressionReference':
        return this.of(children[0], size);
      case 'FilterProjection': {
        const [left, right, condition] = children;
        const below = this.of(left, size);
        this.of(condition, below);
        return this.of(right, below);
      }
      default:
        // Each of these passes its result to the next.
        return children.reduce((below, child) => this.of(child, below), size);
    }
  }

  #together(children: readonly (QueryNode | null)[], size: number): number {
    const roots = new Map<string, number>();
    for (const child of children) {
      const root = rootOf(child);
      roots.set(root, (roots.get(root) ?? 0) + this.of(child, size));
    }
    const whole = roots.get('') ?? 0;
    roots.delete('');
    return whole + Math.max(0, ...roots.values());
  }

  #called(node: QueryNode, children: readonly (QueryNode | null)[], size: number): number {
    const sizes = children.map((child) => (child?.type === 'ExpressionReference' ? 0 : this.of(child, size)));
    if (node.name === 'map') return this.of(children[0], sizes[1] ?? size);
    for (const child of children) if (child?.type === 'ExpressionReference') this.of(child, Math.max(...sizes));
    // The separator is written once per element.
    if (node.name === 'join') return ((sizes[0] ?? 0) * (sizes[1] ?? 0)) / 2 + (sizes[1] ?? 0);
    if (SMALL.has(node.name ?? '')) return 32;
    const sum = sizes.reduce((all, one) => all + one, 0);
    // Quotes in a string are escaped when it is quoted again.
    return node.name === 'to_string' ? sum * 2 : sum;
  }
}

function childrenOf(node: QueryNode): readonly (QueryNode | null)[] {
  if (node.type === 'KeyValuePair') return [node.value as QueryNode];
  const { children } = node;
  if (children === undefined) return [];
  return Array.isArray(children) ? children : [children as QueryNode];
}

/** The field at which a part begins; empty where it may take all of the data. */
function rootOf(node: QueryNode | null | undefined): string {
  if (!node) return '';
  if (node.type === 'Field') return node.name ?? '';
  if (node.type === 'KeyValuePair') return rootOf(node.value as QueryNode);
  const chained = 'Subexpression IndexExpression Pipe Projection ValueProjection FilterProjection Flatten'.split(' ');
  return chained.includes(node.type) ? rootOf(childrenOf(node)[0]) : '';
}

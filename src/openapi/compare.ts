import type { Body, Family, Field, Operation, QueryField } from '../catalogue/types.js';
import { type DescribedOperation, plainPath } from './types.js';

/** One way in which a description and the catalogue differ. */
export interface Difference {
  readonly difference: string;
  /** Command words, or the operation id of one that the catalogue has not. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** Query parameter or body field; empty for the operation itself. */
  readonly field: string;
  /** What the catalogue says. */
  readonly cops: string;
  /** What the description says. */
  readonly service: string;
}

interface Known {
  readonly family: Family;
  readonly operation: Operation;
}

/** Every difference between the catalogue and a description, in the catalogue's order, new operations last. */
export function compare(families: readonly Family[], described: readonly DescribedOperation[]): Difference[] {
  const keyOf = (one: { method: string; path: string }): string => `${one.method} ${plainPath(one.path)}`;
  const theirs = new Map(described.map((one) => [keyOf(one), one]));
  const found: Difference[] = [];
  const seen = new Set<string>();
  for (const family of families) {
    for (const operation of family.operations) {
      const key = keyOf(operation);
      seen.add(key);
      const other = theirs.get(key);
      found.push(...(other ? operationDifferences({ family, operation }, other) : [missing({ family, operation })]));
    }
  }
  for (const [key, other] of theirs) if (!seen.has(key)) found.push(added(other));
  return found;
}

function words({ family, operation }: Known): string {
  return `${family.name.replaceAll('_', '-')} ${operation.action}`;
}

function missing(known: Known): Difference {
  const { method, path } = known.operation;
  return {
    difference: 'missing operation',
    operation: words(known),
    method,
    path,
    field: '',
    cops: 'known',
    service: '',
  };
}

function added(other: DescribedOperation): Difference {
  const { method, path, operationId } = other;
  return {
    difference: 'new operation',
    operation: operationId,
    method,
    path,
    field: '',
    cops: '',
    service: other.summary,
  };
}

function operationDifferences(known: Known, other: DescribedOperation): Difference[] {
  const { operation } = known;
  const tell = (difference: string, field: string, cops: string, service: string): Difference => ({
    difference,
    operation: words(known),
    method: operation.method,
    path: operation.path,
    field,
    cops,
    service,
  });
  const found: Difference[] = [];
  const dated = operation.list?.style === 'windowed';
  if (operation.list && operation.list.style !== 'search' && dated !== other.dates) {
    const say = (takes: boolean): string => (takes ? 'takes dates' : 'takes no dates');
    found.push(tell('dates', '', say(dated), say(other.dates)));
  }
  found.push(...queryDifferences(operation.query ?? {}, other.query, tell));
  found.push(...bodyDifferences(operation.body, other.body, tell));
  return found;
}

type Tell = (difference: string, field: string, cops: string, service: string) => Difference;

function queryDifferences(
  ours: Readonly<Record<string, QueryField>>,
  theirs: Readonly<Record<string, QueryField>>,
  tell: Tell,
): Difference[] {
  const found: Difference[] = [];
  for (const [name, field] of Object.entries(ours)) {
    const other = theirs[name];
    if (!other) found.push(tell('missing filter', name, queryWords(field), ''));
    else if (field.enum && other.enum && !sameSet(field.enum, other.enum)) {
      found.push(tell('changed filter', name, field.enum.join(' | '), other.enum.join(' | ')));
    } else if ((field.many === true) !== (other.many === true) && !field.metadata) {
      found.push(tell('changed filter', name, queryWords(field), queryWords(other)));
    }
  }
  for (const [name, other] of Object.entries(theirs)) {
    if (!Object.hasOwn(ours, name)) found.push(tell('new filter', name, '', queryWords(other)));
  }
  return found;
}

function queryWords(field: QueryField): string {
  return [field.many ? 'several values' : 'one value', field.type, field.enum?.join(' | ')].filter(Boolean).join(', ');
}

function bodyDifferences(ours: Body | undefined, theirs: Body | undefined, tell: Tell): Difference[] {
  const mine = flatten(ours?.fields ?? {});
  const other = flatten(theirs?.fields ?? {});
  const found: Difference[] = [];
  for (const [path, field] of mine) {
    const their = other.get(path);
    if (!their) {
      // Below an object that one of the two leaves open, nothing is known to be missing.
      if (theirs && !underOpen(path, other)) found.push(tell('missing field', path, fieldWords(field), ''));
      continue;
    }
    const [before, after] = [fieldWords(field, their), fieldWords(their, field)];
    if (before !== after) found.push(tell('changed field', path, before, after));
  }
  for (const [path, field] of other) {
    if (!mine.has(path) && !underOpen(path, mine)) found.push(tell('new field', path, '', fieldWords(field)));
  }
  return found;
}

function flatten(fields: Readonly<Record<string, Field>>, below = ''): Map<string, Field> {
  const flat = new Map<string, Field>();
  for (const [name, field] of Object.entries(fields)) {
    if (below === '' && name === 'idempotency_key') continue;
    let at = `${below}${name}`;
    flat.set(at, field);
    let inner = field;
    while (inner.type === 'array' && inner.items) {
      inner = inner.items;
      at += '[]';
    }
    for (const [path, deep] of flatten(inner.fields ?? {}, `${at}.`)) flat.set(path, deep);
  }
  return flat;
}

/** True when the nearest known parent of a path names no fields of its own. */
function underOpen(path: string, fields: ReadonlyMap<string, Field>): boolean {
  for (let at = path.lastIndexOf('.'); at > 0; at = path.lastIndexOf('.', at - 1)) {
    let parent = fields.get(path.slice(0, at).replace(/(\[\])+$/, ''));
    while (parent?.type === 'array' && parent.items) parent = parent.items;
    if (parent) return parent.type === 'any' || Object.keys(parent.fields ?? {}).length === 0;
  }
  return false;
}

/** What is said of a field; facts that only one of two sides knows are left out when `other` is given. */
function fieldWords(field: Field, other?: Field): string {
  const both = (name: 'min' | 'max' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems'): string[] =>
    field[name] !== undefined && (!other || other[name] !== undefined) ? [`${name} ${field[name]}`] : [];
  const anyType = other && (field.type === 'any' || other.type === 'any');
  const allowed = field.enum && (!other || other.enum) ? [...field.enum].sort().join(' | ') : undefined;
  return [
    anyType ? '' : field.type,
    field.required ? 'required' : '',
    allowed ?? '',
    ...both('min'),
    ...both('max'),
    ...both('minLength'),
    ...both('maxLength'),
    ...both('minItems'),
    ...both('maxItems'),
  ]
    .filter((text) => text !== '')
    .join(', ');
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value) => other.includes(value));
}

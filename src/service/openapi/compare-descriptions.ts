import type { Body, Family, Field, Operation, QueryField } from '../../catalogue/types.js';
import { type DescribedOperation, pathWithoutNames } from './types.js';

/** One difference between a description and the catalogue. */
export interface Difference {
  readonly difference: string;
  /** Command words, or the operation id of an operation that the catalogue lacks. */
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

/** All differences between the catalogue and a description, in catalogue order, new operations last. */
export function compareDescriptions(
  families: readonly Family[],
  described: readonly DescribedOperation[],
): Difference[] {
  const keyOf = (one: { method: string; path: string }): string => `${one.method} ${pathWithoutNames(one.path)}`;
  const theirs = new Map(described.map((one) => [keyOf(one), one]));
  const found: Difference[] = [];
  const seen = new Set<string>();
  for (const family of families) {
    for (const operation of family.operations) {
      const key = keyOf(operation);
      seen.add(key);
      const other = theirs.get(key);
      const tell = teller(`${family.name.replaceAll('_', '-')} ${operation.action}`, operation);
      found.push(...(other ? differences(operation, other, tell) : [tell('missing operation', '', 'known', '')]));
    }
  }
  for (const [key, other] of theirs)
    if (!seen.has(key)) found.push(teller(other.operationId, other)('new operation', '', '', other.summary));
  return found;
}

type Tell = (difference: string, field: string, cops: string, service: string) => Difference;

function teller(operation: string, { method, path }: { method: string; path: string }): Tell {
  return (difference, field, cops, service) => ({ difference, operation, method, path, field, cops, service });
}

function differences(operation: Operation, other: DescribedOperation, tell: Tell): Difference[] {
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
  for (const [name, other] of Object.entries(theirs))
    if (!Object.hasOwn(ours, name)) found.push(tell('new filter', name, '', queryWords(other)));
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
      // Below an object that either side leaves open, nothing is certain to be missing.
      if (theirs && !underOpen(path, other)) found.push(tell('missing field', path, fieldWords(field), ''));
      continue;
    }
    const [before, after] = [fieldWords(field, their), fieldWords(their, field)];
    if (before !== after) found.push(tell('changed field', path, before, after));
  }
  for (const [path, field] of other)
    if (!mine.has(path) && !underOpen(path, mine)) found.push(tell('new field', path, '', fieldWords(field)));
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

/** True when the nearest known parent of a path lists no fields. */
function underOpen(path: string, fields: ReadonlyMap<string, Field>): boolean {
  for (let at = path.lastIndexOf('.'); at > 0; at = path.lastIndexOf('.', at - 1)) {
    let parent = fields.get(path.slice(0, at).replace(/(\[\])+$/, ''));
    while (parent?.type === 'array' && parent.items) parent = parent.items;
    if (parent) return parent.type === 'any' || Object.keys(parent.fields ?? {}).length === 0;
  }
  return false;
}

const BOUNDS = ['min', 'max', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const;

/** A description of a field; with `other`, without facts that only one side knows. */
function fieldWords(field: Field, other?: Field): string {
  const bounds = BOUNDS.filter((name) => field[name] !== undefined && (!other || other[name] !== undefined));
  const anyType = other && (field.type === 'any' || other.type === 'any');
  const allowed = field.enum && (!other || other.enum) ? [...field.enum].sort().join(' | ') : undefined;
  return [
    anyType ? '' : field.type,
    field.required ? 'required' : '',
    allowed ?? '',
    ...bounds.map((name) => `${name} ${field[name]}`),
  ]
    .filter((text) => text !== '')
    .join(', ');
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value) => other.includes(value));
}

import { optionName } from '../../catalogue/index.js';
import { RESERVED_OPTIONS } from '../../catalogue/option-names.js';
import type { Column, Family, Operation } from '../../catalogue/types.js';
import type { DescribedOperation } from './types.js';

const USUAL: readonly Column[] = [
  { path: 'id' },
  { path: 'status', as: 'status' },
  { path: 'name' },
  { path: 'created_date_unix', title: 'created', as: 'time' },
];

/** The family of a described operation: the first word of its path; undefined if that cannot be a command. */
export function familyOf(described: DescribedOperation): string | undefined {
  const word = described.path.split('/')[1] ?? '';
  return /^[a-z][a-z0-9_]*$/.test(word) ? word : undefined;
}

/** The action that the path rule gives an operation (command-line.md#grammar). */
export function actionOf(described: DescribedOperation): string {
  const [, ...parts] = described.path.split('/').filter((part) => part !== '');
  const words = parts.filter((part) => !part.startsWith('{')).map((part) => part.replaceAll('_', '-'));
  const endsInId = parts.at(-1)?.startsWith('{') === true;
  const reads = described.method === 'GET';
  if (endsInId) words.push(reads ? 'get' : 'edit');
  else if (reads && (described.list || described.paged || described.dates) && words.at(-1) !== 'search')
    words.push('list');
  else if (words.length === 0) words.push(reads ? 'get' : 'create');
  return words.join(' ');
}

/** Whether every word can be typed on a command line. */
function usable(action: string): boolean {
  return /^[a-z0-9][a-z0-9-]*( [a-z0-9][a-z0-9-]*)*$/.test(action);
}

/**
 * The operations of a family that only the description knows, ready to run. Where the catalogue already uses the action
 * for another path, the operation id names it instead.
 */
export function unknownOperations(
  name: string,
  described: readonly DescribedOperation[],
  known: readonly Operation[],
): Operation[] {
  const taken = new Set(known.map((operation) => operation.action));
  const made: Operation[] = [];
  for (const one of described) {
    if (familyOf(one) !== name) continue;
    const byId = one.operationId
      .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
      .replace(/[^A-Za-z0-9]+/g, '-')
      .toLowerCase();
    const action = [actionOf(one), byId].find((candidate) => usable(candidate) && !taken.has(candidate));
    if (action === undefined) continue;
    taken.add(action);
    made.push(operation(name, action, one));
  }
  return made;
}

function operation(family: string, action: string, described: DescribedOperation): Operation {
  const query = Object.fromEntries(
    Object.entries(described.query).filter(([name]) => !RESERVED_OPTIONS.has(optionName(name))),
  );
  const places = [...described.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const keys = places.filter((name) => !/_?id$/.test(name));
  const positional = Object.values(query).some((field) => field.positional);
  const ids = places.map((name) => name.toUpperCase());
  const style = positional ? 'search' : described.dates ? 'windowed' : described.paged ? 'paged' : 'single';
  const isList = described.method === 'GET' && (positional || described.dates || described.paged || described.list);
  return {
    action,
    method: described.method,
    path: described.path,
    operationId: described.operationId,
    summary: described.summary || `${described.method} ${described.path}`,
    risk: described.method === 'GET' ? 'read' : 'irreversible',
    params: keys.length > 0 ? Object.fromEntries(keys.map((name) => [name, 'key' as const])) : undefined,
    list: isList ? { style, spanDays: style === 'windowed' ? 90 : undefined } : undefined,
    query: Object.keys(query).length > 0 ? query : undefined,
    body: described.body,
    rules: [
      'Only the pulled description has this operation: its effects are unverified.',
      ...(described.method === 'POST' ? ['It is guarded like an irreversible operation.'] : []),
    ],
    example: [family.replaceAll('_', '-'), action, ...ids, ...(positional ? ['TERM'] : [])].join(' '),
    evidence: 'published',
  };
}

/**
 * A family extended by the operations that only the description knows; a new one where the catalogue has no such
 * family.
 */
export function withUnknown(
  name: string,
  family: Family | undefined,
  described: readonly DescribedOperation[],
): Family | undefined {
  const extra = unknownOperations(name, described, family?.operations ?? []);
  if (extra.length === 0) return undefined;
  if (family) return { ...family, operations: [...family.operations, ...extra] };
  const list = described.find((one) => familyOf(one) === name && one.list);
  const columns = USUAL.filter((column) => column.path === 'id' || !list || list.answer.includes(column.path));
  return {
    name,
    summary: 'Known only from the pulled description.',
    columns,
    idField: 'id',
    nature: 'event',
    keys: [],
    operations: extra,
  };
}

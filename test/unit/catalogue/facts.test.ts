import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { FAMILY_INDEX, loadFamily } from '../../../src/catalogue/index.js';
import type { Family, Field, Operation } from '../../../src/catalogue/types.js';
import { ADDED_FIELDS, ADDED_QUERY, ADDED_REQUIRED, BODY_CHANGED } from './additions.js';

/*
 * The catalogue against facts that were gathered from the descriptions of the service, not from the catalogue.
 * Both ways: nothing is missing, and nothing is extra but what `additions.ts` names with its source.
 */

interface FieldFacts {
  type?: string;
  nullable?: boolean;
  required?: boolean;
  enum?: string[];
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  format?: string;
  default?: unknown;
}
interface OperationFacts {
  family: string;
  action: string;
  method: string;
  path: string;
  operationId?: string;
  query?: Record<string, { required?: boolean; many?: boolean; enum?: string[]; length?: number }>;
  body?: { closed: boolean; complete: boolean; fields: Record<string, FieldFacts> };
  answerId?: string;
  spanDays?: number;
  seen: boolean;
}

const facts: { operations: OperationFacts[]; specPaths: string[] } = JSON.parse(
  await readFile(new URL('../../fixtures/service-facts.json', import.meta.url), 'utf8'),
);
const families = new Map<string, Family>();
beforeAll(async () => {
  for (const { name } of FAMILY_INDEX) families.set(name, await loadFamily(name));
});

const nameOf = (family: string, action: string): string => `${family} ${action}`;
const find = ({ family, action }: OperationFacts): Operation => {
  const operation = families.get(family)?.operations.find((candidate) => candidate.action === action);
  if (operation === undefined) throw new Error(`the catalogue lacks ${nameOf(family, action)}`);
  return operation;
};

/** Every field of a body by its path: `rates[].qualifiers.products[].id`. */
function flatten(
  fields: Readonly<Record<string, Field>>,
  at = '',
  into = new Map<string, Field>(),
): Map<string, Field> {
  for (const [name, field] of Object.entries(fields)) put(field, at === '' ? name : `${at}.${name}`, into);
  return into;
}
function put(field: Field, path: string, into: Map<string, Field>): void {
  into.set(path, field);
  if (field.fields !== undefined) flatten(field.fields, path, into);
  if (field.items !== undefined) put(field.items, `${path}[]`, into);
}

const LENGTHS: Readonly<Record<string, number>> = { id: 20, currency: 3 };
const listed = (additions: Readonly<Record<string, readonly string[]>>, key: string): readonly string[] =>
  additions[key] ?? [];
const covers = (patterns: readonly string[], path: string): boolean =>
  patterns.some((pattern) => path === pattern || path.startsWith(`${pattern}.`) || path.startsWith(`${pattern}[`));

describe('the catalogue and the facts of the service', () => {
  // A family that the facts do not have yet is new: it is checked by the build, and needs no second entry here.
  const seen = new Set(facts.operations.map(({ path }) => path.split('/')[1] ?? ''));
  const known = () => [...families.values()].filter(({ name }) => seen.has(name));

  test('describe the same operations', () => {
    const ours = known().flatMap((family) =>
      family.operations.map(
        (operation) => `${operation.method} ${operation.path} ${nameOf(family.name, operation.action)}`,
      ),
    );
    const theirs = facts.operations.map((fact) => `${fact.method} ${fact.path} ${nameOf(fact.family, fact.action)}`);
    expect(ours.toSorted()).toEqual(theirs.toSorted());
  });

  test('every path of the path catalogue (service.md#paths) is there, and only published ones beside', () => {
    const ours = new Set(
      known().flatMap((family) => family.operations.map(({ path }) => path.replace(/\{\w+\}/g, '{}'))),
    );
    expect(facts.specPaths.filter((path) => !ours.has(path))).toEqual([]);
    const beside = [...ours].filter((path) => !facts.specPaths.includes(path)).toSorted();
    expect(beside).toEqual([
      '/customer_cards',
      '/customer_cards/search',
      '/customer_cards/{}',
      '/customer_cards/{}/delete',
      '/customer_cards/{}/disable',
      '/customer_cards/{}/enable',
      '/customer_cards/{}/set_default',
      '/customers/{}/add_card',
    ]);
  });

  for (const fact of facts.operations) {
    const name = nameOf(fact.family, fact.action);

    test(`${name}: identity`, () => {
      const operation = find(fact);
      expect(operation.operationId).toBe(fact.operationId ?? '');
      expect(operation.answerId).toBe(fact.answerId);
      if (fact.seen) expect(operation.evidence).not.toBe('convention');
      else if (fact.family !== 'customer_cards') expect(operation.evidence).not.toBe('published');
    });

    test(`${name}: query and list`, () => {
      const operation = find(fact);
      const { date_start, limit, date_end, page, ...query } = fact.query ?? {};
      expect(Boolean(date_start)).toBe(Boolean(date_end));
      expect(Boolean(limit)).toBe(Boolean(page));
      const isList = /(^| )list$/.test(fact.action);
      const style = fact.action.endsWith('search')
        ? 'search'
        : date_start
          ? 'windowed'
          : limit
            ? 'paged'
            : isList
              ? 'single'
              : undefined;
      expect(operation.list?.style).toBe(style);
      expect(operation.list?.spanDays).toBe(fact.spanDays);

      const extra = listed(ADDED_QUERY, name);
      expect(Object.keys(operation.query ?? {}).toSorted()).toEqual([...Object.keys(query), ...extra].toSorted());
      for (const [parameter, wanted] of Object.entries(query)) {
        const ours = operation.query?.[parameter];
        expect(ours?.required, parameter).toBe(wanted.required);
        expect(ours?.many, parameter).toBe(wanted.many);
        expect(ours?.enum, parameter).toEqual(wanted.enum);
        if (wanted.length !== undefined) expect(LENGTHS[ours?.format ?? ''], parameter).toBe(wanted.length);
        if (parameter === 'metadata_filter') expect(ours?.metadata).toBe(true);
      }
    });

    test(`${name}: body`, () => {
      const { body } = find(fact);
      if (fact.body === undefined) {
        const changed = BODY_CHANGED[name];
        expect(body !== undefined).toBe(changed !== undefined);
        if (body !== undefined) expect(body).toEqual({ closed: false, complete: false, fields: {} });
        return;
      }
      if (body === undefined) throw new Error('the catalogue has no body');
      const { closed, complete } = { ...fact.body, ...BODY_CHANGED[name] };
      expect({ closed: body.closed, complete: body.complete }).toEqual({ closed, complete });

      const ours = flatten(body.fields);
      const extra = listed(ADDED_FIELDS, name);
      expect(
        Object.keys(fact.body.fields).filter((path) => !ours.has(path)),
        'missing',
      ).toEqual([]);
      expect(
        [...ours.keys()].filter((path) => fact.body?.fields[path] === undefined && !covers(extra, path)),
        'extra',
      ).toEqual([]);

      const required = listed(ADDED_REQUIRED, name);
      for (const [path, wanted] of Object.entries(fact.body.fields)) {
        const field = ours.get(path);
        if (wanted.type !== undefined && field?.type !== 'any') expect(field?.type, path).toBe(wanted.type);
        if (wanted.enum !== undefined || !covers(extra, path)) expect(field?.enum, path).toEqual(wanted.enum);
        expect(field?.required === true, `${path} required`).toBe(wanted.required === true || required.includes(path));
        if (wanted.nullable) expect(field?.nullable, path).toBe(true);
        if (wanted.default !== undefined) expect(field?.default, path).toBe(wanted.default);
        const known = LENGTHS[field?.format ?? ''];
        if (wanted.minLength !== undefined && !(wanted.minLength === 0 && field?.emptyOk)) {
          expect(field?.minLength ?? known, path).toBe(wanted.minLength);
        }
        if (wanted.maxLength !== undefined) expect(field?.maxLength ?? known, path).toBe(wanted.maxLength);
        if (wanted.minItems !== undefined) expect(field?.minItems, path).toBe(wanted.minItems);
        if (wanted.maxItems !== undefined) expect(field?.maxItems, path).toBe(wanted.maxItems);
        if (wanted.format !== undefined) expect(field?.format, path).toBe(wanted.format);
      }
    });
  }
});

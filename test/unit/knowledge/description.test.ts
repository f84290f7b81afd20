/** @module-tag thorough */
import { describe, expect, it } from 'vitest';
import type { Family, Operation } from '../../../src/catalogue/types.js';
import { compareDescriptions } from '../../../src/service/openapi/compare-descriptions.js';
import { settleDates } from '../../../src/service/openapi/description-files.js';
import { describedOperations, parseDescription } from '../../../src/service/openapi/document.js';
import { actionOf, withUnknown } from '../../../src/service/openapi/unknown.js';

const query = (...names: string[]) => names.map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
const PAGED = query('limit', 'page');
const DATED = query('date_start', 'date_end', 'limit', 'page');

function documentOf(paths: object, more: object = {}) {
  return parseDescription(JSON.stringify({ openapi: '3.1.0', info: {}, paths, ...more }), 'the test');
}

const body = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } });

describe('a description', () => {
  it.each([
    ['text', '<html>'],
    ['a list', '[]'],
    ['another version', '{"swagger":"2.0","paths":{"/a":{}}}'],
    ['no paths', '{"openapi":"3.1.0","paths":{}}'],
  ])('is refused when it is %s', (_, text) => {
    expect(() => parseDescription(text, 'X')).toThrow(/X is not an OpenAPI 3 description/);
  });

  it.each([
    ['allOf', (parts: object[]) => ({ allOf: parts })],
    ['properties', (parts: object[]) => ({ properties: Object.fromEntries(parts.map((part, n) => [`p${n}`, part])) })],
  ])(
    'ends soon where schemas name each other many times over in %s',
    (name, made) => {
      const parts = Array.from({ length: 30 }, () => ({ $ref: '#/components/schemas/Round' }));
      const document = documentOf(
        { '/things': { post: { operationId: 'CreateThing', ...body({ $ref: '#/components/schemas/Round' }) } } },
        { components: { schemas: { Round: { type: 'object', ...made(parts) } } } },
      );
      if (name === 'allOf') expect(describedOperations(document, 'wallet')).toHaveLength(1);
      else expect(() => describedOperations(document, 'wallet')).toThrow(/more than \d+ fields/);
    },
    10_000,
  );

  it('follows references, merges allOf and survives circles', () => {
    const [operation] = describedOperations(
      documentOf(
        { '/things': { post: { operationId: 'CreateThing', ...body({ $ref: '#/components/schemas/Thing' }) } } },
        {
          components: {
            schemas: {
              Base: { type: 'object', properties: { id: { type: 'string', minLength: 20, maxLength: 20 } } },
              Thing: {
                allOf: [
                  { $ref: '#/components/schemas/Base' },
                  {
                    required: ['name'],
                    properties: {
                      name: { type: ['string', 'null'], maxLength: 9 },
                      idempotency_key: { type: 'string' },
                      part: { $ref: '#/components/schemas/Thing' },
                      loop: { $ref: '#/components/schemas/Loop' },
                    },
                  },
                ],
              },
              Loop: { $ref: '#/components/schemas/Loop' },
            },
          },
        },
      ),
      'wallet',
    );
    expect(Object.keys(operation?.body?.fields ?? {}).sort()).toEqual(['id', 'loop', 'name', 'part']);
    expect(operation?.body?.fields.id).toMatchObject({ type: 'string', format: 'id' });
    expect(operation?.body?.fields.name).toMatchObject({ required: true, nullable: true, maxLength: 9 });
  });

  it('puts listed identifiers into the words of the catalogue and leaves others', () => {
    const operations = describedOperations(
      documentOf({
        '/brandpay_accounts': { get: { parameters: query('brandpay_account_filter', 'brandpay_other') } },
        '/brandpay_news': { get: {} },
      }),
      'brandpay',
    );
    expect(operations.map((one) => one.path)).toEqual(['/wallet_accounts', '/brandpay_news']);
    expect(Object.keys(operations[0]?.query ?? {})).toEqual(['wallet_account_filter', 'brandpay_other']);
  });
});

const operation = (more: Partial<Operation>): Operation => ({
  action: 'list',
  method: 'GET',
  path: '/things',
  operationId: 'GetThings',
  summary: 'List things',
  risk: 'read',
  rules: [],
  example: 'things list',
  evidence: 'spec',
  ...more,
});
const family = (...operations: Operation[]): Family => ({
  name: 'things',
  summary: '',
  columns: [],
  idField: 'id',
  nature: 'event',
  keys: [],
  operations,
});

describe('the comparison', () => {
  const known = family(
    operation({ list: { style: 'windowed', spanDays: 90 }, query: { old_filter: { type: 'string', many: true } } }),
    operation({
      action: 'create',
      method: 'POST',
      body: {
        closed: true,
        complete: true,
        fields: { name: { type: 'string', maxLength: 50 }, gone: { type: 'string' } },
      },
    }),
    operation({ action: 'get', path: '/things/{thing_id}' }),
  );

  it('tells new, missing and changed operations, fields and filters, and dates', () => {
    const found = compareDescriptions(
      [known],
      describedOperations(
        documentOf({
          '/things': {
            get: { parameters: [...PAGED, ...query('new_filter')] },
            post: body({ properties: { name: { type: 'string', maxLength: 60 }, fresh: { type: 'integer' } } }),
          },
          '/things/{id}/polish': { post: { operationId: 'PolishThing' } },
        }),
        'wallet',
      ),
    );
    expect(found.map((one) => [one.difference, one.operation, one.field])).toEqual([
      ['dates', 'things list', ''],
      ['missing filter', 'things list', 'old_filter'],
      ['new filter', 'things list', 'new_filter'],
      ['changed field', 'things create', 'name'],
      ['missing field', 'things create', 'gone'],
      ['new field', 'things create', 'fresh'],
      ['missing operation', 'things get', ''],
      ['new operation', 'PolishThing', ''],
    ]);
    expect(found[3]).toMatchObject({ cops: 'string, maxLength 50', service: 'string, maxLength 60' });
  });

  it('finds nothing where names of placeholders are all that differs', () => {
    const same = compareDescriptions(
      [family(operation({ action: 'get', path: '/things/{thing_id}' }))],
      describedOperations(documentOf({ '/things/{id}': { get: {} } }), 'wallet'),
    );
    expect(same).toEqual([]);
  });
});

describe('dates', () => {
  const facts = (dates: Record<string, boolean>) => ({
    format: 1 as const,
    base_url: '',
    pulled_unix: 0,
    dates,
    unknown: [],
  });

  it('are settled both ways, and left where the description is silent', () => {
    const windowed = operation({ list: { style: 'windowed', spanDays: 7, datesUnproven: true } });
    const paged = operation({ list: { style: 'paged' } });
    expect(settleDates(windowed, facts({ '/things': false })).list).toEqual({ style: 'paged' });
    expect(settleDates(windowed, facts({ '/things': true })).list).toEqual({ style: 'windowed', spanDays: 7 });
    expect(settleDates(paged, facts({ '/things': true })).list).toEqual({ style: 'windowed', spanDays: 90 });
    expect(settleDates(windowed, facts({}))).toBe(windowed);
  });
});

describe('operations that only the description knows', () => {
  const described = (path: string, method: 'get' | 'post', more: object = {}) =>
    describedOperations(documentOf({ [path]: { [method]: more } }), 'wallet')[0];

  it.each([
    ['/things', 'get', { parameters: DATED }, 'list'],
    ['/things', 'post', {}, 'create'],
    ['/things/{thing_id}', 'get', {}, 'get'],
    ['/things/{thing_id}', 'post', {}, 'edit'],
    ['/things/{thing_id}/mark_as_new', 'post', {}, 'mark-as-new'],
    ['/things/search', 'get', { parameters: query('search_term') }, 'search'],
    ['/things/{thing_id}/parts', 'get', { parameters: PAGED }, 'parts list'],
    ['/things/{thing_id}/parts/{part_id}', 'get', {}, 'parts get'],
  ] as const)('%s (%s) is called by the path rule', (path, method, more, action) => {
    const one = described(path, method, more);
    expect(one && actionOf(one)).toBe(action);
  });

  it('list by windows of 90 days where they take dates', () => {
    const dated = described('/things', 'get', { parameters: DATED });
    const whole = withUnknown('things', family(operation({ action: 'get', list: undefined })), dated ? [dated] : []);
    expect(whole?.operations.flatMap(({ list }) => list?.spanDays ?? [])).toEqual([90]);
  });

  it('never take the name of a known action, and are guarded like what cannot be undone', () => {
    const other = described('/things/{thing_id}/list', 'post', { operationId: 'ListThingNow' });
    const whole = withUnknown('things', family(operation({})), other ? [other] : []);
    expect(whole?.operations.map((one) => [one.action, one.risk])).toEqual([
      ['list', 'read'],
      ['list-thing-now', 'irreversible'],
    ]);
  });

  it('leave out parameters whose option would mean something else', () => {
    const one = described('/things', 'get', { parameters: [...PAGED, ...query('output', 'shape')] });
    expect(Object.keys(withUnknown('things', undefined, one ? [one] : [])?.operations[0]?.query ?? {})).toEqual([
      'shape',
    ]);
  });
});

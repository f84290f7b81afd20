/** @module-tag thorough */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { READINGS } from '../../../src/sandbox/rules/readings.js';
import { describeSandbox } from '../../../src/sandbox/serve/description.js';
import { itemName } from '../../../src/sandbox/serve/description-items.js';
import { resetStore } from '../../../src/sandbox/serve/index.js';
import { KINDS_OF_ITEMS, modeOf } from '../../../src/sandbox/store/kinds.js';

/* The published description (service.md#conventions) as a reader of OpenAPI 3.1 takes it. */

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
type Json = any;
const description: Json = JSON.parse(await describeSandbox());
const operations = Object.entries<Json>(description.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, operation })),
);
const bodyOf = (path: string): Json => description.paths[path].post.requestBody.content['application/json'].schema;

/** Whether a value is of a schema's type; a schema without takes any. */
function fits({ type }: Json, content: unknown): boolean {
  if (type === undefined) return true;
  const is = Array.isArray(content) ? 'array' : content === null ? 'null' : typeof content;
  return [type].flat().some((one) => one === is || (one === 'integer' && Number.isInteger(content)));
}

/** Their bodies name an item that is looked up as a path's is. */
const NAMING = new Set([
  ...['/ai_memos', '/chargebacks', '/documents', '/metadata', '/notes', '/smtp_messages'],
  '/user_third_party_integrations',
]);

describe('openapi.json', () => {
  it('is valid by the schema of OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(description));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  it('names every field that an item of any family shows, with its type', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'description-'));
    const opened = await resetStore({ dataDir, now: Date.now, seed: 3, renewals: 200 });
    const faults = new Set<string>();
    for (const family of KINDS_OF_ITEMS) {
      const { properties } = description.components.schemas[itemName(family)];
      for (const { value } of opened.store.scan(family, modeOf(family, false)))
        for (const [name, content] of Object.entries(value)) {
          if (!(name in properties)) faults.add(`${family}.${name} is not named`);
          else if (!fits(properties[name], content)) faults.add(`${family}.${name} is ${JSON.stringify(content)}`);
        }
    }
    opened.database.close();
    rmSync(dataDir, { recursive: true, force: true });
    expect([...faults]).toEqual([]);
  });

  it('tells what each operation answers, also when it fails', () => {
    for (const { path, operation } of operations) {
      expect(Object.keys(operation.responses), path).toEqual(
        expect.arrayContaining(['200', '400', '401', '429', '500']),
      );
      expect('404' in operation.responses, path).toBe(
        path.includes('{') || (NAMING.has(path) && 'requestBody' in operation),
      );
    }
    const list = description.paths['/sales'].get.responses['200'].content['application/json'].schema;
    expect(JSON.stringify(list)).toContain('"#/components/schemas/sale_item"');
    expect(description.paths['/sales'].post.responses).toHaveProperty('402');
  });

  it('marks what is our own reading, by names that are listed', () => {
    const listed = new Set(READINGS.map(({ id }) => id));
    expect(description['x-readings']).toEqual(READINGS);
    const text = JSON.stringify(description);
    const marks = [...text.matchAll(/"x-reading":"([^"]+)"/g)].map(([, id]) => id as string);
    for (const id of marks) expect(listed).toContain(id);
    expect(new Set(marks)).toEqual(new Set(['assumed-fields', 'item-fields', 'not-writable', 'order-names']));
    for (const { operation } of operations)
      for (const id of operation['x-readings'] ?? []) expect(listed).toContain(id);
    expect(bodyOf('/sales').properties.products).toMatchObject({ 'x-reading': 'order-names', type: 'array' });
    expect(description.paths['/customers/search'].get['x-readings']).toContain('search-words');
  });

  it('gives each field that a write takes a type, whoever says that it is taken', () => {
    const edit = bodyOf('/products/{product_id}').properties;
    expect(edit.is_bundle_product).toMatchObject({ type: 'boolean' });
    expect(edit.bundle_settings.properties.unbundle_method.enum).toContain('unbundle_at_sale');
    expect(bodyOf('/shipping/{shipping_id}').properties.status.enum).toHaveLength(5);
    const pair = bodyOf('/chargebacks').properties.metadata.items;
    expect(pair.properties).toMatchObject({ name: { maxLength: 100 }, value: { maxLength: 255 } });
    expect(bodyOf('/sales').properties.ship_to.properties.country).toMatchObject({ pattern: '^[A-Z]{3}$' });
    // A date that is a time or a text has no one type.
    const untyped = operations
      .filter(({ method }) => method === 'post')
      .flatMap(({ path }) => Object.entries<Json>(bodyOf(path).properties).map((entry) => [path, ...entry] as const))
      .filter(([, , { type, anyOf }]) => type === undefined && anyOf === undefined);
    expect(untyped.map(([path, name]) => `${path} ${name}`)).toEqual([
      '/coupons start_date',
      '/coupons end_date',
      '/coupons/{coupon_id} start_date',
      '/coupons/{coupon_id} end_date',
    ]);
  });

  it('has each of the 315 operations once, by GET and POST alone, each with an id of its own', () => {
    expect(operations).toHaveLength(315);
    expect(new Set(operations.map(({ method }) => method))).toEqual(new Set(['get', 'post']));
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(315);
  });

  it('declares every placeholder of a path, and nothing twice', () => {
    for (const { path, operation } of operations) {
      const inPath = operation.parameters.filter((one: Json) => one.in === 'path');
      expect(inPath.map((one: Json) => one.name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      for (const one of inPath) expect(one.required).toBe(true);
      const names = operation.parameters.map((one: Json) => `${one.in} ${one.name}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('has no two paths of one shape', () => {
    const shapes = Object.keys(description.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  it('refers only to what it holds, and gives no body to a GET', () => {
    for (const [, name] of JSON.stringify(description).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(description.components.schemas).toHaveProperty(name as string);
    for (const { method, operation } of operations) expect('requestBody' in operation).toBe(method === 'post');
  });

  it('lets a text be empty where that takes the value away (service.md#assistants, service.md#subscription-profiles)', () => {
    const event = bodyOf('/ai_assistants').properties.settings.properties.trigger_settings.properties.account_event;
    expect(event.properties.filter_function).toMatchObject({ type: 'string', maxLength: 20 });
    expect(event.properties.filter_function).not.toHaveProperty('minLength');
    expect(bodyOf('/subscription_profiles/{subscription_profile_id}').properties.shipping_profile).toMatchObject({
      type: ['string', 'null'],
    });
  });

  it('takes an idempotency_key everywhere, of 11 characters at least for assistants (service.md#idempotency)', () => {
    const lengths = operations
      .filter(({ method }) => method === 'post')
      .map(({ path }) => [path, bodyOf(path).properties.idempotency_key]);
    for (const [path, key] of lengths)
      expect(key, path).toEqual({
        type: 'string',
        minLength: path.startsWith('/ai_assistants') ? 11 : 10,
        maxLength: 255,
      });
  });
});

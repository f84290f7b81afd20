import { describe, expect, it } from 'vitest';
import { describeSandbox } from '../../../src/sandbox/description.js';

/* The published description (spec sections 1 and 9) as a reader of OpenAPI 3.1 takes it. */

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
type Json = any;
const description: Json = JSON.parse(await describeSandbox());
const operations = Object.entries<Json>(description.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, operation })),
);
const bodyOf = (path: string): Json => description.paths[path].post.requestBody.content['application/json'].schema;

describe('openapi.json', () => {
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

  it('lets a text be empty where that takes the value away (spec 2.10, 4.7)', () => {
    const event = bodyOf('/ai_assistants').properties.settings.properties.trigger_settings.properties.account_event;
    expect(event.properties.filter_function).toMatchObject({ type: 'string', maxLength: 20 });
    expect(event.properties.filter_function).not.toHaveProperty('minLength');
    expect(bodyOf('/subscription_profiles/{subscription_profile_id}').properties.shipping_profile).toMatchObject({
      type: ['string', 'null'],
    });
  });

  it('takes an idempotency_key everywhere, of 11 characters at least for assistants (spec 7.4)', () => {
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

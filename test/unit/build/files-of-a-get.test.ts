/** @module-tag thorough */
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHouse } from '../../../scripts/house.mjs';
import { id, ok, startService } from '../../fixtures/service/service.js';
import { homeFor } from '../../harness/home.js';

/** Files whose code a line may run at most, so that one can follow it. */
const MOST = { 'first get': 38, get: 35, write: 91, 'plain write': 79 };

const service = await startService({ handler: () => ok({ id: id('C'), live_mode: false, email: 'jo@example.com' }) });
const home = homeFor(service.baseUrl);
let house: Awaited<ReturnType<typeof openHouse>>;

beforeAll(async () => {
  house = await openHouse(path.resolve(import.meta.dirname, '../../..'));
});
afterAll(async () => {
  await house.remove();
  await service.close();
  home.remove();
});

it.each([
  // The first answer with a key also keeps which mode the key is of.
  ['first get', ['customers', 'get', id('C')]],
  ['get', ['customers', 'get', id('C')]],
  // An option that stands for a field below another is led to it first.
  ['write', ['customers', 'edit', id('C'), '--email', 'jo@example.com']],
  ['plain write', ['customers', 'edit', id('C'), '-d', 'customer.email=jo@example.com']],
] as const)('can be followed: a %s over the network runs code of few files', async (kind, words) => {
  const { stdout, files } = await house.run(words, home.env);
  expect(stdout).toContain('jo@example.com');
  expect(files).toContain('service/http/client.ts');
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(MOST[kind]);
});

import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { FAMILY_INDEX, loadFamily } from '../../../src/catalogue/index.js';

/* Every POST with its risk and the reason, reviewed by hand: an operation that moves money asks before it runs. */
const reviewed: { method: string; path: string; risk: string; reason: string }[] = JSON.parse(
  await readFile(new URL('../../fixtures/risks.json', import.meta.url), 'utf8'),
);
const facts: { operations: { method: string; path: string }[] } = JSON.parse(
  await readFile(new URL('../../fixtures/service-facts.json', import.meta.url), 'utf8'),
);
const operations = (await Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)))).flatMap(
  (family) => family.operations,
);

describe('risks', () => {
  test('the review covers each POST that was seen once', () => {
    const posts = facts.operations.filter(({ method }) => method === 'POST').map(({ path }) => path);
    expect(posts).not.toEqual([]);
    expect(reviewed.map(({ path }) => path).toSorted()).toEqual(posts.toSorted());
  });

  test('each has its reason', () => {
    for (const { path, reason } of reviewed) expect(reason, path).toMatch(/^[A-Z].{15,}\.$/);
  });

  test.each(reviewed)('$path is $risk', ({ method, path, risk }) => {
    const operation = operations.find((candidate) => candidate.method === method && candidate.path === path);
    expect(operation?.risk).toBe(risk);
  });

  test('every GET reads', () => {
    expect(operations.filter(({ method, risk }) => method === 'GET' && risk !== 'read')).toEqual([]);
  });
});

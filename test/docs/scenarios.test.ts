/** @module-tag thorough */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCENARIO_FORMAT } from '../../src/items/checks/scenario-shape.js';
import { Home } from '../harness/home.js';
import { ROOT } from '../harness/in-process.js';

const PAGE = readFileSync(path.join(ROOT, 'docs', 'scenarios.md'), 'utf8');
const EXAMPLES = [...PAGE.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text = '']) => text);

let home: Home;
beforeAll(() => {
  home = new Home();
});
afterAll(() => home.remove());

/** The names of all members that a schema knows, at any depth. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...rest } = schema as { properties?: Record<string, unknown> };
  return [...Object.keys(properties), ...[...Object.values(properties), ...Object.values(rest)].flatMap(keysOf)];
}

describe('docs/scenarios.md', () => {
  it.each(EXAMPLES.map((text, at) => [at + 1, text]))('has an example that holds: %i', async (at, text) => {
    const file = path.join(home.folder, `example-${at}.test.yaml`);
    writeFileSync(file, String(text));
    const ran = await home.run(['test', file, '-o', 'json']);
    const ends = JSON.parse(ran.stdout || '[]') as { status: string }[];
    expect({ failed: ends.filter(({ status }) => status !== 'passed'), code: ran.code }).toEqual({
      failed: [],
      code: 0,
    });
  });

  it('names every key of the form', () => {
    const missing = [...new Set(keysOf(SCENARIO_FORMAT.schema()))].filter(
      (key) => !new RegExp(`\\b${key}\\b`).test(PAGE),
    );
    expect(missing).toEqual([]);
  });
});

/** The lines of the page that lead from a pull request to the live account, on the sandbox. */
const STORY = PAGE.slice(PAGE.indexOf('## From a pull request'))
  .split('\n')
  .filter((line) => line.startsWith('    cops '))
  .map((line) => line.trim().slice('cops '.length).replace('-p shop', '-p sandbox').split(' '));

describe('from a pull request to the live account', () => {
  const cwd = () => path.join(home.folder, 'work');
  const line = (words: readonly string[]) => home.run([...words, '--yes'], { cwd: cwd(), timeoutMs: 120_000 });

  it('goes by the lines of the page, and a fault of the set-up ends it', async () => {
    mkdirSync(path.join(cwd(), 'shop', 'tests'), { recursive: true });
    writeFileSync(path.join(cwd(), 'shop', 'tests', 'price.test.yaml'), PRICE);
    const [pull = [], check = [], test = [], plan = [], apply = []] = STORY;
    expect(await line(pull)).toMatchObject({ code: 0 });
    expect(await line(check)).toMatchObject({ code: 0 });
    const file = path.join(cwd(), 'shop', 'products', 'coffee-club.yaml');
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, good.replace('19.95', '199.50'));
    expect(await line(check)).toMatchObject({ code: 0 });
    expect(await line(test)).toMatchObject({ code: 13 });
    writeFileSync(file, good);
    const state = readFileSync(path.join(cwd(), 'shop', 'cops.setup.yaml'), 'utf8');
    expect(await line(test)).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(cwd(), 'shop', 'cops.setup.yaml'), 'utf8')).toBe(state);
    // A difference is what a plan is for.
    expect([0, 13]).toContain((await line(plan)).code);
    expect([0, 10]).toContain((await line(apply)).code);
  }, 300_000);
});

const PRICE = `version: 1
name: The club costs what it should
steps:
  - run: [products, list, --where, 'name=Coffee Club']
    as: club
  - advance: 1y
expect:
  - item: products \${club[0].id}
    where: [price=19.95]
`;

/** @module-tag thorough */
/**
 * The words that the service does not have, by running them: help with three examples that work, what Tab offers, the
 * shape of their JSON, and their golden screens.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { candidatesAt } from '../../src/cli/completion/complete-engine.js';
import type { Facts } from '../../src/cli/completion/complete-options.js';
import { Home } from '../cli/program.js';
import { WORDS } from '../cli/words/own-words.js';
import { StandingClock } from '../harness/clock.js';
import { laySandbox } from '../harness/seeded.js';
import { golden } from './file.js';

const home = new Home({ COPS_PROFILE: 'sandbox', NO_COLOR: '1' });
const fixed = { clock: new StandingClock(), random: () => 0.5 };
const run = (words: readonly string[]) => home.run(words, fixed);
/** What stands for the placeholders of lines, and for who and what the examples name. */
const found: Record<string, string> = {};

interface Subscription {
  readonly id: string;
  readonly customer: { readonly id: string; readonly email: string; readonly internal_id: string };
}

beforeAll(async () => {
  await laySandbox(home.env.COPS_DATA_DIR ?? '', fixed.clock.now());
  const listed = await run(['subscriptions', 'list', '--where', 'status=active', '-o', 'json', '-q']);
  const active = JSON.parse(listed.stdout) as Subscription[];
  const owned = (one: Subscription) => active.filter(({ customer }) => customer.id === one.customer.id).length;
  const { id, customer } = active.find((one) => owned(one) === 1) as Subscription;
  const products = await run(['products', 'list', '-o', 'ids', '-q']);
  Object.assign(found, { WHO: customer.email, CUSTOMER: customer.id, NUMBER: customer.internal_id, SUBSCRIPTION: id });
  found.PRODUCT = products.stdout.split('\n')[0] ?? '';
  const failing = [
    'transactions',
    'list',
    '--all-time',
    '--where',
    'result=declined',
    '-o',
    'json',
    '--limit',
    '1',
    '-q',
  ];
  const [failed] = JSON.parse((await run(failing)).stdout) as Subscription[];
  found.FAILED = failed?.customer.email ?? '';
  // What the lists of aliases and journals show.
  expect((await run(['alias', 'set', 'mine', 'sales list'])).code).toBe(0);
  const bulk = ['bulk', 'customers', 'enable', '--ids', '-', '--concurrency', '1'];
  expect((await home.run(bulk, { ...fixed, input: `${customer.id}\n` })).code).toBe(0);
});
afterAll(() => home.remove());

/** A line as a shell splits it, its placeholders filled in. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, a, b]) => a ?? b ?? '');
  return words.map((word) => found[word] ?? word);
}

/** An example with people and items of this sandbox in the place of those that it names. */
function here(line: string): string[] {
  const who = /^why /.test(line) ? 'FAILED' : 'WHO';
  return wordsOf(
    line
      .replace(/\S+@example\.com/, who)
      .replace(/\bC-\d+\b/, 'NUMBER')
      .replace(/\bxhb\w{17}\b/, 'SUBSCRIPTION')
      .replace(/\b7oU\w{17}\b/, 'PRODUCT'),
  );
}

const examplesIn = (help: string): string[] =>
  (help.split(/^Examples:\n/m)[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('  cops '))
    .map((line) => line.slice('  cops '.length));

const facts: Facts = {
  configuration: () => ({ profiles: ['sandbox'], aliases: {}, current: 'sandbox', of: () => ({}) }) as never,
  seen: () => [],
};
const offered = async (before: readonly string[], typed: string): Promise<string[]> =>
  (await candidatesAt(before, typed, facts)).candidates.map(({ value }) => value);

describe.each(WORDS)('$word', ({ word, typed, options, screen }) => {
  it('has help with usage and three examples that run', async () => {
    const help = await run([...word.split(' '), '--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(new RegExp(`^Usage: cops ${word.replace(/ list$/, '')}\\b`));
    expect(help.stdout).not.toMatch(/\.\.$/m);
    const examples = examplesIn(help.stdout).filter((line) => line.startsWith(word));
    expect(examples.length).toBeGreaterThanOrEqual(3);
    for (const line of examples) {
      const ran = await run([...here(line), ...(/^products copy/.test(line) ? ['--yes'] : [])]);
      expect(ran.code, `cops ${line}: ${ran.stderr}`).toBe(0);
    }
  });

  it('is offered by Tab, and so are its options', async () => {
    const parts = typed.split(' ');
    expect(await offered(parts.slice(0, -1), parts.at(-1) ?? '')).toContain(word.split(' ').at(-1));
    const begin = options[0]?.startsWith('--') ? '--' : '';
    expect(await offered(word.split(' '), begin)).toEqual(expect.arrayContaining([...options]));
  });

  it('has golden screens at 80 and 120 columns', () => {
    for (const columns of [80, 120])
      expect(existsSync(path.join(import.meta.dirname, 'screens', `${screen}-${columns}.txt`))).toBe(true);
  });
});

it('their JSON keeps its shape', async () => {
  const shapes: string[] = [];
  for (const { json } of WORDS) {
    const ran = await run([...wordsOf(json), '-o', 'json']);
    expect(ran.code, `${json}: ${ran.stderr}`).toBe(0);
    const kinds = [...shapeOf(JSON.parse(ran.stdout))].sort(([a], [b]) => (a < b ? -1 : 1));
    shapes.push(`$ cops ${json} -o json`, ...kinds.map(([at, kind]) => `${at}  ${[...kind].sort().join(' or ')}`), '');
  }
  const text = shapes.join('\n');
  expect(text).toBe(golden('words/shapes.txt', text));
});

/** What kinds of values stand at which paths. */
function shapeOf(value: unknown): Map<string, Set<string>> {
  const kinds = new Map<string, Set<string>>();
  const walk = (one: unknown, at: string): void => {
    const kind = Array.isArray(one) ? 'list' : one === null ? 'null' : typeof one === 'string' ? 'text' : typeof one;
    kinds.set(at, (kinds.get(at) ?? new Set()).add(kind));
    if (Array.isArray(one)) for (const part of one) walk(part, `${at}[]`);
    else if (one !== null && typeof one === 'object')
      for (const [name, part] of Object.entries(one)) walk(part, at === '.' ? `.${name}` : `${at}.${name}`);
  };
  walk(value, '.');
  return kinds;
}

describe('the pager', () => {
  it('is told of in help, with the settings that choose it', async () => {
    const { stdout } = await run(['help', 'output']);
    for (const said of ['COPS_PAGER', 'PAGER', 'cops config set pager', '--no-pager']) expect(stdout).toContain(said);
  });

  it('has an option that Tab offers, and a setting', async () => {
    expect(await offered(['customers', 'list'], '--no-p')).toContain('--no-pager');
    expect(await offered(['config', 'set'], 'pag')).toContain('pager');
  });
});

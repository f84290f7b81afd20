/** @module-tag thorough */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/new-family.mjs', import.meta.url));
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'family-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (...words: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [script, ...words, '--into', folder], (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });

test('a new family is one file, and what to do next is said', async () => {
  const made = await run('gift_cards', 'event');
  expect(made.code).toBe(0);
  expect(made.out).toContain('npm run generate');
  const text = await readFile(path.join(folder, 'gift_cards.ts'), 'utf8');
  expect(text).toContain("name: 'gift_cards'");
  expect(text).toContain("nature: 'event'");
  expect(text).toContain('gift-cards list --last 30d');
});

test('a file that is there already is left alone', async () => {
  await run('vouchers');
  const again = await run('vouchers', 'event');
  expect(again).toMatchObject({ code: 1 });
  expect(await readFile(path.join(folder, 'vouchers.ts'), 'utf8')).toContain("nature: 'set-up'");
});

test.each([[''], ['Gift_Cards'], ['../x'], ['gift__cards']])('%j is no name of a family', async (name) => {
  expect(await run(name)).toMatchObject({ code: 2 });
});

test('a nature that does not exist is refused', async () => {
  const refused = await run('gift_cards', 'thing');
  expect(refused.code).toBe(2);
  expect(refused.err).toContain('event, people, set-up');
});

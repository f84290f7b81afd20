/** @module-tag process */
/** Many processes that change the configuration at once wait their turn (command-line.md#keys-and-modes). */
import { expect, it } from 'vitest';
import { home } from '../helpers.js';

/** Fifty wait for one lock in `unit/files/lock`; here it is the program that does. */
const EDITS = process.env.COPS_LONG === '1' ? 50 : 16;

it(`${EDITS} edits at once all end with 0, and none is lost`, async () => {
  const at = home();
  const env = { K: 'key_of_the_tests_0001' };
  const first = await at.run(['profiles', 'add', 'acme', '--base-url', 'https://a.example', '--test-key', 'env:K'], {
    env,
  });
  expect(first.code, first.stderr).toBe(0);
  const all = await Promise.all(
    Array.from({ length: EDITS }, (_, n) =>
      at.spawn(['config', 'set', `alias.short${n}`, 'campaigns list'], { env, timeoutMs: 240_000 }),
    ),
  );
  expect(all.filter(({ code }) => code !== 0).map(({ code, stderr }) => `${code}: ${stderr}`)).toEqual([]);
  const kept = await at.run(['config', 'list', '-o', 'json']);
  expect(new Set(kept.stdout.match(/short\d+/g)).size).toBe(EDITS);
}, 300_000);

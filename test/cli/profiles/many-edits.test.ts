/** @module-tag process */
/** Many processes that change the configuration at once wait their turn (command line, section 3). */
import { expect, it } from 'vitest';
import { home } from '../helpers.js';

it('fifty edits at once all end with 0, and none is lost', async () => {
  const at = home();
  const env = { K: 'key_of_the_tests_0001' };
  const first = await at.run(['profiles', 'add', 'acme', '--base-url', 'https://a.example', '--test-key', 'env:K'], {
    env,
  });
  expect(first.code, first.stderr).toBe(0);
  const all = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      at.spawn(['config', 'set', `alias.short${n}`, 'campaigns list'], { env, timeoutMs: 240_000 }),
    ),
  );
  expect(all.filter(({ code }) => code !== 0).map(({ code, stderr }) => `${code}: ${stderr}`)).toEqual([]);
  const kept = await at.run(['config', 'list', '-o', 'json']);
  expect(new Set(kept.stdout.match(/short\d+/g)).size).toBe(50);
}, 300_000);

/**
 * Where the system does not say who can read the configuration, nobody is told that it is private.
 * @module-tag inside
 */
import { expect, it, vi } from 'vitest';
import { home as emptyHome } from '../helpers.js';

vi.mock('../../../src/account/profiles/store.js', async (original) => ({
  ...(await original<typeof import('../../../src/account/profiles/store.js')>()),
  isPrivate: () => false,
}));

it('doctor and the note on a stored key say that others may be able to read it', async () => {
  const home = emptyHome();
  const line = ['profiles', 'add', 'acme', '--base-url', 'https://api.example.com/v2', '--test-key', '-'];
  const added = await home.run(line, { input: 'key_of_acme_0001\n' });
  expect(added.code, added.stderr).toBe(0);
  expect(added.stderr).toContain('which other users can perhaps read');
  expect(added.stderr).not.toContain('only this user');
  const { stdout } = await home.run(['doctor', '-o', 'json']);
  const rows = JSON.parse(stdout) as { check: string; status: string; hint: string }[];
  const row = rows.find(({ check }) => check === 'configuration');
  expect(row).toMatchObject({ status: 'warn', hint: expect.stringContaining('icacls') });
});

/**
 * Optional packages that are not there are faults in `doctor`, named with what they would serve.
 * @module-tag inside
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { home as emptyHome } from '../helpers.js';

vi.mock('@napi-rs/keyring', () => {
  throw new Error('not installed');
});
vi.mock('../../../src/account/profiles/keychain-tools.js', () => ({ keychainTool: async () => undefined }));
vi.mock('../../../src/base/database/engines.js', async (original) => {
  const { findEngine, ...rest } = await original<typeof import('../../../src/base/database/engines.js')>();
  return { ...rest, findEngine: () => findEngine([]) };
});

it('doctor names a missing database, and a missing keychain where a key lies in it', async () => {
  const home = emptyHome();
  const doctor = async () => {
    const { code, stdout } = await home.run(['doctor', '-o', 'json']);
    const rows = JSON.parse(stdout) as { check: string; status: string; detail: string; hint: string }[];
    return { code, rows: new Map(rows.map((row) => [row.check, row])) };
  };
  const before = await doctor();
  expect(before.code).toBe(1);
  expect(before.rows.get('SQLite')).toMatchObject({ status: 'fail', detail: expect.stringContaining('sync') });
  expect(before.rows.has('keychain')).toBe(false);

  mkdirSync(path.join(home.folder, 'config'), { recursive: true });
  const profile = { base_url: 'https://api.example.com/v2', test_key: { kind: 'keychain', account: 'test_key 1' } };
  const file = path.join(home.folder, 'config/config.json');
  writeFileSync(file, JSON.stringify({ version: 1, profiles: { acme: profile } }), { mode: 0o600 });
  const after = await doctor();
  expect(after.rows.get('keychain')).toMatchObject({ status: 'fail', detail: expect.stringContaining('acme') });
  expect(after.rows.get('keychain')?.hint).not.toBe('');
});

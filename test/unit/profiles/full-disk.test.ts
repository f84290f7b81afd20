import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openStore } from '../../../src/account/profiles/store.js';

vi.mock('conf', () => ({
  default: class {
    constructor(readonly options: { cwd: string; configName: string; fileExtension: string }) {}
    set store(value: unknown) {
      const { cwd, configName, fileExtension } = this.options;
      writeFileSync(join(cwd, `${configName}.${fileExtension}`), JSON.stringify(value).slice(0, 10));
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    }
  },
}));

it('a full disk leaves the old file whole and nothing half-written (exit code 11)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cops-full-'));
  const content = '{"profiles": {"a": {}}}';
  writeFileSync(join(folder, 'config.json'), content);
  const failure = await openStore(folder)
    .update((now) => ({ ...now, current: 'a' }))
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: 'local', exitCode: 11 });
  expect(String(failure)).toMatch(/disk is full.*config\.json/);
  expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe(content);
  expect(readdirSync(folder)).toEqual(['config.json']);
  rmSync(folder, { recursive: true });
});

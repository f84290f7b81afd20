/**
 * What a keychain holds is said once it is there, and no more is left in it than the configuration names.
 * @module-tag inside
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { home as emptyHome } from '../helpers.js';
import type { Home } from '../program.js';

const keychain = vi.hoisted(() => ({ kept: new Map<string, string>(), fault: '' as '' | 'locked' | 'forgetful' }));
vi.mock('@napi-rs/keyring', () => ({
  AsyncEntry: class {
    readonly #account: string;
    constructor(_service: string, account: string) {
      this.#account = account;
    }
    async setPassword(password: string) {
      if (keychain.fault === 'locked') throw new Error('locked');
      if (keychain.fault === '') keychain.kept.set(this.#account, password);
    }
    async getPassword() {
      return keychain.kept.get(this.#account) ?? null;
    }
    async deletePassword() {
      return keychain.kept.delete(this.#account);
    }
  },
}));

const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock('conf', async (original) => {
  const { default: Conf } = await original<typeof import('conf')>();
  return {
    default: class extends Conf {
      override get store() {
        return super.store;
      }
      override set store(value: Record<string, unknown>) {
        if (disk.isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
        super.store = value;
      }
    },
  };
});

beforeEach(() => {
  disk.isFull = false;
  keychain.kept.clear();
  keychain.fault = '';
});

const NEW_KEY = 'key-of-the-keychain-0009';
const SAID = /is (?:stored|written)/;
/** A line that files a key, for a profile `acme` that `edit` finds there. */
const LINES = {
  add: ['profiles', 'add', 'fresh', '--base-url', 'https://api.example.com/v2', '--test-key', '-'],
  edit: ['profiles', 'edit', 'acme', '--test-key', '-'],
  login: ['login', 'fresh', '--base-url', 'https://api.example.com/v2', '--test-key', '-', '--no-check'],
} as const;

function homeWithProfile(): Home {
  const home = emptyHome();
  const config = home.env.COPS_CONFIG_DIR ?? '';
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const configuration = { profiles: { acme: { base_url: 'https://api.example.com/v2' } } };
  writeFileSync(path.join(config, 'config.json'), JSON.stringify(configuration), { mode: 0o600 });
  return home;
}

describe.each(Object.entries(LINES))('a key that profiles %s files', (_name, line) => {
  it('is reported to be in the keychain once it is', async () => {
    const ran = await homeWithProfile().run([...line, '--store', 'keychain'], { input: `${NEW_KEY}\n` });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain("is stored in the system's keychain");
    expect([...keychain.kept.values()]).toEqual([NEW_KEY]);
  });

  it.each(['locked', 'forgetful'] as const)('is said to be nowhere by a keychain that is %s', async (fault) => {
    keychain.fault = fault;
    const ran = await homeWithProfile().run([...line, '--store', 'keychain'], { input: `${NEW_KEY}\n` });
    expect(ran.code).toBe(11);
    expect(ran.stderr).not.toMatch(SAID);
  });

  it.each(['keychain', 'file'])('is nowhere, and said to be nowhere, by --store %s on a full disk', async (store) => {
    const home = homeWithProfile();
    disk.isFull = true;
    const ran = await home.run([...line, '--store', store], { input: `${NEW_KEY}\n` });
    expect(ran.code).toBe(11);
    expect(ran.stderr).not.toMatch(SAID);
    expect([...keychain.kept]).toEqual([]);
  });

  it('is not mentioned by a dry run', async () => {
    const home = homeWithProfile();
    for (const store of ['file', 'keychain']) {
      const ran = await home.run([...line, '--store', store, '--dry-run'], { input: `${NEW_KEY}\n` });
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stderr).not.toMatch(SAID);
    }
    expect([...keychain.kept]).toEqual([]);
  });
});

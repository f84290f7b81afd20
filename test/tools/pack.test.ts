/** @module-tag tool */
/** What leaves the house: the packed tarball, an installation of it without a network, and `npm install -g .`. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packPackage } from '../../scripts/release/package.mjs';
import { ROOT } from '../harness/in-process.js';

const PATIENCE = 180_000;
/** What a build and a package need of the project; neither finished output nor tests. */
const PARTS = [
  'package.json',
  'package-lock.json',
  'README.md',
  'tsconfig.json',
  'bin',
  'completions',
  'scripts',
  'src',
];

interface Manifest {
  readonly version: string;
  readonly man?: readonly string[];
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

let folder = '';
const at = (...parts: string[]): string => path.join(folder, ...parts);
const manifest = (of: string): Manifest => JSON.parse(readFileSync(path.join(of, 'package.json'), 'utf8')) as Manifest;

function run(command: string, args: readonly string[], cwd: string): string {
  const env = {
    PATH: process.env.PATH,
    HOME: at('home'),
    TZ: 'UTC',
    COPS_CONFIG_DIR: at('config'),
    COPS_DATA_DIR: at('data'),
    npm_config_cache: at('cache'),
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The native dependency with all that it needs on this machine, as folders to pack. */
function nativePackages(): string[] {
  const wanted = new Set<string>();
  const add = (name: string): void => {
    // The version that the native dependency itself would load: it may have one of its own.
    const nested = path.join(ROOT, 'node_modules/libsql/node_modules', name);
    const where = existsSync(nested) ? nested : path.join(ROOT, 'node_modules', name);
    if (wanted.has(where) || !existsSync(where)) return;
    const facts = manifest(where);
    if (!fits(facts)) return;
    wanted.add(where);
    for (const next of [...Object.keys(facts.dependencies ?? {}), ...Object.keys(facts.optionalDependencies ?? {})]) {
      add(next);
    }
  };
  add('libsql');
  return [...wanted];
}

function fits({ os, cpu, libc }: Manifest): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  const mine = header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  const allows = (list: readonly string[] | undefined, value: string) => list === undefined || list.includes(value);
  return (
    allows(os, process.platform) && allows(cpu, process.arch) && (process.platform !== 'linux' || allows(libc, mine))
  );
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cops-pack-'));
  for (const name of ['home', 'project', 'packed', 'unpacked', 'native', 'empty']) mkdirSync(at(name));
  // A copy: packing builds, and the other tests are using what is built in the project itself.
  for (const part of PARTS) cpSync(path.join(ROOT, part), at('project', part), { recursive: true });
  // npm may tidy the folder that it installs from, so it gets folders of its own; the files in them may be shared.
  try {
    execFileSync('cp', ['-al', path.join(ROOT, 'node_modules'), at('project', 'node_modules')], { stdio: 'ignore' });
  } catch {
    rmSync(at('project', 'node_modules'), { recursive: true, force: true });
    execFileSync('cp', ['-a', path.join(ROOT, 'node_modules'), at('project', 'node_modules')]);
  }
}, PATIENCE);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function works(program: string): void {
  expect(run(program, ['--version'], at('home')).trim()).toBe(manifest(ROOT).version);
  const list = run(program, ['-p', 'sandbox', 'subscriptions', 'list', '--limit', '1'], at('home'));
  const items = JSON.parse(list) as { id: string; live_mode: boolean }[];
  expect(items).toHaveLength(1);
  expect(items[0]?.id).toMatch(/^\w{20}$/);
  expect(items[0]?.live_mode).toBe(false);
}

describe('the package', () => {
  it(
    'npm install -g . builds and installs a working cops, without a network',
    () => {
      expect(existsSync(at('project', 'dist'))).toBe(false);
      run('npm', ['install', '-g', '--prefix', at('global'), '.'], at('project'));
      works(at('global', 'bin', 'cops'));
    },
    PATIENCE,
  );

  it(
    'the tarball holds the program, its pages and completions, and neither sources, tests nor maps',
    () => {
      run('npm', ['run', 'prepack'], at('project'));
      const places = {
        root: at('project'),
        man: at('project', 'man'),
        notices: 'notices',
        work: at('work'),
        output: at('packed'),
      };
      const tarball = at('packed', packPackage(places));
      const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
      const tops = new Set(files.map((file) => file.split('/')[1]));
      expect([...tops].sort()).toEqual([
        'README.md',
        'THIRD-PARTY-NOTICES',
        'bin',
        'completions',
        'dist',
        'man',
        'package.json',
      ]);
      expect(files.filter((file) => /\.(ts|map|tsx|test\.js)$|node_modules|\.(sqlite|db|env)$/.test(file))).toEqual([]);
      expect(files).toContain('package/dist/main.js');
      expect(files).toContain('package/man/cops.1');
      for (const name of ['_cops', 'cops.bash', 'cops.fish', 'cops.ps1']) {
        expect(files).toContain(`package/completions/${name}`);
      }
      // npm warns of every script of a package that it does not run.
      execFileSync('tar', ['xzf', tarball, '-C', at('unpacked')]);
      const packed = manifest(at('unpacked', 'package'));
      for (const field of ['scripts', 'allowScripts']) expect(packed).not.toHaveProperty(field);
      expect(packed.man?.map((page) => `package/${page}`).sort()).toEqual(
        files.filter((file) => file.startsWith('package/man/')).sort(),
      );
      // The texts of all licences are a fifth of a megabyte of it, the PostgreSQL client a tenth.
      expect(statSync(tarball).size).toBeLessThan(3_700_000);
    },
    PATIENCE,
  );

  it(
    'installs from the tarball into an empty folder, without a network and without running scripts',
    () => {
      const packages = nativePackages();
      expect(packages.length).toBeGreaterThan(1);
      const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', at('native')];
      run('npm', [...pack, ...packages], at('home'));
      const tarballs = ['packed', 'native'].flatMap((name) => readdirSync(at(name)).map((file) => at(name, file)));
      // The keychain is optional and not there: the program has to do without. The database is given beside it.
      run('npm', ['install', '--ignore-scripts', '--omit=optional', ...tarballs], at('empty'));
      expect(existsSync(at('empty', 'node_modules', '@napi-rs'))).toBe(false);
      works(at('empty', 'node_modules', '.bin', 'cops'));
    },
    PATIENCE,
  );
});

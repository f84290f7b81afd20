/** What goes with a release and can be checked without one: the root of the container image, and the folder of schemas. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { containerfile, layRoot, sourcesOf } from '../../../scripts/release/image.mjs';
import { writeSchemas } from '../../../scripts/release/schemas.mjs';
import { parsePolicy } from '../../../src/account/policy/parse.js';
import { FIRST_SCENARIOS } from '../../../src/data/scenarios/first.generated.js';
import { home } from '../../cli/helpers.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cops-image-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (...parts: string[]): string => path.join(folder, ...parts);

describe('the root of the container image', () => {
  /** What Debian's packages bring, with what is not wanted. */
  function archive(): string {
    const files = ['lib/x86_64-linux-gnu/libc.so.6', 'usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30', 'etc/apt/sources'];
    for (const name of [...files, 'usr/lib/x86_64-linux-gnu/gconv/BIG5.so', 'usr/share/doc/libc6/copyright']) {
      mkdirSync(path.dirname(at('debian', name)), { recursive: true });
      writeFileSync(at('debian', name), name);
    }
    mkdirSync(at('debian/lib64'));
    symlinkSync('/lib/x86_64-linux-gnu/ld.so', at('debian/lib64/ld-linux-x86-64.so.2'));
    execFileSync('tar', ['-cf', at('debian.tar'), '-C', at('debian'), '.']);
    return at('debian.tar');
  }

  it('holds the program, what it needs and the notices, and is the same each time', () => {
    writeFileSync(at('cops'), 'the program');
    const parts = { archive: archive(), executable: at('cops'), notices: 'all notices', work: folder, seconds: 1e9 };
    const layer = layRoot(parts);
    const lines = execFileSync('tar', ['--numeric-owner', '-tvf', layer], { encoding: 'utf8' }).trim().split('\n');
    const kept = Object.fromEntries(
      lines.map((line) => {
        const [mode = '', owner = '', , , , ...name] = line.split(/\s+/);
        return [name.join(' '), `${mode} ${owner}`];
      }),
    );
    expect(kept).toMatchObject({
      'usr/bin/cops': '-rwxr-xr-x 0/0',
      'lib/x86_64-linux-gnu/libc.so.6': '-rw-r--r-- 0/0',
      'usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30': '-rw-r--r-- 0/0',
      'usr/share/doc/libc6/copyright': '-rw-r--r-- 0/0',
      'usr/share/doc/cops/THIRD-PARTY-NOTICES': '-rw-r--r-- 0/0',
      'data/': 'drwx------ 65532/65532',
    });
    expect(Object.keys(kept).filter((name) => /apt|gconv|shadow/.test(name))).toEqual([]);
    const first = readFileSync(layer);
    expect(readFileSync(layRoot(parts)).equals(first)).toBe(true);
  });

  it('is not laid where a library is missing', () => {
    writeFileSync(at('cops'), 'the program');
    mkdirSync(at('empty'));
    execFileSync('tar', ['-cf', at('empty.tar'), '-C', at('empty'), '.']);
    const parts = { archive: at('empty.tar'), executable: at('cops'), notices: '', work: folder, seconds: 1e9 };
    expect(() => layRoot(parts)).toThrow('tar');
  });

  it('comes from a fixed moment of the archive where one is named', () => {
    for (const line of sourcesOf('20261101T000000Z')) expect(line).toContain('/20261101T000000Z bookworm');
    for (const line of sourcesOf()) expect(line).toContain('deb http://deb.debian.org/debian');
  });

  it('is what the Containerfile takes, with no user root', () => {
    const lines = containerfile().split('\n');
    expect(lines).toContain('FROM scratch');
    expect(lines).toContain('USER 65532:65532');
    expect(lines[0]).toContain('Untried');
    expect(lines.find((line) => line.startsWith('ENV'))).toContain('COPS_DATA_DIR=/data/');
  });
});

describe('the folder of schemas', () => {
  interface Entry {
    readonly name: string;
    readonly description: string;
    readonly url: string;
    readonly fileMatch?: readonly string[];
  }
  const read = (name: string) => JSON.parse(readFileSync(at('schemas', name), 'utf8')) as Record<string, unknown>;
  const accepts = (name: string, value: unknown) => z.fromJSONSchema(read(name) as never).safeParse(value).success;

  beforeEach(async () => {
    const user = home();
    const set = at('set-up');
    const lines = [
      ['setup', 'init', set],
      ['test', '--schema'],
      ['policy', 'edit', '--schema'],
      ['sandbox', 'seed', '--schema'],
      ['events', 'listen', '--schema'],
    ];
    const said = new Map<string, string>();
    for (const line of lines) {
      const { code, stdout, stderr } = await user.run(line);
      expect(code, stderr).toBe(0);
      said.set(line.join(' '), stdout);
    }
    const run = (words: readonly string[]) => said.get(words.join(' ')) ?? '';
    writeSchemas({ run, url: 'https://shop.example.com/cops', work: folder, output: folder });
  });

  it('is named whole by its catalogue, each schema by its address', () => {
    const { schemas } = read('catalog.json') as unknown as { schemas: readonly Entry[] };
    const files = readdirSync(at('schemas'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.json'),
    );
    const named = schemas.map(({ url }) => url.replace('https://shop.example.com/cops/schemas/', ''));
    expect([...named, 'catalog.json'].sort()).toEqual(files.sort());
    for (const name of named) {
      expect(read(name)).toMatchObject({
        $schema: expect.stringContaining('json-schema.org/draft'),
        $id: expect.any(String),
      });
    }
    for (const { name, description } of schemas) expect(`${name} ${description}`).toContain('cops');
    expect(schemas.flatMap(({ fileMatch }) => fileMatch ?? [])).toEqual(['**/cops/policy.yaml', 'cops.setup.yaml']);
  });

  it('takes what the program takes', async () => {
    for (const [file, text] of FIRST_SCENARIOS) expect(accepts('scenario.json', parse(text)), file).toBe(true);
    expect(accepts('setup/cops.setup.json', parse(readFileSync(at('set-up/cops.setup.yaml'), 'utf8')))).toBe(true);
    expect(accepts('setup/cops.setup.json', { version: 2 })).toBe(false);
    expect(accepts('setup/products.json', { name: 'Coffee Club', colour: 'red' })).toBe(false);
    const policies = {
      'zone: UTC\nrules: []': true,
      'rules: []': false,
      'zone: UTC\nrules: [{name: a, most: {USD: 100.5, EUR: "7"}, modes: [live], only: []}]': true,
      'zone: UTC\nrules: [{name: a, most: {usd: 100}}]': false,
      'zone: UTC\nrules: [{name: a, never: []}]': false,
      'zone: UTC\nrules: [{name: a, hours: "08:00-18:00", writes_an_hour: 3, reason: true}]': true,
      'zone: UTC\nrules: [{name: a, writes_an_hour: 1.5}]': false,
      'zone: UTC\nrules: [{name: a, operations: [refund], never: [delete], never_on: [sunday]}]': true,
      'zone: UTC\nrules: [{name: a, never_on: [sun]}]': false,
      'zone: UTC\nrules: [{name: a, who: [robot], reason: true}]': false,
      'zone: UTC\nrules: [{name: a, limit: 3, reason: true}]': false,
    };
    for (const [text, isRight] of Object.entries(policies)) {
      expect(accepts('policy.json', parse(text)), text).toBe(isRight);
      const understood = await parsePolicy(text, 'policy.yaml').then(
        () => true,
        () => false,
      );
      expect(understood, text).toBe(isRight);
    }
  });
});

/** What goes with a release: headers of executables for other systems, notices of licences, formulas. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFormulas } from '../../../scripts/release/formulas.mjs';
import { checkExecutable, signatureSlot } from '../../../scripts/release/headers.mjs';
import { folderOf, noticesOf } from '../../../scripts/release/notices.mjs';
import { ROOT } from '../../harness/in-process.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cops-parts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the header of an executable', () => {
  const elf = (processor: number) => {
    const bytes = Buffer.alloc(128);
    bytes.write('\x7fELF\x02', 'latin1');
    bytes.writeUInt16LE(processor, 18);
    return bytes;
  };
  const pe = (processor: number) => {
    const bytes = Buffer.alloc(256);
    bytes.write('MZ', 'latin1');
    bytes.writeUInt32LE(128, 0x3c);
    bytes.write('PE', 128, 'latin1');
    bytes.writeUInt16LE(processor, 132);
    return bytes;
  };
  const macho = (processor: number) => {
    const bytes = Buffer.alloc(128);
    bytes.writeUInt32LE(0xfeedfacf, 0);
    bytes.writeUInt32LE(processor, 4);
    return bytes;
  };
  const FILES: Readonly<Record<string, Buffer>> = {
    'linux-x64': elf(62),
    'linux-arm64': elf(183),
    'win-x64': pe(0x8664),
    'macos-arm64': macho(0x0100000c),
    'macos-x64': macho(0x01000007),
    nothing: Buffer.from('#!/bin/sh\n'),
    empty: Buffer.alloc(4096),
  };

  it.each(Object.keys(FILES).slice(0, 5))('tells %s from all others', (platform) => {
    for (const [name, bytes] of Object.entries(FILES)) {
      const file = path.join(folder, name);
      writeFileSync(file, bytes);
      if (name === platform) expect(() => checkExecutable(platform, file)).not.toThrow();
      else expect(() => checkExecutable(platform, file), name).toThrow(name === 'nothing' ? 'nothing' : platform);
    }
  });
});

describe('the place of a signature', () => {
  const file = (bytes: Buffer): string => {
    const name = path.join(folder, 'executable');
    writeFileSync(name, bytes);
    return name;
  };

  it('is emptied for Windows, where what is there is no signature of the whole', () => {
    const bytes = Buffer.alloc(512);
    bytes.write('MZ', 'latin1');
    bytes.writeUInt32LE(128, 0x3c);
    bytes.write('PE', 128, 'latin1');
    const unsigned = Buffer.from(bytes);
    bytes.writeUInt32LE(4000, 128 + 168);
    bytes.writeUInt32LE(900, 128 + 172);
    const name = file(bytes);
    expect([signatureSlot(name), signatureSlot(name)]).toEqual(['emptied', 'none']);
    expect(readFileSync(name).equals(unsigned)).toBe(true);
  });

  it.each([
    [0x1d, 'stale'],
    [0x1b, 'none'],
  ])('of a Mac is found among the commands of the header (%i)', (last, slot) => {
    const bytes = Buffer.alloc(256);
    bytes.writeUInt32LE(0xfeedfacf, 0);
    bytes.writeUInt32LE(2, 16);
    bytes.writeUInt32LE(0x19, 32);
    bytes.writeUInt32LE(72, 36);
    bytes.writeUInt32LE(last, 104);
    bytes.writeUInt32LE(16, 108);
    const name = file(bytes);
    expect(signatureSlot(name)).toBe(slot);
    expect(readFileSync(name).equals(bytes)).toBe(true);
  });

  it('is not looked for in other files', () => {
    expect(signatureSlot(file(Buffer.alloc(4096, '#!/bin/sh')))).toBe('none');
  });
});

describe('the notices', () => {
  function add(name: string, files: Readonly<Record<string, string>>): void {
    const target = path.join(folder, name);
    mkdirSync(target, { recursive: true });
    const manifest = { name: name.split('node_modules/').at(-1), version: '1.2.3', license: 'MIT' };
    writeFileSync(path.join(target, 'package.json'), JSON.stringify(manifest));
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(target, file), text);
  }

  it('hold the text of each package inside once, with those inside others, and of what is no package', () => {
    add('node_modules/one', { LICENSE: 'text of one', 'NOTICE.md': 'note of one' });
    add('node_modules/@a/two', { 'licence.txt': 'text of two' });
    add('node_modules/one/node_modules/two', { COPYING: 'text inside\r\none' });
    add('node_modules/outside', { LICENSE: 'text outside' });
    const inputs = [
      'src/main.ts',
      'node_modules/one/a.js',
      'node_modules/one/b.js',
      'node_modules/@a/two/c.js',
      'node_modules/one/node_modules/two/d.js',
    ];
    const text = noticesOf(folder, inputs, [['An engine', 'text of the engine']]);
    for (const part of ['text of one', 'note of one', 'text of two', 'text inside\none', 'text of the engine']) {
      expect(text.split(part)).toHaveLength(2);
    }
    expect(text).not.toContain('text outside');
    expect(folderOf('src/main.ts')).toBeUndefined();
  });

  it('hold the text that a README grants where there is no other', () => {
    add('node_modules/told', {
      'README.md': '# told\n\n## License\n\nCopyright (c) 2013 Ada\n\nPermission is granted.',
    });
    expect(noticesOf(folder, ['node_modules/told/a.js'])).toContain('Copyright (c) 2013 Ada\n\nPermission is granted.');
  });

  it('are not made where a package has no text', () => {
    add('node_modules/bare', { 'README.md': '# bare\n\n## License\n\nMIT' });
    expect(() => noticesOf(folder, ['node_modules/bare/a.js'])).toThrow('bare@1.2.3');
  });

  it('can be made of all that the program is built from', () => {
    const names = new Set<string>();
    const reach = (name: string): void => {
      const manifest = path.join(ROOT, 'node_modules', name, 'package.json');
      if (names.has(name) || !existsSync(manifest)) return;
      names.add(name);
      const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: object };
      for (const one of Object.keys(dependencies)) reach(one);
    };
    for (const file of readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const text = readFileSync(path.join(ROOT, 'src', file), 'utf8');
      for (const [, name] of text.matchAll(/(?:from|import\() ?'((?:@[^/']+\/)?[a-z][^/':]*)/g)) reach(name as string);
    }
    expect(names).toContain('pg-copy-streams');
    expect(() =>
      noticesOf(
        ROOT,
        [...names].map((name) => `node_modules/${name}/a.js`),
      ),
    ).not.toThrow();
  });
});

describe('the formulas', () => {
  const names = { 'linux-x64': 'cops-linux-x64', 'macos-arm64': 'cops-macos-arm64', 'macos-x64': 'cops-macos-x64' };
  const all = { ...names, 'win-x64': 'cops.exe', 'linux-arm64': 'cops-linux-arm64' };
  const write = (some: Readonly<Record<string, string>>): Record<string, string> => {
    const files = [...Object.values(some), 'cops-share.tar.gz'];
    const sums = Object.fromEntries(files.map((name, index) => [name, String(index).repeat(64)]));
    writeFormulas({ version: '1.0.0', url: 'https://shop.example.com/cops', sums, names: some, output: folder });
    const made = readdirSync(path.join(folder, 'formulas'));
    return Object.fromEntries(made.map((name) => [name, readFileSync(path.join(folder, 'formulas', name), 'utf8')]));
  };

  it('keep out a processor that the release has no file for, and name every file that it has', () => {
    const some = write(names);
    expect(Object.keys(some)).toEqual(['cops.rb']);
    expect(some['cops.rb']).toMatch(/on_linux do\n\s+depends_on arch: :x86_64/);
    expect(some['cops.rb']).not.toContain('undefined');
    const alone = write({ 'linux-arm64': 'cops-linux-arm64' })['cops.rb'];
    expect(alone).toMatch(/^ {2}depends_on :linux$[\s\S]*depends_on arch: :arm64/m);
    expect(alone).not.toContain('on_macos');
    const every = write(all);
    expect(every['cops.rb']).not.toContain('depends_on');
    // Scoop and winget take a file for the processor that it stands under, and no other.
    expect(Object.keys((JSON.parse(every['cops.json'] ?? '') as { architecture: object }).architecture)).toEqual([
      '64bit',
    ]);
    expect(every['cops.winget.yaml']?.match(/Architecture: .*/g)).toEqual(['Architecture: x64']);
    for (const name of Object.values(all)) expect(Object.values(every).join('')).toContain(`/cops/${name}`);
  });
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { typedPath } from '../../../src/base/files/typed-path.js';

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'cops-typed-')));
const folder = path.join(root, 'own');
mkdirSync(path.join(folder, 'below', 'deep'), { recursive: true });
mkdirSync(path.join(root, 'other', 'leak'), { recursive: true });
writeFileSync(path.join(folder, 'here.txt'), '');
symlinkSync('here.txt', path.join(folder, 'within'));
symlinkSync('../other', path.join(folder, 'out'));
symlinkSync('circle', path.join(folder, 'circle'));
symlinkSync('../other/nothing-yet', path.join(folder, 'dangling'));
symlinkSync('../../../other', path.join(folder, 'below', 'deep', 'out'));

const world = { cwd: folder, confined: { folders: [folder], allows: () => true } };

describe('the place that a word names', () => {
  it.each(['here.txt', 'within', 'new.txt', 'new/folder/file', './here.txt', 'out/../here.txt'])(
    'is taken within the folders of a confined world: %s',
    (word) => {
      expect(typedPath(world, word)).toBe(path.resolve(folder, word));
    },
  );

  it.each([
    ...['..', '../other', '/etc/passwd', 'out', 'out/new', 'dangling', 'below', 'below/deep/out/leak', '.git/hooks/x'],
    'a\0b',
  ])('is refused outside them: %j', (word) => {
    expect(() => typedPath(world, word)).toThrow(expect.objectContaining({ kind: 'usage' }));
  });

  it('ends for links that lead in a circle', () => {
    expect(typedPath(world, 'circle')).toBe(path.join(folder, 'circle'));
  });

  it('is any place at all where nothing confines', () => {
    expect(typedPath({ cwd: folder }, '../other')).toBe(path.join(root, 'other'));
  });

  it('is found in one way alone by all of the program', () => {
    const source = path.resolve(import.meta.dirname, '../../../src');
    const own = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => {
      return file.endsWith('.ts') && /\bresolve\([^()]*cwd/.test(readFileSync(path.join(source, file), 'utf8'));
    });
    // The folder of the configuration, keys and certificates of a profile, and the words of whoever runs scenarios.
    expect(own.sort()).toEqual(['account/profiles/glance.ts', 'account/profiles/keys.ts', 'base/files/typed-path.ts']);
  });
});

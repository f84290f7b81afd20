import { mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../src/base/files/replace-file.js';

const fresh = () => mkdtempSync(path.join(tmpdir(), 'cops-folders-'));
const modeOf = (folder: string) => statSync(folder).mode & 0o777;

describe('a folder', () => {
  it('is made with those above it, for its owner only, and may be there', () => {
    const root = fresh();
    const deep = path.join(root, 'a', 'b', 'c');
    makeFolder(deep);
    makeFolder(deep);
    makeFolder(`${deep}/`);
    expect(['a', 'a/b', 'a/b/c'].map((part) => modeOf(path.join(root, part)))).toEqual([0o700, 0o700, 0o700]);
  });

  it('that is there keeps its permissions, also behind a link', () => {
    const root = fresh();
    mkdirSync(path.join(root, 'real'), { mode: 0o755 });
    symlinkSync('real', path.join(root, 'link'));
    makeFolder(path.join(root, 'link'));
    makeFolder(path.join(root, 'link', 'new'));
    expect(modeOf(path.join(root, 'real'))).toBe(0o755);
    expect(modeOf(path.join(root, 'real', 'new'))).toBe(0o700);
  });

  it('is not made over a file, below one, or behind a link to nothing', () => {
    const root = fresh();
    writeFileSync(path.join(root, 'file'), '');
    symlinkSync('gone', path.join(root, 'dangling'));
    expect(() => makeFolder(path.join(root, 'file'))).toThrow('EEXIST');
    expect(() => makeFolder(path.join(root, 'file', 'a', 'b'))).toThrow('ENOTDIR');
    expect(() => makeFolder(path.join(root, 'dangling'))).toThrow('EEXIST');
    expect(() => makeFolder(path.join(root, 'dangling', 'a'))).toThrow();
  });

  it.runIf(process.platform === 'linux')('that the system makes nowhere is refused at once', () => {
    expect(() => makeFolder('/proc/1/nowhere/a/b/c')).toThrow('ENOENT');
  });
});

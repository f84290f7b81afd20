import { createRequire } from 'node:module';
import type { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';

interface Parts {
  readonly folder: string;
  read(name: string): string;
  readCache(name: string): Uint8Array | undefined;
  compiled?(name: string, script: Script): void;
}

const { chunkLoader } = createRequire(import.meta.url)('../../../bin/chunks.js') as {
  chunkLoader(parts: Parts): (name: string) => Record<string, unknown>;
};

/** A loader of these function bodies. */
function loaderOf(bodies: Record<string, string>, caches: Record<string, Uint8Array> = {}) {
  const scripts = new Map<string, Script>();
  const load = chunkLoader({
    folder: 'cops/',
    read: (name) => `(function(exports,require,module){${bodies[name]}})`,
    readCache: (name) => caches[name],
    compiled: (name, script) => void scripts.set(name, script),
  });
  return { load, scripts };
}

describe('the chunks of the executable', () => {
  it('are compiled when they are first asked for, and once', () => {
    const { load, scripts } = loaderOf({
      'a.js': "exports.late = () => require('./b.js'); exports.sep = require('node:path').sep;",
      'b.js': 'exports.made = {};',
    });
    const { late, sep } = load('a.js') as { late(): { made: object }; sep: string };
    expect([...scripts.keys()]).toEqual(['a.js']);
    expect(sep).toBe(process.platform === 'win32' ? '\\' : '/');
    expect(late().made).toBe(late().made);
    expect(load('b.js').made).toBe(late().made);
    expect([...scripts.keys()]).toEqual(['a.js', 'b.js']);
  });

  it('may ask for each other, and may put another thing in the place of their exports', () => {
    const { load } = loaderOf({
      'a.js': "exports.name = 'a'; exports.other = require('./b.js');",
      'b.js': "const a = require('./a.js'); module.exports = () => a.name;",
    });
    expect((load('a.js').other as () => string)()).toBe('a');
  });

  it('are tried again after they failed, and name the chunk in the trace', () => {
    const { load } = loaderOf({ 'a.js': "throw new Error('not now');" });
    for (let time = 0; time < 2; time++) expect(() => load('a.js')).toThrow('not now');
    const trace = (): string | undefined => {
      try {
        load('a.js');
      } catch (error) {
        return (error as Error).stack;
      }
    };
    expect(trace()).toContain('cops/a.js');
    expect(() => loaderOf({ 'b.js': "require('no-such-package');" }).load('b.js')).toThrow('no-such-package');
  });

  it('work with a code cache that V8 refuses', () => {
    const first = loaderOf({ 'a.js': 'exports.product = (a, b) => a * b;' });
    first.load('a.js');
    const made = first.scripts.get('a.js')?.createCachedData() ?? Buffer.alloc(0);
    for (const [at, cache] of [Buffer.from('not a cache'), made.subarray(0, made.length >> 1), made].entries()) {
      // Another text each time: V8 remembers what it compiled, and then asks no cache.
      const { load, scripts } = loaderOf(
        { 'a.js': `exports.sum = (a, b) => a + b + ${'0 + '.repeat(at)}0;` },
        { 'a.js': cache },
      );
      expect((load('a.js') as { sum(a: number, b: number): number }).sum(1, 2)).toBe(3);
      expect(scripts.get('a.js')?.cachedDataRejected).toBe(true);
    }
  });
});

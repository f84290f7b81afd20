/** @module-tag thorough */
import { afterAll, describe, expect, it } from 'vitest';
import {
  FunctionEngine,
  type FunctionJob,
  type FunctionResult,
} from '../../../src/sandbox/automation/function-engine.js';

/* Code of functions: what it may do, and that nothing it does reaches further than its own run. */

const engine = new FunctionEngine();
afterAll(() => engine.close());

const NOW = Date.UTC(2026, 5, 1, 12);
const run = (code: string, more: Partial<FunctionJob> = {}): Promise<FunctionResult> =>
  engine.run({ code, event: { notation: 'sale.created', item: { id: 'x', amount: 5 } }, env: {}, now: NOW, ...more });
const short = { limits: { timeMs: 300 } };
/** For what never ends by itself. */
const shortest = { limits: { timeMs: 100 } };

describe('a function', () => {
  it('sees its event and its variables, and gives a result and logs', async () => {
    const code = `console.log('level', process.env.LEVEL, { a: 1 }); callback(null, event.item.amount * 2);`;
    expect(await run(code, { env: { LEVEL: '3' } })).toEqual({
      outcome: 'success',
      result: '10',
      logs: [{ level: 'log', message: 'level 3 {"a":1}' }],
      dropped: 0,
    });
  });

  it.each([
    ['exports.handler', 'exports.handler = (event, context, callback) => callback(null, event.notation);'],
    ['module.exports', 'module.exports = (event, context, callback) => callback(null, event.notation);'],
    [
      'a promise before its callback',
      'exports.handler = async (event, context, callback) => { await null; callback(null, event.notation); };',
    ],
    ['timers, which do not wait', 'setTimeout(() => callback(null, event.notation), 3600e3);'],
  ])('may end by %s', async (_name, code) => {
    expect(await run(code)).toMatchObject({ outcome: 'success', result: '"sale.created"' });
  });

  it.each([
    ['a thrown error', 'const a = 1;\nnull.x;', /line 2/],
    ['text that is no code', 'this is no code', /SyntaxError/],
    ['an error given to its callback', 'callback(new Error("no stock"));', /no stock/],
    ['no callback', '1 + 1;', /without calling its callback/],
    ['a promise that is rejected', 'exports.handler = async () => { throw new Error("late"); };', /late/],
    ['a result that cannot be written', 'const a = {}; a.a = a; callback(null, a);', /written as JSON/],
    ['a result that is too long', 'callback(null, "x".repeat(300000));', /longer than/],
  ])('fails by %s', async (_name, code, error) => {
    expect(await run(code)).toMatchObject({ outcome: 'error', error: expect.stringMatching(error) });
  });

  it("reads the sandbox's clock", async () => {
    const code = 'callback(null, [Date.now(), new Date().toISOString(), new Date(0).getTime()]);';
    expect(JSON.parse((await run(code)).result ?? '')).toEqual([NOW, '2026-06-01T12:00:00.000Z', 0]);
  });

  it('keeps 200 lines of its log, and tells how many there were more', async () => {
    const { logs, dropped } = await run('for (let i = 0; i < 250; i++) console.log(i); callback();');
    expect([logs.length, dropped]).toEqual([200, 50]);
  });

  it('leaves nothing behind for the next one', async () => {
    await run('globalThis.left = 1; Array.prototype.push = () => 99; Object.prototype.evil = 1; callback();');
    const code = 'callback(null, [typeof left, [].push(1), typeof ({}).evil]);';
    expect(JSON.parse((await run(code)).result ?? '')).toEqual(['undefined', 1, 'undefined']);
  });
});

describe('limits of a function', () => {
  it.each([
    ['buffers', 'new ArrayBuffer(2 ** 20)'],
    ['typed arrays', 'new Uint8Array(2 ** 20)'],
    ['texts', 'String(i % 10).repeat(2 ** 20)'],
  ])('memory is that of many %s together', async (_name, made) => {
    const code = (count: number) =>
      `const all = []; for (let i = 0; i < ${count}; i++) all.push(${made}); callback(null, all.length);`;
    expect(await run(code(300))).toMatchObject({ outcome: 'memory' });
    expect(await run(code(30))).toMatchObject({ outcome: 'success', result: '30' });
  });

  it.each([
    ['an endless loop', 'for (;;);', 'timeout'],
    ['an endless loop that catches', 'for (;;) { try { for (;;); } catch {} finally { for (;;); } }', 'timeout'],
    ['an endless chain of promises', 'const go = () => Promise.resolve().then(go); go();', 'timeout'],
    ['endless timers', 'const go = () => setTimeout(go, 1); go();', 'timeout'],
    ['a pattern that never ends', '/(a+)+$/.test("a".repeat(40) + "b");', 'timeout'],
    ['a loop inside the engine', '[].sort.call({ length: 2 ** 53 - 1 });', 'timeout'],
    ['a text too large', '"x".repeat(1e9);', 'memory'],
    ['a buffer too large', 'new ArrayBuffer(1e9);', 'memory'],
  ])('%s is ended', async (_name, code, outcome) => {
    expect(await run(code, shortest)).toMatchObject({ outcome });
    expect(await run('callback(null, 1);')).toMatchObject({ outcome: 'success', result: '1' });
  });

  it.each([
    ['memory that grows', 'const all = []; for (;;) all.push(new Array(1e5).fill(1));'],
    ['calls without end', '(function go() { go(); })();'],
    ['nesting without end', 'JSON.parse("[".repeat(1e6));'],
  ])('%s is ended, and the next function runs', async (_name, code) => {
    expect((await run(code, short)).outcome).not.toBe('success');
    expect(await run('callback(null, 1);')).toMatchObject({ outcome: 'success' });
  });
});

describe('the world of a function', () => {
  it.each([
    'require',
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
    'Worker',
    'Deno',
    'Bun',
    'std',
    'os',
    'Buffer',
    'WebAssembly',
  ])('has no %s', async (name) => {
    expect((await run(`callback(null, typeof ${name});`)).result).toBe('"undefined"');
  });

  it('has of process nothing but its variables, which cannot be changed', async () => {
    const code = `process.env.A = 'other'; callback(null, [Object.keys(process), Object.keys(process.env), process.env.A]);`;
    expect((await run(code, { env: { A: 'mine' } })).result).toBe('[["env"],["A"],"mine"]');
  });

  it.each([
    ['import()', 'import("fs").then((fs) => callback(null, Object.keys(fs)), (error) => callback(error));'],
    [
      'the constructor of a function',
      'callback(null, (() => {}).constructor("return typeof process.exit + typeof require")());',
    ],
    ['the constructor of what it was given', 'callback(null, callback.constructor("return typeof require")());'],
    [
      'this',
      'callback(null, typeof this.require + typeof globalThis.constructor.constructor("return process")().exit);',
    ],
  ])('is not left by %s', async (_name, code) => {
    const { outcome, result } = await run(code, short);
    if (outcome === 'success') expect(result).toMatch(/^"(undefined)+"$/);
    else expect(outcome).toBe('error');
  });

  it.each([
    ['JSON', 'JSON.stringify = () => "evil"; JSON.parse = () => "evil";'],
    ['arrays', 'Object.defineProperty(Array.prototype, 0, { set() { throw 1; }, get() { return "evil"; } });'],
    ['objects', 'Object.defineProperty(Object.prototype, "then", { get() { throw new Error("evil"); } });'],
    ['texts', 'String = () => "evil"; String.prototype.slice = () => "evil";'],
  ])('spoilt by itself (%s) spoils nothing else', async (_name, code) => {
    const spoilt = await run(`${code} console.log('said'); callback(null, 'told');`, short);
    expect(spoilt.logs.every(({ message }) => message === 'said')).toBe(true);
    expect(await run('callback(null, "well");')).toMatchObject({ outcome: 'success', result: '"well"' });
  });
});

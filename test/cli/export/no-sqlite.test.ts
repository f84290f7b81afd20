/** @module-tag process */
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Runs } from './runs.js';

let runs: Runs;
beforeEach(async () => {
  runs = await Runs.against({ rows: 30, from: 1_700_000_000, to: 1_700_100_000 });
});
afterEach(() => runs.close());

/** A machine without an engine: an older Node whose optional package was not installed. */
function withoutSqlite(): Record<string, string> {
  const hook = runs.path('hook.cjs');
  writeFileSync(
    hook,
    `const Module = require('node:module');
     const load = Module._load;
     Module._load = (name, ...more) => {
       if (name === 'libsql') throw Object.assign(new Error("Cannot find module 'libsql'"), { code: 'MODULE_NOT_FOUND' });
       return load(name, ...more);
     };
     process.getBuiltinModule = () => undefined;`,
  );
  return { NODE_OPTIONS: `--require ${hook}` };
}

describe('without SQLite', () => {
  const range = ['--from', '2023-11-01', '--to', '2023-12-01'];
  const line = ['export', 'subscription-renewals', ...range];

  it('a .sqlite export says what is missing, and other formats work', async () => {
    const env = withoutSqlite();
    const none = await runs.start([...line, '--out', runs.path('a.sqlite')], { env }).ended;
    expect(none.code).toBe(11);
    expect(none.said).toContain('There is no SQLite here');
    expect(none.said).toContain('Node 22.16');
    expect(none.said).not.toContain('Unexpected');
    const other = await runs.start([...line, '--out', runs.path('a.jsonl')], { env }).ended;
    expect(other.code).toBe(0);
  });

  it('the sandbox says so too', async () => {
    const ran = await runs.start(['-p', 'sandbox', 'products', 'list'], {
      env: { ...withoutSqlite(), COPS_API_KEY: '', COPS_BASE_URL: '', COPS_MODE: '' },
    }).ended;
    expect(ran.code).toBe(11);
    expect(ran.said).toContain('There is no SQLite here');
  });
});

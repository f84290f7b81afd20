import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Configuration, openStore } from '../../../src/account/profiles/store.js';
import { bundle } from '../../fixtures/profiles/bundle.js';

/** How often a process is killed while it writes. */
const ROUNDS = process.env.COPS_LONG === '1' ? 8 : 4;
let module: string;
let folder: string;

beforeAll(async () => {
  module = await bundle('src/account/profiles/store.ts');
});
afterAll(() => rmSync(module, { force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cops-store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that adds the profiles `<prefix>0`, `<prefix>1`, ... one write each and names each that is done. */
function writer(prefix: string, count: number, env: Record<string, string> = {}): ChildProcess {
  const script = `
    import { openStore } from ${JSON.stringify(module)};
    const store = openStore(${JSON.stringify(folder)});
    for (let at = 0; at < ${count}; at++) {
      const name = '${prefix}' + at;
      await store.update((now) => ({
        ...now,
        profiles: { ...now.profiles, [name]: { base_url: 'https://api.example.com/' + 'x'.repeat(2000) } },
      }));
      process.stdout.write(name + '\\n');
    }`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
}

function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
    });
    child.on('close', () => resolve(text));
  });
}

describe('several processes', () => {
  it('lose none of their writes', async () => {
    const children = ['a', 'b', 'c'].map((prefix) => ended(writer(prefix, 15)));
    const done = (await Promise.all(children)).flatMap((text) => text.trim().split('\n'));
    expect(done).toHaveLength(45);
    expect(Object.keys(openStore(folder).read().profiles).sort()).toEqual(done.sort());
    expect(readdirSync(folder)).toEqual(['config.json']);
  }, 60_000);

  it.each<Record<string, string>>([{}, { SNAP: '/snap/some-editor' }])(
    'leave a whole file with every finished write when they are killed (%o)',
    async (env) => {
      const finished: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const child = writer(`r${round}n`, 1000, env);
        const text = ended(child);
        await new Promise((resolve) => child.stdout?.once('data', resolve));
        // Spread over the length of a write, so that the kill falls on different steps of it.
        await new Promise((resolve) => setTimeout(resolve, (round * 14) / ROUNDS));
        child.kill('SIGKILL');
        const lines = (await text).split('\n');
        lines.pop();
        finished.push(...lines);
        const names = Object.keys(openStore(folder).read().profiles);
        expect(names).toEqual(expect.arrayContaining(finished));
        expect(names.length - finished.length).toBeLessThanOrEqual(round + 1);
      }
      await openStore(folder).update((now) => now);
      expect(readdirSync(folder)).toEqual(['config.json']);
    },
    60_000,
  );
});

describe('any configuration', () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 });
  const reference = fc.oneof(
    fc.record({ kind: fc.constant('stored' as const), key: fc.string({ minLength: 1 }) }),
    fc.record({ kind: fc.constant('env' as const), name: fc.string({ minLength: 1 }) }),
    fc.record({ kind: fc.constant('command' as const), command: fc.string({ minLength: 1 }) }),
  );
  const profile = fc.record(
    {
      base_url: text,
      test_key: reference,
      live_key: reference,
      mode: fc.constantFrom('test' as const, 'live' as const),
      tz: text,
      rate: fc.integer({ min: 1 }),
      read_only: fc.boolean(),
      later: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const configuration = fc.record({
    profiles: fc.dictionary(text, profile, { maxKeys: 4, noNullPrototype: true }),
    aliases: fc.dictionary(text, text, { maxKeys: 4, noNullPrototype: true }),
    extra: fc.jsonValue(),
  });

  it('comes back as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(configuration, async (value) => {
        await openStore(folder).update(() => value as unknown as Configuration);
        expect(openStore(folder).read()).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 40 },
    );
  }, 30_000);

  it('of any bytes is read or reported, never a crash and never changed', async () => {
    const { writeFileSync } = await import('node:fs');
    const path = join(folder, 'config.json');
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each)),
      fc.json().map((each) => Buffer.from(each)),
      configuration.map((each) => Buffer.from(JSON.stringify(each).slice(0, -1))),
    );
    fc.assert(
      fc.property(bytes, (content) => {
        writeFileSync(path, content);
        try {
          openStore(folder).read();
        } catch (error) {
          expect(error).toMatchObject({ kind: 'local' });
        }
        expect(readFileSync(path).equals(content)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

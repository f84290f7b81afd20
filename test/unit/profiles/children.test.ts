/** What programs that are started see of the environment, and that they end with all that they have started. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { childEnvironment } from '../../../src/account/profiles/command.js';
import { spawnScript } from '../../../src/base/database/child.js';
import { startPager } from '../../../src/screen/pager-command.js';
import { readSecret } from '../../../src/setup/variables.js';

const KEY = 'sk_test_children_0001';
const folder = () => mkdtempSync(path.join(tmpdir(), 'cops-children-'));
const ENV = { PATH: process.env.PATH, COPS_API_KEY: KEY, OTHER: `Bearer ${KEY}`, LANG: 'C' };
const isAlive = (pid: number): boolean => {
  try {
    // A process that has ended and that nobody has waited for is none.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

const read = (command: string, cwd: string, commandTimeoutMs?: number) =>
  readSecret(`\${secret.cmd:${command}}`, { env: ENV, configDir: cwd, folder: cwd, commandTimeoutMs });

it('gives a command for a secret no key of cops', async () => {
  expect(await read('env | grep -c sk_test || echo none', folder())).toMatch(/none$/);
});

it('ends a command for a secret by --timeout, and what it has started with it', async () => {
  const cwd = folder();
  const file = path.join(cwd, 'pid');
  const failed = await read(`sleep 300 & echo $! > ${file}; wait`, cwd, 300).catch((error: unknown) => error);
  expect(failed).toMatchObject({ exitCode: 11, message: expect.stringContaining('0.3 seconds') });
  await vi.waitFor(() => expect(isAlive(Number(readFileSync(file, 'utf8')))).toBe(false));
});

it('gives the pager no key of cops, and its own variables', async () => {
  const cwd = folder();
  const file = path.join(cwd, 'env');
  const pager = startPager(`env > ${file}; cat > /dev/null`, { LESS: 'FRX' }, childEnvironment(ENV, cwd));
  pager?.input.end('text');
  await pager?.ended;
  const seen = readFileSync(file, 'utf8');
  expect(seen).toContain('LESS=FRX');
  expect(seen).toContain('LANG=C');
  expect(seen).not.toContain(KEY);
});

it('gives a script that asks a database nothing but what Node needs', async () => {
  vi.stubEnv('COPS_API_KEY', KEY);
  vi.stubEnv('SOMETHING', `of mine ${KEY}`);
  try {
    const child = spawnScript('process.stdout.write(JSON.stringify(process.env))');
    child.stdin.end();
    let text = '';
    for await (const chunk of child.stdout) text += chunk;
    expect(Object.keys(JSON.parse(text))).toContain('PATH');
    expect(text).not.toContain(KEY);
  } finally {
    vi.unstubAllEnvs();
  }
});

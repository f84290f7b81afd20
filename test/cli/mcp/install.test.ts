/** @module-tag thorough */
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { AGENT_TASKS } from '../../../src/cli/commands/agent/run.js';
import { FEW, laySandbox } from '../../harness/seeded.js';
import { home as emptyHome } from '../helpers.js';
import type { Home } from '../program.js';

const SANDBOX = ['-p', 'sandbox'];
const inFolder = (home: Home, words: readonly string[]) => home.run([...SANDBOX, ...words], { cwd: home.folder });
/** Lists that the lines of the page ask the mirror for. */
const MIRRORED = [
  'customers',
  'sales',
  'transactions',
  'pending-refunds',
  'product-sales',
  'subscription-renewals',
].concat(['shipping', 'tax', 'chargebacks', 'trials']);
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

it('writes the entry among others, after showing it, and nothing when it is there', async () => {
  const home = emptyHome();
  const file = path.join(home.folder, '.mcp.json');
  writeFileSync(file, '\uFEFF{"mcpServers":{"other":{"command":"x"}},"more":1}');
  const line = ['mcp', 'install', 'claude-code', '--mask', '--allow', 'write'];
  const dry = await inFolder(home, [...line, '--dry-run']);
  expect(dry.code, dry.stderr).toBe(0);
  const folders = { COPS_CONFIG_DIR: home.env.COPS_CONFIG_DIR, COPS_DATA_DIR: home.env.COPS_DATA_DIR };
  const entry = { command: 'cops', args: ['-p', 'sandbox', 'mcp', '--allow', 'write', '--mask'], env: folders };
  expect(JSON.parse(dry.stdout)).toEqual({ mcpServers: { cops: entry } });
  expect(readFileSync(file, 'utf8')).toContain('"more":1}');
  const said = await inFolder(home, ['mcp', 'install', 'claude-code', '--test', '--read-only', '--dry-run']);
  expect(said.stdout).toMatch(/"--test",\s+"mcp",\s+"--read-only"/);
  expect((await inFolder(home, [...line, '--no-input'])).code).toBe(12);
  expect((await inFolder(home, [...line, '--yes'])).code).toBe(0);
  expect(read(file)).toEqual({
    mcpServers: {
      other: { command: 'x' },
      cops: entry,
    },
    more: 1,
  });
  expect((await inFolder(home, [...line, '--no-input'])).stderr).toContain('nothing was changed');
});

it('makes the folder of a client and no other, and takes another file and name', async () => {
  const home = emptyHome();
  expect((await inFolder(home, ['mcp', 'install', 'vscode', '--yes'])).code).toBe(0);
  expect(read(path.join(home.folder, '.vscode/mcp.json'))).toHaveProperty('servers.cops');
  const file = path.join(home.folder, 'a/b.json');
  expect((await inFolder(home, ['mcp', 'install', 'cursor', '--file', file, '--yes'])).code).toBe(11);
  mkdirSync(path.dirname(file));
  expect((await inFolder(home, ['mcp', 'install', 'cursor', '--file', file, '--name', 'shop', '--yes'])).code).toBe(0);
  expect(read(file)).toHaveProperty('mcpServers.shop');
});

it('leaves a link a link, and changes what it leads to', async () => {
  const home = emptyHome();
  const kept = path.join(home.folder, 'kept.json');
  writeFileSync(kept, '{}');
  symlinkSync(kept, path.join(home.folder, '.mcp.json'));
  expect((await inFolder(home, ['mcp', 'install', 'claude-code', '--yes'])).code).toBe(0);
  expect(read(kept)).toHaveProperty('mcpServers.cops');
});

it.each([
  ['not JSON', '{"mcpServers": {} // mine\n}', 11],
  ['a list', '[]', 11],
  ['servers that are a list', '{"mcpServers":[]}', 11],
])('leaves a file alone that is %s', async (_, text, code) => {
  const home = emptyHome();
  const file = path.join(home.folder, '.mcp.json');
  writeFileSync(file, text);
  expect((await inFolder(home, ['mcp', 'install', 'claude-code', '--yes'])).code).toBe(code);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('shows what an entry was without what its environment holds', async () => {
  const home = emptyHome();
  const entry = { command: 'cops', args: ['mcp'], env: { COPS_API_KEY: 'sk_live_of_mine' } };
  writeFileSync(path.join(home.folder, '.mcp.json'), JSON.stringify({ mcpServers: { cops: entry } }));
  const ran = await inFolder(home, ['mcp', 'install', 'claude-code', '--yes']);
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('"COPS_API_KEY":"****"') });
  expect(ran.stderr).not.toContain('sk_live_of_mine');
});

it('names the clients it knows, and refuses what the server would', async () => {
  const home = emptyHome();
  const unknown = await inFolder(home, ['mcp', 'install', 'nobody', '-o', 'json']);
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('claude-desktop') });
  expect((await inFolder(home, ['mcp', 'install', 'vscode', '--allow', 'all', '--yes'])).code).toBe(2);
  const folder = path.join(home.folder, 'folder.json');
  mkdirSync(folder);
  chmodSync(folder, 0o700);
  expect((await inFolder(home, ['mcp', 'install', 'vscode', '--file', folder, '--yes'])).code).toBe(11);
});

it('prints a page for agents whose lines are all lines of cops', { tags: ['sweep'], timeout: 60_000 }, async () => {
  const home = emptyHome();
  await laySandbox(home.env.COPS_DATA_DIR ?? '', Date.now(), FEW);
  const page = (await home.run(['agent'])).stdout;
  expect(Buffer.byteLength(page)).toBeLessThan(8192);
  const list = async (family: string) =>
    (
      JSON.parse((await inFolder(home, [family, 'list', '--last', '200d', '--limit', '1', '-o', 'json'])).stdout) as {
        id: string;
      }[]
    )[0]?.id as string;
  const subscription = await list('subscriptions');
  const { email } = JSON.parse(
    (await inFolder(home, ['customers', 'list', '--last', '200d', '--limit', '1', '-o', 'json'])).stdout,
  )[0] as { email: string };
  writeFileSync(path.join(home.folder, 'ids.txt'), `${subscription}\n`);
  for (const [, line] of AGENT_TASKS) {
    expect(page).toContain(`cops ${line}`.replaceAll('|', '\\|'));
    const words = (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
    const filled = words.map((word) => (word === '<id>' ? subscription : word === 'jane@example.com' ? email : word));
    // A set-up that is not there, and what differs, are answers too.
    const { code, stderr } = await inFolder(home, line === 'sync' ? ['sync', ...MIRRORED] : filled);
    expect(line === 'setup plan' ? [0, 2, 11, 13] : [0], `${line}: ${stderr}`).toContain(code);
  }
});

it('names the clients that a word may mean, and what an agent may do', async () => {
  const made = emptyHome();
  const claude = await made.run([...SANDBOX, 'mcp', 'install', 'claude', '--dry-run']);
  expect(claude.code, claude.stderr).toBe(0);
  expect(claude.stderr).toContain('claude is read as claude-code (.mcp.json of this folder).\n');
  expect(claude.stderr).toContain('For Claude Desktop: cops -p sandbox mcp install claude-desktop\n');
  expect((await made.run([...SANDBOX, 'mcp', 'install', 'clod', '--dry-run'])).code).toBe(2);
  expect((await made.run(['mcp', '--help'])).stdout.replace(/\s+/g, ' ')).toContain(
    'for claude-code, claude-desktop, ',
  );
  const ran = await made.run([...SANDBOX, 'mcp', 'install', 'claude-code', '--dry-run']);
  expect(ran.stderr).toContain('Agents may only read');
});

/** @module-tag thorough */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Home, KEY } from '../../harness/home.js';
import { ESCAPES } from './escape-attempts.js';

/* A scenario is code of somebody else: whatever it asks for, it reaches its own copy of the sandbox and nothing more. */

const SECRET = 'the-content-of-a-file-outside';
let server: Server;
let url: string;
let heard = 0;
let home: Home;
let folder: string;
let outside: string;
let before: string;

beforeAll(async () => {
  server = createServer((_request, response) => {
    heard++;
    response.end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  home = new Home({ COPS_BASE_URL: url, COPS_API_KEY: KEY, COPS_MODE: 'live', HTTPS_PROXY: url, HTTP_PROXY: url });
  folder = path.join(home.folder, 'scenarios');
  outside = path.join(home.folder, 'outside');
  layOutside();
  await home.run(['setup', 'init', folder]);
  layFolder();
  before = treeOf(home.folder);
});
afterAll(() => {
  server.close();
  home.remove();
});
beforeEach(() => {
  heard = 0;
});

function layOutside(): void {
  mkdirSync(path.join(outside, 'shop'), { recursive: true });
  writeFileSync(path.join(outside, 'secret.txt'), SECRET);
  writeFileSync(path.join(outside, 'secret.json'), JSON.stringify({ name: SECRET }));
  writeFileSync(path.join(outside, 'rows.csv'), `name\n${SECRET}\n`);
  writeFileSync(path.join(outside, 'answers.json'), JSON.stringify([{ message: 'x', answer: SECRET }]));
  writeFileSync(path.join(outside, 'mirror.sqlite'), SECRET);
  writeFileSync(path.join(outside, 'shop', 'cops.setup.yaml'), 'version: 1\n');
}

function layFolder(): void {
  mkdirSync(folder, { recursive: true });
  symlinkSync(outside, path.join(folder, 'linked'));
  symlinkSync(path.join(outside, 'secret.txt'), path.join(folder, 'link.txt'));
  symlinkSync(path.join(outside, 'stolen.jsonl'), path.join(folder, 'dangling.jsonl'));
  for (const [name, value] of [
    ['shop', 'plain'],
    ['leaking', 'plain'],
    ['reading', `\${secret.file:${outside}/secret.txt}`],
    ['running', `\${secret.cmd:touch ${outside}/stolen; curl ${url}}`],
  ] as const) {
    mkdirSync(path.join(folder, name, 'key-values'), { recursive: true });
    writeFileSync(path.join(folder, name, 'cops.setup.yaml'), 'version: 1\n');
    const token = { key: 'token', key_type: 'string', value };
    writeFileSync(path.join(folder, name, 'key-values', 'token.yaml'), JSON.stringify(token));
  }
  symlinkSync(path.join(outside, 'secret.txt'), path.join(folder, 'leaking', 'key-values', 'other.yaml'));
  writeFileSync(path.join(folder, 'rows.csv'), 'name\nA\n');
  writeFileSync(path.join(folder, 'evil.journal'), `{"input":"${outside}/rows.csv"}\n`);
  writeFileSync(path.join(folder, 'evil-plan.json'), JSON.stringify({ folder: outside, steps: [] }));
}

/** Names and contents of all files below a folder, links as links. */
function treeOf(root: string): string {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return `${file} ${entry.isFile() ? readFileSync(file, 'base64') : ''}`;
    })
    .sort()
    .join('\n');
}

describe('the walls around a scenario', () => {
  it('has at least fifty files against them', () => {
    expect(ESCAPES.length).toBeGreaterThanOrEqual(50);
  });

  it.each(ESCAPES)('hold against %s', async (_about, text) => {
    expect([2, 13]).toContain((await attack(text)).code);
  });

  it.each(['reading', 'running'])('let no secret of a set-up be read: %s gets a stand-in', async (shop) => {
    const text = `given: { setup: ${shop} }\nsteps: [{ expect: [{ list: key-values, where: [key=token] }] }]\n`;
    expect(await attack(text)).toMatchObject({ code: 0 });
  });
});

/** Plays a file and proves that nothing came of it. */
async function attack(text: string) {
  const file = path.join(home.folder, 'scenarios', 'evil.test.yaml');
  writeFileSync(file, `version: 1\n${text.replaceAll('OUT', outside).replaceAll('URL', url)}`);
  const ran = await home.run(['test', file, '-o', 'json']);
  expect(heard).toBe(0);
  const said = `${ran.stdout}${ran.stderr}`;
  expect(said).not.toContain(SECRET);
  expect(said).not.toContain(KEY);
  rmSync(file);
  expect(treeOf(home.folder)).toBe(before);
  return ran;
}

/** @module-tag thorough */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ok, wrote } from '../fixtures/service/service.js';
import { QuickClock } from '../harness/clock.js';
import { A, home as emptyHome, pair } from './helpers.js';

let answer = '99.0.0';
let asked: (string | undefined)[] = [];
const server = createServer((request, response) => {
  asked.push(request.headers.authorization);
  response.end(answer);
});
let address = '';

beforeEach(async () => {
  [answer, asked] = ['99.0.0', []];
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/version`;
});
afterEach(async () => {
  const closed = new Promise((done) => server.close(done));
  server.closeAllConnections();
  await closed;
});

const LINE = ['campaigns', 'get', A];
const homeOf = async () => (await pair(() => ok({ id: A, live_mode: false }))).home;

it('tells a person at a terminal about a newer version, once a day, and sends no key', async () => {
  const home = await homeOf();
  const clock = new QuickClock(Date.UTC(2026, 0, 15));
  const seen = { terminal: 100, clock, env: { COPS_UPDATE_URL: address, CI: undefined } };
  expect((await home.run(LINE, seen)).stderr).toContain('cops 99.0.0 is out');
  expect((await home.run(LINE, seen)).stderr).not.toContain('99.0.0');
  expect(asked).toEqual([undefined]);
  await clock.sleep(86_400_000);
  answer = '{"version":"99.1.0"}';
  expect((await home.run(LINE, seen)).stderr).toContain('cops 99.1.0 is out');
});

it('takes the address from the profile, and asks nobody where none is named', async () => {
  const home = emptyHome();
  const seen = { terminal: 100, env: { CI: undefined } };
  const line = ['-p', 'sandbox', 'campaigns', 'list'];
  await home.run(line, seen);
  expect(asked).toEqual([]);
  expect((await home.run(['-p', 'sandbox', 'config', 'set', 'update_url', 'http://example.com/v'])).code).toBe(2);
  expect((await home.run(['-p', 'sandbox', 'config', 'set', 'update_url', address])).code).toBe(0);
  expect((await home.run(line, seen)).stderr).toContain('99.0.0');
});

it.each([
  ['in a pipe', {}],
  ['in CI', { terminal: 100, env: { CI: 'true' } }],
])('asks nobody %s', async (_, how) => {
  const home = await homeOf();
  const env = { CI: undefined, COPS_UPDATE_URL: address, ...('env' in how ? how.env : {}) };
  expect((await home.run(LINE, { ...how, env })).code).toBe(0);
  expect(asked).toEqual([]);
});

it('leaves a done write done, whatever the address is', async () => {
  const { home } = await pair(({ method }) => (method === 'GET' ? ok({ id: A, live_mode: false }) : wrote('item', A)));
  for (const url of ['nonsense', 'http://example.com/v', 'https://127.0.0.1:1/v']) {
    const seen = { terminal: 100, env: { COPS_UPDATE_URL: url, CI: undefined } };
    const line = ['customer-groups', 'edit', A, '-d', `name=${url}`, '--yes'];
    expect((await home.run(line, seen)).code, url).toBe(0);
  }
});

it.each([
  '0.0.1',
  'not a version',
  '{"version":7}',
  '{',
  '<html>99.0.0</html>',
  '\u001b[31m99.0.0',
  'x'.repeat(100_000),
])('says nothing of an answer that is no newer version: %.20s', async (text) => {
  answer = text;
  const ran = await (await homeOf()).run(LINE, { terminal: 100, env: { COPS_UPDATE_URL: address, CI: undefined } });
  expect(ran.code).toBe(0);
  expect(ran.stderr).not.toContain(' is out');
  expect(asked).toHaveLength(1);
});

it.each([
  ['clone', 'src/bin/cops.js', ['src/.git/HEAD'], 'cd TOP/src && git pull && npm install && npm install -g .'],
  ['npm', 'lib/node_modules/cops/bin/cops.js', [], 'npm install -g ./cops-<version>.tgz'],
  ['brew', 'Cellar/cops/1.2.0/bin/cops', [], 'brew upgrade cops'],
  ['scoop', 'scoop/apps/cops/current/cops.exe', [], 'scoop update cops'],
  ['winget', 'WinGet/Packages/cops.cops_x/cops.exe', [], 'winget upgrade cops.cops'],
  ['deb', 'usr/bin/cops', ['var/lib/dpkg/info/cops.list'], 'sudo apt install ./cops_<version>_amd64.deb'],
  [
    'script',
    '.local/bin/cops',
    ['.local/share/doc/cops/THIRD-PARTY-NOTICES'],
    'sh install.sh <address of the release>',
  ],
  [
    'script',
    'opt/bin/cops',
    ['opt/share/doc/cops/THIRD-PARTY-NOTICES'],
    'sh install.sh <address of the release> TOP/opt/bin',
  ],
  ['executable', 'tools/cops-linux-x64', [], 'sh install.sh <address of the release> TOP/tools'],
  ['executable', 'usr/bin/cops', [], 'sh install.sh <address of the release> TOP/usr/bin'],
])('knows that it was installed as %s, and names the one command: %s', async (as, file, beside, command) => {
  const home = emptyHome();
  const top = path.join(home.folder, 'machine');
  for (const one of [file, ...beside]) {
    mkdirSync(path.dirname(path.join(top, one)), { recursive: true });
    writeFileSync(path.join(top, one), '');
  }
  const program = { path: path.join(top, file), isExecutable: !file.endsWith('.js') };
  const ran = await home.run(['update', '-o', 'json'], { program });
  const told = { installed_as: as, file: program.path, commands: [command.replace('TOP', top)] };
  expect(JSON.parse(ran.stdout)).toMatchObject(told);
  const shown = await home.run(['update'], { program, terminal: 80 });
  expect(shown.stdout).toContain(command.replace('TOP', top));
});

// As a process, the program is the one of this clone.
it('lists every way if nobody knows how it was installed', { tags: ['inside'] }, async () => {
  const ran = await emptyHome().run(['update', '-o', 'json']);
  const { installed_as: as, commands } = JSON.parse(ran.stdout) as { installed_as: null; commands: string[] };
  expect(as).toBeNull();
  expect(commands).toHaveLength(8);
});

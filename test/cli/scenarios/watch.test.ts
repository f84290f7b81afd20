import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { realClock } from '../../harness/clock.js';
import { Home } from '../../harness/home.js';

let home: Home;
let folder: string;
beforeEach(() => {
  home = new Home();
  folder = path.join(home.folder, 'scenarios');
  mkdirSync(folder);
});
afterEach(() => home.remove());

const lay = (text: string) => writeFileSync(path.join(folder, 'a.test.yaml'), `version: 1\n${text}`);

it('plays again after each change, also after a fault of a file, until Ctrl-C', async () => {
  lay('name: First\nsteps: [{ run: projects list }]\n');
  const running = home.start(['test', folder, '--watch', '-o', 'jsonl'], { clock: realClock });
  const statuses = () =>
    running
      .stdout()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).name);
  await expect.poll(statuses).toEqual(['First']);
  await expect.poll(running.stderr).toContain('Waiting');
  lay('nothing: 1\n');
  await expect.poll(running.stderr).toContain('a.test.yaml:2:1');
  lay('name: Second\nsteps: [{ run: projects list, exit: 4 }]\n');
  await expect.poll(statuses).toEqual(['First', 'Second']);
  await expect.poll(running.stderr).toContain('exit 4');
  running.signal('SIGINT');
  expect((await running.ended).code).toBe(130);
});

it('waits for a change where a scenario writes files itself', async () => {
  lay('name: Writes\nsteps: [{ run: overview --html page.html }]\n');
  const running = home.start(['test', folder, '--watch', '-o', 'jsonl'], { clock: realClock });
  await expect.poll(running.stderr).toContain('Waiting');
  running.signal('SIGINT');
  await running.ended;
  expect(running.stdout().trim().split('\n').length).toBe(2);
});

it('takes nothing that is done once', async () => {
  lay('steps: [{ run: projects list }]\n');
  expect((await home.run(['test', folder, '--watch', '--list'])).code).toBe(2);
  expect((await home.run(['test', folder, '--watch', '--dry-run'])).code).toBe(2);
});

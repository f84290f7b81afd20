/** @module-tag process */
/** `npm start`: the first look at the program, on the embedded service. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { home } from './helpers.js';
import { ROOT } from './program.js';

it('the tour shows each command, a refusal, and counts that agree, and leaves nothing behind', () => {
  const made = home();
  const { status, stdout, stderr, signal } = spawnSync(process.execPath, [path.join(ROOT, 'scripts/start.mjs')], {
    // Variables of the user must not lead the tour to a real account.
    env: {
      ...made.env,
      TMPDIR: made.folder,
      COPS_API_KEY: 'key_of_the_tests_0001',
      COPS_BASE_URL: 'http://127.0.0.1:9',
    },
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect({ status, signal }, `${stdout}\n${stderr}`).toEqual({ status: 0, signal: null });

  const commands = [...stdout.matchAll(/^\$ cops (.*)$/gm)].map((match) => match[1] ?? '');
  for (const wanted of [
    /^whoami/,
    /^subscriptions list --last 200d/,
    /^subscriptions get \w{20}/,
    /^subscriptions cancel \w{20}$/,
    /^subscriptions cancel \w{20} --live$/,
    /^export subscription-renewals --from 200d --to now --out /,
  ]) {
    expect(
      commands.filter((command) => wanted.test(command)),
      String(wanted),
    ).not.toEqual([]);
  }
  // Each command's own output follows it: no two of them stand one below the other.
  expect(stdout).not.toMatch(/^\$ cops .*\n\s*\$ cops /m);

  const refused = stdout.slice(stdout.indexOf(' --live'));
  expect(refused).toContain('(exit code 12)');
  expect(stderr).toMatch(/confirm|--yes/);
  expect(stdout).toMatch(/"status": ?"cancelled"/);

  const lines = /(\d+) lines, (\d+) different ids/.exec(stdout);
  const counted = /the service counts (\d+) over (\d+) windows/.exec(stdout);
  expect(Number(lines?.[1])).toBeGreaterThan(0);
  expect(lines?.[2]).toBe(lines?.[1]);
  expect(counted?.[1]).toBe(lines?.[1]);
  expect(Number(counted?.[2])).toBeGreaterThanOrEqual(3);

  expect(readdirSync(made.folder).filter((name) => name.startsWith('cops-tour-'))).toEqual([]);
});

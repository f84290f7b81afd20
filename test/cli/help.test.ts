import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../src/catalogue/examples.js';
import { groupedFamilies } from '../../src/catalogue/help-groups.js';
import { FAMILY_INDEX, loadFamily } from '../../src/catalogue/index.js';
import { COMMANDS } from '../../src/cli/commands/index.js';
import { GROUP_TITLES } from '../../src/cli/help/root-help.js';
import { home } from './helpers.js';

const families = await Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)));
const operations = families.flatMap((family) => family.operations.map((operation) => ({ family, operation })));

describe('the bare program', () => {
  it('fits on a screen of 24 rows, and names every command and group', async () => {
    const { stdout } = await home().run([]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(79);
    const words = new Set(stdout.split(/\s+/));
    expect([...COMMANDS.map(({ name }) => name), ...GROUP_TITLES].filter((name) => !words.has(name))).toEqual([]);
    expect((await home().run(['--help'])).stdout).toBe(stdout);
  });

  it('names every family and command once in the help of its group', async () => {
    const pages = await Promise.all(GROUP_TITLES.map(async (title) => (await home().run(['help', title])).stdout));
    const listed = pages.flatMap((page) => [...page.matchAll(/^ {2}(\S+) {2,}\S/gm)].map(([, name = '']) => name));
    const names = [...FAMILY_INDEX.map(({ command }) => command), ...COMMANDS.map(({ name }) => name)];
    expect(listed.sort()).toEqual(names.sort());
  });

  it('puts a family that is in no group to the settings', () => {
    expect(groupedFamilies(['sales', 'newcomers']).find(([title]) => title === 'settings')?.[1]).toEqual(['newcomers']);
  });

  it('lists the topics', async () => {
    expect((await home().run(['help', 'help'])).stdout).toMatch(/exit-codes {2}Exit codes\n/);
    expect((await home().run(['help', 'topics'])).stdout).toBe((await home().run(['help', 'help'])).stdout);
    expect((await home().run(['help', 'proxy'])).stdout).toContain('cops help profiles');
    for (const word of ['timezone', 'timezones', 'time-zone'])
      expect((await home().run(['help', word])).stdout, word).toContain('--tz <zone>');
    for (const words of [
      ['help', 'exit-codes'],
      ['explain', '10', '-o', 'json'],
    ])
      expect((await home().run(words)).stdout.replace(/\s+/g, ' ')).toContain(
        'What you have is right, but rows may be',
      );
    for (const [word, says] of [
      ['keys', 'Profiles, keys and modes'],
      ['tokens', 'Profiles, keys and modes'],
      ['certificates', 'Proxy and certificates'],
      ['curl', '--curl  show the requests as curl commands'],
      ['aliases', 'Usage: cops alias'],
    ] as const)
      expect((await home().run(['help', word])).stdout, word).toContain(says);
  });

  it.each([
    ['look-up', ['lookup'], ['look', 'up'], ['look_up']],
    ['exit-codes', ['exitcodes'], ['exit codes'], ['Exit', 'Codes']],
    ['setup', ['set-up'], ['set', 'up']],
    ['dry-run', ['dryrun'], ['dry', 'run']],
  ])('is the same for %s with and without hyphens', async (word, ...others) => {
    const { stdout } = await home().run(['help', word]);
    for (const words of others) expect(await home().run(['help', ...words])).toMatchObject({ code: 0, stdout });
  });

  it.each(['a(b', '.*', '[', 'constructor'])(
    'refuses a word that names nothing, whatever its signs: %s',
    async (word) => {
      expect(await home().run(['help', word])).toMatchObject({ code: 2, stdout: '' });
    },
  );
});

it.each(FAMILY_INDEX.map(({ command }) => command))('cops %s --help fits on a screen', async (command) => {
  const { stdout } = await home().run([command, '--help']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(30);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

describe('the examples of an action', () => {
  it('are three, each another, and stand in front of its options', async () => {
    for (const { family, operation } of operations) {
      const lines = examplesOf(family, operation);
      expect(new Set(lines).size, operation.example).toBe(3);
      for (const line of lines) expect(line.startsWith(family.name.replaceAll('_', '-')), line).toBe(true);
    }
    const { stdout } = await home().run(['subscriptions', 'cancel', '--help']);
    expect(stdout.indexOf('Examples')).toBeLessThan(stdout.indexOf('Options'));
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../src/catalogue/examples.js';
import { groupedFamilies } from '../../src/catalogue/groups.js';
import { FAMILY_INDEX, loadFamily } from '../../src/catalogue/index.js';
import { COMMANDS } from '../../src/commands/index.js';
import { home, json } from './helpers.js';

const families = await Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)));
const operations = families.flatMap((family) => family.operations.map((operation) => ({ family, operation })));

/** The words of lines, as a shell splits them. */
function split(lines: readonly string[]): string[][] {
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\n\\0'`).join('\n');
  const text = execFileSync('sh', ['-f', '-c', script], { encoding: 'utf8', maxBuffer: 1 << 24 });
  return text
    .split('\n\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

describe('the bare program', () => {
  it('fits on a screen, and names every family and command', async () => {
    const { stdout } = await home().run([]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(34);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(79);
    const words = new Set(stdout.split(/\s+/));
    const names = [...FAMILY_INDEX.map(({ command }) => command), ...COMMANDS.map(({ name }) => name)];
    expect(names.filter((name) => !words.has(name))).toEqual([]);
    const order = ['Money', 'Customers', 'Catalogue', 'Automation', 'Set-up', 'This tool'];
    expect(lines.flatMap((line) => order.filter((title) => line.startsWith(title)))).toEqual(order);
    expect((await home().run(['--help'])).stdout).toBe(stdout);
  });

  it('puts a family that is in no group to the set-up', () => {
    expect(groupedFamilies(['sales', 'newcomers']).find(([title]) => title === 'Set-up')?.[1]).toEqual(['newcomers']);
  });

  it('lists the topics', async () => {
    expect((await home().run(['help', 'help'])).stdout).toMatch(/exit-codes {2}Exit codes\n/);
  });
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

  it('are lines that cops takes, all of them', async () => {
    const place = home({
      COPS_BASE_URL: 'https://service.example/v2',
      COPS_API_KEY: 'key_of_the_tests_0001',
      COPS_MODE: 'test',
    });
    const cwd = path.join(place.folder, 'work');
    mkdirSync(cwd);
    for (const [name, body] of Object.entries(FILES)) writeFileSync(path.join(cwd, name), JSON.stringify(body));
    const refused: string[] = [];
    for (const words of split(operations.flatMap(({ family, operation }) => examplesOf(family, operation)))) {
      const ran = await place.run([...words.filter((word) => word !== '--dry-run'), '--dry-run', '-q'], { cwd });
      if (ran.code !== 0) refused.push(`${words.join(' ')}: ${ran.stderr}`);
    }
    expect(refused).toEqual([]);
  }, 180_000);

  it('answer on the sandbox where they read what is used most', async () => {
    const place = home({ COPS_PROFILE: 'sandbox' });
    const refused: string[] = [];
    for (const command of [
      'sales',
      'subscriptions',
      'customers',
      'products',
      'subscription_renewals',
      'transactions',
    ]) {
      const family = families.find(({ name }) => name === command);
      const [first] = json<{ id: string }[]>(
        await place.run([command, 'list', '--last', '90d', '--limit', '1', '-o', 'json']),
      );
      for (const operation of family?.operations ?? []) {
        if (!family || operation.method !== 'GET' || !['list', 'get', 'search'].includes(operation.action)) continue;
        for (const words of split(examplesOf(family, operation))) {
          const line = words.map((word) => (/^[A-Za-z0-9]{20}$/.test(word) ? (first?.id ?? '') : word));
          const ran = await place.run(line);
          if (ran.code !== 0) refused.push(`${line.join(' ')}: ${ran.stderr}`);
        }
      }
    }
    expect(refused).toEqual([]);
  }, 180_000);
});

/** What the files that examples name hold. */
const FILES: Readonly<Record<string, unknown>> = {
  'portal.json': {
    name: 'Help',
    enabled: true,
    tracking_domain: 'DOMAIN00000000000001',
    recaptcha: { site_key: 'site', secret_key: 'secret-of-recaptcha' },
    smtp_profile: 'SMTP0000000000000001',
  },
  'card.json': {
    payment: { credit_card: { card_number: '4111111111111111', exp_month: 1, exp_year: 31, card_code: '123' } },
  },
};

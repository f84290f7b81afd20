/** What programs that are started from here get to see of keys, and where a key or a card number may not be shown. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../../src/account/profiles/command.js';
import { ok } from '../../fixtures/service/service.js';
import { A, home as emptyHome, KEY, pair } from '../helpers.js';

const CARD = '4111111111111111';

describe('the environment of a child', () => {
  it('has no key of ours under any name, no password of ours, and all else', () => {
    const home = emptyHome();
    const folder = home.env.COPS_CONFIG_DIR ?? '';
    mkdirSync(folder, { recursive: true });
    const mirror = 'postgres://me@host/db?password-from=env%3ATEAM_WORD';
    const profiles = {
      team: { mirror },
      acme: { test_key: { kind: 'env', name: 'ACME_KEY' }, live_key: { kind: 'stored', key: 'stored-key-0001' } },
    };
    writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ version: 1, profiles }));
    const env = {
      COPS_API_KEY: 'environment-key-1',
      ACME_KEY: 'acme-key-000001',
      COPY_OF_IT: 'x acme-key-000001',
      OTHER_COPY: 'stored-key-0001',
      COPS_MIRROR: 'postgres://me:word@host/db',
      COPS_LEDGER: 'postgres://me@host/db?sslmode=require&pass%77ord=word',
      COPS_SMTP_PASSWORD: 'word',
      TEAM_WORD: 'of-the-team',
      OTHER_WORD: 'of-another-team',
      COPS_TEAM: 'postgres://me@host/db?password-from=env:OTHER_WORD',
      COPS_MODE: 'test',
      VAULT_TOKEN: 'of-another-program',
      PATH: '/bin',
    };
    expect(childEnvironment(env, folder)).toEqual({
      COPS_TEAM: 'postgres://me@host/db?password-from=env:OTHER_WORD',
      COPS_MODE: 'test',
      VAULT_TOKEN: 'of-another-program',
      PATH: '/bin',
    });
  });

  it('holds for the editor', { tags: ['inside'] }, async () => {
    const { home } = await pair(() => ok({ id: A, name: 'x', live_mode: false }));
    const seen = path.join(home.folder, 'seen');
    const env = { EDITOR: `env > ${seen}; true`, KEPT: 'this' };
    await home.run(['customer-groups', 'edit', A, '--editor'], { terminal: 100, env });
    const text = readFileSync(seen, 'utf8');
    expect(text).toContain('KEPT=this');
    expect(text).not.toContain(KEY);
  });

  it('holds for the command of a key', async () => {
    const { service, home } = await pair(() => ok({ results: [], total_count: 0 }));
    const seen = path.join(home.folder, 'seen');
    const command = `cmd:env > ${seen}; echo another-key-0001`;
    const add = ['profiles', 'add', 'acme', '--base-url', service.baseUrl, '--test-key', command];
    expect((await home.run(add)).code).toBe(0);
    await home.run(['campaigns', 'list', '-p', 'acme'], { env: { COPS_API_KEY: '', OTHER: 'x', COPS_BASE_URL: '' } });
    expect(readFileSync(seen, 'utf8')).toContain('OTHER=x');
    expect(readFileSync(seen, 'utf8')).not.toMatch(/^COPS_API_KEY=/m);
  });
});

it('takes no key and no password into a file of a set-up but as a secret', async () => {
  const { service, home } = await pair(() => ok({ results: [], total_count: 0, total_pages: 0 }));
  const run = (...words: string[]) =>
    home.run(['setup', ...words], { cwd: home.folder, env: { COPY: KEY, ACME_API_KEY: 'word-0001', PLAIN: 'VIP' } });
  expect((await run('init', 's')).code).toBe(0);
  mkdirSync(path.join(home.folder, 's', 'customer-groups'), { recursive: true });
  const file = path.join(home.folder, 's', 'customer-groups', 'vip.yaml');
  for (const name of ['COPS_API_KEY', 'COPY', 'ACME_API_KEY']) {
    writeFileSync(file, `name: "VIP \${env.${name}}"\n`);
    for (const words of [
      ['plan', 's', '-o', 'json'],
      ['plan', 's', '--out', 'p.json'],
      ['check', 's'],
    ]) {
      const ran = await run(...words);
      expect(ran.code, ran.stderr).toBe(2);
      expect(ran.stdout + ran.stderr).not.toMatch(new RegExp(`${KEY}|word-0001`));
    }
  }
  expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  writeFileSync(file, 'name: "${env.PLAIN}"\n');
  expect((await run('plan', 's')).code).toBe(13);
});

describe('a card number that is looked for', () => {
  it.each([
    ['customers', 'search', CARD],
    ['customers', 'search', '4111 1111 1111 1111'],
    ['customers', 'search', '4111-1111-1111-1111'],
    ['customers', 'search', `of ${CARD}`],
    ['find', CARD],
    ['customers', 'get', CARD],
    ['api', 'GET', `/customers/${CARD}`],
  ])('stands in no trace and no dry run: %s %s %s', async (...words) => {
    const { home } = await pair(() => ok({ results: [], total_count: 0 }));
    for (const more of [['--debug'], ['--dry-run']]) {
      const ran = await home.run([...words, ...more]);
      expect(ran.stderr.replaceAll(/\D/g, '') + ran.stdout.replaceAll(/\D/g, '')).not.toContain(CARD);
    }
  });
});

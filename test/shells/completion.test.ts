/** @module-tag tool */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home, ROOT } from '../cli/program.js';
import { ShellTerminal } from './completion-terminal.js';
import { describeWith, installed } from './tools.js';

interface ShellUnderTest {
  readonly name: 'bash' | 'zsh' | 'fish';
  readonly command: string;
  readonly begin: Readonly<Record<string, string>>;
  /** Shows what is said about each, and not only words. */
  readonly twoTabs: string;
}

const BASH_RC =
  "PS1='READY> '\nbind 'set bell-style none'\nbind 'set completion-query-items 1000'\nbind 'set page-completions off'\n";
const SHELLS: readonly ShellUnderTest[] = [
  {
    name: 'bash',
    command: 'bash --noprofile --rcfile .rc -i',
    begin: { '.rc': `${BASH_RC}source ~/.local/share/bash-completion/completions/cops\n` },
    twoTabs: '\t\t',
  },
  {
    name: 'zsh',
    command: 'zsh -i',
    begin: {
      '.zshrc': "PS1='READY> '\nLISTMAX=1000\nfpath=(~/.zfunc $fpath)\nautoload -Uz compinit; compinit -u\n",
    },
    twoTabs: '\t',
  },
  {
    name: 'fish',
    command: 'fish',
    begin: {
      '.config/fish/config.fish': "function fish_prompt; echo -n 'READY> '; end\nset fish_greeting\n",
      // Without this folder fish fills it from all pages of the manual, by a program that outlives the shell.
      '.local/share/fish/generated_completions/none.fish': '',
    },
    twoTabs: '\t',
  },
];

for (const { name, command, begin, twoTabs } of SHELLS) {
  // The terminal is tmux; a machine without it cannot press a key.
  const tool = installed('tmux') ? name : 'tmux';
  describeWith(tool, `Tab in a real ${name}`, () => {
    const terminal = new ShellTerminal(command, begin);
    let id = '';

    beforeAll(async () => {
      const { home } = terminal;
      const written = await home.run(['completion', 'install', name]);
      expect(written.code, written.stderr).toBe(0);
      const add = [
        'profiles',
        'add',
        'acme-shop',
        '--base-url',
        'https://api.example.com/v2',
        '--test-key',
        'env:NONE',
      ];
      expect((await home.run(add)).code).toBe(0);
      expect((await home.run(['sandbox', 'reset', '--size', 'small'])).code).toBe(0);
      const list = await home.run(['-p', 'sandbox', 'products', 'list', '--last', '3y', '--limit', '3', '-o', 'jsonl']);
      expect(list.code, list.stderr).toBe(0);
      const item = JSON.parse(list.stdout.split('\n')[0] ?? '{}') as { id: string };
      id = item.id;
      mkdirSync(path.join(home.folder, 'papers'));
      writeFileSync(path.join(home.folder, 'papers', 'a body.json'), '{}');
      await terminal.start();
    });
    afterAll(() => terminal.end());

    it('completes families, and lists them with their summaries', async () => {
      await terminal.type('cops chargeb\t', 'cops chargebacks');
      const screen = await terminal.type(`cops coupon\t${twoTabs}`, 'coupon-profiles');
      expect(screen).toMatch(/coupons\s/);
    });

    it('completes actions, also below a sub-family, and says what they do', async () => {
      await terminal.type('cops subscriptions can\t', 'cops subscriptions cancel');
      await terminal.type('cops customers payment-methods set\t', 'payment-methods set-default');
      await terminal.type(`cops gateway-groups ${twoTabs}`, 'List gateway groups');
    });

    it('completes options, global ones anywhere', async () => {
      await terminal.type('cops subscriptions list --oldest\t', 'list --oldest-first');
      await terminal.type('cops --max-r\t', 'cops --max-retries');
      await terminal.type('cops customers create --skel\t', 'create --skeleton');
    });

    it('completes values: formats, allowed values, time zones, also after an equals sign', async () => {
      await terminal.type('cops -o ya\t', 'cops -o yaml');
      await terminal.type('cops customers list --output=ya\t', '--output=yaml');
      await terminal.type('cops products list --product-type subscription_\t', 'subscription_only');
      await terminal.type('cops --tz Europe/Berl\t', 'cops --tz Europe/Berlin');
    });

    it('completes profile names', async () => {
      await terminal.type('cops -p acm\t', 'cops -p acme-shop');
      await terminal.type('cops profiles use acm\t', 'profiles use acme-shop');
    });

    it('completes paths of a body, up to the equals sign', async () => {
      await terminal.type('cops customers create -d customer.em\tx', '-d customer.email=x');
    });

    it('completes paths of a condition up to the sign, then values, and steps after a dot', async () => {
      await terminal.type('cops subscriptions list --where st\tac\t', '--where status=active');
      await terminal.type('cops subscriptions list --where customer.cou\tx', '--where customer.country=x');
      await terminal.type(
        'cops subscription-renewals list --where subscription.stat\tov\t',
        'subscription.status=overdue',
      );
    });

    it('completes files after @ and where a file is expected', async () => {
      await terminal.type('cops customers create --body @pap\t', '--body @papers/');
      await terminal.type('cops export customers --out pap\t', '--out papers/');
      await terminal.type('cops functions check papers/a\t', /check (?:papers\/a\\ body\.json|'papers\/a body\.json')/);
    });

    it('continues inside quotes', async () => {
      await terminal.type('cops "subscriptions" can\t', '"subscriptions" cancel');
      await terminal.type('cops --query "two words" subscriptions can\t', 'subscriptions cancel');
      await terminal.type('cops customers create -d "customer.em\t', '"customer.email=');
    });

    it('completes ids that were seen, and says what they are', async () => {
      await terminal.type(`cops -p sandbox products get ${id.slice(0, 6)}\t`, `products get ${id}`);
      await terminal.type(`cops -p sandbox products get ${twoTabs}`, /\d{4}-\d\d-\d\d/);
    });

    it('stays silent where nothing can follow', async () => {
      const screen = await terminal.type('cops nonsense list \tx', 'cops nonsense list x');
      expect(screen.trim()).toBe('READY> cops nonsense list x');
    });
  });
}

describe('cops completion', () => {
  const home = new Home({ SHELL: '/usr/bin/zsh' });
  afterAll(() => home.remove());

  it.each([
    ['bash', 'cops.bash'],
    ['zsh', '_cops'],
    ['fish', 'cops.fish'],
    ['powershell', 'cops.ps1'],
  ])('prints the script for %s as the package holds it', async (shell, file) => {
    const ran = await home.run(['completion', shell]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toBe(readFileSync(path.join(ROOT, 'completions', file), 'utf8'));
  });

  it('installs for the shell in use, twice the same, and takes away what it wrote', async () => {
    const file = path.join(home.folder, '.zfunc/_cops');
    const first = JSON.parse((await home.run(['completion', 'install', '-o', 'json'])).stdout) as object;
    expect(first).toMatchObject({ shell: 'zsh', file, state: 'written', next: expect.stringContaining('fpath') });
    expect(readFileSync(file, 'utf8')).toContain('#compdef cops');
    const again = JSON.parse((await home.run(['completion', 'install', '-o', 'json'])).stdout) as object;
    expect(again).toMatchObject({ state: 'unchanged' });
    writeFileSync(file, `${readFileSync(file, 'utf8')}# of an older version\n`);
    const newer = JSON.parse((await home.run(['completion', 'install', '-o', 'json'])).stdout) as object;
    expect(newer).toMatchObject({ state: 'replaced' });
    const gone = JSON.parse((await home.run(['completion', 'uninstall', '-o', 'json'])).stdout) as object;
    expect(gone).toMatchObject({ state: 'removed' });
    expect(readdirSync(path.dirname(file))).toEqual([]);
    const none = JSON.parse((await home.run(['completion', 'uninstall', '-o', 'json'])).stdout) as object;
    expect(none).toMatchObject({ state: 'not there' });
  });

  it('leaves a file alone that it did not make', async () => {
    const file = path.join(home.folder, '.config/fish/completions/cops.fish');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '# mine\n');
    for (const action of ['install', 'uninstall']) {
      const ran = await home.run(['completion', action, 'fish']);
      expect(ran.code).toBe(11);
      expect(ran.stderr).toContain(file);
    }
    expect(readFileSync(file, 'utf8')).toBe('# mine\n');
  });

  it('says what to add for PowerShell, and writes nothing', async () => {
    const ran = await home.run(['completion', 'install', 'powershell', '-o', 'json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({ file: null, next: expect.stringContaining('$PROFILE') });
  });

  it('refuses a shell that it does not know', async () => {
    expect((await home.run(['completion', 'csh'])).code).toBe(2);
    expect((await home.run(['completion', 'install'], { env: { SHELL: '/bin/csh' } })).code).toBe(2);
  });
});

describe('the ids that completion offers', () => {
  const home = new Home({ COPS_PROFILE: 'sandbox' });
  const ids = path.join(home.folder, 'data/ids');
  const list = ['products', 'list', '--last', '3y', '--limit', '2', '-o', 'ids'];
  beforeAll(async () => {
    expect((await home.run(['sandbox', 'reset', '--size', 'small'])).code).toBe(0);
  });
  afterAll(() => home.remove());
  const offered = async (...env: Record<string, string>[]) =>
    (await home.run(['__complete', 'zsh', '3', 'cops', 'products', 'get'], { env: Object.assign({}, ...env) })).stdout;

  it('are not kept if the user does not want that', async () => {
    expect((await home.run(list, { env: { COPS_ID_CACHE: '0' } })).code).toBe(0);
    expect(existsSync(ids)).toBe(false);
    expect((await home.run(['config', 'set', 'id_cache', 'false'])).code).toBe(0);
    expect((await home.run(list)).code).toBe(0);
    expect(existsSync(ids)).toBe(false);
    expect((await home.run(['config', 'unset', 'id_cache'])).code).toBe(0);
  });

  it('come from lists and from single items, newest first, and are forgotten when told', async () => {
    const [first = '', second = ''] = (await home.run(list)).stdout.split('\n');
    expect((await offered()).split('\n').map((line) => line.split('\t')[0])).toEqual(['words', first, second, '']);
    expect((await home.run(['products', 'get', second])).code).toBe(0);
    expect((await offered()).split('\n').map((line) => line.split('\t')[0])).toEqual(['words', second, first, '']);
    expect(await offered({ COPS_MODE: 'live' })).not.toContain(first);
    expect(await offered({ COPS_ID_CACHE: '0' })).not.toContain(first);
    expect((await home.run(['completion', 'forget'])).code).toBe(0);
    expect(existsSync(ids)).toBe(false);
  });

  it('do not hold a list up when they cannot be kept', async () => {
    writeFileSync(ids, 'a file in the way');
    const ran = await home.run(list);
    expect(ran.stdout.trim().split('\n').length).toBe(2);
    expect(ran).toEqual(await home.run(list, { env: { COPS_ID_CACHE: '0' } }));
  });
});

describe('a question that no shell would ask', () => {
  const home = new Home();
  afterAll(() => home.remove());
  it.each([
    [[]],
    [['bash']],
    [['zsh', 'x']],
    [['zsh', '-1', 'a']],
    [['bash', 'line']],
    [['nosuch', '99999999', 'cops']],
  ])('%j is answered with nothing wrong', async (words) => {
    const ran = await home.run(['__complete', ...words]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^words\n/);
  });
});

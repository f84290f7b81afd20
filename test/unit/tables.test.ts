import { readFileSync } from 'node:fs';
import Big from 'big.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { camelCase } from '../../src/account/profiles/settings.js';

/*
 * One made-up entry is added to each table, and everything is loaded anew over these tables. Whatever keeps a copy of
 * its own does not know the entry, and its test fails with the name of the file that is to be made from the table.
 */
type Tables = Readonly<Record<string, (table: never) => object>>;

const add = <T>(list: readonly T[], one: object): readonly T[] => [...list, one as T];
const MADE: Tables = {
  'cli/commands/specs.generated': ({ SPECS }: { SPECS: readonly object[] }) => ({
    SPECS: add(SPECS, {
      name: 'made-command',
      dryRun: 'shows',
      place: 999,
      about: 'a made-up command',
      description: 'A made-up command.',
      options: [{ flags: '--made-own <text>', about: 'an option of its own' }],
      examples: [],
    }),
  }),
  'cli/program/runs.generated': ({ RUNS }: { RUNS: object }) => ({
    RUNS: {
      ...RUNS,
      'made-command': async () => ({
        run: async (_context: object, { options }: { options: { madeOwn?: string } }) => ({
          result: { shape: 'text', text: `made ${options.madeOwn}\n` },
        }),
      }),
    },
  }),
  'session/context/global-options': ({ GLOBAL_OPTIONS }: { GLOBAL_OPTIONS: readonly object[] }) => ({
    GLOBAL_OPTIONS: add(GLOBAL_OPTIONS, { flags: '--made-global <text>', about: 'a made-up global option' }),
  }),
  'data/report/report-names': ({ REPORT_NAMES }: { REPORT_NAMES: object }) => ({
    REPORT_NAMES: { ...REPORT_NAMES, made_report: 'a made-up report' },
  }),
  'data/mirror/views.generated': ({ VIEW_TEXTS }: { VIEW_TEXTS: readonly object[] }) => ({
    VIEW_TEXTS: add(VIEW_TEXTS, { ...VIEW_TEXTS[0], name: 'made_view' }),
  }),
  'cli/mcp/tools': ({ TOOLS }: { TOOLS: readonly object[] }) => ({
    TOOLS: add(TOOLS, { ...TOOLS[0], name: 'made_tool' }),
  }),
  'sandbox/serve/injected-faults': ({ FAULT_KINDS }: { FAULT_KINDS: object }) => ({
    FAULT_KINDS: Object.assign(FAULT_KINDS, { 'made-fault': { about: 'a made-up fault' } }),
  }),
  'cli/completion/shells': ({ SHELLS }: { SHELLS: readonly object[] }) => ({ SHELLS: [...SHELLS, 'made-shell'] }),
  'base/errors/errors': ({ EXIT_MEANINGS }: { EXIT_MEANINGS: readonly object[] }) => ({
    EXIT_MEANINGS: add(EXIT_MEANINGS, { exit: 77, meaning: 'a made-up end', next: 'Nothing.' }),
  }),
  'account/policy/rule-fields': ({ RULE_FIELDS }: { RULE_FIELDS: readonly object[] }) => ({
    RULE_FIELDS: add(RULE_FIELDS, {
      name: 'made_limit',
      reads: 'count',
      isLimit: true,
      option: ['--made-limit <n>', 'a made-up limit'],
    }),
  }),
  'account/profiles/settings': ({ SETTINGS }: { SETTINGS: readonly object[] }) => ({
    SETTINGS: add(SETTINGS, {
      name: 'made_setting',
      about: 'a made-up setting',
      holds: ['one', 'two'],
      option: '--made-setting <word>',
    }),
  }),
};

let home: InstanceType<typeof import('../harness/home.js')['Home']>;
const said = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await home.run(words);
  return `${code}\n${stdout}${stderr}`;
};
const tab = (...words: string[]) => said('__complete', 'bash', String(words.length), 'cops', ...words);

beforeAll(async () => {
  vi.resetModules();
  for (const [file, change] of Object.entries(MADE))
    vi.doMock(`../../src/${file}.js`, async (original) => {
      const table = (await original()) as object;
      return { ...table, ...change(table as never) };
    });
  const { Home } = await import('../harness/home.js');
  home = new Home();
});
afterAll(() => {
  home.remove();
  for (const file of Object.keys(MADE)) vi.doUnmock(`../../src/${file}.js`);
  vi.resetModules();
});

/** The pages that are made from the tables. */
async function pages(): Promise<string> {
  const { manPages, referencePages } = await import('../../scripts/reference-pages.js');
  return [...(await manPages('1', '2026-01-31')).values(), ...(await referencePages()).values()].join('\n');
}

describe('one new entry is enough', () => {
  it.each([
    ['a command', 'src/cli/program/program.ts', ['made-command', '--made-own', 'x'], '0\nmade x'],
    ['a command', 'src/cli/help/root-help.ts', ['--help-all'], 'a made-up command'],
    ['a command', 'src/cli/help/command-help.ts', ['made-command', '--help'], '--made-own <text>'],
    [
      'a global option',
      'src/cli/parser/parser.ts',
      ['made-command', '--made-own', 'x', '--made-global', 'y'],
      '0\nmade x',
    ],
    ['a global option', 'src/cli/help/root-help.ts', ['--help-all'], '--made-global <text>'],
    ['a sandbox fault', 'src/cli/commands/sandbox/run.ts', ['sandbox', 'serve', '--fault', 'wrong=1'], 'made-fault'],
    ['a shell', 'src/cli/commands/completion/run.ts', ['completion', 'made-wrong'], 'made-shell'],
    ['an exit code', 'src/cli/help/help-topics.ts', ['help', 'exit-codes'], 'a made-up end'],
    ['an exit code', 'src/session/lookup/meanings.ts', ['explain', '77'], 'made-up end'],
    ['a profile setting', 'src/cli/commands/profiles/spec.ts', ['profiles', 'add', '--help-all'], '--made-setting'],
    [
      'a profile setting',
      'src/cli/commands/config/run.ts',
      ['config', 'set', 'made_setting', 'three'],
      'One of one, two',
    ],
    ['a limit', 'src/cli/commands/policy/spec.ts', ['policy', 'add', '--help'], '--made-limit <n>'],
    ['a limit', 'src/cli/commands/policy/add.ts', ['policy', 'add', '--made-limit', '7'], '"made_limit":7'],
    ['a sandbox fault', 'src/cli/commands/sandbox/spec.ts', ['sandbox', 'serve', '--help'], 'made-fault'],
    ['a shell', 'src/cli/commands/completion/spec.ts', ['completion', '--help'], 'made-shell'],
  ])('%s is known to %s', async (_what, file, words, expected) => {
    expect(await said(...words), `${file} is not made from the table`).toContain(expected);
  });

  it.each([
    ['a command', 'src/cli/completion/complete-commands.ts', ['made-'], 'made-command'],
    ['an option of a command', 'src/cli/completion/complete-options.ts', ['made-command', '--made-o'], '--made-own'],
    ['a global option', 'src/cli/completion/complete-options.ts', ['customers', 'list', '--made-g'], '--made-global'],
    ['a report', 'src/cli/commands/report/spec.ts', ['report', 'made'], 'made_report'],
    ['a limit', 'src/cli/commands/policy/spec.ts', ['policy', 'add', '--made'], '--made-limit'],
    ['a sandbox fault', 'src/cli/commands/sandbox/spec.ts', ['sandbox', 'serve', '--fault', 'made'], 'made-fault'],
    ['a shell', 'src/cli/commands/completion/spec.ts', ['completion', 'made'], 'made-shell'],
    [
      'a profile setting',
      'src/cli/commands/profiles/spec.ts',
      ['profiles', 'edit', 'acme', '--made'],
      '--made-setting',
    ],
  ])('%s is completed by %s', async (_what, file, words, expected) => {
    expect(await tab(...words), `${file} is not made from the table`).toContain(expected);
  });

  it.each([
    'made-command',
    'made-global',
    'a made-up end',
    'made-own',
    'made-fault',
    'made-shell',
    'made-limit',
    'made-setting',
  ])('%s is in the pages of scripts/reference-pages.ts', async (word) => {
    expect((await pages()).replaceAll('\\-', '-')).toContain(word);
  });

  it('a report has a name, figures, and a place in docs/reports.md', async () => {
    const { REPORTS } = await vi.importActual<typeof import('../../src/data/report/reports.js')>(
      '../../src/data/report/reports.js',
    );
    const { REPORT_NAMES } = await vi.importActual<typeof import('../../src/data/report/report-names.js')>(
      '../../src/data/report/report-names.js',
    );
    const names = Object.keys(REPORT_NAMES);
    expect(REPORTS.map(({ name }) => name)).toEqual(names);
    const page = readFileSync('docs/reports.md', 'utf8');
    expect(names.filter((name) => !page.includes(name))).toEqual([]);
  });

  it('a limit is judged by src/account/policy/judge.ts, and stands in what `policy edit` begins with', async () => {
    const { RULE_FIELDS } = await vi.importActual<typeof import('../../src/account/policy/rule-fields.js')>(
      '../../src/account/policy/rule-fields.js',
    );
    const { judgeAlone, judgeSums, mayGoAlone } = await import('../../src/account/policy/judge.js');
    const { TEMPLATE } = await import('../../src/cli/commands/policy/rules.js');
    expect(RULE_FIELDS.filter(({ name }) => !TEMPLATE.includes(`${name}: `))).toEqual([]);
    const asked = {
      profile: 'shop',
      credential: 'x',
      mode: 'test',
      who: 'agent',
      operation: 'sales void',
      risk: 'money',
    } as const;
    const moves = { kind: 'amount', amount: new Big(100), currency: 'USD' } as const;
    // On a Saturday at one in the morning, without a reason, with nothing written before.
    const now = Date.UTC(2026, 0, 31, 1);
    const least = {
      amounts: new Map([['USD', new Big(1)]]),
      count: 0,
      hours: [600, 601],
      flag: true,
      choices: ['saturday'],
    };
    for (const { name, reads, mayBeNone } of RULE_FIELDS.filter((field) => field.isLimit)) {
      const value = reads === 'operations' ? (mayBeNone ? ['customers'] : ['sales void']) : least[reads as 'count'];
      const policy = { zone: 'UTC', rules: [{ name: 'made', [camelCase(name)]: value }] };
      const judged = [
        ...judgeAlone(policy, asked, moves, now),
        ...judgeSums(policy, asked, moves, now, [], () => true),
      ];
      const stopped = judged[0]?.facts.more?.limit;
      // The one that stops nothing: it lets an agent go alone.
      expect(name === 'alone' ? mayGoAlone(policy, asked) : stopped, name).toBe(name === 'alone' ? true : name);
    }
  });

  it('a tool has a line in docs/agents.md, an exit code one in README.md', async () => {
    const { TOOLS } = await vi.importActual<typeof import('../../src/cli/mcp/tools.js')>('../../src/cli/mcp/tools.js');
    const agents = readFileSync('docs/agents.md', 'utf8');
    expect(TOOLS.filter(({ name }) => !agents.includes(`\`${name}\``))).toEqual([]);
    const { EXIT_MEANINGS } = await vi.importActual<typeof import('../../src/base/errors/errors.js')>(
      '../../src/base/errors/errors.js',
    );
    const readme = readFileSync('README.md', 'utf8').split('## Exit codes')[1] ?? '';
    const told = [...readme.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, codes = '']) => codes.split(', ').map(Number));
    expect(told).toEqual(EXIT_MEANINGS.map(({ exit }) => exit));
  });

  it('a tool is offered to agents by src/cli/commands/mcp/run.ts', async () => {
    const { Agent } = await import('../cli/mcp/agent.js');
    const agent = await Agent.start(home, ['-p', 'sandbox', 'mcp']);
    const { result } = await agent.send('tools/list', {});
    expect(JSON.stringify(result)).toContain('made_tool');
  });

  it('a view comes with every mirror', async () => {
    const { MIRROR_VIEWS } = await import('../../src/data/mirror/views.js');
    expect(MIRROR_VIEWS.map(({ name }) => name)).toContain('made_view');
  });
});

// Runs the same thirty commands on every artefact of a release: does everything that needs a separate part work there?
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const HELLO = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'smoke', version: '1' } },
})}\n`;

/**
 * Runs the commands with `program` (a path) in `folder`, on the sandbox, without network.
 * @returns one record per command: `{ line, status, wanted, fault }`; `fault` is undefined if all is well.
 */
export function smoke(program, folder) {
  mkdirSync(folder, { recursive: true });
  const env = {
    PATH: process.env.PATH,
    HOME: path.join(folder, 'home'),
    COPS_CONFIG_DIR: path.join(folder, 'config'),
    COPS_DATA_DIR: path.join(folder, 'data'),
    COPS_PROFILE: 'sandbox',
    TZ: 'UTC',
  };
  mkdirSync(env.HOME, { recursive: true });
  const run = (words, input = '') =>
    spawnSync(program, words, { cwd: folder, env, input, encoding: 'utf8', timeout: 120_000, maxBuffer: 64_000_000 });
  const first = (family) =>
    JSON.parse(run([family, 'list', '--last', '1y', '--limit', '1', '-o', 'json']).stdout)[0].id;
  const size = (file) => statSync(path.join(folder, file)).size;
  const subscription = first('subscriptions');
  return commands(subscription, folder).map(({ words, wanted = 0, input, check = (text) => text !== '' }) => {
    const { status, stdout, stderr } = run(words, input);
    const fault = faultOf();
    return { line: words.join(' '), status, wanted, fault };

    function faultOf() {
      if (status !== wanted) return `${stderr.trim().split('\n').at(-1)}`;
      try {
        return check(stdout, { size, stderr }) ? undefined : `answered: ${stdout.slice(0, 200)}`;
      } catch (error) {
        return error.message;
      }
    }
  });
}

function commands(subscription, folder) {
  const file = (name) => path.join(folder, name);
  const made = (name, least = 100) => ({
    check: (_, { size }) => size(name) >= least,
  });
  const spanned = (family, out) => ['export', family, '--last', '200d', '--out', out];
  return [
    { words: ['--version'], check: (text) => /^\d+\.\d+\.\d+/.test(text) },
    { words: ['--help'] },
    { words: ['subscriptions', '--help'] },
    { words: ['subscriptions', 'cancel', '--help'] },
    { words: ['whoami', '-o', 'json'], check: (text) => JSON.parse(text) !== null },
    { words: ['campaigns', 'list', '-o', 'table'] },
    { words: ['customers', 'list', '--limit', '3', '-o', 'csv'], check: (text) => text.split('\n').length === 5 },
    { words: ['subscriptions', 'get', subscription, '-o', 'yaml'] },
    { words: ['subscriptions', 'cancel', subscription], check: (text) => JSON.parse(text).code === 1 },
    { words: ['subscriptions', 'get', 'A'.repeat(20)], wanted: 4, check: () => true },
    { words: ['subscriptions', 'cancel', subscription, '--live'], wanted: 12, check: () => true },
    { words: ['history', 'list', '-o', 'json'], check: (text) => JSON.parse(text).length >= 1 },
    { words: spanned('subscription-renewals', file('renewals.jsonl')), ...made('renewals.jsonl') },
    { words: spanned('subscription-renewals', file('renewals.csv')), ...made('renewals.csv') },
    { words: spanned('subscription-renewals', file('renewals.parquet')), ...made('renewals.parquet') },
    { words: spanned('subscription-renewals', file('renewals.xlsx')), ...made('renewals.xlsx') },
    { words: spanned('subscription-renewals', file('renewals.sqlite')), ...made('renewals.sqlite') },
    { words: ['export', 'verify', file('renewals.jsonl')], check: () => true },
    { words: ['sync', file('mirror.sqlite')], ...made('mirror.sqlite', 4096) },
    {
      words: ['sql', 'select count(*) as n from customers', '--mirror', file('mirror.sqlite'), '-o', 'json'],
      check: (text) => JSON.parse(text)[0].n > 0,
    },
    {
      words: [
        ...['report', 'refunds', '--last', '200d', '--mirror', file('mirror.sqlite')],
        ...['--html', file('refunds.html'), '-o', 'json'],
      ],
      check: (text, { size }) => JSON.parse(text).rows.length > 0 && size('refunds.html') > 1000,
    },
    { words: ['setup', 'pull', file('setup'), 'products'], check: () => readFileSync(file('setup/cops.setup.yaml')) },
    { words: ['setup', 'plan', file('setup')], check: () => true },
    { words: ['mcp'], input: HELLO, check: (text) => JSON.parse(text.split('\n')[0]).result.serverInfo !== undefined },
    {
      words: ['bulk', 'customers', 'enable', '--ids', '-', '--dry-run'],
      input: `${subscription}\n`,
      check: () => true,
    },
    { words: ['bigquery', 'query', 'select 1 as one', '-o', 'json'] },
    {
      words: ['functions', 'run', '-', '--event', 'sale.created', '-o', 'json'],
      input: 'callback(null, 1 + 1)',
      check: (text) => JSON.parse(text) !== null,
    },
    { words: ['explain', 'E0583'] },
    { words: ['openapi', '--help'] },
    { words: ['completion', 'bash'], check: (text) => text.includes('complete ') },
    { words: ['__complete', 'zsh', '2', 'cops', 'subscriptions', 'ca'], check: (text) => text.includes('cancel') },
  ];
}

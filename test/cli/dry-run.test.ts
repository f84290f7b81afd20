/**
 * `--dry-run` over the whole command table: configuration, data folder, working folder, sandbox and the requests that a
 * service gets, before and after. A command that nobody wrote a line for fails by its name.
 * @module-tag thorough
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/open.js';
import { examplesOf } from '../../src/catalogue/examples.js';
import { FAMILY_INDEX, loadFamily, pathParameters } from '../../src/catalogue/index.js';
import { ACTION_SPECS } from '../../src/cli/actions/specs.generated.js';
import { SPECS } from '../../src/cli/commands/specs.generated.js';
import { openSandboxStore } from '../../src/sandbox/store/open-store.js';
import { dryRunOf } from '../../src/session/context/run.js';
import type { CommandSpec } from '../../src/session/context/spec.js';
import { listHandler, ok, type Recorded, type Service } from '../fixtures/service/service.js';
import { endSchedules, laySandbox, SOME } from '../harness/seeded.js';
import { A, B, home, items, json, KEY, prove, service } from './helpers.js';
import type { Home, Ran } from './program.js';

/** A line for each command and each command below it, without --dry-run. `{journal}` and the like are filled in. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  agent: ['agent'],
  alias: ['alias'],
  'alias list': ['alias list'],
  'alias set': ['alias set soon "subscriptions list --last 7d"'],
  'alias unset': ['alias unset late'],
  api: [`api POST /customers/${A}/disable`, "api GET '/campaigns?limit=5&page=1'"],
  bulk: [
    'bulk customers disable --ids ids.txt',
    'bulk customers disable --ids ids.txt --journal new.journal',
    'bulk customers disable --ids -',
    'bulk list',
    'bulk status {journal}',
    'bulk report {journal}',
    'bulk resume {journal}',
    'bulk retry-failed {journal}',
    'bulk reconcile {journal} --apply',
  ],
  changes: ['changes --since yesterday'],
  check: ['subscription-profiles check profile.yaml'],
  commands: ['commands'],
  completion: ['completion bash'],
  'completion install': ['completion install bash'],
  'completion uninstall': ['completion uninstall bash'],
  'completion forget': ['completion forget'],
  'config path': ['config path'],
  'config list': ['config list'],
  'config get': ['config get tz'],
  'config export': ['config export'],
  'config import': ['config import settings.json', 'config import settings.json --yes'],
  'config files': ['config files'],
  'config set': [
    'config set columns.customers name,email',
    'config set tz Europe/Berlin',
    'config set current other',
    'config set id_cache false',
    'config set alias.x agent',
  ],
  'config unset': ['config unset current', 'config unset alias.late', 'config unset mode'],
  copy: ['products copy "Ceramic Mug" --to sandbox:live -p sandbox --yes'],
  doctor: ['doctor', 'doctor --online'],
  explain: ['explain E0583'],
  export: ['export products --out products.jsonl', 'export products --out out/', 'export products --out -'],
  find: ['find 4242'],
  history: ['history'],
  'history list': ['history list'],
  'history show': ['history show {write}'],
  'history settle': ['history settle {write} --as done'],
  login: [
    'login acme --test-key env:OTHER_KEY --replace',
    'login fresh --base-url {url} --test-key env:OTHER_KEY --no-check',
  ],
  logout: ['logout', 'logout acme --live', 'logout acme --yes'],
  mcp: ['mcp'],
  'mcp install': ['mcp install claude-code --yes', 'mcp install cursor --yes --file new.json'],
  mode: ['mode live', 'mode test', 'mode live -p sandbox'],
  note: [`customers note ${A} "Called"`],
  open: [`open ${A} --family customers`],
  pick: ['pick subscriptions --status active', 'pick products'],
  'openapi pull': ['openapi pull', 'openapi pull -p sandbox'],
  'openapi check': ['openapi check -p sandbox'],
  'openapi show': ['openapi show -p sandbox'],
  overview: ['overview --last 3d', 'overview --last 3d --html page.html'],
  policy: ['policy'],
  'policy show': ['policy show'],
  'policy check': [`policy check customers disable ${A}`],
  'policy add': ['policy add --never "subscriptions cancel"'],
  'policy remove': ['policy remove agents'],
  'policy edit': ['policy edit --file policy.yaml'],
  postpone: ['subscriptions postpone {subscription} --by 2w -p sandbox'],
  'profiles list': ['profiles list'],
  'profiles show': ['profiles show acme'],
  'profiles add': ['profiles add fresh --base-url https://api.example.com/v2 --test-key env:OTHER_KEY'],
  'profiles edit': [
    'profiles edit acme --mode live',
    'profiles edit acme --live-key env:OTHER_KEY',
    'profiles edit other --rate 5',
  ],
  'profiles use': ['profiles use other', 'profiles use sandbox'],
  'profiles rename': ['profiles rename acme renamed'],
  'profiles remove': ['profiles remove acme --yes', 'profiles remove other'],
  reconcile: ['reconcile payouts.csv --month 2026-10'],
  'events listen': ['events listen -p sandbox'],
  'events list': ['events list -p sandbox', 'events list -p sandbox --failed'],
  'events get': [`events get ${A} -p sandbox`],
  'events resend': [`events resend ${A} -p sandbox --to http://localhost:3000/hooks`],
  'events verify': [`events verify body.json --id ${A} --timestamp 1 --signature v1,x --secret env:HOOK_SECRET`],
  'events secret': [
    'events secret show -p sandbox --forward-to http://localhost:3000/hooks',
    'events secret rotate -p sandbox --forward-to http://localhost:3000/hooks',
  ],
  'events forward': ['events forward status -p sandbox'],
  reference: ['reference events'],
  report: [
    'report revenue --month last',
    'report revenue --month last --html page.html',
    'report revenue --sql',
    'report close --month last --lock',
    'report close --month last --unlock --reason late',
  ],
  reset: ['reset --everything --yes'],
  dev: ['functions dev check.js --event sale.created', 'functions run check.js --event sale.created'],
  deploy: ['functions deploy check.js --name Fresh --event sale.created -p sandbox'],
  'sandbox reset': ['sandbox reset --yes', 'sandbox reset --size 50 --seed 3'],
  'sandbox serve': ['sandbox serve'],
  'sandbox status': ['sandbox status'],
  'sandbox events': ['sandbox events --last 7d'],
  'sandbox trigger': ['sandbox trigger sale.created.success.paid'],
  'sandbox seed': ['sandbox seed shop.yaml', 'sandbox seed --schema'],
  'sandbox runs': ['sandbox runs'],
  'sandbox outbox': ['sandbox outbox'],
  'sandbox answers': ['sandbox answers', 'sandbox answers answers.json', 'sandbox answers --clear'],
  'sandbox keys': ['sandbox keys', 'sandbox keys add extra', 'sandbox keys disable till', 'sandbox keys enable till'],
  'sandbox snapshot': ['sandbox snapshot', 'sandbox snapshot save begin'],
  'sandbox clock': ['sandbox clock', 'sandbox clock advance 3d', 'sandbox clock set {tomorrow}'],
  'setup init': ['setup init fresh'],
  'setup pull': ['setup pull fresh bin-profiles -p sandbox'],
  'setup plan': ['setup plan shop bin-profiles -p sandbox', 'setup plan shop bin-profiles -p sandbox --out plan.json'],
  'setup apply': ['setup apply shop bin-profiles -p sandbox --live --yes'],
  'setup resume': ['setup resume {setup} -p sandbox'],
  'setup diff': ['setup diff bin-profiles --from sandbox:test --to sandbox:live'],
  'setup promote': ['setup promote bin-profiles --from sandbox:test --to sandbox:live --yes'],
  'setup check': ['setup check shop'],
  'setup rename': ['setup rename shop bin-profiles "Prepaid cards" Prepaid'],
  'setup graph': ['setup graph shop'],
  'setup import': ['setup import bin-profiles x --folder shop -p sandbox'],
  show: [`customers show ${A}`],
  sql: ['sql "select 1"', 'sql "select 1" --with payouts.csv'],
  'sql save': ['sql save mine "select 1"'],
  'sql run': ['sql run kept'],
  'sql saved': ['sql saved'],
  'sql forget': ['sql forget kept'],
  sync: ['sync', 'sync copies/ products', 'sync shop.sqlite products customers'],
  tail: ['sales tail'],
  team: ['team'],
  'team init': ['team init postgres://anna@db.example.com/shop'],
  'team join': ['team join postgres://anna@db.example.com/shop'],
  'team status': ['team status'],
  'team leave': ['team leave'],
  'team migrate': ['team migrate'],
  timeline: [`timeline ${A}`],
  test: ['test --init scenarios', 'test --schema'],
  update: ['update'],
  whoami: ['whoami'],
  why: [`why ${A}`],
};

/** Codes of lines that end otherwise than well, whatever a dry run is: what they look at differs, or is not there. */
const ENDS: Readonly<Record<string, readonly number[]>> = {
  'setup diff bin-profiles --from sandbox:test --to sandbox:live': [0, 13],
  'setup plan shop bin-profiles -p sandbox': [0, 13],
  'setup plan shop bin-profiles -p sandbox --out plan.json': [0, 13],
  'bulk status {journal}': [0, 9, 10, 130],
  'bulk retry-failed {journal}': [0, 9, 10, 130],
  'bulk resume {journal}': [0, 9, 10, 130],
  'bulk reconcile {journal} --apply': [0, 1, 9, 10],
  'setup resume {setup} -p sandbox': [2, 11],
  [`events verify body.json --id ${A} --timestamp 1 --signature v1,x --secret env:HOOK_SECRET`]: [11],
  [`events get ${A} -p sandbox`]: [4],
  [`events resend ${A} -p sandbox --to http://localhost:3000/hooks`]: [4],
};

/** Commands that answer before any command runs. */
const ANSWERED = ['help'];

/** Every command of the table, those below it named with it; a group is none by itself. */
const commands = [...ACTION_SPECS, ...SPECS]
  .flatMap((spec): string[] => {
    const below = (spec as CommandSpec).commands ?? [];
    const isGroup = below.length > 0 && spec.arguments === undefined;
    return [...(isGroup ? [] : [spec.name]), ...below.map(({ name }) => `${spec.name} ${name}`)];
  })
  .filter((name) => !ANSWERED.includes(name));

const words = (line: string): string[] =>
  [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));

interface Place {
  readonly home: Home;
  readonly service: Service;
  readonly cwd: string;
  readonly fill: (line: string) => string;
  readonly run: (line: readonly string[]) => Promise<Ran>;
}

const sha = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex').slice(0, 16);

/** What lies below a folder, each with its mode and what is in it; the sandbox is looked at by its rows. */
function filesBelow(folder: string, below = ''): string[] {
  return readdirSync(path.join(folder, below)).flatMap((name): string[] => {
    const at = path.join(below, name);
    const full = path.join(folder, at);
    const facts = lstatSync(full);
    if (facts.isDirectory()) return [`${at}/ ${facts.mode.toString(8)}`, ...filesBelow(folder, at)];
    if (facts.isSymbolicLink()) return [`${at} -> ${readlinkSync(full)}`];
    if (/^sandbox\.sqlite(-wal|-shm)?$/.test(name)) return name === 'sandbox.sqlite' ? [at] : [];
    return [`${at} ${facts.mode.toString(8)} ${sha(readFileSync(full))}`];
  });
}

/** Rows of a sandbox by what its file holds: most lines leave every byte of it. */
const known = new Map<string, Readonly<Record<string, string>>>();

/** The rows of the sandbox but for the records of calls, table by table. */
async function rowsOf(home: Home): Promise<Readonly<Record<string, string>>> {
  const file = path.join(home.env.COPS_DATA_DIR ?? '', 'sandbox.sqlite');
  // What was written last may lie in the log beside it.
  const bytes = [file, `${file}-wal`].map((part) => (existsSync(part) ? sha(readFileSync(part)) : '')).join(' ');
  const before = known.get(bytes);
  if (before) return before;
  const database = await openDatabase({ file, what: 'The sandbox database', readonly: true });
  try {
    const calls = Number(database.prepare("SELECT code FROM families WHERE name = 'api_calls'").get()?.[0]);
    const ofKind = `WHERE kind / 4 <> ${calls}`;
    const rows: Record<string, string> = {};
    for (const name of ['meta', 'items', 'words', 'counts', 'secrets', 'accounts', 'keys_seen', 'due', 'shown']) {
      const where = ['items', 'words', 'counts'].includes(name) ? ofKind : '';
      const all = database.prepare(`SELECT * FROM ${name} ${where}`).all();
      rows[name] = sha(JSON.stringify(all, (_, one) => (typeof one === 'bigint' ? `${one}` : one)));
    }
    known.set(bytes, rows);
    return rows;
  } finally {
    database.close();
  }
}

async function state(place: Place) {
  return { files: filesBelow(place.home.folder), rows: await rowsOf(place.home) };
}

const LIST = listHandler({ items: items(3), dated: false });
const answer = (request: Recorded) =>
  request.method === 'GET' && request.query.has('page')
    ? LIST(request)
    : ok({ id: A, live_mode: false, status: 'active' });

async function makePlace(): Promise<Place> {
  const served = await service({ handler: answer });
  const made = home({ ACME_KEY: KEY, OTHER_KEY: 'key_of_the_others_0002', SHELL: '/bin/bash', COPS_RATE: '' });
  const { COPS_CONFIG_DIR: config = '', COPS_DATA_DIR: data = '' } = made.env;
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const profile = {
    base_url: served.baseUrl,
    test_key: { kind: 'stored', key: KEY },
    live_key: { kind: 'stored', key: 'live_key_of_acme_0003' },
    mode: 'test',
    web_url: 'https://app.example.com/{family}/{id}',
  };
  const configuration = {
    current: 'acme',
    aliases: { late: 'subscriptions list --last 90d' },
    profiles: { acme: profile, other: { base_url: served.baseUrl, test_key: { kind: 'env', name: 'OTHER_KEY' } } },
  };
  writeFileSync(path.join(config, 'config.json'), JSON.stringify(configuration), { mode: 0o600 });
  const policy = 'zone: UTC\nrules:\n  - name: agents\n    who: [agent]\n    never: [sales]\n';
  writeFileSync(path.join(config, 'policy.yaml'), policy);
  mkdirSync(path.join(config, 'queries'));
  writeFileSync(path.join(config, 'queries', 'kept.sql'), 'select 1\n');
  await laySandbox(data, Date.now(), SOME);
  // What runs each night takes most of the time of a clock that goes on.
  const opened = await openSandboxStore({ dataDir: data, now: Date.now });
  endSchedules(opened);
  opened.database.close();
  const cwd = path.join(made.folder, 'work');
  mkdirSync(cwd);
  const files: Readonly<Record<string, string>> = {
    'ids.txt': `${A}\n${B}\n`,
    'settings.json': '{"cops_config":1,"profiles":{"acme":{"tz":"Europe/Berlin","id_cache":false}}}',
    'check.js': 'callback(null, event.item.status);',
    'profile.yaml': 'name: Monthly2\nfrequency: unit\nfrequency_unit: {unit: months, value: 1}\n',
    'answers.json': '[{"message": "refund", "answer": "Done.", "output": 1}]',
    'shop.yaml': 'version: 1\nproducts: { Seeded: { price: 5 } }\n',
    'policy.yaml': 'zone: UTC\nrules: []\n',
    'payouts.csv': 'id,amount\n1,19.90\n',
    'portal.json': '{"name": "Help"}',
    'card.json': '{"payment": {"credit_card": {"card_number": "4111111111111111", "exp_month": 1, "exp_year": 31}}}',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
  const run = (line: readonly string[]) => made.run(line, { cwd, input: line.includes('-') ? `${A}\n` : '' });
  const done = async (...line: string[]): Promise<Ran> => {
    const ran = await run(line);
    expect([0, 1, 9, 10, 13], `${line.join(' ')}: ${ran.stderr}`).toContain(ran.code);
    return ran;
  };
  prove(made, served.baseUrl);
  await done('sandbox', 'keys', 'add', 'till');
  await done('-p', 'sandbox', 'openapi', 'pull');
  await done('-p', 'sandbox', 'setup', 'pull', 'shop', 'bin-profiles');
  await done('bulk', 'customers', 'disable', '--ids', 'ids.txt', '--journal', 'begun.journal');
  const [write] = json<{ id: string }[]>(await done('history', 'list', '-o', 'json'));
  const [subscription = ''] = (
    await done('-p', 'sandbox', 'subscriptions', 'list', '--status', 'active', '-o', 'ids')
  ).stdout.split('\n');
  const places: Readonly<Record<string, string>> = {
    journal: path.join(cwd, 'begun.journal'),
    setup: path.join(cwd, 'begun.journal'),
    write: write?.id ?? '',
    subscription,
    url: served.baseUrl,
    tomorrow: new Date(Date.now() + 86_400_000).toISOString(),
  };
  const fill = (line: string) =>
    line.replace(/\{(journal|setup|write|subscription|url|tomorrow)\}/g, (_, name: string) => places[name] ?? '');
  served.requests.length = 0;
  return { home: made, service: served, cwd, fill, run };
}

/** Runs a line as a dry run and tells what it changed, and what it sent beside reads. */
async function tried(place: Place, line: readonly string[], before: Awaited<ReturnType<typeof state>>) {
  const ran = await place.run([...line, '--dry-run', '--no-input']);
  const after = await state(place);
  const sent = place.service.requests.splice(0).map(({ method, path: at }) => `${method} ${at}`);
  const changed = [
    ...after.files.filter((one) => !before.files.includes(one)).map((one) => `there now: ${one}`),
    ...before.files.filter((one) => !after.files.includes(one)).map((one) => `gone: ${one}`),
    ...Object.keys(after.rows)
      .filter((name) => after.rows[name] !== before.rows[name])
      .map((name) => `sandbox: ${name}`),
    ...sent.filter((one) => !one.startsWith('GET ')).map((one) => `sent: ${one}`),
  ];
  return { ran, changed, sent };
}

const declared = (command: string): string | undefined => {
  const [head = '', below = ''] = command.split(' ');
  const spec = [...ACTION_SPECS, ...SPECS].find(({ name }) => name === head);
  return spec && dryRunOf(spec as CommandSpec, below);
};

it('has a line for every command, and none for what is no command', () => {
  expect(commands.filter((name) => LINES[name] === undefined)).toEqual([]);
  expect(Object.keys(LINES).filter((name) => !commands.includes(name))).toEqual([]);
});

describe('a dry run', () => {
  // Some two hundred runs: as processes of the built program they take minutes.
  it('of every command changes nothing and sends nothing but reads', {
    tags: ['inside'],
    timeout: 300_000,
  }, async () => {
    const place = await makePlace();
    const before = await state(place);
    const wrong: string[] = [];
    for (const command of commands) {
      for (const line of LINES[command] ?? []) {
        const { ran, changed } = await tried(place, words(place.fill(line)), before);
        const wanted = declared(command) === undefined ? [2] : (ENDS[line] ?? [0]);
        if (!wanted.includes(ran.code ?? -1)) changed.unshift(`ends with ${ran.code}: ${ran.stderr.slice(-300)}`);
        if (changed.length > 0) wrong.push(`cops ${line}: ${changed.join('; ')}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('of operations of every risk and shape changes nothing and sends nothing', async () => {
    const place = await makePlace();
    const before = await state(place);
    const seen = new Map<string, number>();
    const wrong: string[] = [];
    for (const { name } of FAMILY_INDEX) {
      const family = await loadFamily(name);
      for (const operation of family.operations) {
        const kind = [operation.risk, operation.method, operation.list?.style, pathParameters(operation).length].join(
          ' ',
        );
        const many = seen.get(kind) ?? 0;
        seen.set(kind, many + 1);
        if (many >= 2) continue;
        const [example = ''] = examplesOf(family, operation);
        const { ran, changed, sent } = await tried(
          place,
          [...words(example), '--no-validate', '--yes'].filter(
            (one) => operation.method === 'POST' || one !== '--no-validate',
          ),
          before,
        );
        if (ran.code !== 0) changed.unshift(`ends with ${ran.code}: ${ran.stderr.slice(-300)}`);
        if (sent.length > 0) changed.push(...sent);
        if (changed.length > 0) wrong.push(`cops ${example}: ${changed.join('; ')}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 240_000);

  it('makes no folder and no sandbox where there is none', async () => {
    const made = home();
    for (const line of [
      'mode live --profile=sandbox',
      'sandbox status',
      'sandbox clock advance 1d',
      '--profile=sandbox customers list',
      'alias set soon "subscriptions list"',
      'bulk customers disable --ids - --profile=sandbox',
    ])
      expect((await made.run([...words(line), '--dry-run'], { input: `${A}\n` })).code, line).toBe(0);
    expect(readdirSync(made.folder)).toEqual([]);
  }, 60_000);
});

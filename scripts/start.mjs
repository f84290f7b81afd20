// A tour: runs the built program as a user would, on the embedded service, without a network. Shows each command before
// its output. Configuration and data live in a temporary folder that is removed at the end.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const program = path.join(root, 'bin/cops.js');
if (!existsSync(path.join(root, 'dist/main.js'))) run(process.execPath, [path.join(root, 'scripts/build.mjs')]);

const folder = mkdtempSync(path.join(tmpdir(), 'cops-tour-'));
const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('COPS_'));
const env = {
  ...Object.fromEntries(kept),
  COPS_CONFIG_DIR: path.join(folder, 'config'),
  COPS_DATA_DIR: path.join(folder, 'data'),
  COPS_PROFILE: 'sandbox',
};

try {
  tour();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function tour() {
  heading('Who am I? The profile "sandbox" is the service inside this program: no account, no network.');
  cops('whoami', '-o', 'table');

  heading('Subscriptions of the last 200 days: three windows of at most 90 days, read as one list.');
  cops('subscriptions', 'list', '--last', '200d', '--limit', '12', '-o', 'table');

  heading('One of them.');
  const id = quiet('subscriptions', 'list', '--last', '200d', '--query', "[?status=='active'] | [0].id", '-o', 'json');
  const subscription = JSON.parse(id);
  cops('subscriptions', 'get', subscription, '-o', 'table');

  heading('Cancel it in test mode, and read it again.');
  cops('subscriptions', 'cancel', subscription);
  cops('subscriptions', 'get', subscription, '--query', '{id: id, status: status}', '-o', 'json');

  heading('The same in live mode, with nobody at a terminal to confirm: refused, nothing sent.');
  cops.expect = 12;
  cops('subscriptions', 'cancel', subscription, '--live');
  cops.expect = 0;

  heading("Export 200 days of renewals as JSON lines, and compare their count with the service's.");
  const file = path.join(folder, 'renewals.jsonl');
  cops('export', 'subscription-renewals', '--from', '200d', '--to', 'now', '--out', file);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const ids = new Set(lines.map((line) => JSON.parse(line).id));
  const manifest = JSON.parse(readFileSync(`${file}.manifest.json`, 'utf8'));
  const counted = manifest.windows.reduce((sum, window) => sum + window.total_count, 0);
  console.log(`\n  ${lines.length} lines, ${ids.size} different ids, ${statSync(file).size} bytes;`);
  console.log(`  the service counts ${counted} over ${manifest.windows.length} windows.`);
  if (ids.size !== lines.length || lines.length === 0) fail('the file holds an item twice, or is empty');

  heading('What to try next');
  console.log(`  node bin/cops.js -p sandbox customers list
  node bin/cops.js -p sandbox sales void SALE_ID --dry-run
  node bin/cops.js -p sandbox trials list --last 1y --query "[?status=='active'].[id, customer.email]"
  node bin/cops.js sandbox serve            the same service over HTTP, for curl or a script
  node bin/cops.js login                    your own account
  node bin/cops.js help scripting           pipes, exit codes, confirmation
  npm install -g .                          then just: cops
`);
}

function heading(text) {
  console.log(`\n# ${text}`);
}

function cops(...args) {
  console.log(`\n$ cops ${args.map(quote).join(' ')}`);
  const { status } = spawnSync(process.execPath, [program, ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== (cops.expect ?? 0)) fail(`"cops ${args.join(' ')}" ended with code ${status}`);
  if (status !== 0) console.log(`(exit code ${status})`);
}

function quiet(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8' });
  if (status !== 0) fail(`"cops ${args.join(' ')}" ended with code ${status}: ${stderr}`);
  return stdout;
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function quote(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word.replace(folder, '/tmp/tour') : JSON.stringify(word);
}

function fail(reason) {
  console.error(`\nThe tour stopped: ${reason}.`);
  rmSync(folder, { recursive: true, force: true });
  process.exit(1);
}

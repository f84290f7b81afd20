/** @module-tag thorough */
/** From a list to a file, and from an export to what only a list can do: the hint is a line that really works. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { errorOf, home } from './helpers.js';

/** A line as a shell runs it, its words apart and the file that it is sent to. */
function asShell(line: string): { readonly words: string[]; readonly into: string | undefined } {
  const [command = '', into] = line.replace(/ \| gzip > (.*\.gz)$/, ' > $1').split(' > ');
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return { words: words.slice(1), into };
}

it.each([
  ['export pending-refunds --last 90d --where amount>20 --out refunds.xlsx', 'refunds.csv'],
  ['export sales --last 30d --status paid --out sales.jsonl.gz --format jsonl', 'sales.jsonl.gz'],
  ['export customers --where enabled=true --gzip --concurrency 2 --since-last --out people.csv', 'people.csv.gz'],
  ['-p sandbox export customers --sort -created --limit 5 --out=people/', 'people.csv'],
  ['pending-refunds list --last 90d --out refunds.xlsx', undefined],
  ['-p sandbox sales list --last 30d --save-as=sales.csv', undefined],
  ['sales list --last 30d --where amount_total>20 --out sales.csv', 'sales.csv'],
])('%s', async (line, into) => {
  const cops = home({ COPS_PROFILE: 'sandbox' });
  const refused = await cops.run([...line.split(' '), '-o', 'json'], { cwd: cops.folder });
  expect(refused.code).toBe(2);
  const [, meant = ''] = /^Did you mean "(.*)"\?$/.exec(errorOf(refused).hint ?? '') ?? [];
  const { words, into: file } = asShell(meant.replace(' -o json', ''));
  expect(file, meant).toBe(into);
  const ran = await cops.run(words, { cwd: cops.folder });
  expect(ran.code, `${meant}: ${ran.stderr}`).toBe(0);
  if (into === undefined) {
    const out = path.join(cops.folder, words.at(-1) ?? '');
    expect(existsSync(out) && readFileSync(out).length).toBeGreaterThan(100);
  } else expect(ran.stdout.split('\n').length).toBeGreaterThan(1);
});

it('leads from a file of statements to a database, and from a short dry run to the whole one', async () => {
  const made = home();
  const sql = await made.run(['-p', 'sandbox', 'export', 'customers', '--out', 'customers.sql', '-o', 'json']);
  expect(errorOf(sql).hint).toContain('cops -p sandbox sync postgres://user@host/name customers');
  const line = ['-p', 'sandbox', 'bulk', 'customers', 'disable', '--where', 'enabled=yes', '--all-time'];
  const dry = await made.run([...line, '--dry-run'], { terminal: 400 });
  const count = Number(/Dry run: (\d+) requests, the first 5 shown/.exec(dry.stderr)?.[1]);
  const whole = /curl commands: cops ([^\u001b\n]*)/.exec(dry.stderr)?.[1] ?? '';
  const shown = await made.run(asShell(`cops ${whole}`).words);
  expect(shown.stdout.split('\n').filter((one) => one.startsWith('curl '))).toHaveLength(count);
});

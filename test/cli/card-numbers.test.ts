/** A card number that is typed as a name, a term or a value stands in no trace, no error, no note and no file. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listHandler, type Recorded, refusal } from '../fixtures/service/service.js';
import { A, errorOf, json, pair } from './helpers.js';

const SPELLINGS = [
  '4111111111111111',
  '4111 1111 1111 1111',
  '4111.1111.1111.1111',
  'card 4111-1111-1111-1111',
  '４１１１１１１１１１１１１１１１',
  '٤١١١١١١١١١١١١١١١',
];
const LINES = [
  ['customers', 'search', '@'],
  ['customers', 'get', '@'],
  ['customers', 'show', '@'],
  ['customers', 'list', '--search', '@'],
  ['customers', 'list', '--where', 'first_name=@'],
  ['customers', 'edit', '@', '-d', 'first_name=x'],
  ['customers', 'disable', A, '--reason', '@'],
  ['customers', 'disable', A, '--idempotency-key', '@'],
  ['customers', 'disable', '@', '--curl'],
  ['customers', 'note', A, '@'],
  ['customer-groups', 'create', '-d', 'name=@'],
  ['transactions', 'refund', '@', '--latest', '--yes'],
  ['sales', 'list', '--customer', '@'],
  ['coupons', 'validate', '@'],
  ['find', '@'],
  ['why', '@'],
  ['timeline', '@'],
  ['api', 'GET', '/customers?search=@'],
  ['api', 'GET', '/customers/@'],
  ['alias', 'set', 'x', 'customers search @'],
  ['open', '@'],
  ['@'],
] as const;

/** Answers that name what was asked for, as a service does. */
function answer(request: Recorded) {
  if (request.method !== 'GET') return refusal(400, 'E0002', `not ${request.body}`);
  if (request.query.has('page')) return listHandler({ items: [], dated: request.query.has('date_start') })(request);
  return refusal(404, 'E0001', `there is no ${decodeURIComponent(request.url)}`);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((name) => statSync(name).isFile());
}

describe('a card number', () => {
  it.each(SPELLINGS)('as %s is shown and kept nowhere', async (typed) => {
    const { home } = await pair(answer);
    const digits = typed.replace(/^card /, '');
    const forms = [digits, encodeURIComponent(digits), '4111111111111111', digits.replaceAll(' ', '+')];
    const found: string[] = [];
    for (const line of LINES) {
      const words = line.map((word) => word.replaceAll('@', typed));
      for (const more of [['--debug', '--log-format', 'json'], ['--debug', '-o', 'json'], ['--dry-run']]) {
        const ran = await home.run([...words, ...more, '--max-retries', '0', '--no-input'], { cwd: home.folder });
        // What a dry run of a known field shows is what would be sent: the text of a note, the name of a group.
        const isShown = more[0] === '--dry-run' && ['note', 'create'].includes(line[1] ?? '');
        const said = isShown ? ran.stderr : ran.stdout + ran.stderr;
        if (forms.some((form) => said.includes(form))) found.push([...line, ...more].join(' '));
      }
    }
    for (const file of filesBelow(home.folder)) {
      const text = readFileSync(file, 'utf8');
      if (forms.some((form) => text.includes(form))) found.push(path.relative(home.folder, file));
    }
    expect(found).toEqual([]);
  });

  it('that is only an order number can be asked for in a query on standard input, and is not saved', async () => {
    const { home } = await pair(answer);
    const query = "select '4111111111111111' as number";
    const typed = await home.run(['sql', query, '-o', 'json', '--mirror', 'm.sqlite'], { cwd: home.folder });
    expect(typed.code).toBe(2);
    expect(errorOf(typed).hint).toContain('cops sql -');
    expect((await home.run(['sync', 'm.sqlite', 'campaigns'], { cwd: home.folder })).code).toBe(0);
    const read = { cwd: home.folder, input: query };
    expect(json(await home.run(['sql', '-', '--mirror', 'm.sqlite', '-o', 'json'], read))).toEqual([
      { number: '4111111111111111' },
    ]);
    writeFileSync(path.join(home.folder, 'q.sql'), query);
    expect((await home.run(['sql', 'save', 'x', '--file', 'q.sql'], { cwd: home.folder })).code).toBe(2);
  });
});

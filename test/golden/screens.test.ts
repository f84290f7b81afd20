/**
 * The screens that are seen most, as they stand on a terminal of 80 and of 120 columns: standard output and standard
 * error in the order in which they come, on a sandbox that is laid out at one fixed moment.
 * @module-tag thorough
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home } from '../cli/program.js';
import { StandingClock } from '../harness/clock.js';
import { laySandbox } from '../harness/seeded.js';
import { golden } from './file.js';

interface Seen {
  /** The file's name. */
  readonly name: string;
  readonly words: readonly string[];
  /** What is waited for, and typed then. */
  readonly typed?: readonly [string, string];
}

/** `WHO`, `SUBSCRIPTION` and `LIVE` stand for what the sandbox of that day holds. */
const seen = (name: string, words: string, more: Partial<Seen> = {}): Seen => ({
  name,
  words: words.split(' '),
  ...more,
});

const SCREENS: readonly Seen[] = [
  seen('customers-list', 'customers list --limit 8'),
  seen('customers-show', 'customers show WHO'),
  seen('customers-search', 'customers search smith'),
  seen('find', 'find WHO'),
  seen('why', 'why WHO'),
  seen('timeline', 'timeline WHO'),
  seen('subscriptions-list', 'subscriptions list --limit 8'),
  seen('subscriptions-get', 'subscriptions get SUBSCRIPTION'),
  seen('subscription-renewals-list', 'subscription-renewals list --limit 8'),
  seen('sales-list', 'sales list --limit 8'),
  seen('sales-by-currency', 'sales list --last 90d --group-by iso_currency --sum amount_total'),
  seen('transactions-list', 'transactions list --where result=declined --limit 5'),
  seen('pending-refunds-list', 'pending-refunds list'),
  seen('chargebacks-list', 'chargebacks list --all-time'),
  seen('products-list', 'products list'),
  seen('live-list', 'customers list --limit 3 --live'),
  seen('overview', 'overview --last 30d'),
  seen('explain', 'explain E0583'),
  seen('unknown-command', 'custmers list'),
  seen('unknown-id', 'customers get AAAAAAAAAAAAAAAAAAAA'),
  seen('faulty-body', 'customers create -d customer.email=nobody -d nonsense=1'),
  seen('suspend', 'subscriptions suspend SUBSCRIPTION'),
  seen('activate', 'subscriptions activate SUBSCRIPTION'),
  seen('postpone', 'subscriptions postpone SUBSCRIPTION --by 1mo'),
  seen('customers-note', 'customers note WHO Called'),
  seen('products-copy', 'products copy PRODUCT --to sandbox:live'),
  seen('alias-set', '', { words: ['alias', 'set', 'late', 'subscriptions list --where status=overdue'] }),
  seen('alias', 'alias'),
  seen('bulk-list', 'bulk list'),
  seen('cancel-live', 'subscriptions cancel LIVE --live', { typed: ['Type ', 'no\r'] }),
  seen('history', 'history'),
  seen('several-ids', 'customers disable CUSTOMER OTHER'),
];

/** What stays on a terminal: progress that was taken away again, and what moves the cursor, is not. */
function screenOf(pieces: readonly string[]): string {
  return pieces
    .join('')
    .replace(/[^\n]*\r\u001b\[2K/g, '')
    .replace(/\u001b\[[0-9;?]*[A-HJKSTfhlnsu]/g, '')
    .replace(/\r/g, '')
    .replace(/^(?:\? [^\n]*?)+(?=[✔✖] )/gm, '');
}

/** Ids that are made anew in each run. */
function withoutChance(text: string): string {
  return text
    .replace(/(API call: |api-calls get |api call id +)\w{20}/gi, '$1API_CALL_ID________')
    .replace(/(?<=^\w{20} {2}success {2})\w{20}$/gm, 'API_CALL_ID________')
    .replace(/(?<=^Created )\w{20}(?=\.$)/gm, 'ID_OF_WHAT_WAS_MADE_')
    .replace(/(?<=-customers-enable-)\w{4}(?=\.journal)/g, 'HASH')
    .replace(/\b2611\d\d-\d{6}-\w{5}\b/g, 'HISTORY-ENTRY-ID___')
    .replace(/^(HISTORY-ENTRY-ID.* (?:\w{20}|notes create) +)\w{20}$/gm, '$1API_CALL_ID________');
}

/** All screens at one width, in order, on a sandbox of their own. */
async function shoot(columns: number, colour = false): Promise<Map<string, string>> {
  const home = new Home(colour ? {} : { NO_COLOR: '1' });
  const clock = new StandingClock();
  const shots = new Map<string, string>();
  await laySandbox(home.env.COPS_DATA_DIR ?? '', clock.now());
  try {
    const fixed = { clock, random: () => 0.5 };
    const active = async (mode: string) => {
      const words = ['-p', 'sandbox', 'subscriptions', 'list', mode, '--where', 'status=active', '-o', 'json', '-q'];
      const { stdout } = await home.run(words, fixed);
      return (JSON.parse(stdout) as { id: string; customer: { email: string } }[])[0];
    };
    const [mine, live] = [await active('--test'), await active('--live')];
    const ids = async (family: string) => {
      const { stdout } = await home.run(['-p', 'sandbox', family, 'list', '--limit', '4', '-o', 'ids', '-q'], fixed);
      return stdout.trim().split('\n');
    };
    // The first of them is `WHO`, whose timeline stays as it was.
    const [, customer, other, third] = await ids('customers');
    const [product] = await ids('products');
    writeFileSync(path.join(home.folder, 'ids.txt'), `${other}\n${third}\n`);
    const bulk = ['bulk', 'customers', 'enable', '--ids', path.join(home.folder, 'ids.txt'), '--concurrency', '1'];
    await home.run(['-p', 'sandbox', ...bulk], fixed);
    const stand: Readonly<Record<string, string | undefined>> = {
      WHO: mine?.customer.email,
      SUBSCRIPTION: mine?.id,
      CUSTOMER: customer,
      OTHER: other,
      PRODUCT: product,
      LIVE: live?.id,
    };
    for (const { name, words, typed } of colour ? SCREENS.slice(15, 16) : SCREENS) {
      const pieces: string[] = [];
      const reader = (piece: string) => void pieces.push(piece);
      const line = words.map((word) => stand[word] ?? word);
      const end = { columns, rows: 400, reader };
      const running = home.start(['-p', 'sandbox', ...line], { ...fixed, terminal: columns, stdout: end, stderr: end });
      if (typed) {
        while (!pieces.join('').includes(typed[0])) await new Promise((resolve) => setTimeout(resolve, 10));
        running.type(typed[1]);
      } else running.endInput();
      const { code } = await running.ended;
      shots.set(name, `$ cops ${line.join(' ')}\n${withoutChance(screenOf(pieces))}[exit code ${code}]\n`);
    }
  } finally {
    home.remove();
  }
  return shots;
}

const folder = path.join(import.meta.dirname, 'screens');
mkdirSync(folder, { recursive: true });

describe.each([80, 120])('on a terminal of %i columns', (columns) => {
  let shots = new Map<string, string>();
  beforeAll(async () => {
    shots = await shoot(columns);
  }, 120_000);
  afterAll(() => shots.clear());

  it.each(SCREENS.map(({ name }) => name))('%s', (name) => {
    const shot = shots.get(name) ?? '';
    expect(shot).toBe(golden(`screens/${name}-${columns}.txt`, shot));
  });

  it('no id, address, path or event is cut', () => {
    for (const [name, shot] of shots) expect(shot, name).not.toMatch(/\S@\S*…|^\w{4,19}…|\w[./:]\w*…/m);
  });

  it('no row of a table is broken by the terminal', () => {
    for (const [name, shot] of shots) {
      const wide = shot.split('\n').filter((line) => line.length > columns && !/\bcops |^[$?✔✖]|https?:/.test(line));
      expect(wide, name).toEqual([]);
    }
  });
});

it('live mode in colour', async () => {
  const shot = (await shoot(100, true)).get('live-list') ?? '';
  const visible = shot.replaceAll('\u001b', '\\e');
  expect(visible).toBe(golden('screens/live-list-colour.txt', visible));
  expect(visible).toContain('\\e[41m');
});

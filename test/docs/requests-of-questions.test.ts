/** @module-tag thorough */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { home as makeHome } from '../cli/helpers.js';
import { ROOT } from '../cli/program.js';
import { StandingClock } from '../harness/clock.js';
import { laySandbox } from '../harness/seeded.js';

/** Questions across lists, as docs/paths.md shows them with what they cost on the sandbox. */
const QUESTIONS: readonly (readonly [text: string, line: readonly string[]])[] = [
  [
    'cards that have expired, with whose they are',
    ['customer-cards', 'list', '--where', 'expires<today', '--columns', 'id,customer.email'],
  ],
  [
    'due next week, on a card that ends before',
    ['subscriptions', 'list', '--next', '7d', '--where', 'card.expires<{next_renewal}'],
  ],
  ['subscriptions of one country', ['subscriptions', 'list', '--where', 'customer.country=CAN']],
  ['customers without a sale in 90 days', ['customers', 'list', '--without', 'sales created>-90d']],
  ['customers who have an active subscription', ['customers', 'list', '--with', 'subscriptions status=active']],
  [
    'the same amount twice to one customer',
    ['transactions', 'list', '--yesterday', '--group-by', 'customer,amount', '--having', 'count>1'],
  ],
  ['chargebacks of a product', ['chargebacks', 'list', '--all-time', '--with', 'sales products.name~tea']],
  [
    'refunds above half of what was paid',
    ['pending-refunds', 'list', '--all-time', '--where', 'amount>50% of {transaction.amount}'],
  ],
  ['cards behind active subscriptions', ['customer-cards', 'list', '--with', 'customer.subscriptions status=active']],
  [
    'renewals by the state of their subscription',
    ['subscription-renewals', 'list', '--last', '30d', '--group-by', 'subscription.status'],
  ],
  ['sales by the country of the customer', ['sales', 'list', '--last', '90d', '--group-by', 'customer.country']],
];

const PAGE = path.join(ROOT, 'docs/paths.md');
const TABLE = /(<!-- requests -->\n)[\s\S]*?(\n<!-- \/requests -->)/;
const NOW = new StandingClock().now();

it('shows in its table how many requests each question takes on the sandbox', async () => {
  const home = makeHome();
  await laySandbox(home.env.COPS_DATA_DIR ?? '', NOW);
  const clock = () => ({ clock: new StandingClock() });
  // An account's first day is looked for once and remembered; the sandbox's would be looked for by each line.
  await home.run(['-p', 'sandbox', 'customers', 'list', '--first-day', '2025-10-20'], clock());
  const rows: string[] = [];
  for (const [text, line] of QUESTIONS) {
    const counts = line.includes('--columns') || line.includes('--group-by') ? [] : ['--count'];
    const ran = await home.run(['-p', 'sandbox', ...line, ...counts, '--log-format', 'json', '--tz', 'UTC'], clock());
    expect([0, 10], `${line.join(' ')}: ${ran.stderr}`).toContain(ran.code);
    const paths = ran.stderr.split('\n').flatMap((one) => /"path":"\/(\w+)/.exec(one)?.[1] ?? []);
    const own = paths.filter((one) => one === line[0]?.replaceAll('-', '_')).length;
    const typed = line.map((word) => (/[^\w.,-]/.test(word) ? `'${word}'` : word)).join(' ');
    rows.push(`| ${text} | \`${typed.replaceAll('|', '\\|')}\` | ${own} | ${paths.length - own} |`);
  }
  const table = ['| Question | Line | Of its list | Of others |', '|---|---|---|---|', ...rows].join('\n');
  const page = readFileSync(PAGE, 'utf8');
  const made = page.replace(TABLE, (_all, begin, end) => `${begin}${table}${end}`);
  if (process.env.COPS_UPDATE_GOLDEN === '1') writeFileSync(PAGE, made);
  else expect(page).toBe(made);
});

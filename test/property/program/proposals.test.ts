/** @module-tag thorough */
/** Every line that an error proposes is one that the parser takes, and does no more than what was typed. */
import { afterAll, describe, expect, it } from 'vitest';
import { FAMILY_INDEX, operationMeant } from '../../../src/catalogue/index.js';
import { Home } from '../../cli/program.js';

const home = new Home({ COPS_PROFILE: 'sandbox' });
afterAll(() => home.remove());

const ID = 'ABCDEFGHIJ0123456789';
const FAMILIES =
  'customers subscriptions sales products transactions trials coupons smtp-messages invoices events'.split(' ');
const VERBS =
  'show view find count describe pause stop resume add remove new make kill refund void retry resend export sync copy archive'.split(
    ' ',
  );
const FOREIGN = [
  ['--forward-to', 'http://localhost:3000'],
  ['--at', '2026-12-31'],
  ['--on', '2026-12-31'],
  ['--tz', 'http://x.example'],
  ['--to', 'http://x.example'],
  ['--url', 'http://x.example'],
  ['--json'],
  ['--format', 'csv'],
  ['-n', '5'],
  ['--filter', 'status=active'],
  ['--all-time'],
  ['--force'],
  ['--delete'],
  ['--out', 'x.xlsx'],
  ['--verbos'],
  ['--liv'],
];
const MISSPELLED =
  'custmers suscriptions slaes prodcts transctions seed fixtures serve listen webhook charge payout login2 lst emails orders refunds disputes cards plans prices balance logs tax-rates accounts users tickets reports backup restore init deploy migrate start stop'.split(
    ' ',
  );

/** Several hundred lines as people who know other tools type them. */
const LINES: readonly (readonly string[])[] = [
  ...FAMILIES.flatMap((family) => VERBS.map((verb) => [family, verb, ID])),
  ...FAMILIES.slice(0, 6).flatMap((family) => FOREIGN.map((option) => [family, 'list', ...option])),
  ...FOREIGN.flatMap((option) => [
    ['subscriptions', 'cancel', ID, ...option],
    ['customers', 'get', ID, ...option],
    ['report', 'revenue', ...option],
  ]),
  ...MISSPELLED.flatMap((word) => [[word], [word, 'list'], [word, ID], [word, 'list', '--latest'], ['sandbox', word]]),
  ['serve', '--forward-to', 'http://localhost:3000'],
  ['sandbox', 'serve', '--forward-to', 'http://localhost:3000'],
  ['events', 'resend', 'evt_1', '--url', 'http://localhost:3000'],
  ['emails', 'last', 'jane@example.com', '--latest'],
  ['sandbox', 'seed', '--size', 'large'],
];

describe('lines that errors propose', () => {
  it('are several hundred', () => expect(LINES.length).toBeGreaterThanOrEqual(300));

  it('all parse, and no look at something is led to a write', { timeout: 300_000 }, async () => {
    const wrong: string[] = [];
    let proposed = 0;
    for (const line of LINES) {
      const passed: string[] = [];
      const ran = await home.run([...line, '--dry-run', '--no-input'], {
        onProposal: (words, fault) => {
          proposed++;
          if (fault === undefined) passed.push(words);
        },
      });
      for (const words of passed) {
        const isSaid = ran.stderr.replaceAll(/['"`]/g, '').includes(words.split(' ')[0] ?? '');
        const risk = (await operationMeant(words.split(' ')))?.operation.risk ?? 'read';
        const isLook = /^(?:list|get|show|view|find|count|describe)$/.test(line[1] ?? '');
        if (!isSaid || (isLook && risk !== 'read') || / (?:--live|--yes)\b/.test(words))
          wrong.push(`${line.join(' ')} -> ${words}`);
        // The line that was typed, with an option more, begins with the word that was read as ours: it has run already.
        const isTyped = words.startsWith(`${line[0]} `) && ran.code === 0;
        const again = await home.run([...shellSplit(words), '--help'], {});
        if (again.code === 2 && !isTyped) wrong.push(`${line.join(' ')} -> ${words}: ${again.stderr}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(proposed).toBeGreaterThan(100);
    expect(FAMILY_INDEX.length).toBeGreaterThan(0);
  });

  it.each([
    ['subscriptions', 'cancel', ID, '--at', '2026-12-31'],
    ['sandbox', 'seed'],
    ['seed'],
    ['emails', 'last', 'jane@example.com'],
    ['events', 'resend', 'evt_1', '--url', 'http://localhost:3000'],
  ])('are not shown where they would do something else: %s %s %s %s %s', async (...line) => {
    const ran = await home.run([...line.filter((word) => typeof word === 'string'), '--no-input'], {
      onProposal: () => undefined,
    });
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toMatch(/-o 2026|sandbox reset"|smtp-messages list jane|reference events resend/);
  });
});

describe('lines that notes and answers propose', () => {
  it('are given to the parser before they are shown, and would run', { timeout: 120_000 }, async () => {
    const idOf = async (...line: string[]) =>
      (await home.run([...line, '--limit', '1', '-o', 'ids'], {})).stdout.trim();
    const customer = await idOf('customers', 'list');
    const subscription = await idOf('subscriptions', 'list', '--status', 'active');
    const proposed: string[] = [];
    for (const line of [
      ['sales', 'list', '--limit', '2'],
      ['transactions', 'list', '--sum', 'amount', '--last', '10d'],
      ['customers', 'show', customer],
      ['timeline', customer, '--last', '90d'],
      ['find', customer],
      ['why', customer],
      ['find', '4242'],
      ['subscriptions', 'suspend', subscription],
      ['subscriptions', 'activate', subscription],
      ['history', 'list', '--limit', '1'],
    ]) {
      const ran = await home.run(line, {
        terminal: 100,
        onProposal: (words, fault) => proposed.push(fault === undefined ? words : `${words}: ${fault}`),
      });
      expect(ran.stderr, line.join(' ')).not.toContain('would not run');
    }
    expect(proposed.filter((one) => one.includes(': '))).toEqual([]);
    expect(proposed.length).toBeGreaterThan(15);
  });
});

function shellSplit(words: string): string[] {
  return words.split(' ').filter((word) => !/<|\.\.\./.test(word));
}

/** @module-tag thorough */
/** Every line that an error proposes is one that the parser takes, and does no more than what was typed. */
import { afterAll, describe, expect, it } from 'vitest';
import { nearest } from '../../../src/base/errors/nearest.js';
import { FAMILY_INDEX, familyByCommand, operationMeant } from '../../../src/catalogue/index.js';
import { SYNONYMS, synonymOf } from '../../../src/catalogue/synonyms.js';
import { Home } from '../../cli/program.js';
import type { Ran } from '../../harness/in-process.js';
import { KIND_OF, MEANT_LINES, WRONG_LINES } from './wrong-lines.js';

const home = new Home({ COPS_PROFILE: 'sandbox' });
afterAll(() => home.remove());

const ID = 'ABCDEFGHIJ0123456789';
const LOOKS = /^(?:list|get|show|view|find|count|describe)$/;
/** Words that say that something goes for good. */
const ENDS =
  /canc|stop|end|terminat|kill|void|undo|reverse|annul|abort|delet|remov|rm|del|destroy|eras|archiv|forget|purge|off|hold|freeze|pause|block|ban|unsubscribe|refund|money-back|blacklist|blocklist/;

const meant = new Map(MEANT_LINES.map((one) => [one.line.join(' '), one]));

/** The place in a line where a value went that has another kind; undefined where it went nowhere, or to its own. */
function wrongPlace(typed: string, proposed: readonly string[]): string | undefined {
  const { value = '', kind } = meant.get(typed) ?? {};
  if (value === '') return undefined;
  return proposed.find((word, at) => {
    const [field = '', given] = word.startsWith('-') || word.includes('=') ? word.split('=') : [proposed[at - 1], word];
    const place = field?.replace(/^--/, '').replace(/^.*\.|\[.*$/g, '') ?? '';
    const held = KIND_OF.find(([names]) => names.test(place))?.[1];
    return given === value && held !== undefined && held !== kind;
  });
}

/** Ids, sums and addresses of a proposed write that the line did not have. */
function foreignValues(typed: string, proposed: readonly string[]): string[] {
  const given = proposed.flatMap((word, at) => {
    const isSum = /^(?:--amount|--price)$/.test(proposed[at - 1] ?? '') || /^(?:amount|price)=/.test(word);
    return isSum || word === ID || word.includes('@') ? [word.replace(/^\w+=/, '')] : [];
  });
  return given.filter((one) => !/[<>]/.test(one) && !typed.includes(one));
}

/** A write that is proposed as what was meant, of a family that the line does not name: `users` are no customers. */
function isOtherNoun(typed: string, proposed: string, said: string): boolean {
  const [family = ''] = proposed.split(' ');
  const named = typed.split(' ').slice(0, 2);
  if (!said.replaceAll(/['"`]/g, '').includes(`Did you mean cops ${proposed.replaceAll("'", '')}`)) return false;
  const isNamed = (word: string): boolean => {
    const synonym = synonymOf('command', word);
    const near = nearest(word, [
      ...FAMILY_INDEX.map(({ command }) => command),
      ...SYNONYMS.command.flatMap((one) => one.words),
    ]);
    return [word, synonym?.means, ...near.flatMap((one) => [one, synonymOf('command', one)?.means])].some(
      (one) =>
        familyByCommand(one?.split(' ')[0] ?? '')?.command === family || familyByCommand(one ?? '')?.command === family,
    );
  };
  // An action alone means subscriptions: `cancel ID`.
  return FAMILY_INDEX.some(({ command }) => command === family) && !named.some(isNamed) && family !== 'subscriptions';
}

describe('lines that errors propose', () => {
  it('are over two thousand', () => expect(WRONG_LINES.length).toBeGreaterThanOrEqual(2000));

  it('all parse, and none does more than was typed', { timeout: 600_000 }, async ({ annotate }) => {
    const wrong: string[] = [];
    /** How each proposed line ends: many a line proposes the same. */
    const lines = new Map<string, Promise<Ran>>();
    let [refused, answered] = [0, 0];
    for (const line of WRONG_LINES) {
      const passed: string[] = [];
      const ran = await home.run([...line, '--dry-run', '--no-input'], {
        onProposal: (words, fault) => {
          if (fault === undefined) passed.push(words);
        },
      });
      if (ran.code === 2) refused++;
      if (ran.code === 2 && passed.length > 0) answered++;
      for (const words of passed) {
        const typed = line.join(' ');
        const isSaid = ran.stderr.replaceAll(/['"`]/g, '').includes(words.split(' ')[0] ?? '');
        const risk = words.includes('--help') ? 'read' : (await operationMeant(words.split(' ')))?.operation.risk;
        const isLook = LOOKS.test(line[1] ?? '');
        const isMore =
          (isLook && risk !== undefined && risk !== 'read') ||
          (/refund/.test(words) && /--amount|\d%$/.test(typed) && !words.includes('--amount') && risk !== 'read') ||
          (risk === 'irreversible' && !ENDS.test(typed)) ||
          ['--live', '--yes'].some((guard) => words.includes(guard) && !typed.includes(guard)) ||
          wrongPlace(typed, shellSplit(words)) !== undefined ||
          (risk !== undefined &&
            risk !== 'read' &&
            foreignValues(typed, words.replaceAll("'", '').split(' ')).length > 0) ||
          (risk !== undefined && risk !== 'read' && isOtherNoun(typed, words, ran.stderr)) ||
          (risk !== undefined && risk !== 'read' && !words.includes('--dry-run'));
        if (!isSaid || isMore) wrong.push(`${typed} -> ${words}`);
        // The line that was typed, with an option more, begins with the word that was read as ours: it has run already.
        const isTyped = words.startsWith(`${line[0]} `) && ran.code === 0;
        if (words.startsWith('<')) continue;
        const asked = lines.get(words) ?? home.run([...shellSplit(words), '--help'], {});
        lines.set(words, asked);
        const again = await asked;
        if (again.code === 2 && !isTyped) wrong.push(`${typed} -> ${words}: ${again.stderr}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(lines.size).toBeGreaterThan(300);
    // Of what is refused, nonsense included, many a line leads on.
    expect(answered / refused).toBeGreaterThan(0.4);
    await annotate(
      `${WRONG_LINES.length} lines, ${refused} refused, ${answered} with a line; ${lines.size} lines proposed`,
    );
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

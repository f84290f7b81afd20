import { describe, expect, it } from 'vitest';
import { cops, say, shellWord } from '../../../src/base/text/command-line.js';
import { FAMILY_INDEX, familyByCommand } from '../../../src/catalogue/index.js';
import { SYNONYMS, type WordPlace } from '../../../src/catalogue/synonyms.js';
import { COMMANDS, commandSpec } from '../../../src/cli/commands/index.js';
import {
  actionHint,
  headHint,
  listOfTheirs,
  meaningOf,
  ownActionHint,
  reworded,
} from '../../../src/cli/guess/suggest.js';
import { unknownWord } from '../../../src/cli/guess/unknown-word.js';

const REAL = [...COMMANDS.map(({ name }) => name), ...FAMILY_INDEX.map(({ command }) => command)];

/** The word with one letter left out, doubled, replaced, and swapped with its neighbour. */
function misspelled(word: string): string[] {
  return [...word.slice(1)].flatMap((letter, index) => {
    const at = index + 1;
    const [before, after] = [word.slice(0, at), word.slice(at + 1)];
    return [
      before + after,
      before + letter + letter + after,
      `${before}${letter === 'x' ? 'z' : 'x'}${after}`,
      before.slice(0, -1) + letter + before.slice(-1) + after,
    ];
  });
}

describe('a word that is none', () => {
  it.each(Object.entries(SYNONYMS))(
    'of a %s is understood, spelled right or with one letter wrong',
    { tags: ['sweep'] },
    (place, all) => {
      const real = place === 'command' ? REAL : [];
      const lost: string[] = [];
      let right = 0;
      let wrong = 0;
      for (const synonym of all) {
        for (const word of synonym.words) {
          if (real.includes(word)) continue;
          const exact = meaningOf(place as WordPlace, word, real);
          if (exact?.real !== synonym.means && exact?.says !== synonym.says) lost.push(word);
          if (word.length < 5 || synonym.exact) continue;
          for (const typed of misspelled(word)) {
            const meant = meaningOf(place as WordPlace, typed, real);
            if (!meant) lost.push(typed);
            else if ((meant.real ?? meant.says) === (synonym.means ?? synonym.says)) right++;
            else wrong++;
          }
        }
      }
      expect(lost).toEqual([]);
      // What is as near to another word may lead there; that is rare.
      expect(wrong / (right + wrong)).toBeLessThan(0.06);
    },
  );

  it.each([
    ['subsc', 'subscriptions'],
    ['ordes', 'sales'],
    ['paymnets', 'transactions'],
    ['refnds', 'pending-refunds'],
    ['clinets', 'customers'],
    ['vuocher', 'coupons'],
    ['webhoks', 'functions'],
    ['dashbord', 'overview'],
    ['dunnning', 'salvage-transactions'],
    ['gatway', 'user-gateways'],
    ['custmers', 'customers'],
  ])('%s leads to %s', (typed, means) => {
    expect(meaningOf('command', typed, REAL)?.real).toBe(means);
  });

  it('lets a real word win over a synonym that is as near', () => {
    expect(meaningOf('command', 'sale', ['sales'])).toEqual({ real: 'sales' });
    expect(meaningOf('option', '--ensd', ['endd'])).toEqual({ real: 'endd' });
  });
});

describe('a line with another first word', () => {
  it.each([
    [['subs', 'list', '--limit', '3'], 'cops subscriptions list --limit 3'],
    [['subs'], 'cops subscriptions list'],
    [['subs', 'pause', 'A'], 'cops subscriptions suspend A'],
    [['-p', 'acme', 'orders', 'ls'], 'cops -p acme sales ls'],
    [['watch', 'sales'], 'cops sales tail'],
    [['watch', 'products'], 'cops sales tail'],
    [['clients', 'search', "o'neill x"], String.raw`cops customers search 'o'\''neill x'`],
    [['show', 'a@b.example'], 'cops find a@b.example'],
    [['cancel', 'a@b.example'], 'cops subscriptions cancel a@b.example'],
    [['cancel', 'subscriptions', 'A'], 'cops subscriptions cancel A'],
    [['pause', 'subscription', 'A'], 'cops subscriptions suspend A'],
    [['postpone', 'A'], 'cops subscriptions postpone A'],
  ])('%j is given back whole', (argv, line) => {
    expect(String(headHint(argv).text)).toContain(`"${line}"`);
    expect(String(headHint(argv).text)).not.toContain('\n');
  });

  it.each(['enable', 'list', 'void', 'refund'])('does not choose a family for %s', (action) => {
    expect(String(headHint([action, 'A']).text)).not.toMatch(/Did you mean/);
  });

  it('leads every family that is named to an action that exists', () => {
    for (const { words, means } of SYNONYMS.command) {
      if (means === undefined || means.includes(' ') || !familyByCommand(means)) continue;
      const [, , action = ''] = /"cops (\S+) (\S+)"/.exec(String(headHint([words[0] ?? '']).text)) ?? [];
      const entry = familyByCommand(means);
      expect(
        entry?.actions.some((one) => one.action.split(' ')[0] === action),
        `${words[0]} ${action}`,
      ).toBe(true);
    }
  });

  it('repeats no secret', () => {
    expect(String(headHint(['subs', 'list', '--api-key', 'abc123', '--token=def456']).text)).not.toMatch(
      /abc123|def456/,
    );
  });
});

it('leaves out of every line it offers what the place does not take', async () => {
  const tried = SYNONYMS.action.flatMap(({ words }) =>
    ['subscriptions', 'products'].map((family) => [family, ...words]),
  );
  const lines = [
    ...tried.map(([family = '', word = '']) => [family, word, 'A', '--zzyzx', 'q', '--yes']),
    ...SYNONYMS.command.map(({ words }) => [words[0] ?? '', '--zzyzx=q', '--yes']),
  ];
  let offered = 0;
  for (const argv of lines) {
    const entry = familyByCommand(argv[0] ?? '');
    const { hint = '' } = (await unknownWord(argv, entry, undefined)).facts;
    const meant = /Did you mean "cops (\S+?)[ "]/.exec(String(hint))?.[1];
    // What is an option of a family is for these to judge.
    if (meant === undefined || commandSpec(meant)?.familyOptions) continue;
    offered++;
    expect(String(hint), argv.join(' ')).not.toContain('zzyzx');
  }
  expect(offered).toBeGreaterThan(100);
});

describe('an option of other tools', () => {
  const known = ['--from', '--to', '--output', '--limit'];
  it('is put into our words where it says exactly the same', () => {
    const line = ['sales', 'list', '--since=3d'];
    expect(reworded({ argv: line, option: '--since=3d', known })?.argv).toEqual(['sales', 'list', '--from', '3d']);
    const json = ['sales', 'list', '--json'];
    expect(reworded({ argv: json, option: '--json', known })?.argv).toEqual(['sales', 'list', '-o', 'json']);
    expect(reworded({ argv: ['x', '--max', '3'], option: '--max', known })).toBeUndefined();
    expect(reworded({ argv: line, option: '--since=3d', known: ['--output'] })).toBeUndefined();
  });
});

it('quotes a word for a shell', () => {
  expect(['a', 'a b', "it's", '', '$x', 'a=b,c'].map(shellWord)).toEqual([
    'a',
    "'a b'",
    String.raw`'it'\''s'`,
    "''",
    "'$x'",
    'a=b,c',
  ]);
});

describe('a word that is no action of a family', () => {
  it.each([
    [['customers', 'orders', 'a@b.example'], 'cops sales list --customer a@b.example'],
    [['customers', 'notes', 'a@b.example'], 'cops notes list --customer a@b.example'],
    [['customers', 'subscriptions', 'A'], 'cops subscriptions list --customer A'],
    [['-q', 'customers', 'invoices', 'A', '-o', 'json'], 'cops -q invoices list --customer A -o json'],
    [['subscriptions', 'skip', 'A'], 'cops subscriptions postpone A --by 1mo'],
    [['subscriptions', 'skip', 'A', '--by=5x'], 'cops subscriptions postpone A --by=5x'],
    [['shipping', 'track', 'A'], 'cops shipping get A'],
  ])('%j leads to a line', async (argv, line) => {
    const entry = familyByCommand(argv.find((word) => !word.startsWith('-')) ?? '') as never;
    expect(String(actionHint(argv, entry, {}, await listOfTheirs(argv)).text)).toContain(`"${line}"`);
  });

  it('that customers do not have is told with the person in it', () => {
    const instead = { cancel: say`Each by itself: ${cops`subscriptions cancel <who>`}` };
    const entry = familyByCommand('customers') as never;
    for (const word of ['cancel', 'unsubscribe', 'terminate'])
      expect(String(actionHint(['customers', word, "$& o'neill"], entry, instead).text)).toBe(
        String.raw`Each by itself: cops subscriptions cancel '$& o'\''neill'`,
      );
  });
});

describe('a word that is no action of a command of ours', () => {
  it.each([
    [['-p', 'acme', 'setup', 'push', 'shop'], 'setup', 'push', 'cops -p acme setup apply shop'],
    [['sandbox', 'start', '--port', '0'], 'sandbox', 'start', 'cops sandbox serve --port 0'],
    [['mcp', 'serve'], 'mcp', 'serve', 'cops mcp'],
    [['alias', 'add', 'late', 'sales list'], 'alias', 'add', "cops alias set late 'sales list'"],
  ])('%j leads to a line', (argv, command, typed, line) => {
    expect(String(ownActionHint(argv, command, typed))).toBe(`Did you mean "${line}"?`);
  });

  it('and that nobody has thought of leads nowhere', () => {
    for (const word of ['zebra', 'constructor', '__proto__'])
      expect(ownActionHint(['setup', word], 'setup', word)).toBeUndefined();
    expect(ownActionHint(['constructor', 'push'], 'constructor', 'push')).toBeUndefined();
  });
});

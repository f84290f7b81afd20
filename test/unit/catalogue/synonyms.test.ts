import { describe, expect, test } from 'vitest';
import { FAMILY_INDEX, familyByCommand, loadFamily } from '../../../src/catalogue/index.js';
import { RESERVED_OPTIONS } from '../../../src/catalogue/option-names.js';
import { SYNONYMS, synonymOf, type WordPlace } from '../../../src/catalogue/synonyms.js';
import { familyActions } from '../../../src/cli/actions/index.js';
import { COMMANDS } from '../../../src/cli/commands/index.js';
import { madeFilters } from '../../../src/items/select/made-filters.js';
import { typedOptions } from '../../../src/service/request/operation-options.js';

const commands = new Set(COMMANDS.map(({ name }) => name));
const actions = new Set(
  FAMILY_INDEX.flatMap(({ name, actions }) => [
    ...actions.map(({ action }) => action),
    ...familyActions(name).map((one) => one.name),
  ]),
);
const families = await Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)));
const typed = families.flatMap(({ operations }) =>
  operations.flatMap((one) => typedOptions(one).map(({ flag }) => flag)),
);
const made = families.flatMap((family) =>
  family.operations.flatMap((one) => madeFilters(family, one, []).map(({ option }) => option)),
);
const ofCommands = COMMANDS.flatMap(({ options = [], commands: own = [] }) =>
  [...options, ...own.flatMap((one) => one.options ?? [])].flatMap(({ flags }) => /--([a-z-]+)/.exec(flags)?.[1] ?? []),
);
const reserved = [...RESERVED_OPTIONS].flatMap((name) => [name, `no-${name}`]);
const options = new Set([...reserved, ...typed, ...made, ...ofCommands]);

describe('synonyms', () => {
  test.each(Object.entries(SYNONYMS))('of a %s stand once each', (_place, synonyms) => {
    const words = synonyms.flatMap((synonym) => synonym.words);
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
    expect(words.filter((word) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(word))).toEqual([]);
  });

  test.each(Object.entries(SYNONYMS))('of a %s lead to something', (_place, synonyms) => {
    expect(synonyms.filter(({ means, says, figure }) => (means ?? says ?? figure) === undefined)).toEqual([]);
    // A command at the end stands without a stop: it is pasted.
    const isSaid = /^(?:[A-Z]|cops |npm ).*(?:\.|: cops [^.]+|: while .+; done)$/;
    expect(synonyms.filter(({ says }) => says !== undefined && !isSaid.test(String(says)))).toEqual([]);
  });

  test('are at least 150 words', () => {
    const words = Object.values(SYNONYMS).flatMap((synonyms) => synonyms.flatMap((synonym) => synonym.words));
    expect(words.length).toBeGreaterThanOrEqual(150);
  });

  test('of commands name a family or a command that exists', () => {
    const wrong = SYNONYMS.command
      .flatMap(({ means }) => means?.split(' ')[0] ?? [])
      .filter((word) => !word.startsWith('--') && !commands.has(word) && familyByCommand(word) === undefined);
    expect(wrong).toEqual([]);
  });

  test('of actions name an action that exists', () => {
    const targets = SYNONYMS.action.flatMap(({ means, or = [] }) => (means === undefined ? [] : [[means, ...or]]));
    expect(targets.filter((words) => !words.some((word) => actions.has(word)))).toEqual([]);
  });

  test('of options name an option that exists', () => {
    const wrong = SYNONYMS.option
      .map(({ means = '' }) => /^--([a-z-]+)/.exec(means)?.[1])
      .filter((word) => word !== undefined && !options.has(word));
    expect(wrong).toEqual([]);
  });

  test.each<[WordPlace, string, string | undefined]>([
    ['command', 'subs', 'subscriptions'],
    ['command', 'orders', 'sales'],
    ['command', 'Payments', 'transactions'],
    ['action', 'pause', 'suspend'],
    ['option', '--since', '--from'],
    ['option', '--json', '-o json'],
    ['command', 'constructor', undefined],
    ['option', 'subs', undefined],
  ])('%s %s means %s', (place, word, means) => {
    expect(synonymOf(place, word)?.means).toBe(means);
  });
});

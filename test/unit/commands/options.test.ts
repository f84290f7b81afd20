/** One fact in one place: what is said of options, formats and exit codes agrees wherever it is needed. */
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES, EXIT_MEANINGS } from '../../../src/base/errors/errors.js';
import { FAMILY_INDEX, familyByCommand, loadFamily } from '../../../src/catalogue/index.js';
import { RESERVED_OPTIONS } from '../../../src/catalogue/option-names.js';
import { familyActions } from '../../../src/cli/actions/index.js';
import { COMMANDS } from '../../../src/cli/commands/index.js';
import { addAction, addCommand, emptyProgram, secondValues } from '../../../src/cli/parser/parser.js';
import { GLOBAL_OPTIONS } from '../../../src/session/context/global-options.js';
import type { OptionSpec } from '../../../src/session/context/spec.js';
import { narrowingFilters, operationOptions, operationSpec } from '../../../src/session/operation/spec.js';

const longNames = (flags: string): string[] =>
  [...flags.matchAll(/--(?:no-)?([a-z][a-z-]*)/g)].map((match) => match[1] ?? '');

describe('options', () => {
  it('keep their names from fields of a body: the global ones, and those of every operation', async () => {
    const families = await Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)));
    const own = families.flatMap((family) =>
      family.operations.flatMap((one) => {
        // These give way to a field of the same name.
        const narrowing = narrowingFilters(family, one).map(({ option }) => `--${option} <value>`);
        return operationOptions(family, one).filter(({ flags }) => !narrowing.includes(flags));
      }),
    );
    const names = new Set([...GLOBAL_OPTIONS, ...own].flatMap(({ flags }) => longNames(flags)));
    expect([...names].filter((name) => !RESERVED_OPTIONS.has(name))).toEqual([]);
  });
});

describe('an option that takes one value', () => {
  type Given = ReturnType<typeof secondValues>;
  /** What the parser finds where a line gives one option twice. */
  function givenTwice(add: (program: Command) => unknown, words: readonly string[], flags: string): Given {
    const program = emptyProgram();
    add(program);
    const found = secondValues(program, []);
    const name = /--[\w-]+/.exec(flags)?.[0] ?? '';
    // Whatever else the line lacks is not the question here.
    try {
      program.parse([...words, `${name}=first`, name, 'second'], { from: 'user' });
    } catch {}
    return found;
  }
  const takesValue = ({ flags }: OptionSpec): boolean => /[<[]/.test(flags);
  const nothing = (): void => {};

  function everyOption(add: (program: Command) => unknown, words: string[], options: readonly OptionSpec[] = []) {
    for (const option of [...GLOBAL_OPTIONS, ...options].filter(takesValue)) {
      const found = givenTwice(add, words, option.flags).map(({ values }) => values);
      const line = `${words.join(' ')} ${option.flags}`;
      expect(found, line).toEqual('many' in option && option.many ? [] : [['first', 'second']]);
    }
  }

  it('is refused a second one on every command', () => {
    for (const spec of COMMANDS) {
      const add = (program: Command) => addCommand(program, spec, nothing);
      everyOption(add, [spec.name], spec.options);
      for (const below of spec.commands ?? []) everyOption(add, [spec.name, below.name], below.options);
    }
  });

  it('is refused a second one on every action of every family', async () => {
    for (const { name, command } of FAMILY_INDEX) {
      const family = await loadFamily(name);
      const actions = [...family.operations.map((one) => operationSpec(family, one)), ...familyActions(name)];
      for (const action of actions) {
        const add = (program: Command) => addAction(program, { command, about: '' }, action, nothing);
        everyOption(add, [command, ...action.name.split(' ')], action.options);
      }
    }
  });
});

describe('commands', () => {
  it('have a name of their own that no family answers to, and a place of their own', () => {
    expect(COMMANDS.filter(({ name }) => familyByCommand(name)).map(({ name }) => name)).toEqual([]);
    expect(new Set(COMMANDS.map(({ place }) => place)).size).toBe(COMMANDS.length);
  });
});

describe('exit codes', () => {
  it('are all explained', () => {
    const explained = EXIT_MEANINGS.map(({ exit }) => exit);
    expect(Object.values(EXIT_CODES).filter((code) => !explained.includes(code))).toEqual([]);
  });
});

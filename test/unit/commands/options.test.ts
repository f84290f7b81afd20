/** One fact in one place: what is said of options, formats and exit codes agrees wherever it is needed. */
import { describe, expect, it } from 'vitest';
import { EXIT_CODES, EXIT_MEANINGS } from '../../../src/base/errors/errors.js';
import { FAMILY_INDEX, familyByCommand, loadFamily } from '../../../src/catalogue/index.js';
import { RESERVED_OPTIONS } from '../../../src/catalogue/option-names.js';
import { COMMANDS } from '../../../src/cli/commands/index.js';
import { GLOBAL_OPTIONS } from '../../../src/session/context/global-options.js';
import { operationOptions } from '../../../src/session/operation/spec.js';

const longNames = (flags: string): string[] =>
  [...flags.matchAll(/--(?:no-)?([a-z][a-z-]*)/g)].map((match) => match[1] ?? '');

describe('options', () => {
  it('keep their names from fields of a body: the global ones, and those of every operation', async () => {
    const families = await Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)));
    const own = families.flatMap((family) => family.operations.flatMap((one) => operationOptions(family, one)));
    const names = new Set([...GLOBAL_OPTIONS, ...own].flatMap(({ flags }) => longNames(flags)));
    expect([...names].filter((name) => !RESERVED_OPTIONS.has(name))).toEqual([]);
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

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS, VARIABLES } from '../../../src/account/profiles/settings.js';
import { EXIT_MEANINGS } from '../../../src/base/errors/errors.js';
import { GLOBAL_NAMES } from '../../../src/catalogue/option-names.js';
import { globalOptions } from '../../../src/cli/parser/parser.js';
import { FORMATS } from '../../../src/screen/output-formats.js';
import { GLOBAL_OPTIONS } from '../../../src/session/context/global-options.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const longNames = GLOBAL_OPTIONS.flatMap(({ flags }) => flags.match(/--[\w-]+/) ?? []);

describe('one fact, one place', () => {
  it('knows the global options by the names of their table', () => {
    const names = longNames.map((name) => name.replace(/^--(no-)?/, ''));
    expect([...names, 'help', 'version'].sort()).toEqual([...GLOBAL_NAMES].sort());
  });

  it('reads every global option of the table', () => {
    const camel = (name: string) => name.replace(/^--(no-)?/, '').replace(/-(\w)/g, (_, one) => one.toUpperCase());
    const read = Object.keys(globalOptions({}));
    const expected = longNames.map((name) => (/--(live|test)$/.test(name) ? 'mode' : camel(name)));
    expect(read.sort()).toEqual([...new Set(expected)].sort());
  });

  it('lists the variables that override the profile in the README as in the table', () => {
    const told = /Flags beat ((?:`COPS_\w+`[, and\s]*)+)/.exec(README)?.[1]?.match(/COPS_\w+/g);
    expect(told).toEqual(VARIABLES);
  });

  it('lists the exit codes in the README as in the table', () => {
    const section = README.slice(README.indexOf('## Exit codes')).split('\n## ')[0] ?? '';
    const told = [...section.matchAll(/^\| *(\d[\d, ]*) *\|/gm)].flatMap(([, codes = '']) =>
      codes.split(',').map(Number),
    );
    expect(told).toEqual(EXIT_MEANINGS.map(({ exit }) => exit));
  });

  it('lists every output format in the README', () => {
    for (const format of FORMATS) expect(README).toMatch(new RegExp(`\\b${format}\\b`));
  });

  it('names each setting once', () => {
    const names = SETTINGS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has no number that is a default typed by hand into a text', () => {
    const typed = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /^(commands?|program)\/.*\.ts$/.test(file))
      .flatMap((file) => readFileSync(path.join(ROOT, 'src', file), 'utf8').match(/.*\(default:? \d+[ )].*/g) ?? [])
      .filter((line) => !/default:? \d+ days/.test(line));
    expect(typed).toEqual([]);
  });
});

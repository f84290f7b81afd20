import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../../src');

interface Import {
  readonly from: string;
  readonly to: string;
  /** Types leave nothing in the program: they may point anywhere. */
  readonly typeOnly: boolean;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ts$/.test(name));
const imports = files.flatMap((file): Import[] => {
  const text = readFileSync(path.join(SRC, file), 'utf8');
  const found = [...text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)];
  const lazy = [...text.matchAll(/(?<!typeof )import\(\s*['"]([^'"]+)['"]\s*\)/g)];
  return [
    ...found.map((match) => ({ from: file, to: match[2] ?? '', typeOnly: match[1] !== undefined })),
    ...lazy.map((match) => ({ from: file, to: match[1] ?? '', typeOnly: false })),
  ];
});

const room = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : file);
const target = ({ from, to }: Import): string => room(path.relative(SRC, path.resolve(SRC, path.dirname(from), to)));

/** Which rooms a room may import from; itself always. */
const BASE = ['errors', 'world.ts', 'time', 'json', 'catalogue', 'files'];
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  errors: ['output', 'http'],
  files: ['errors'],
  time: ['errors'],
  json: ['errors'],
  catalogue: [],
  output: [...BASE],
  request: [...BASE, 'http'],
  paging: [...BASE],
  http: [...BASE, 'output'],
  safety: [...BASE, 'profiles'],
  profiles: [...BASE, 'http', 'sandbox', 'output'],
  database: ['errors'],
  sandbox: [...BASE, 'http', 'request', 'database'],
  export: [...BASE, 'http', 'paging', 'request', 'output', 'safety', 'sandbox', 'database'],
  bulk: [...BASE, 'http', 'request', 'safety', 'output'],
};

describe('the shape of the house', () => {
  it('has one room for each third-party library', () => {
    const homes: Readonly<Record<string, readonly string[]>> = {
      commander: ['program'],
      undici: ['http'],
      conf: ['profiles'],
      inquirer: ['program'],
      chalk: ['output'],
      'cli-table3': ['output'],
      zod: ['request'],
      libsql: ['database'],
    };
    const strangers = imports.filter(({ from, to }) => {
      const library = to.startsWith('@') ? to.split('/').slice(0, 2).join('/') : (to.split('/')[0] ?? '');
      return homes[library] !== undefined && !homes[library].includes(room(from));
    });
    expect(strangers).toEqual([]);
    for (const library of Object.keys(homes)) {
      expect(
        imports.some(({ to }) => to === library || to.startsWith(`${library}/`)),
        library,
      ).toBe(true);
    }
  });

  it('has arrows in one direction only', () => {
    const wrong = imports.filter((one) => {
      const allowed = ALLOWED[room(one.from)];
      if (one.typeOnly || !one.to.startsWith('.') || allowed === undefined) return false;
      const to = target(one);
      return to !== room(one.from) && !allowed.includes(to);
    });
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it('has no room below the command line that imports it', () => {
    const wrong = imports.filter(
      (one) => !one.typeOnly && target(one) === 'program' && !['program', 'main.ts'].includes(room(one.from)),
    );
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  // One file holds the text of a program that it starts as a process of its own.
  it('reads the process nowhere but at its edge', () => {
    const readers = files.filter(
      (file) =>
        !['main.ts', 'sandbox/rules/bigquery.ts'].includes(file) &&
        /\bprocess\.(argv|env|exit|stdout|stderr|stdin|cwd)\b/.test(readFileSync(path.join(SRC, file), 'utf8')),
    );
    expect(readers).toEqual([]);
  });
});

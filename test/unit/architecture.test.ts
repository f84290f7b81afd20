import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../../src');

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ts$/.test(name));
// Types count as well: who needs a type of a room above belongs above it, or the type below.
const imports = files.flatMap((from): Import[] => {
  const text = readFileSync(path.join(SRC, from), 'utf8');
  const named = text.matchAll(/^(?:import|export)\s(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm);
  const inline = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g);
  return [...named, ...inline].map((match) => ({ from, to: match[1] ?? '' }));
});

const room = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : file);
const fileOf = ({ from, to }: Import): string =>
  path.relative(SRC, path.resolve(SRC, path.dirname(from), to)).replace(/\.js$/, '.ts');
const inside = imports.filter(({ to }) => to.startsWith('.'));

/** The rooms from the ground up: each imports only from those in front of it. */
const ROOMS = [
  'world.ts',
  'errors',
  'time',
  'json',
  'catalogue',
  'schema',
  'select',
  'files',
  'database',
  'secrets',
  'output',
  'paging',
  'http',
  'request',
  'body',
  'sandbox',
  'profiles',
  'log',
  'safety',
  'resolve',
  'lookup',
  'policy',
  'openapi',
  'bulk',
  'export',
  'mirror',
  'setup',
  'report',
  'mcp',
  'completion',
  'overview',
  'command',
  'commands',
  'program',
  'main.ts',
];

describe('the shape of the house', () => {
  it('has one room for each third-party library', () => {
    const homes: Readonly<Record<string, readonly string[]>> = {
      commander: ['program'],
      undici: ['http'],
      conf: ['profiles'],
      inquirer: ['program'],
      chalk: ['output'],
      'cli-table3': ['output'],
      zod: ['body'],
      yazl: ['export'],
      libsql: ['database'],
      '@modelcontextprotocol/server': ['commands'],
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
    expect([...new Set(files.map(room))].filter((name) => !ROOMS.includes(name))).toEqual([]);
    const wrong = inside.filter((one) => ROOMS.indexOf(room(fileOf(one))) > ROOMS.indexOf(room(one.from)));
    expect(wrong.map((one) => `${one.from} imports ${fileOf(one)}`)).toEqual([]);
  });

  it('is drawn on its page as it stands', () => {
    const page = readFileSync(path.resolve(SRC, '../docs/architecture.md'), 'utf8').split('\n## Why these')[0] ?? '';
    const rows = [...page.matchAll(/^\| ((?:`[\w.]+\/?`(?:, )?)+) \|/gm)].map(([, names = '']) => names);
    const drawn = rows.flatMap((names) => [...names.matchAll(/`([\w.]+)\/?`/g)].map(([, name = '']) => name));
    expect(drawn.filter((name) => ROOMS.includes(name))).toEqual(ROOMS.filter((name) => name !== 'main.ts'));
  });

  it('has no circle of files', () => {
    const done = new Set<string>();
    const circleFrom = (file: string, way: readonly string[]): readonly string[] | undefined => {
      if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
      if (done.has(file)) return undefined;
      for (const one of inside.filter(({ from }) => from === file)) {
        const circle = circleFrom(fileOf(one), [...way, file]);
        if (circle) return circle;
      }
      done.add(file);
      return undefined;
    };
    expect(files.flatMap((file) => circleFrom(file, [])?.join(' > ') ?? [])).toEqual([]);
  });

  it('begins writes only in a history that keeps to the limits of this machine', () => {
    const past = files.filter((file) => {
      const text = readFileSync(path.join(SRC, file), 'utf8');
      const begins = (name: string) => new RegExp(`\\b${name}\\s*\\.(?:begin|trail|plan)\\(`).test(text);
      const names = [...text.matchAll(/\bconst (\w+) = (?:await )?openHistory\(/g)].map(([, name = '']) => name);
      return names.some(begins) || /openHistory\((?:[^()]|\([^()]*\))*\)\s*\.(?:begin|trail)\(/.test(text);
    });
    expect(past).toEqual([]);
  });

  // Two files hold the text of a program that runs as a process of its own.
  it('reads the process nowhere but at its edge', () => {
    const readers = files.filter(
      (file) =>
        !['main.ts', 'sandbox/rules/bigquery-script.ts', 'mirror/query-script.ts'].includes(file) &&
        /\bprocess\.(argv|env|exit|stdout|stderr|stdin|cwd)\b/.test(readFileSync(path.join(SRC, file), 'utf8')),
    );
    expect(readers).toEqual([]);
  });
});

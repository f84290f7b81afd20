import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOORS } from './doors.js';

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

const wing = (file: string): string => file.split('/')[0] ?? '';
const fileOf = ({ from, to }: Import): string =>
  path.relative(SRC, path.resolve(SRC, path.dirname(from), to)).replace(/\.js$/, '.ts');
const inside = imports.filter(({ to }) => to.startsWith('.'));

/** The wings from the ground up: each imports only from those in front of it. */
const WINGS = [
  'base',
  'catalogue',
  'items',
  'screen',
  'service',
  'sandbox',
  'account',
  'session',
  'bulk',
  'setup',
  'data',
  'cli',
  'main.ts',
];

describe('the shape of the house', () => {
  it('has one room for each third-party library', () => {
    const homes: Readonly<Record<string, string>> = {
      commander: 'cli',
      undici: 'service/http',
      conf: 'account/profiles',
      inquirer: 'cli',
      'cli-table3': 'screen',
      chalk: 'screen',
      zod: 'items/checks',
      yazl: 'data/export/sinks',
      libsql: 'base/database',
      '@modelcontextprotocol/server': 'cli',
    };
    const strangers = imports.filter(({ from, to }) => {
      const library = to.startsWith('@') ? to.split('/').slice(0, 2).join('/') : (to.split('/')[0] ?? '');
      return homes[library] !== undefined && !`${from}/`.startsWith(`${homes[library]}/`);
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
    expect([...new Set(files.map(wing))].filter((name) => !WINGS.includes(name))).toEqual([]);
    const wrong = inside.filter((one) => WINGS.indexOf(wing(fileOf(one))) > WINGS.indexOf(wing(one.from)));
    expect(wrong.map((one) => `${one.from} imports ${fileOf(one)}`)).toEqual([]);
  });

  it('lets a wing be entered by its doors only, and has none that nobody uses', () => {
    const doors = Object.entries(DOORS).flatMap(([name, rooms]) =>
      Object.entries(rooms).flatMap(([room, words]) =>
        words.split(/\s+/).map((word) => `${path.posix.join(name, room, word)}.ts`),
      ),
    );
    const entered = inside.filter((one) => wing(fileOf(one)) !== wing(one.from) && fileOf(one).includes('/'));
    const past = entered.filter((one) => !doors.includes(fileOf(one)));
    expect(past.map((one) => `${one.from} imports ${fileOf(one)}`)).toEqual([]);
    expect(doors.filter((door) => !entered.some((one) => fileOf(one) === door))).toEqual([]);
  });

  it('has commands and actions that know nothing of each other', () => {
    const folder = (file: string) => /^cli\/(?:commands|actions)\/[^/]+(?=\/)/.exec(file)?.[0];
    const tied = inside.filter((one) => {
      const to = folder(fileOf(one));
      return to !== undefined && to !== folder(one.from) && !one.from.endsWith('.generated.ts');
    });
    expect(tied.map((one) => `${one.from} imports ${fileOf(one)}`)).toEqual([]);
  });

  it('has one entry to what leads a wrong line on', () => {
    const room = 'cli/guess/';
    const entered = inside.filter((one) => fileOf(one).startsWith(room) && !one.from.startsWith(room));
    expect([...new Set(entered.map(fileOf))]).toEqual([`${room}wrong-line.ts`]);
    expect(inside.filter((one) => fileOf(one) === `${room}wrong-line.ts` && one.from.startsWith(room))).toEqual([]);
  });

  it('is drawn on its page as it stands', () => {
    const page = readFileSync(path.resolve(SRC, '../docs/architecture.md'), 'utf8').split('\n## Why these')[0] ?? '';
    const rows = [...page.matchAll(/^\| ((?:`[\w.]+\/?`(?:, )?)+) \|/gm)].map(([, names = '']) => names);
    const drawn = rows.flatMap((names) => [...names.matchAll(/`([\w.]+)\/?`/g)].map(([, name = '']) => name));
    expect(drawn.filter((name) => WINGS.includes(name))).toEqual(WINGS.filter((name) => name !== 'main.ts'));
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

  // The history that is read has no `begin`; the one that has it is given with a gate, which keeps to the limits.
  it('decides in one file where records are kept', () => {
    const kinds = ['history/history', 'history/ledger', 'journal/journal', 'journal/runs-folder', 'pace/shared-pace'];
    const users = inside.filter((one) => kinds.some((kind) => fileOf(one) === `account/${kind}.ts`));
    expect([...new Set(users.map(({ from }) => from))]).toEqual(['account/account-records.ts']);
    expect([...new Set(users.map(fileOf))].sort()).toEqual(kinds.map((kind) => `account/${kind}.ts`));
  });

  // Two files hold the text of a program that runs as a process of its own.
  it('reads the process nowhere but at its edge', () => {
    const readers = files.filter(
      (file) =>
        !['main.ts', 'sandbox/rules/bigquery-script.ts', 'data/mirror/query-script.ts'].includes(file) &&
        /\bprocess\.(argv|env|exit|stdout|stderr|stdin|cwd)\b/.test(readFileSync(path.join(SRC, file), 'utf8')),
    );
    expect(readers).toEqual([]);
  });

  // Both bounds only ever fall: who takes one repeat away lowers its number.
  it('reads files by name in one room, where no pipe is waited for', () => {
    const elsewhere = files.filter((file) => {
      const text = file.startsWith('base/files/') ? '' : readFileSync(path.join(SRC, file), 'utf8');
      return /\{[^}]*\breadFile(?:Sync)?\b[^}]*\}\s*(?:from|=\s*await import\()\s*'node:fs/.test(text);
    });
    expect(elsewhere).toEqual([]);
  });

  it('colours and draws in one file, and reads colours in one room', () => {
    const code = (file: string): string =>
      readFileSync(path.join(SRC, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const making = /\\u001b|\\x1b|\\033|\\e\[|[\u2500-\u257f\u2580-\u259f\u25a0-\u25ff\u2800-\u28ff\u2700-\u27bf]/;
    const makers = files.filter((file) => making.test(code(file))).sort();
    expect(makers).toEqual(['items/text/inert.ts', 'items/text/width.ts', 'screen/style.ts']);
    // What reads colours makes none: an escape character stands in patterns only.
    for (const file of makers.slice(0, 2)) expect(code(file)).not.toMatch(/[`'"][^`'"/\n]*\\u001b\[/);
  });

  it('gives one name to one thing', () => {
    const repeated = (pairs: readonly (readonly [name: string, file: string])[]) => {
      const places = new Map<string, Set<string>>();
      for (const [name, file] of pairs) places.set(name, (places.get(name) ?? new Set()).add(file));
      return [...places].filter(([, all]) => all.size > 1).map(([name]) => name);
    };
    const parallel = ['run', 'spec', 'run.ts', 'spec.ts', 'index.ts', 'types.ts'];
    const written = files.filter((file) => !/\.generated\.ts$|\.d\.ts$/.test(file));
    const exported = written.flatMap((file) =>
      [
        ...readFileSync(path.join(SRC, file), 'utf8').matchAll(
          /^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm,
        ),
      ].map(([, name = '']) => [name, file] as const),
    );
    const named = written
      .filter((file) => !file.startsWith('catalogue/families/'))
      .map((file) => [path.basename(file), file] as const);
    const names = repeated(exported).filter((name) => !parallel.includes(name));
    expect(names.length, names.join(', ')).toBe(0);
    const bases = repeated(named).filter((name) => !parallel.includes(name));
    expect(bases.length, bases.join(', ')).toBe(0);
  });

  it('cites only pages and headings that are there', () => {
    const docs = path.resolve(SRC, '../docs');
    const slugs = (page: string) =>
      [...readFileSync(path.join(docs, page), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
    const headings = new Map(['service.md', 'command-line.md'].map((page) => [page, slugs(page)]));
    const lost = files.flatMap((file) => {
      const text = readFileSync(path.join(SRC, file), 'utf8');
      const cited = [...text.matchAll(/\b([\w-]+\.md)#([\w-]+)/g)];
      const numbers = text.match(/\b(?:command line|spec(?:ification)?),? (?:sections? )?\d[\d.]*/g) ?? [];
      const dead = cited.filter(([, page = '', slug = '']) => !headings.get(page)?.includes(slug));
      return [...dead.map(([whole]) => whole), ...numbers].map((one) => `${file}: ${one}`);
    });
    expect(lost).toEqual([]);
  });
});

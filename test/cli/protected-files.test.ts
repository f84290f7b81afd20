/** What an option of the command line would write over: the files of cops itself. */
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { home } from './helpers.js';
import type { Home } from './program.js';

const keptOf = (made: Home): string => made.env.COPS_CONFIG_DIR ?? '';

describe('a file that cops keeps for itself', () => {
  const LINES: Readonly<Record<string, (at: string) => readonly string[]>> = {
    'overview --html': (at) => ['overview', '--html', at],
    'report --html': (at) => ['report', 'revenue', '--html', at],
    'report --out': (at) => ['report', 'revenue', '--out', at],
    'export --out': (at) => ['export', 'campaigns', '--out', at, '--format', 'csv'],
    'setup plan --out': (at) => ['setup', 'plan', '--out', at],
    'test --junit': (at) => ['test', path.dirname(at), '--junit', at],
    'mcp install --file': (at) => ['mcp', 'install', 'claude-desktop', '--file', at, '--yes'],
    'bulk --journal': (at) => ['bulk', 'customers', 'enable', '--ids', at, '--journal', at, '--yes'],
    sync: (at) => ['sync', at],
  };
  /** What leads to an own file: its place, though nothing is there yet, and other names of it. */
  const WAYS: Readonly<Record<string, (made: Home, at: string) => string>> = {
    'by a link': (made, at) => {
      symlinkSync(path.join(keptOf(made), 'config.json'), at);
      return at;
    },
    'by a second name': (made, at) => {
      linkSync(path.join(keptOf(made), 'history', '2026-01.jsonl'), at);
      return at;
    },
    'where a journal of a run is': (_made, at) => {
      writeFileSync(at, '{"type":"header","version":2,"id":"x"}\n');
      return at;
    },
  };
  const scenario = 'version: 1\ngiven: {}\nsteps: [{run: "campaigns list"}]\n';

  it.each(Object.keys(LINES).flatMap((line) => Object.keys(WAYS).map((way) => [line, way] as const)))(
    'is not replaced: %s, %s',
    async (line, way) => {
      const made = home();
      mkdirSync(path.join(keptOf(made), 'history'), { recursive: true });
      for (const file of ['config.json', 'history/2026-01.jsonl'])
        writeFileSync(path.join(keptOf(made), file), file === 'config.json' ? '{}' : '');
      writeFileSync(path.join(made.folder, 'one.test.yaml'), scenario);
      const ending = { sync: '.sqlite', 'report --out': '.csv' }[line] ?? '.html';
      const at = WAYS[way]?.(made, path.join(made.folder, `out${ending}`)) ?? '';
      const before = readFileSync(at);
      const ran = await made.run(['-p', 'sandbox', ...(LINES[line]?.(at) ?? [])], { cwd: made.folder });
      if (line === 'bulk --journal' && way === 'where a journal of a run is') {
        expect(ran.code).not.toBe(0);
      } else expect([ran.code, ran.stderr], ran.stderr).toEqual([2, expect.stringContaining('keeps for itself')]);
      expect(readFileSync(at)).toEqual(before);
    },
  );

  it('is not made either, where it would mean something', async () => {
    const made = home();
    for (const name of ['policy.yaml', 'history/2026-01.jsonl', 'proofs.json']) {
      const at = path.join(keptOf(made), name);
      mkdirSync(path.dirname(at), { recursive: true });
      const ran = await made.run(['-p', 'sandbox', 'overview', '--html', at]);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('keeps for itself')]);
      expect(existsSync(at)).toBe(false);
    }
  });
});

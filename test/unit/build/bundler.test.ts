import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { rollup } from 'rollup';
import { expect, it } from 'vitest';
import { ROOT } from '../../harness/in-process.js';

/** A function that one module calls with a constant, and another, which loads it late, with anything. */
const FILES: Readonly<Record<string, string>> = {
  shown: "export function shown(measure) { return measure === undefined ? 'none' : measure; }",
  close: "import { shown } from 'shown'; export const close = () => shown(undefined);",
  main: "import { close } from 'close'; export async function main(measure) { const { shown } = await import('shown'); return [close(), shown(measure)]; }",
};

/** Some versions of the bundler take the constant for the only value, and leave the rest of the function out. */
it('keeps the branches of a function that is loaded late as well', async () => {
  const bundle = await rollup({
    input: 'main',
    plugins: [{ name: 'texts', resolveId: (id) => (id in FILES ? id : null), load: (id) => FILES[id] ?? null }],
  });
  const { output } = await bundle.generate({ format: 'es', inlineDynamicImports: true });
  const code = Buffer.from(output[0].code).toString('base64');
  const { main } = (await import(`data:text/javascript;base64,${code}`)) as { main(text: string): Promise<string[]> };
  expect(await main('net')).toEqual(['none', 'net']);
});

/** Loads each chunk right after the main file, as a command that starts with it does, and reports what fails. */
const LOADS_EACH = `
  const fs = require('node:fs');
  const dist = process.argv[1] + '/';
  const parts = fs.readdirSync(dist).filter((name) => /\\.js$/.test(name) && !/^(main|function-runner)\\.js$/.test(name));
  const faults = [];
  for (const part of parts) {
    for (const file of Object.keys(require.cache)) if (file.startsWith(dist)) delete require.cache[file];
    try {
      require(dist + 'main.js');
      require(dist + part);
    } catch (error) {
      faults.push(part + ': ' + error.message);
    }
  }
  console.log(JSON.stringify({ parts: parts.length, faults }));`;

it('makes parts that load whatever was loaded before them', { tags: ['process'], timeout: 120_000 }, () => {
  const said = execFileSync(process.execPath, ['-e', LOADS_EACH, path.join(ROOT, 'dist')], { encoding: 'utf8' });
  const { parts, faults } = JSON.parse(said) as { parts: number; faults: string[] };
  expect(faults).toEqual([]);
  expect(parts).toBeGreaterThan(300);
});

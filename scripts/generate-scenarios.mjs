// Writes first.generated.ts next to the folder of scenarios that `cops test --init` creates. `--check` only reports
// stale files.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = 'src/data/scenarios/first';

const files = (await readdir(path.join(root, FOLDER))).sort();
const entries = await Promise.all(
  files.map(async (file) => `  ${JSON.stringify([file, await readFile(path.join(root, FOLDER, file), 'utf8')])},`),
);
const text = [
  '// biome-ignore-all format: made by a script, which keeps its own form',
  '// biome-ignore-all lint/suspicious/noTemplateCurlyInString: places are written so in scenarios',
  '// Made by scripts/generate-scenarios.mjs from the files in first/. Do not edit by hand.',
  '',
  '/** The scenarios to begin with: the name of each file and its text. */',
  'export const FIRST_SCENARIOS: readonly (readonly [file: string, text: string])[] = [',
  ...entries,
  '];',
  '',
].join('\n');
const target = path.join(root, `${FOLDER}.generated.ts`);
const isStale = (await readFile(target, 'utf8').catch(() => '')) !== text;
if (isStale && process.argv.includes('--check')) {
  process.stderr.write(`${FOLDER}.generated.ts is stale: run node scripts/generate-scenarios.mjs\n`);
  process.exitCode = 1;
} else if (isStale) await writeFile(target, text);

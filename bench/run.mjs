// npm run bench [part ...]: each part prints ratios taken inside one run, with the figures they come from.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = path.dirname(fileURLToPath(import.meta.url));
const parts = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.mjs'))
  .map((name) => name.replace('.bench.mjs', ''));
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const unknown = wanted.filter((name) => !parts.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench "${unknown.join(', ')}". Parts: ${parts.join(', ')}.`);
  process.exitCode = 2;
} else if (!existsSync(path.join(folder, '../dist/main.js'))) {
  console.error('Build first: npm run build');
  process.exitCode = 2;
} else {
  // It makes every start of Node 20 slower by itself, and would be measured in the place of the program.
  delete process.env.NODE_EXTRA_CA_CERTS;
  for (const part of wanted.length > 0 ? wanted : parts) {
    console.log(`\n## ${part}`);
    await (await import(pathToFileURL(path.join(folder, `${part}.bench.mjs`)).href)).default();
  }
}

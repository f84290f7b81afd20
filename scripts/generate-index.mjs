// Writes src/catalogue/index.generated.ts from the family files: names, commands, actions and one lazy import each, so
// that help and completion need not load the families. `--check` only reports whether it is stale.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('../src/catalogue/', import.meta.url));
const target = `${folder}index.generated.ts`;
const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url));

/** Every family of the catalogue, in alphabetical order, and its faults. */
export async function readCatalogue() {
  const names = (await readdir(`${folder}families`))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3))
    .sort();
  const contents = [
    "export { checkCatalogue } from '../../scripts/check-catalogue.ts';",
    "export { resolveFamily } from './conventions.ts';",
    "export { managementOf } from './body-fields.ts';",
    ...names.map((name) => `export { default as ${name} } from './families/${name}.ts';`),
  ].join('\n');
  // A separate file, since an error names the file it was imported from.
  await mkdir(cache, { recursive: true });
  const place = await mkdtemp(`${cache}index-`);
  const outfile = `${place}/catalogue.mjs`;
  const stdin = { contents, resolveDir: folder, loader: 'ts' };
  await build({ stdin, bundle: true, outfile, format: 'esm', logLevel: 'silent' });
  const { checkCatalogue, managementOf, resolveFamily, ...byName } = await import(pathToFileURL(outfile).href).finally(
    () => rm(place, { recursive: true, force: true }),
  );
  const families = names.map((name) => resolveFamily(byName[name], new Set(names)));
  return { families, managementOf, faults: checkCatalogue(families) };
}

const quoted = (text) => (text.includes("'") ? JSON.stringify(text) : `'${text}'`);

function copyingFamilies(families) {
  const copied = new Map();
  for (const { name, item = {}, operations } of families) {
    const { body, assumed, further } = operations.find(({ action }) => action === 'edit') ?? {};
    const taken = { ...body?.fields, ...assumed, ...further };
    for (const [field, { copies }] of Object.entries(item))
      if (copies && field in taken) copied.set(copies, [...(copied.get(copies) ?? []), name]);
  }
  return copied;
}

/** The text of the generated file; rejects a catalogue with faults. */
export async function generateIndex() {
  const { families, managementOf, faults } = await readCatalogue();
  if (faults.length > 0) throw new Error(`faults in the catalogue:\n${faults.join('\n')}`);
  const entries = families.map((family) => {
    const actions = family.operations
      .map(({ action, summary, risk }) => `[${quoted(action)}, ${quoted(summary)}, '${risk}'],`)
      .join('\n    ');
    return `  ['${family.name}', ${quoted(family.summary)}, [\n    ${actions}\n  ]],`;
  });
  const loaders = families.map(({ name }) => `  ${name}: () => import('./families/${name}.js'),`);
  const words = families
    .filter((family) => family.words)
    .map(({ name, words }) => `  ${name}: [${words.map(quoted).join(', ')}],`);
  const keepers = [...copyingFamilies(families)].map(
    ([source, names]) => `  ${source}: [${names.map(quoted).join(', ')}],`,
  );
  const listOf = (family) => family.operations.find(({ action }) => action === 'list')?.list;
  const named = (chosen) => families.filter(chosen).map(({ name }) => `  '${name}',`);
  const copied = named((family) => managementOf(family).as === 'file' && listOf(family));
  const followed = named((family) => family.nature !== 'set-up' && listOf(family)?.style === 'windowed');
  return `// biome-ignore-all format: made by a script, which keeps its own form
// Made by scripts/generate-index.mjs from the family files. Do not edit by hand.
import type { FamilySpec } from './conventions.js';
import type { Risk } from './types.js';

/** Name, summary, and for each action its words, summary and risk. */
export const ENTRIES: readonly (readonly [string, string, readonly (readonly [string, string, Risk])[]])[] = [
${entries.join('\n')}
];

/** Families whose objects a set-up keeps by name; a family with a single item is promoted instead. */
export const COPIED_FAMILIES: readonly string[] = [
${copied.join('\n')}
];

/** Families whose lists are ordered by the time an item was created. */
export const FOLLOWED_FAMILIES: readonly string[] = [
${followed.join('\n')}
];

/** Other names for the items of a family. */
export const WORDS: Readonly<Record<string, readonly string[]>> = {
${words.join('\n')}
};

/** The families whose items keep a copy of fields of a family, and whose edit changes that copy. */
export const KEEPERS: Readonly<Record<string, readonly string[]>> = {
${keepers.join('\n')}
};

export const LOADERS: Readonly<Record<string, () => Promise<{ readonly default: FamilySpec }>>> = {
${loaders.join('\n')}
};
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await generateIndex();
  if (process.argv.includes('--check')) {
    const stale = (await readFile(target, 'utf8').catch(() => '')) !== text;
    if (stale) process.stderr.write('src/catalogue/index.generated.ts is stale: run node scripts/generate-index.mjs\n');
    process.exitCode = stale ? 1 : 0;
  } else {
    await writeFile(target, text);
  }
}

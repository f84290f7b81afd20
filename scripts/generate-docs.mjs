// Writes docs/reference/*.md from the catalogue; with --man <folder> the man pages instead (when packing).
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const manAt = process.argv.indexOf('--man');
const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));

// Below node_modules, so that its imports resolve.
await mkdir(path.join(root, 'node_modules/.cache'), { recursive: true });
const folder = await mkdtemp(path.join(root, 'node_modules/.cache/docs-'));
try {
  const outfile = path.join(folder, 'pages.mjs');
  await build({
    entryPoints: [path.join(root, 'scripts/reference-pages.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    define: { __VERSION__: JSON.stringify(version) },
    packages: 'external',
    logLevel: 'warning',
  });
  const { manPages, referencePages } = await import(pathToFileURL(outfile).href);
  if (manAt < 0) {
    await replaceAll(path.join(root, 'docs/reference'), await referencePages(), '.md');
  } else {
    const date = new Date((Number(process.env.SOURCE_DATE_EPOCH) || Date.now() / 1000) * 1000)
      .toISOString()
      .slice(0, 10);
    await replaceAll(
      path.resolve(process.argv[manAt + 1] ?? path.join(root, 'man')),
      await manPages(version, date),
      '.1',
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function replaceAll(target, pages, ending) {
  await mkdir(target, { recursive: true });
  for (const name of await readdir(target)) {
    if (name.endsWith(ending) && !pages.has(name)) await rm(path.join(target, name));
  }
  for (const [name, text] of pages) await writeFile(path.join(target, name), text);
}

// Writes completions/*, one script per shell. `--check` only reports stale files.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));

const ENTRY = `
export { SCRIPT_FILES } from './src/cli/completion/shells.ts';
export { shellScript } from './src/cli/completion/scripts.ts';
`;

async function load() {
  await mkdir(path.join(root, 'node_modules/.cache'), { recursive: true });
  const folder = await mkdtemp(path.join(root, 'node_modules/.cache/cops-'));
  try {
    const outfile = path.join(folder, 'all.mjs');
    await build({
      stdin: { contents: ENTRY, resolveDir: root, loader: 'ts' },
      bundle: true,
      platform: 'node',
      packages: 'external',
      format: 'esm',
      logLevel: 'silent',
      outfile,
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The contents of the generated files, by path from the root. */
export async function generateCompletions() {
  const { SCRIPT_FILES, shellScript } = await load();
  return Object.fromEntries(
    Object.entries(SCRIPT_FILES).map(([shell, file]) => [`completions/${file}`, shellScript(shell)]),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of Object.entries(await generateCompletions())) {
    const target = path.join(root, file);
    const stale = (await readFile(target, 'utf8').catch(() => '')) !== text;
    if (stale && process.argv.includes('--check')) {
      process.stderr.write(`${file} is stale: run node scripts/generate-completions.mjs\n`);
      process.exitCode = 1;
    } else if (stale) {
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, text);
    }
  }
}

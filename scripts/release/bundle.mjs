// The program as parts of a self-contained executable: a small main script, and chunks that it loads on demand.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundleChunks, root } from '../chunks.mjs';

const TARGET = 'node24';
/** Replaces a file's own `require`: inside an executable there is no folder to resolve from. */
const URL_INSIDE = JSON.stringify('file:///cops');
const SMALLER = { minifySyntax: true, minifyWhitespace: true };

/**
 * Writes the parts to `folder`.
 * @returns `main`, the path of the main script; `assets`, the names of all others; `inputs`, the bundled files,
 * relative to the root of the checkout.
 */
export async function bundleProgram(folder) {
  mkdirSync(folder, { recursive: true });
  const { chunks, inputs } = await bundleChunks({
    input: { entry: path.join(root, 'scripts/release/entry.ts') },
    target: TARGET,
    define: { __FUNCTION_RUNNER_ASSET__: '"function-runner.js"' },
    smaller: SMALLER,
    plugins: [{ name: 'inside', resolveImportMeta: (property) => (property === 'url' ? URL_INSIDE : null) }],
  });
  const texts = chunks.map(({ fileName, code }) => [fileName, `(function(exports,require,module){${code.trimEnd()}})`]);
  const runner = await bundleFile('src/sandbox/automation/runner.mjs');
  const main = await bundleFile('scripts/release/main.cjs');
  for (const [name, text] of [...texts, ['function-runner.js', runner.text], ['main.cjs', main.text]]) {
    writeFileSync(path.join(folder, name), text);
  }
  return {
    main: path.join(folder, 'main.cjs'),
    assets: [...texts.map(([name]) => name), 'function-runner.js'].sort(),
    inputs: [...inputs, ...runner.inputs].sort(),
  };
}

/** One file with all its imports, as a single script. */
async function bundleFile(file) {
  const { outputFiles, metafile } = await build({
    ...SMALLER,
    legalComments: 'none',
    entryPoints: [file],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: TARGET,
    absWorkingDir: root,
    define: { 'import.meta.url': URL_INSIDE },
    write: false,
    metafile: true,
    logLevel: 'warning',
  });
  return { text: outputFiles[0].text, inputs: Object.keys(metafile.inputs) };
}

// The whole program as one CommonJS file, for an executable that has no file beside it. What the chunks of `dist` load
// late, this file initialises late.
import path from 'node:path';
import { build } from 'esbuild';

/** Writes the bundle of the checkout `root` to `file`; tells which files are in it, below `root`. */
export async function bundleProgram(root, file, { version, optional }) {
  const runner = await bundleRunner(root);
  const { metafile } = await build({
    entryPoints: ['scripts/release/entry.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    outfile: file,
    absWorkingDir: root,
    define: {
      __VERSION__: JSON.stringify(version),
      __FUNCTION_RUNNER_TEXT__: JSON.stringify(runner.text),
      // There is no folder to resolve from inside an executable: what asks for one falls back to built-in modules.
      'import.meta.url': JSON.stringify('file:///cops'),
    },
    // Native packages cannot be inside; without them the built-in database is used, and no keychain.
    external: optional,
    conditions: ['node'],
    mainFields: ['module', 'main'],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  return { file: path.resolve(file), inputs: [...Object.keys(metafile.inputs), ...runner.inputs] };
}

/** The thread that runs functions, as one text: an executable has no file to start it from. */
async function bundleRunner(root) {
  const { outputFiles, metafile } = await build({
    entryPoints: ['src/sandbox/automation/runner.mjs'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    absWorkingDir: root,
    define: { 'import.meta.url': JSON.stringify('file:///cops') },
    write: false,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  return { text: outputFiles[0].text, inputs: Object.keys(metafile.inputs) };
}

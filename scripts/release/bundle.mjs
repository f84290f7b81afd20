// The whole program as one CommonJS file, for an executable that has no file beside it. What the chunks of `dist` load
// late, this file initialises late.
import { readFile } from 'node:fs/promises';
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
  refuseWide(await readFile(file));
  return { file: path.resolve(file), inputs: [...Object.keys(metafile.inputs), ...runner.inputs] };
}

/** One character beyond ASCII makes V8 keep the whole text at two bytes a character, and every start slower. */
function refuseWide(bytes) {
  const at = bytes.findIndex((byte) => byte > 127);
  if (at >= 0)
    throw new Error(`write this character as \\u…: ${bytes.toString('utf8', Math.max(0, at - 60), at + 20)}`);
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

// Bundles src/main.ts into dist/: CommonJS chunks, one for every lazily imported part, so that a command loads
// only what it uses. Built beside the old output and swapped in, so that a running cops never sees half a build.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import resolve from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';
import esbuild from 'rollup-plugin-esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const target = path.resolve(root, process.argv[2] ?? 'dist');
const fresh = `${target}.new-${process.pid}`;
const { version, dependencies = {}, optionalDependencies = {} } = JSON.parse(
  await readFile(path.join(root, 'package.json'), 'utf8'),
);
// Packages with a native part cannot be bundled: they stay installed dependencies.
const native = [...Object.keys(dependencies), ...Object.keys(optionalDependencies)];

const bundle = await rollup({
  input: { main: path.join(root, 'src/main.ts') },
  external: (id) =>
    id.startsWith('node:') || builtinModules.includes(id) || native.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [
    resolve({ preferBuiltins: true, exportConditions: ['node', 'import', 'default'] }),
    commonjs({ ignoreDynamicRequires: true }),
    json(),
    esbuild({ target: 'node20', define: { __VERSION__: JSON.stringify(version) }, minify: false }),
  ],
  onwarn(warning, warn) {
    const harmless = ['CIRCULAR_DEPENDENCY', 'THIS_IS_UNDEFINED', 'EVAL'];
    if (harmless.includes(warning.code ?? '') && /node_modules/.test(warning.id ?? warning.ids?.[0] ?? '')) return;
    warn(warning);
  },
});
await rm(fresh, { recursive: true, force: true });
await mkdir(fresh, { recursive: true });
await bundle.write({
  dir: fresh,
  format: 'cjs',
  dynamicImportInCjs: false,
  interop: 'auto',
  exports: 'named',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  hoistTransitiveImports: false,
  compact: true,
});
await bundle.close();
await writeFile(path.join(fresh, 'package.json'), '{"type":"commonjs"}\n');
await rm(`${target}.old`, { recursive: true, force: true });
await rename(target, `${target}.old`).catch(() => {});
await rename(fresh, target);
await rm(`${target}.old`, { recursive: true, force: true });

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
const {
  version,
  dependencies = {},
  optionalDependencies = {},
} = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
// Packages with a native part cannot be bundled: they stay installed dependencies.
const native = [...Object.keys(dependencies), ...Object.keys(optionalDependencies)];

// Parts of libraries that cops never reaches, and that would load built-in modules at every start: subcommands that are
// programs of their own (the parser), and HTTP/2 (the client). Each is replaced by an empty module.
const unreached = (id, importer = '') =>
  (id === 'node:child_process' && /node_modules\/commander\//.test(importer)) ||
  (/client-h2(\.js)?$/.test(id) && /node_modules\/undici\//.test(importer));
const withoutUnreached = {
  name: 'without-unreached-parts',
  resolveId: (id, importer) => (unreached(id, importer) ? path.join(root, 'scripts/empty.cjs') : null),
};

// What is always loaded together is one chunk: opening a file costs more than the code in it.
const together = [
  [
    'line',
    /src\/(program\/(alias|report|argv)|command\/global-options|output\/formats|errors\/errors|profiles\/(folders|glance|choose|names|alias-words))\.ts$/,
  ],
  [
    'catalogue',
    /src\/(catalogue\/index(\.generated)?|program\/help|commands\/(index|specs\.generated|[\w-]+\/spec|operation\/input|profiles\/key-options|reference\/topics)|completion\/shells|sandbox\/faults|time\/units)\.ts$/,
  ],
  ['conventions', /src\/catalogue\/(conventions|fields|permissions|references)\.ts$/],
  [
    'run',
    /src\/(program\/execute|output\/(notes|render|colour|choose-format)|profiles\/index|commands\/operation\/run)\.ts$/,
  ],
];
function chunkOf(id) {
  return together.find(([, files]) => files.test(id))?.[0];
}

const bundle = await rollup({
  // The second is the file of a thread (src/sandbox/automation/runner-file.ts).
  input: {
    main: path.join(root, 'src/main.ts'),
    'function-runner': path.join(root, 'src/sandbox/automation/runner.mjs'),
  },
  preserveEntrySignatures: 'allow-extension',
  external: (id, importer) =>
    !unreached(id, importer) &&
    (id.startsWith('node:') ||
      builtinModules.includes(id) ||
      native.some((name) => id === name || id.startsWith(`${name}/`))),
  plugins: [
    withoutUnreached,
    resolve({ preferBuiltins: true, exportConditions: ['node', 'import', 'default'] }),
    // Built-in modules stay where they are asked for: hoisted, each would be loaded at the start of its chunk.
    commonjs({
      ignoreDynamicRequires: true,
      // Asked for by a CommonJS library, as the function that it is.
      requireReturnsDefault: (id) => (/buffer-crc32/.test(id) ? 'auto' : false),
      ignore: (id) => id !== 'node:child_process' && (id.startsWith('node:') || builtinModules.includes(id)),
    }),
    json(),
    esbuild({
      target: 'node20',
      define: { __VERSION__: JSON.stringify(version), __FUNCTION_RUNNER_FILE__: '"./function-runner.js"' },
      minify: false,
    }),
  ],
  onwarn(warning, warn) {
    const harmless = ['CIRCULAR_DEPENDENCY', 'THIS_IS_UNDEFINED', 'EVAL', 'INVALID_ANNOTATION'];
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
  manualChunks: chunkOf,
});
await bundle.close();
await writeFile(path.join(fresh, 'package.json'), '{"type":"commonjs"}\n');
await rm(`${target}.old`, { recursive: true, force: true });
await rename(target, `${target}.old`).catch(() => {});
await rename(fresh, target);
await rm(`${target}.old`, { recursive: true, force: true });

// Run once what people run most, so that its code is cached compiled.
if (!process.argv[2]) await recordCodeCache();

async function recordCodeCache() {
  const { spawn } = await import('node:child_process');
  const { createServer } = await import('node:http');
  const { mkdtemp } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const folder = await mkdtemp(path.join(tmpdir(), 'cops-build-'));
  const id = 'a'.repeat(20);
  const item = `{"id":"${id}","live_mode":false,"created_date_unix":1}`;
  const envelope = `"api_call_id":"${id}","api_call_unix":1,"code":1`;
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const list = request.url?.includes('page=');
    response.end(
      list
        ? `{${envelope},"current_count":1,"current_page":1,"results":[${item}],"total_count":1,"total_pages":1}`
        : `{${envelope},${item.slice(1)}`,
    );
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    COPS_RECORD_CODE_CACHE: '1',
    COPS_CONFIG_DIR: path.join(folder, 'config'),
    COPS_DATA_DIR: path.join(folder, 'data'),
    COPS_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    COPS_API_KEY: 'key_of_the_build_0001',
    COPS_MODE: 'test',
  };
  const lines = [
    ['--help'],
    ['subscriptions', '--help'],
    ['subscriptions', 'cancel', '--help'],
    ['subscriptions', 'cancel', id, '--dry-run'],
    ['customers', 'get', id],
    ['customers', 'list', '--last', '1d', '-o', 'table'],
    ['subscriptions', 'cancel', id, '--yes'],
    ['__complete', 'bash', 'line', '9', '80', ' =:', 'cops subscriptions c'],
    ['__complete', 'bash', 'line', '9', '80', ' =:', 'cops subscriptions list --'],
    ['mcp'],
    ['__complete', 'zsh', '4', 'cops', 'customers', 'create', '-d', ''],
  ];
  for (const line of lines) {
    await new Promise((ended) => {
      spawn(process.execPath, [path.join(root, 'bin/cops.js'), ...line], { env, stdio: 'ignore' }).on('close', ended);
    });
  }
  server.close();
  await rm(folder, { recursive: true, force: true });
}

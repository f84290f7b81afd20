// The program as CommonJS chunks, one for every lazily imported part, so that a command loads only what it uses:
// for `dist` (build.mjs) and for the executables (release/bundle.mjs).
import { access, readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import resolve from '@rollup/plugin-node-resolve';
import { transform } from 'esbuild';
import { rollup } from 'rollup';
import esbuild from 'rollup-plugin-esbuild';
import { libsqlPackage } from './libsql-package.mjs';
import { mcpPackage } from './mcp-package.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const {
  version,
  dependencies = {},
  optionalDependencies = {},
} = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
// Packages with native parts cannot be bundled: they stay installed dependencies, libsql for its native part alone.
const native = [...Object.keys(dependencies), ...Object.keys(optionalDependencies)].filter((name) => name !== 'libsql');

// Parts of libraries that cops never uses, but that would load built-in modules at every start: subcommands as separate
// programs (the parser), what colours a terminal shows (chalk), HTTP/2 (the client), and ways to reach PostgreSQL other
// than a Node socket. Each is replaced by an empty module.
const unreached = (id, importer = '') =>
  (id === 'node:child_process' && /node_modules\/commander\//.test(importer)) ||
  (id === '#supports-color' && /node_modules\/chalk\//.test(importer)) ||
  (/client-h2(\.js)?$/.test(id) && /node_modules\/undici\//.test(importer)) ||
  (/^(pg-native|pg-cloudflare)$/.test(id) && /node_modules\/pg\//.test(importer));
const EMPTY = path.join(root, 'scripts/empty.cjs');
const withoutUnreached = {
  name: 'without-unreached-parts',
  resolveId: (id, importer) => (unreached(id, importer) ? EMPTY : null),
};

// Loading one of these takes as long as a small command, and few commands need it: our own code gets functions that
// load it on first call.
const LATE = ['node:child_process', 'node:crypto', 'node:fs/promises', 'node:module', 'node:timers/promises'];
const LATE_PREFIX = '\0late:';
const isLate = (id, importer = '') => LATE.includes(id) && importer.startsWith(path.join(root, 'src') + path.sep);
const lateBuiltins = {
  name: 'late-builtins',
  resolveId: (id, importer) => (isLate(id, importer) ? LATE_PREFIX + id : null),
  load: (id) => (id.startsWith(LATE_PREFIX) ? lateModule(id.slice(LATE_PREFIX.length)) : null),
};

function lateModule(id) {
  const names = Object.entries(process.getBuiltinModule(id)).filter(([, value]) => typeof value === 'function');
  return [
    `let known; const loaded = () => (known ??= require('${id}'));`,
    ...names.map(([name]) =>
      /^[A-Z]/.test(name)
        ? `export function ${name}(...given) { return new (loaded().${name})(...given); }`
        : `export const ${name} = (...given) => loaded().${name}(...given);`,
    ),
  ].join('\n');
}

// Modules that always load together form one chunk: opening a file costs more than the code in it. A chunk is listed
// with its first modules, and includes modules that only they import. A name that is no longer a file of `src` fails
// the build.
const CHUNKS = {
  main: ['main', 'base/world', 'base/random'],
  line: [
    'cli/parser/alias',
    'cli/program/report',
    'cli/parser/argv',
    'session/context/global-options',
    'screen/output-formats',
    'base/errors/errors',
    'account/profiles/glance',
    'account/profiles/profile-names',
  ],
  catalogue: [
    'catalogue/index',
    'catalogue/index.generated',
    'catalogue/event-types',
    'session/operation/spec',
    'base/time/range-options',
  ],
  // Help of an operation needs none of these; the words of commands and what runs do.
  settings: [
    'account/policy/rule-fields',
    'account/profiles/settings',
    'base/time/periods',
    'base/time/units',
    'base/time/zones',
    'sandbox/store/prng',
    'sandbox/store/seeded-ids',
  ],
  help: ['cli/help/help', 'cli/actions/index', 'cli/actions/specs.generated'],
  commands: [
    'cli/commands/index',
    'cli/commands/specs.generated',
    'cli/help/reference-topics',
    'cli/completion/shells',
    'sandbox/serve/injected-faults',
  ],
  conventions: [
    'catalogue/conventions',
    'catalogue/fields',
    'catalogue/permissions',
    'catalogue/references',
    'catalogue/relation-rules',
  ],
  run: [
    'cli/program/program',
    'cli/program/execute',
    'screen/notes',
    'screen/render',
    'account/profiles/resolve',
    'account/profiles/store',
    'cli/operation/run-operation',
    'session/context/lines',
  ],
  client: ['service/http/client'],
  // A read of items by their ids needs none of these; lists and writes share the first.
  names: ['session/names/line-names', 'base/time/when'],
  post: ['cli/operation/post', 'cli/prompts/prompter', 'session/write/dry-run-remarks'],
  list: ['cli/operation/list-operation'],
  database: ['base/database/open', 'base/database/engines', 'base/database/child'],
  checks: ['items/checks/automation-checks', 'items/checks/flow', 'catalogue/payment-schedule'],
  kinds: ['sandbox/store/kinds', 'sandbox/rules/builders', 'sandbox/rules/refusals'],
  sandbox: ['sandbox/serve/embedded'],
  postgres: ['base/database/postgres'],
};
const chunkOfModule = new Map(LATE.map((id) => [LATE_PREFIX + id, 'main']));
for (const [chunk, modules] of Object.entries(CHUNKS)) {
  for (const name of modules) {
    const file = path.join(root, 'src', `${name}.ts`);
    await access(file);
    chunkOfModule.set(file, chunk);
  }
}
// Code shared by several libraries would otherwise join the first importer, and pull it in everywhere.
const isShared = (id) => id === '\0commonjsHelpers.js' || id.includes(EMPTY);
const chunkOf = (id) => (isShared(id) ? 'line' : chunkOfModule.get(id));

/**
 * Bundles `input` (entry names and their files). `define` replaces names with JSON text, `target` is the compilation
 * target, `plugins` come first, and `smaller` says how esbuild minifies.
 * @returns the chunks with their `fileName` and `code`, and the `inputs`: all files in them.
 */
export async function bundleChunks({ input, target, define = {}, plugins = [], smaller = {} }) {
  const bundle = await rollup({
    input,
    preserveEntrySignatures: 'allow-extension',
    external: (id, importer) =>
      !unreached(id, importer) &&
      !isLate(id, importer) &&
      (id.startsWith('node:') ||
        builtinModules.includes(id) ||
        native.some((name) => id === name || id.startsWith(`${name}/`))),
    plugins: [
      ...plugins,
      withoutUnreached,
      lateBuiltins,
      libsqlPackage,
      mcpPackage,
      resolve({ preferBuiltins: true, exportConditions: ['node', 'import', 'default'] }),
      // Built-in modules stay where they are required: if hoisted, each would load at the start of its chunk.
      commonjs({
        ignoreDynamicRequires: true,
        // Required by a CommonJS library as a function.
        requireReturnsDefault: (id) => (/buffer-crc32/.test(id) ? 'auto' : false),
        ignore: (id) => id !== 'node:child_process' && (id.startsWith('node:') || builtinModules.includes(id)),
      }),
      json(),
      esbuild({ target, define: { __VERSION__: JSON.stringify(version), ...define }, minify: false }),
    ],
    onwarn: warnOfOurs,
  });
  try {
    const { output } = await bundle.generate({
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
    return {
      chunks: await Promise.all(
        output.map(async (chunk) => ({
          fileName: chunk.fileName,
          code: await plain(chunk.code, { target, ...smaller }),
        })),
      ),
      inputs: bundle.watchFiles.filter((file) => path.isAbsolute(file)).map((file) => path.relative(root, file)),
    };
  } finally {
    await bundle.close();
  }
}

/**
 * Every start reads the text, so it has neither white space nor comments, a third of the libraries'. ASCII only: a single
 * character beyond it makes V8 store all of it as two bytes per character.
 */
async function plain(code, options) {
  const how = { minifyWhitespace: true, platform: 'node', legalComments: 'none' };
  const text = (await transform(code, { ...options, ...how })).code;
  const at = text.search(/[^\0-\x7f]/);
  if (at >= 0) throw new Error(`write this character as \\u…: ${text.slice(Math.max(0, at - 60), at + 20)}`);
  return text;
}

function warnOfOurs(warning, warn) {
  const harmless = ['CIRCULAR_DEPENDENCY', 'THIS_IS_UNDEFINED', 'EVAL', 'INVALID_ANNOTATION'];
  if (harmless.includes(warning.code ?? '') && /node_modules/.test(warning.id ?? warning.ids?.[0] ?? '')) return;
  warn(warning);
}

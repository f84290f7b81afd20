// Measures the shape of `src`, so that a change of its structure can be compared with the state before: for a few lines
// of the command line the files whose code runs, the files that are loaded, and the moves between wings (a function of
// another wing is entered); then code lines by wing, names exported twice and repeated file names.
//   node scripts/house.mjs [folder of a checkout]
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { parseAst } from 'rollup/parseAst';

const ID = `C${'a1'.repeat(9)}b`;
const ANSWER = JSON.stringify({ code: 1, id: ID, live_mode: false, email: 'jo@example.com' });
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** The program's modules, instrumented so that each function reports its file when entered. */
function tellEntries(code, file) {
  const at = [];
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== 'object') return;
    if (FUNCTIONS.has(node.type) && node.body.type === 'BlockStatement') at.push(node.body.start + 1);
    Object.values(node).forEach(visit);
  };
  visit(parseAst(code));
  return at
    .sort((one, other) => other - one)
    .reduce((text, place) => `${text.slice(0, place)}__entered(${JSON.stringify(file)});${text.slice(place)}`, code);
}

const RECORDER = `
const entered = []; const loaded = [];
globalThis.__entered = (file) => { entered.push(file); };
globalThis.__loaded = (file) => { loaded.push(file); };
process.on('exit', () => process.getBuiltinModule('node:fs').writeFileSync(process.env.HOUSE_RECORD, JSON.stringify({ entered, loaded })));
const { start } = await import('./src/main.js');
start(process);
`;

/** The program, file by file, in its own folder: `run(words, env)` returns what ran; `remove()` deletes it. */
export async function openHouse(root) {
  const folder = await mkdtemp(path.join(tmpdir(), 'cops-house-'));
  const src = path.join(root, 'src');
  const sources = (await readdir(src, { recursive: true })).filter((name) => /(?<!\.d)\.ts$/.test(name));
  await build({
    entryPoints: sources.map((name) => path.join(src, name)),
    outdir: path.join(folder, 'src'),
    outbase: src,
    format: 'esm',
    platform: 'node',
    define: { __VERSION__: '"0.0.0"' },
    logLevel: 'error',
  });
  for (const name of sources) {
    const file = path.join(folder, 'src', name.replace(/ts$/, 'js'));
    const code = await readFile(file, 'utf8');
    await writeFile(file, `__loaded(${JSON.stringify(name)});\n${tellEntries(code, name)}`);
  }
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  await writeFile(path.join(folder, 'go.js'), RECORDER);
  return {
    async run(words, env) {
      const record = path.join(folder, 'record.json');
      const options = { env: { ...env, HOUSE_RECORD: record } };
      // A figure that could not be proven complete ends with an exit code, which does not matter here.
      const ran = promisify(execFile)(process.execPath, [path.join(folder, 'go.js'), ...words], options);
      const { stdout } = await ran.catch((error) => error);
      const { entered, loaded } = JSON.parse(await readFile(record, 'utf8'));
      const wings = entered.map((file) => file.split('/')[0]);
      const moves = wings.filter((wing, at) => at > 0 && wing !== wings[at - 1]).length;
      return { stdout, files: [...new Set(entered)], loaded: [...new Set(loaded)], moves };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function file(under, key, one) {
  under[key] = [...(under[key] ?? []), one];
}

async function countLines(src) {
  const lines = {};
  const names = {};
  const files = {};
  for (const name of await readdir(src, { recursive: true })) {
    if (!/(?<!\.d)\.(ts|mjs|sql)$/.test(name) || /\.generated\./.test(name)) continue;
    const text = await readFile(path.join(src, name), 'utf8');
    const code = text
      .replaceAll(/^import[\s\S]*?from '[^']+';$/gm, '')
      .replaceAll(/^\s*(?:\/\*\*?[\s\S]*?\*\/|\/\/.*|--.*)$/gm, '')
      .split('\n')
      .filter((line) => line.trim() !== '').length;
    const wing = name.includes('families/') ? 'families (data)' : name.split('/')[0];
    lines[wing] = (lines[wing] ?? 0) + code;
    // A family's file has the family's name, even if other files do too.
    if (!name.includes('catalogue/families/')) file(files, path.basename(name), name);
    for (const [, word] of text.matchAll(/^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm))
      file(names, word, name);
  }
  const twice = (all) =>
    Object.entries(all)
      .filter(([, where]) => where.length > 1)
      .map(([name, where]) => [name, where.length]);
  return { lines, names: twice(names), files: twice(files) };
}

async function main(root) {
  const server = createServer((_, answer) => answer.setHeader('content-type', 'application/json').end(ANSWER));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const home = await mkdtemp(path.join(tmpdir(), 'cops-house-home-'));
  const house = await openHouse(root);
  const base = { PATH: process.env.PATH, HOME: home, COPS_CONFIG_DIR: home, COPS_DATA_DIR: home, TZ: 'UTC' };
  const overNetwork = {
    ...base,
    COPS_API_KEY: 'k'.repeat(40),
    COPS_BASE_URL: `http://127.0.0.1:${server.address().port}/v2`,
    COPS_MODE: 'test',
  };
  const sandbox = { ...base, COPS_PROFILE: 'sandbox' };
  try {
    await house.run(['sandbox', 'reset', '--size', '50'], sandbox);
    await house.run(['sync', 'products', '-q'], sandbox);
    const table = {};
    const tell = async (name, words, env) => {
      const { files, loaded, moves } = await house.run(words, env);
      table[name] = { 'files run': files.length, 'files loaded': loaded.length, 'moves between wings': moves };
    };
    await tell('help of an action', ['customers', 'get', '--help'], base);
    await tell('get', ['customers', 'get', ID], overNetwork);
    await tell('write', ['customers', 'edit', ID, '--email', 'jo@example.com'], overNetwork);
    await tell('list', ['products', 'list', '-o', 'json'], sandbox);
    await tell('export', ['export', 'products', '--out', path.join(home, 'products.jsonl'), '-q'], sandbox);
    await tell('report', ['report', 'revenue', '--month', 'last', '-o', 'json'], sandbox);
    console.table(table);
  } finally {
    server.close();
    await house.remove();
    await rm(home, { recursive: true, force: true });
  }
  const { lines, names, files } = await countLines(path.join(root, 'src'));
  console.table({ ...lines, all: Object.values(lines).reduce((sum, one) => sum + one, 0) });
  console.log(
    `${names.length} names are exported by two files or more: ${names.map((one) => one.join(' ×')).join(', ')}`,
  );
  console.log(`${files.length} file names are repeated: ${files.map((one) => one.join(' ×')).join(', ')}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main(path.resolve(process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url))));

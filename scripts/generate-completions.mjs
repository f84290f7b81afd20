// Writes completions/* (one script a shell) and src/completion/commands.generated.ts (the commands beside the families
// with their options, from their own definitions, so that a Tab needs no parser). `--check` only says what has drifted.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Where a script stands among the package's files: as its shell wants it to be called. */
const SCRIPT_FILES = { bash: 'cops.bash', zsh: '_cops', fish: 'cops.fish', powershell: 'cops.ps1' };

const ENTRY = `
export { Command } from 'commander';
export { BUILTINS } from './src/program/builtins.ts';
export { loadBuiltin } from './src/program/builtins-load.ts';
export { TOPICS } from './src/program/topics.ts';
export { REFERENCE } from './src/commands/reference.ts';
export { FAULT_KINDS } from './src/sandbox/faults.ts';
export { SHELLS, shellScript } from './src/completion/scripts.ts';
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

/** What the generated files must hold, by path from the root. */
export async function generateCompletions() {
  const { Command, BUILTINS, loadBuiltin, TOPICS, REFERENCE, FAULT_KINDS, SHELLS, shellScript } = await load();
  const specs = [];
  for (const { name, summary } of BUILTINS) {
    const program = new Command('cops');
    if (name !== 'help') (await loadBuiltin(name))(program, () => {});
    const command = program.commands.find((one) => one.name() === name);
    specs.push(command ? { ...specOf(command), about: summary } : { name, about: summary, options: [], commands: [] });
  }
  const topics = Object.entries(TOPICS).map(([name, text]) => [name, text.split('\n')[0]]);
  const reference = REFERENCE.map(({ name, summary }) => [name, summary]);
  const faults = Object.entries(FAULT_KINDS).map(([kind, about]) => [`${kind}=`, about]);
  const generated = `// biome-ignore-all format: made by a script, which keeps its own form
// Made by scripts/generate-completions.mjs from the definitions of the commands. Do not edit by hand.
import type { CommandSpec } from './types.js';

/** The commands beside the families. */
export const COMMANDS: readonly CommandSpec[] = ${literal(specs)};

/** Topics of \`cops help\`, with what each is about. */
export const HELP_TOPICS: readonly (readonly [string, string])[] = ${literal(topics)};

/** Topics of \`cops reference\`. */
export const REFERENCE_TOPICS: readonly (readonly [string, string])[] = ${literal(reference)};

/** Kinds of trouble that the served sandbox can make, as \`--fault\` begins with them. */
export const FAULTS: readonly (readonly [string, string])[] = ${literal(faults)};
`;
  return {
    'src/completion/commands.generated.ts': generated,
    ...Object.fromEntries(SHELLS.map((shell) => [`completions/${SCRIPT_FILES[shell]}`, shellScript(shell)])),
  };
}

function specOf(command) {
  return {
    name: command.name(),
    about: command.description(),
    options: command.options.map((option) => [option.flags, option.description]),
    commands: command.commands.map(specOf),
  };
}

function literal(value) {
  return JSON.stringify(value, undefined, 1);
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

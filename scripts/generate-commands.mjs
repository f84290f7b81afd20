// Writes specs.generated.ts of src/cli/commands and of src/cli/actions, and src/cli/program/runs.generated.ts, from the
// folders of both: every spec.ts that exports `spec` is a command or an action of some families, and the run.ts next to
// it runs it. `--check` only reports stale files.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const FOLDERS = {
  actions: { all: 'ACTION_SPECS', type: 'FamilyActionSpec', says: 'Every further action of families' },
  commands: { all: 'SPECS', type: 'CommandSpec', says: 'Every command' },
};
const MADE = '// Made by scripts/generate-commands.mjs from the folders of commands and actions. Do not edit by hand.';

/** The contents of the generated files, by path from the root. */
export async function generateCommands() {
  const specs = [];
  const runs = [];
  for (const kind of Object.keys(FOLDERS)) {
    const folder = path.join(root, 'src/cli', kind);
    for (const { name } of (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())) {
      const files = await readdir(path.join(folder, name));
      const text = files.includes('spec.ts') ? await readFile(path.join(folder, name, 'spec.ts'), 'utf8') : '';
      if (!/^export const spec\b/m.test(text)) continue;
      specs.push({ name, kind });
      if (files.includes('run.ts')) runs.push({ name, kind });
    }
  }
  const byName = (one, other) => (one.name < other.name ? -1 : 1);
  specs.sort(byName);
  runs.sort(byName);
  const identifier = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
  const variable = (name) => `${identifier(name)}Spec`;
  const specsOf = ([kind, { all, type, says }]) => {
    const names = specs.filter((one) => one.kind === kind).map(({ name }) => name);
    const text = [
      MADE,
      `import type { ${type} } from '../../session/context/spec.js';`,
      ...names.map((name) => `import { spec as ${variable(name)} } from './${name}/spec.js';`),
      '',
      `/** ${says}, in the order of their names. */`,
      `export const ${all}: readonly ${type}[] = [`,
      ...names.map((name) => `  ${variable(name)},`),
      '];',
      '',
    ];
    return [`src/cli/${kind}/specs.generated.ts`, text.join('\n')];
  };
  const key = (name) => (name.includes('-') ? `'${name}'` : name);
  return {
    ...Object.fromEntries(Object.entries(FOLDERS).map(specsOf)),
    'src/cli/program/runs.generated.ts': [
      MADE,
      "import type { CommandModule } from '../../session/context/context.js';",
      '',
      '/** The module that runs each command, loaded on demand. */',
      'export const RUNS: Readonly<Record<string, () => Promise<CommandModule>>> = {',
      ...runs.map(({ name, kind }) => `  ${key(name)}: () => import('../${kind}/${name}/run.js'),`),
      '};',
      '',
    ].join('\n'),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of Object.entries(await generateCommands())) {
    const target = path.join(root, file);
    const stale = (await readFile(target, 'utf8').catch(() => '')) !== text;
    if (stale && process.argv.includes('--check')) {
      process.stderr.write(`${file} is stale: run node scripts/generate-commands.mjs\n`);
      process.exitCode = 1;
    } else if (stale) await writeFile(target, text);
  }
}

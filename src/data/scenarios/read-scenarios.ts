import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type CopsError, usage } from '../../base/errors/errors.js';
import { readOwnFile } from '../../base/files/read-file.js';
import { typedPath } from '../../base/files/typed-path.js';
import type { World } from '../../base/world.js';
import { plainTree } from '../../items/checks/body-faults.js';
import { SCENARIO_FORMAT, type ScenarioFile } from '../../items/checks/scenario-shape.js';
import { readYaml, YamlFault } from '../../service/body/parse-yaml.js';
import { wallFaults } from './walls.js';

/** A scenario to run: from a file, and one row of its cases. */
export type Scenario = ReturnType<typeof casesOf>[number];

const ENDING = /\.test\.ya?ml$/;

/**
 * The scenarios of files and folders; in folders, files named `*.test.yaml`.
 * @throws CopsError `usage` with every fault of every file, by line and column
 */
export async function readScenarios(
  paths: readonly string[],
  world: Pick<World, 'cwd' | 'confined'>,
): Promise<Scenario[]> {
  const files = [
    ...new Set((paths.length === 0 ? ['.'] : paths).flatMap((path) => filesAt(typedPath(world, path), path))),
  ];
  if (files.length === 0)
    throw usage(
      `There is no scenario in ${paths.join(', ') || 'this folder'}.`,
      'Scenarios are files named <name>.test.yaml; cops test --init <folder> creates some.',
    );
  const faults: { path: string; message: string }[] = [];
  const found: Scenario[] = [];
  for (const file of files) {
    const read = await readScenario(file);
    if ('faults' in read) faults.push(...read.faults);
    else found.push(...casesOf(file, read.content));
  }
  if (faults.length > 0) throw faulty(faults);
  return found;
}

function faulty(faults: readonly { path: string; message: string }[]): CopsError {
  const lines = faults.map(({ path, message }) => `  ${path}: ${message}`);
  const what = faults.length === 1 ? 'A scenario has a fault' : `Scenarios have ${faults.length} faults`;
  return usage(`${what}, nothing was run:\n${lines.join('\n')}`, 'To see the format: cops test --schema', faults);
}

function filesAt(path: string, typed: string): string[] {
  if (!existsSync(path)) throw usage(`There is no file or folder ${typed}.`);
  const stats = statSync(path);
  if (stats.isFile()) return [path];
  if (!stats.isDirectory()) throw usage(`${typed} is neither a file nor a folder.`);
  return readdirSync(path, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isDirectory())
        return /^(?:\.|node_modules$)/.test(entry.name) ? [] : filesAt(join(path, entry.name), entry.name);
      return entry.isFile() && ENDING.test(entry.name) ? [join(path, entry.name)] : [];
    });
}

function casesOf(file: string, content: ScenarioFile) {
  const name = content.name ?? basename(file).replace(ENDING, '');
  if (content.cases === undefined) return [{ name, file, content, row: undefined }];
  return content.cases.map((row) => ({ name: `${name} (${shortly(row)})`, file, content, row }));
}

function shortly(row: Readonly<Record<string, unknown>>): string {
  return Object.entries(row)
    .map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}

type Read = { readonly content: ScenarioFile } | { readonly faults: { path: string; message: string }[] };

async function readScenario(file: string): Promise<Read> {
  const text = readOwnFile(file)?.toString('utf8') ?? '';
  const read = await readYaml(text.replace(/^\uFEFF/, '')).catch((cause: unknown) => {
    if (cause instanceof YamlFault) return cause;
    throw cause;
  });
  if (read instanceof YamlFault) {
    const { line, column } = read.at ?? { line: 1, column: 1 };
    return { faults: [{ path: `${file}:${line}:${column}`, message: read.message }] };
  }
  const checked = SCENARIO_FORMAT.check(plainTree(read.value));
  const faults = 'faults' in checked ? checked.faults : wallFaults(checked.content);
  if (faults.length === 0 && 'content' in checked) return { content: checked.content };
  const placed = faults.map(({ path, message }) => {
    const { line, column } = read.placeOf(path);
    return {
      path: `${file}:${line}:${column}`,
      message: `${path.length === 0 ? '' : `${path.join('.')}: `}${message}`,
    };
  });
  return { faults: placed };
}

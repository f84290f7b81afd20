import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');
/** What the built program is made of. */
const PARTS = ['src', 'bin', 'scripts/build.mjs', 'scripts/chunks.mjs', 'package.json', 'package-lock.json'];

/** Some tests drive the built program: it is built once before them, where it is older than what it is made of. */
export default function setup({ vitest }: TestProject): void {
  const built = path.join(root, 'dist/main.js');
  const made = existsSync(built) ? statSync(built).mtimeMs : 0;
  if (!needsProgram(namesOf(vitest)) || PARTS.every((part) => newest(path.join(root, part)) < made)) return;
  execFileSync(process.execPath, [path.join(root, 'scripts/build.mjs')], { cwd: root, stdio: 'inherit' });
}

/** The names of files that the run was given; the runner knows them, but its types do not tell. */
function namesOf(vitest: object): readonly string[] {
  return (vitest as { readonly filenamePattern?: readonly string[] }).filenamePattern ?? [];
}

/** Whether one of the test files that were named starts the program; without names, of all of them. */
function needsProgram(names: readonly string[]): boolean {
  if (names.length === 0 || process.env.COPS_TEST_PROGRAM !== undefined) return true;
  return readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(import.meta.dirname, name))
    .filter((file) => file.endsWith('.test.ts') && names.some((name) => file.includes(name)))
    .some((file) => /module-tag process|'process'|\bspawn\(|PROGRAM|bin\/cops/.test(readFileSync(file, 'utf8')));
}

/** When a file, or the last changed file of a folder, was changed. A file taken away changes its folder. */
function newest(file: string): number {
  const facts = statSync(file);
  if (!facts.isDirectory()) return facts.mtimeMs;
  return Math.max(facts.mtimeMs, ...readdirSync(file).map((name) => newest(path.join(file, name))));
}

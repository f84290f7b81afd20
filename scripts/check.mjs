// Runs checks in parallel, and prints their output one after the other. A single failure fails the whole; the others
// still run to their end, so that all faults are reported together.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The scripts of package.json that `npm run check` runs. */
export function checks(names = ['lint', 'types', 'unused']) {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return Object.fromEntries(names.map((name) => [name, scripts[name] ?? `echo "There is no script ${name}."; exit 1`]));
}

/**
 * Runs named shell commands in parallel. The text contains their output, in order, and the name of each failed one; the
 * code is that of the first failure, or 0.
 */
export async function runBeside(lines) {
  const ended = await Promise.all(Object.entries(lines).map(([name, line]) => runLine(name, line)));
  const texts = ended.map(({ name, code, text }) => (code === 0 ? text : `${text}\n${name}: exit code ${code}\n`));
  return { code: ended.find(({ code }) => code !== 0)?.code ?? 0, text: texts.join('') };
}

function runLine(name, line) {
  const colors = process.stdout.isTTY && process.env.NO_COLOR === undefined ? { FORCE_COLOR: '1' } : {};
  const bin = path.join(root, 'node_modules/.bin');
  const env = { ...process.env, ...colors, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
  return new Promise((resolve) => {
    const child = spawn(line, { cwd: root, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const pieces = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => pieces.push(piece));
    child.once('error', (error) => resolve({ name, code: 1, text: String(error) }));
    child.once('close', (code) => resolve({ name, code: code ?? 1, text: Buffer.concat(pieces).toString() }));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { code, text } = await runBeside(checks(process.argv.length > 2 ? process.argv.slice(2) : undefined));
  process.stdout.write(text);
  process.exitCode = code;
}

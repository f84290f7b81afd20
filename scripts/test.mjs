// `npm test`: runs the checks next to the tests, which leave a processor idle at their start and end. A failed check
// stops the tests, and its output comes last, where people see it.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checks, runBeside } from './check.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const words = ['run', '--mode', 'usual', ...process.argv.slice(2)];

const checked = runBeside(checks());
const tests = spawn(process.execPath, [vitest, ...words], { cwd: root, stdio: 'inherit' });
const ended = new Promise((resolve) => tests.once('close', (code) => resolve(code ?? 1)));
// Like Ctrl-C: the tests remove their files.
void checked.then(({ code }) => code !== 0 && tests.kill('SIGINT'));

const [{ code, text }, tested] = await Promise.all([checked, ended]);
process.stdout.write(text);
process.exitCode = code || tested;

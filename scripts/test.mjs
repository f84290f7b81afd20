// `npm test`: the checks beside the tests, which leave a processor idle where they begin and end. A check that fails
// stops the tests, and its output comes last, where it is read.
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
// As Ctrl-C does: what the tests have made is taken away.
void checked.then(({ code }) => code !== 0 && tests.kill('SIGINT'));

const [{ code, text }, tested] = await Promise.all([checked, ended]);
process.stdout.write(text);
process.exitCode = code || tested;

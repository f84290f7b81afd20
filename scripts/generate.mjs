// Writes all generated files in the order of their dependencies: the index of the families, the table of commands, the
// views, completions, and the reference. `--check` only reports stale files.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.dirname(fileURLToPath(import.meta.url));
const isCheck = process.argv.includes('--check');

const STEPS = [
  { script: 'generate-index.mjs', makes: 'the index of the families', checks: true },
  { script: 'generate-commands.mjs', makes: 'the tables of commands', checks: true },
  { script: 'generate-views.mjs', makes: 'the views of mirrors and their page', checks: true },
  { script: 'generate-scenarios.mjs', makes: 'the example scenarios', checks: true },
  { script: 'generate-completions.mjs', makes: 'completions', checks: true },
  { script: 'generate-docs.mjs', makes: 'the reference', checks: false },
];

for (const { script, makes, checks } of STEPS) {
  if (isCheck && !checks) continue;
  try {
    execFileSync(process.execPath, [path.join(folder, script), ...(isCheck ? ['--check'] : [])], { stdio: 'inherit' });
  } catch {
    process.stderr.write(`${script} failed: ${makes} may be stale.\n`);
    process.exitCode = 1;
    if (!isCheck) break;
  }
}

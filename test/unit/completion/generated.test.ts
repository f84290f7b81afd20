import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');

describe('the generated files of completion', () => {
  it('are what their script makes: node scripts/generate-completions.mjs', async () => {
    const { generateCompletions } = await import(path.join(ROOT, 'scripts/generate-completions.mjs'));
    const files: Record<string, string> = await generateCompletions();
    expect(Object.keys(files).sort()).toEqual([
      'completions/_cops',
      'completions/cops.bash',
      'completions/cops.fish',
      'completions/cops.ps1',
    ]);
    for (const [file, text] of Object.entries(files)) {
      expect(readFileSync(path.join(ROOT, file), 'utf8') === text, `${file} is what the script makes`).toBe(true);
    }
  });
});

describe('the tables of the commands', () => {
  it('are what their script makes: node scripts/generate-commands.mjs', async () => {
    const { generateCommands } = await import(path.join(ROOT, 'scripts/generate-commands.mjs'));
    for (const [file, text] of Object.entries<string>(await generateCommands())) {
      expect(readFileSync(path.join(ROOT, file), 'utf8') === text, `${file} is what the script makes`).toBe(true);
    }
  });
});

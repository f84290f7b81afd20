import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('no library is loaded before a format needs it', () => {
  const loud: string[] = [];
  for (const folder of ['src/screen', 'src/items/json']) {
    for (const file of readdirSync(folder)) {
      const text = readFileSync(`${folder}/${file}`, 'utf8');
      for (const [, name] of text.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)'/gm)) {
        if (name && !name.startsWith('.') && !name.startsWith('node:')) loud.push(`${file}: ${name}`);
      }
    }
  }
  expect(loud).toEqual([]);
});

import { expect, it } from 'vitest';
import { parseYaml } from '../../../src/service/body/parse-yaml.js';

it.each([
  ['block', Array.from({ length: 1_000_000 }, (_, i) => `k${i}: 1`).join('\n')],
  ['flow', `{${Array.from({ length: 1_000_000 }, (_, i) => `k${i}: 1`).join(',')}}`],
])(
  'a YAML body of a million names (%s) is refused before it is built',
  async (_name, text) => {
    await expect(parseYaml(text)).rejects.toThrow('too many names');
  },
  5_000,
);

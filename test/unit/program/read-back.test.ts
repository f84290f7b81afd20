/** A sentence that is made for a person is read back nowhere: a better wording never changes what the program does. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../../../src');
const SENTENCE = '(?:hint|notes?|text|says|preview|lines?)';
const READS = String.raw`\.(?:includes|match|matchAll|split|startsWith|endsWith|search|indexOf|replace|replaceAll)\(`;

/** What looks for words in a hint, or in what a note or an answer said. */
const READING = [
  new RegExp(String.raw`\bfacts\.(?:hint|whatNext)\b\??!?${READS}`),
  new RegExp(String.raw`\bString\((?:\w+\.)*(?:hint|whatNext|note|says)\)${READS}`),
  /\.(?:test|exec)\((?:\w+\.)*(?:hint|whatNext)\)/,
  /\/[^/\n]*\bcops [a-z][^/\n]*\/[a-z]*\.(?:test|exec)\(/,
  new RegExp(String.raw`\b(?:${SENTENCE})${READS}\s*(?:/[^/\n]*\bcops\b|['"\`]cops )`),
  /\.(?:test|exec)\(\s*note\s*\)/,
];

const reading = (code: string): boolean => READING.some((one) => one.test(code));

it.each([
  "if (error.facts.hint?.includes('cops ')) return;",
  "const rest = error.facts.hint.split('sent. ');",
  'const found = / is read as /.exec(note);',
  'const all = /^cops timeline .* --all$/.test(command);',
  "text.startsWith('cops ')",
])('is seen where it is: %s', (code) => {
  expect(reading(code)).toBe(true);
});

it('is done nowhere', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ts$/.test(name));
  const found = files.flatMap((file) =>
    readFileSync(path.join(SRC, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => (reading(line) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/reference');
// The version of the program comes from the build; here there is none.
(globalThis as { __VERSION__?: string }).__VERSION__ = '0.0.0';
const { manPages, referencePages } = await import('../../scripts/reference-pages.js');

describe('the generated reference', () => {
  it('is what the catalogue gives: otherwise run node scripts/generate-docs.mjs', async () => {
    const pages = await referencePages();
    expect(readdirSync(FOLDER).sort()).toEqual([...pages.keys()].sort());
    for (const [name, text] of pages) expect(readFileSync(path.join(FOLDER, name), 'utf8'), name).toBe(text);
  });

  it('shows every operation of the facts with its request and an example', async () => {
    const facts = JSON.parse(
      readFileSync(path.resolve(import.meta.dirname, '../fixtures/service-facts.json'), 'utf8'),
    ) as { operations: { family: string; method: string; path: string }[] };
    for (const { family, method, path: at } of facts.operations) {
      const page = readFileSync(path.join(FOLDER, `${family.replaceAll('_', '-')}.md`), 'utf8');
      expect(page).toContain(`- Request: \`${method} ${at}\``);
    }
  });
});

describe('the man pages', () => {
  it('have no line that roff would take for a request', async () => {
    const pages = await manPages('1.2.3', '2026-01-31');
    expect(pages.has('cops.1')).toBe(true);
    for (const [name, text] of pages) {
      for (const line of text.split('\n').filter((one) => /^[.']/.test(one))) {
        expect(line, name).toMatch(/^\.(TH|SH|TP|B|BR|br|nf|fi)( |$)/);
      }
    }
  });
});

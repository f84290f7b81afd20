/** @module-tag tool */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { home } from '../cli/helpers.js';
import { REPORT_FAMILIES } from '../cli/report/families.js';

/** A home with a mirror of a small sandbox. */
async function mirrored() {
  const made = home();
  const run = (words: readonly string[]) => made.run(words, { cwd: made.folder, timeoutMs: 200_000 });
  expect((await run(['sandbox', 'reset', '--size', '300'])).code).toBe(0);
  const families = REPORT_FAMILIES.map((name) => name.replaceAll('_', '-'));
  const synced = await run(['-p', 'sandbox', '-q', 'sync', 'm.sqlite', ...families]);
  expect(synced.code, synced.stderr).toBe(0);
  return {
    folder: made.folder,
    report: (...words: string[]) => run(['-p', 'sandbox', 'report', ...words, '--mirror', 'm.sqlite']),
  };
}

it('gives hledger a journal that it takes, balanced in each currency', { timeout: 300_000 }, async () => {
  const { folder, report } = await mirrored();
  const ran = await report('close', '--last', '90d', '--journal', 'hledger');
  expect(ran.code, ran.stderr).toBe(0);
  const file = path.join(folder, 'close.journal');
  writeFileSync(file, ran.stdout);
  const hledger = (...words: string[]) =>
    execFileSync('hledger', ['-f', file, ...words], { encoding: 'utf8', env: { ...process.env, LANG: 'C.UTF-8' } });
  hledger('check');
  // What all accounts come to, in all currencies: nothing.
  expect(hledger('balance', '--output-format', 'csv').trim().split('\n').at(-1)).toMatch(/^"total:?","0"$/i);
  const held = hledger('balance', 'assets:processor', '--output-format', 'csv');
  const revenue = JSON.parse((await report('revenue', '--last', '90d', '-o', 'json')).stdout);
  for (const currency of new Set<string>(revenue.rows.map((row: { currency: string }) => row.currency))) {
    const rows = revenue.rows.filter((row: { currency: string }) => row.currency === currency);
    const cents = rows.reduce(
      (all: number, row: Record<string, number>) =>
        all + Math.round(((row.net ?? 0) + (row.tax ?? 0) + (row.shipping ?? 0)) * 100),
      0,
    );
    expect(held).toContain(`${(cents / 100).toFixed(2)} ${currency}`);
  }
});

it('writes a page that a browser shows without a request or an error', { timeout: 300_000 }, async () => {
  const { folder, report } = await mirrored();
  for (const name of ['revenue', 'retention']) {
    const file = path.join(folder, `${name}.html`);
    const ran = await report(name, '--from', '2020-01-02', '--html', file);
    expect(ran.code, ran.stderr).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toMatch(/(?:src|href)=|@import|url\(/);
    const chrome = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${path.join(folder, 'chrome')}`];
    const shown = execFileSync('chromium', [...chrome, '--dump-dom', `file://${file}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(shown).toContain(`Report: ${name}`);
    expect(shown.match(/<table/g)?.length).toBeGreaterThanOrEqual(3);
    expect(shown).toContain(name === 'retention' ? 'class="heat"' : '<rect');
  }
});

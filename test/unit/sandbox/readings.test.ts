import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reference } from '../../../src/cli/commands/reference/run.js';
import { READINGS } from '../../../src/sandbox/rules/readings.js';

/* What the sandbox decides where the spec is silent is marked in its code (`reading: <id>`) and listed for all to see. */

// The schedule of payments is the forecast's as well: it is in the catalogue.
const sources = readdirSync('src/sandbox', { recursive: true })
  .map((name) => `src/sandbox/${String(name)}`)
  .concat('src/catalogue/payment-schedule.ts')
  .filter((file) => file.endsWith('.ts') && !/\/(?:readings|transitions)\.ts$/.test(file));
const marks = sources.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/\breading: ([a-z-]+)/g)].map(([, id]) => id as string),
);

describe('readings of the sandbox', () => {
  it('are listed where the code is marked, and marked where they are listed', () => {
    const listed = READINGS.map(({ id }) => id);
    expect(new Set(listed).size).toBe(listed.length);
    expect([...new Set(marks)].sort()).toEqual([...listed].sort());
  });

  it('are called by no other word: what is ours is marked', () => {
    const loose = sources.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => /(?:\bours\b|our own reading)/.test(line) && !/source: 'ours'|'ours'|`ours`/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(loose.filter((line) => !/reading: |\(ours/.test(line))).toEqual([]);
  });

  it('stand in cops reference sandbox', async () => {
    const { result } = await reference('sandbox');
    const rows: unknown[] = [];
    if (result?.shape === 'list') for await (const item of result.items) rows.push(item.value);
    for (const { id, says } of READINGS) expect(rows).toContainEqual(expect.objectContaining({ by: id, note: says }));
  });
});

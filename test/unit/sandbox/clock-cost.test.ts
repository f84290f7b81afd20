/** @module-tag sweep */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/base/database/types.js';
import { advanceTo, resetStore } from '../../../src/sandbox/serve/index.js';

/* What the passing of time costs: by what falls due, not by what is there. */

interface Work {
  happened: number;
  statements: number;
  rows: number;
}

/** Lets ten days pass in an account of so many renewals, and counts what the database is asked for. */
async function tenDays(renewals: number): Promise<Work> {
  const dataDir = mkdtempSync(join(tmpdir(), 'clock-'));
  const now = () => Date.UTC(2026, 2, 1);
  const opened = await resetStore({ dataDir, now, seed: 4, renewals });
  const work = { happened: 0, statements: 0, rows: 0 };
  watch(opened.database, work);
  work.happened = await advanceTo(opened, now() / 1000 + 10 * 86_400);
  opened.database.close();
  rmSync(dataDir, { recursive: true });
  return work;
}

function watch(database: Database, work: Work): void {
  const { prepare } = database;
  const counted = <T>(rows: T): T => {
    work.statements++;
    work.rows += Array.isArray(rows) && Array.isArray(rows[0]) ? rows.length : 1;
    return rows;
  };
  database.prepare = (sql) => {
    const statement = prepare(sql);
    return {
      columns: statement.columns,
      run: (...values) => counted(statement.run(...values)),
      runAll: (values) => counted(statement.runAll(values)),
      get: (...values) => counted(statement.get(...values)),
      all: (...values) => counted(statement.all(...values)),
      iterate: (...values) => counted(statement.all(...values)),
    };
  };
}

describe('the clock', () => {
  it('costs for each due thing the same in an account twenty times as large', async () => {
    const [few, many] = [await tenDays(100), await tenDays(2000)];
    expect(few.happened).toBeGreaterThan(20);
    expect(many.happened).toBeGreaterThan(3 * few.happened);
    expect(many.statements / many.happened).toBeLessThan((1.3 * few.statements) / few.happened);
    expect(many.rows / many.happened).toBeLessThan((1.3 * few.rows) / few.happened);
  });
});

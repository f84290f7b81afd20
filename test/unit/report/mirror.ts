import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../../src/base/database/open.js';
import type { Database } from '../../../src/base/database/types.js';
import { loadFamily } from '../../../src/catalogue/index.js';
import type { Family } from '../../../src/catalogue/types.js';
import { openToSync } from '../../../src/data/mirror/mirror.js';
import { RawTable } from '../../../src/data/mirror/mirror-table.js';
import { MIRROR_VIEWS, makeViews } from '../../../src/data/mirror/views.js';
import { REPORT_FAMILIES } from '../../cli/report/families.js';
import { closeAfterTest } from '../../harness/closing.js';

type FamilyName = (typeof REPORT_FAMILIES)[number];

export interface State {
  readonly family: FamilyName;
  readonly item: Record<string, unknown>;
  readonly seenAt: number;
  readonly untilAt: number;
  readonly isGone?: boolean;
}

type Items = Partial<Record<FamilyName, readonly Record<string, unknown>[]>>;

let ids = 0;
/** An id of twenty characters. */
export const newId = (): string => `Item${String(++ids).padStart(16, '0')}`;

export const at = (day: string, hour = 12): number =>
  Date.parse(`${day}T${String(hour).padStart(2, '0')}:00:00Z`) / 1000;

/** Amounts of an item for which `paid` was paid. */
export function amounts(paid: number, refunded = 0, fees = 0): Record<string, number> {
  return {
    amount: paid,
    amount_original_total: paid,
    amount_total: paid - refunded,
    amount_gross: paid - refunded,
    amount_net: paid - refunded - fees,
    amount_fees: fees,
    amount_captured: paid,
    amount_settled: paid,
    amount_remaining: 0,
    amount_refunded: refunded,
  };
}

/**
 * A mirror with these items, each seen at its `seen` (the begin of 2020 where absent), and these former states; with
 * `readAt` the lists are read to their ends then.
 */
export async function mirrorOf(items: Items, history: readonly State[] = [], readAt?: number): Promise<Database> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cops-report-'));
  const file = path.join(folder, 'm.sqlite');
  const database = await openToSync(file, { service: 'https://s.example/v2', account: 'a', mode: 'test' }, '0');
  const families = new Map<string, Family>();
  for (const name of REPORT_FAMILIES) families.set(name, await loadFamily(name));
  // One transaction: each statement by itself would wait for the disk.
  database.transaction(() => {
    for (const name of REPORT_FAMILIES) {
      const table = new RawTable(database, families.get(name) as Family, MIRROR_VIEWS);
      for (const { seen, ...item } of items[name] ?? []) {
        const whole = { id: newId(), iso_currency: 'USD', live_mode: false, ...item };
        table.put(String(whole.id), JSON.stringify(whole), -1, Number(seen ?? at('2020-01-01')));
      }
    }
    const insert = database.prepare(
      'INSERT INTO _history (family, id, seen_at, until_at, is_gone, json) VALUES (?, ?, ?, ?, ?, ?)',
    );
    for (const { family, item, seenAt, untilAt, isGone } of history) {
      const whole = { iso_currency: 'USD', ...item };
      insert.run(family, String(item.id), seenAt, untilAt, isGone ? 1 : 0, JSON.stringify(whole));
    }
    const read = database.prepare("INSERT INTO _families (family, state, read_at) VALUES (?, 'synced', ?)");
    if (readAt !== undefined) for (const name of REPORT_FAMILIES) read.run(name, readAt);
    makeViews(database);
  });
  database.close();
  const reader = await openDatabase({ file, what: 'The mirror', readonly: true });
  closeAfterTest({
    close: () => {
      reader.close();
      rmSync(folder, { recursive: true, force: true });
    },
  });
  return reader;
}

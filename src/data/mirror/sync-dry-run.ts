import { join } from 'node:path';
import { parseWhen } from '../../base/time/when.js';
import type { FamilyOperation } from '../../catalogue/types.js';
import { queryText } from '../../service/http/base-url.js';
import { cutWindows } from '../../service/lists/windows.js';
import { planRequest } from '../../service/request/request-plan.js';
import { toService } from '../../service/request/wallet.js';
import type { Context, Done } from '../../session/context/context.js';
import { listOf } from '../../session/context/run.js';
import { zoneInUse } from '../../session/context/typed-words.js';
import { beginningOf, firstDayOf } from '../../session/read/first-day.js';
import type { SyncOptions } from '../export/types.js';

/** The target of a sync. */
interface Target {
  readonly out: string;
  readonly sqlite: boolean;
}

/** A dry run: for each list its first request and the number of its windows, and the file; sends nothing. */
export async function syncDryRun(
  context: Context,
  lists: readonly FamilyOperation[],
  { out, sqlite }: Target,
  options: SyncOptions,
): Promise<Done> {
  const { baseUrl, walletWord } = await context.profile();
  const now = Math.floor((await context.now()) / 1000);
  const beginOf = await beginning(context, options, now);
  const rows = lists.map(({ family, operation }) => {
    const { style, spanDays = 90 } = operation.list ?? {};
    const windows = style === 'windowed' ? cutWindows({ from: beginOf(family.nature), to: now }, spanDays) : [];
    const [first] = windows;
    const dates = first ? { date_start: `${first.from}`, date_end: `${first.to}` } : {};
    const pages = style === 'single' ? {} : { limit: '25', page: '1' };
    const query = Object.entries({ ...dates, ...pages });
    const sent = toService(planRequest(family, operation, { ids: [], query }), walletWord.value);
    return {
      family: family.name,
      method: sent.method,
      url: baseUrl.value.replace(/\/$/, '') + sent.path + queryText(sent.query),
      windows: Math.max(1, windows.length),
      file: sqlite ? out : join(out, family.name, '/'),
    };
  });
  const windows = rows.reduce((sum, row) => sum + row.windows, 0);
  context.notes.note(
    `Dry run: nothing was sent or written. A first sync takes at least ${windows} requests: one for each ` +
      'window of a list, and more for windows of several pages.',
  );
  return { result: listOf(rows, ['family', 'method', 'url', 'windows', 'file']) };
}

type Nature = Parameters<typeof beginningOf>[0];

async function beginning(context: Context, { from, firstDay }: SyncOptions, now: number) {
  if (from !== undefined) {
    const zone = await zoneInUse(context);
    const unix = parseWhen(from, { now: now * 1000, zone, edge: 'start', option: '--from' });
    return () => Math.min(unix, now);
  }
  const found = await firstDayOf(context, firstDay, { isDry: true });
  context.notes.note(`Everything from ${found.told}.`);
  return (nature: Nature) => Math.min(beginningOf(nature, found.from), now);
}

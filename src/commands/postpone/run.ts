import { findOperation, loadFamily } from '../../catalogue/index.js';
import type { Operation } from '../../catalogue/types.js';
import { type CommandInput, type Context, type Done, lineFlags } from '../../command/context.js';
import { withLineFlags } from '../../command/line-flags.js';
import { zoneInUse } from '../../command/zone.js';
import { usage } from '../../errors/errors.js';
import { Item } from '../../json/item.js';
import { planRequest } from '../../request/plan.js';
import { valuesOf } from '../../safety/shown-values.js';
import { after } from '../../time/later.js';
import { dayIn } from '../../time/periods.js';
import { parseSpan } from '../../time/spans.js';
import { isoTime } from '../../time/units.js';
import { wallTime, type Zone } from '../../time/zones.js';
import { dryRunWrites } from '../operation/dry-run.js';
import { Names } from '../operation/names.js';
import { asTold, type WriteOptions } from '../operation/prepared-write.js';
import { openReader } from '../operation/reading.js';
import { guard, refuseReadOnly, sendWrite } from '../operation/write.js';

interface PostponeOptions extends WriteOptions {
  readonly by?: string;
}

/**
 * `cops subscriptions postpone <id> --by 1mo`: an edit of the next renewal date, counted from the stored one by the
 * calendar of the zone in use. The repeat guard compares what was asked, not the date that was computed.
 * @throws CopsError `usage` for a subscription that renews no more, or whose new date would be past
 */
export async function run(context: Context, { words, options }: CommandInput<PostponeOptions>): Promise<Done> {
  const span = parseSpan(options.by ?? '', '--by');
  if (!['d', 'w', 'mo', 'y'].includes(span.unit))
    throw usage(`--by: "${options.by}" is no number of days, weeks, months or years.`, 'Write 10d, 2w, 1mo or 1y.');
  const family = await loadFamily('subscriptions');
  const edit = findOperation(family, 'edit') as Operation;
  await refuseReadOnly(context, edit, edit.risk);
  const names = new Names(context, family, edit);
  const [ids = []] = await names.ids([words.slice(0, 1)]);
  const reader = await openReader(context);
  const get = findOperation(family, 'get') as Operation;
  const item = valuesOf(await reader.answer(planRequest(family, get, { ids })));
  if (context.options.dryRun) context.notes.note('The subscription was read for its next renewal; nothing is sent.');
  const status = item('status') ?? '';
  const stored = Number(item('billing.next_renewal_date_unix') ?? item('next_renewal_date_unix') ?? 0);
  if (/^(cancelled|occurrence_limit)$/i.test(status) || !(stored > 0)) {
    throw usage(
      `${ids[0]} is ${status || 'without a next renewal'}: there is no renewal to postpone.`,
      'Nothing was sent.',
    );
  }
  const zone = await zoneInUse(context);
  const next = after(stored, span, zone);
  if (next * 1000 <= (await context.now())) {
    throw usage(
      `The next renewal was due ${shown(stored, zone)}, and ${options.by} later is past as well: nothing was sent.`,
      'Give a longer --by, or a date: cops subscriptions edit <id> --next-renewal-date <when>.',
    );
  }
  if (/^suspended$/i.test(status)) {
    context.notes.warn(`It is suspended: nothing renews before cops subscriptions activate ${ids[0]}.`);
  }
  const change = `Next renewal: ${shown(stored, zone)} -> ${shown(next, zone)} (${zone.name}), ${options.by} later.`;
  const preview = { show: [], ...edit.preview, says: [change, 'Can be undone: edit the next renewal date again.'] };
  const prepared = {
    family,
    operation: { ...edit, preview },
    risk: edit.risk,
    ids,
    body: { next_renewal_date: isoTime(next) },
    asked: { postpone_by: `${span.count}${span.unit}` },
    named: names.named,
    ...asTold(options),
  };
  const undo = `cops subscriptions edit ${ids[0]} --next-renewal-date ${isoTime(stored)}`;
  if (context.options.dryRun) return dryRunWrites(context, [prepared]);
  await guard(context, prepared, reader);
  const { text } = await sendWrite(context, prepared, reader);
  const told = withLineFlags(`Postponed ${ids[0]}.\n${change}\nUndo: ${undo}`, lineFlags(context.options));
  if ((await context.settings()).format === 'table' && context.world.stdout.isTTY === true)
    return { result: { shape: 'text', text: `${told}\n` }, wrote: true };
  context.notes.note(told);
  return { result: { shape: 'one', item: new Item(text), idField: edit.answerId ?? family.idField }, wrote: true };
}

function shown(unix: number, zone: Zone): string {
  const { hour, minute } = wallTime(unix * 1000, zone);
  return `${dayIn(unix, zone)} ${[hour, minute].map((part) => String(part).padStart(2, '0')).join(':')}`;
}

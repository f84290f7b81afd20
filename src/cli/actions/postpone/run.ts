import { usage, wrongOption } from '../../../base/errors/errors.js';
import { cops, say } from '../../../base/text/command-line.js';
import { dayIn, midnight } from '../../../base/time/periods.js';
import { after, parseSpan, type Span, spanAhead, spanIn, stretchOf } from '../../../base/time/spans.js';
import { datesSaid } from '../../../base/time/spoken-days.js';
import { isoTime } from '../../../base/time/units.js';
import { parseWhen } from '../../../base/time/when.js';
import { unixOf, wallTime, type Zone } from '../../../base/time/zones.js';
import { findOperation, loadFamily } from '../../../catalogue/index.js';
import type { Operation } from '../../../catalogue/types.js';
import { Item } from '../../../items/json/item-json.js';
import { valuesOf } from '../../../items/json/lossless.js';
import { planRequest } from '../../../service/request/request-plan.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import type { OptionsOf } from '../../../session/context/spec.js';
import { zoneInUse } from '../../../session/context/typed-words.js';
import { Names } from '../../../session/names/line-names.js';
import { narrowedBy } from '../../../session/operation/spec.js';
import { openReader } from '../../../session/read/reading.js';
import { dryRunWrites } from '../../../session/write/dry-run.js';
import { asTold } from '../../../session/write/prepared-write.js';
import { endedBefore, guard, refuseReadOnly, sendWrite } from '../../../session/write/write.js';
import { postponedTogether } from '../../guess/wrong-line.js';
import type { spec } from './spec.js';

type PostponeOptions = OptionsOf<typeof spec>;

const UNDO = 'Can be undone: edit the next renewal date again.';

/**
 * `cops subscriptions postpone <id> --by 1mo`: edits the next renewal date, counted from the stored one by the calendar
 * of the zone in use, or sets it to a later day with `--until`. The repeat guard compares the request, not the computed
 * date.
 * @throws CopsError `usage` for a subscription that no longer renews, or a new date that is past or not later
 */
export async function run(context: Context, { words, options }: CommandInput<PostponeOptions>): Promise<Done> {
  if (words[0] === '-')
    throw usage('postpone reads no ids from standard input.', postponedTogether(context.world.argv));
  const span = spanAsked(options);
  const family = await loadFamily('subscriptions');
  const edit = findOperation(family, 'edit') as Operation;
  await refuseReadOnly(context, edit, edit.risk);
  const narrowed = narrowedBy({ family, operation: edit, options });
  const names = new Names(context, family, edit, undefined, narrowed);
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
  const by = span && `${span.count}${span.unit}`;
  const now = await context.now();
  const next = span ? after(stored, span, zone) : untilAsked(options.until ?? '', now, zone);
  for (const said of datesSaid([options.until], now, zone, 'ahead')) context.notes.note(said);
  if (next <= stored) {
    throw usage(
      `The next renewal is already ${shown(stored, zone)}, and ${shown(next, zone)} is no later: nothing was sent.`,
      say`To renew earlier: ${cops`subscriptions edit ${ids[0]} --next-renewal-date <when>`}.`,
    );
  }
  if (next * 1000 <= now) {
    const later = span ? `${by} later` : shown(next, zone);
    throw usage(
      `The next renewal was due ${shown(stored, zone)}, and ${later} is past as well: nothing was sent.`,
      'Give a longer --by, or a date in the future: --until <when>.',
    );
  }
  if (/^suspended$/i.test(status))
    context.notes.warn(say`It is suspended: nothing renews before ${cops`subscriptions activate ${ids[0]}`}.`);
  const change = `Next renewal: ${shown(stored, zone)} -> ${shown(next, zone)} (${zone.name})${span ? `, ${by} later` : ''}.`;
  const preview = { show: [], ...edit.preview, says: [change], undo: UNDO };
  const prepared = {
    family,
    operation: { ...edit, preview },
    risk: edit.risk,
    ids,
    body: { next_renewal_date: isoTime(next) },
    asked: span ? { postpone_by: by } : { postpone_until: isoTime(next) },
    named: names.named,
    ...asTold(options, context.notes),
  };
  const undo = cops`subscriptions edit ${ids[0]} --next-renewal-date ${isoTime(stored)}`;
  if (context.options.dryRun) return dryRunWrites(context, [prepared]);
  const before = await endedBefore(context, prepared);
  if (before) return before;
  await guard(context, prepared, reader);
  const { text } = await sendWrite(context, prepared, reader);
  const told = say`Postponed ${ids[0]}.\n${change}\n${say`Undo: ${undo}`}`;
  if ((await context.settings()).format === 'table' && context.world.stdout.isTTY === true)
    return { result: { shape: 'text', text: `${await context.shown(told)}\n` }, wrote: true };
  context.notes.note(told);
  return { result: { shape: 'one', item: new Item(text), idField: edit.answerId ?? family.idField }, wrote: true };
}

/** The span of `--by`; undefined where `--until` gives a date. */
function spanAsked({ by, until }: PostponeOptions): Span | undefined {
  if ((by === undefined) === (until === undefined))
    throw usage('How much later? Give --by or --until.', 'For example: --by 1mo, or --until 2027-01-15.');
  if (by === undefined) return undefined;
  return daysOrMore(parseSpan(by.replace(/^\s*\+/, ''), '--by'), by, '--by');
}

/** A span of days or more, where `m` can only mean months. @throws CopsError `usage` for a shorter one */
function daysOrMore({ count, unit }: Span, text: string, option: string): Span {
  if (unit === 'h' || unit === 's' || /min/i.test(text))
    throw wrongOption(
      option,
      `"${text}" is not a number of days, weeks, months or years.`,
      'Write 10d, 2w, 1mo or 1y.',
    );
  return { count, unit: unit === 'm' ? 'mo' : unit };
}

/** The moment of `--until`: a span counts from today, never from the stored renewal, and ends at the start of a day. */
function untilAsked(text: string, now: number, zone: Zone): number {
  const stretch = stretchOf(text);
  const span = spanAhead(text) ?? spanIn(text) ?? (stretch?.isAhead ? stretch.span : undefined);
  if (!span) return parseWhen(text, { now, zone, edge: 'start', option: '--until', look: 'ahead' });
  const day = midnight(wallTime(now, zone));
  return after(unixOf(day, zone), daysOrMore(span, text, '--until'), zone);
}

function shown(unix: number, zone: Zone): string {
  const { hour, minute } = wallTime(unix * 1000, zone);
  return `${dayIn(unix, zone)} ${[hour, minute].map((part) => String(part).padStart(2, '0')).join(':')}`;
}

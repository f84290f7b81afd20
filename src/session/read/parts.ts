import { edgeIn, emptySaid, partialPeriods, partsSaid, type UnixSpan } from '../../base/time/periods.js';
import type { Column } from '../../catalogue/types.js';
import { Item } from '../../items/json/item-json.js';
import { parseLossless } from '../../items/json/lossless.js';
import { CREATED, CURRENCY } from '../../items/select/groups.js';
import { asSaid } from '../../items/select/names.js';
import { titleOf } from '../../screen/table-columns.js';
import type { UsualColumns } from '../../screen/types.js';
import type { Context } from '../context/context.js';
import type { Chosen, View } from './selection.js';

/** Table headings for groups' rows: `created:month` is a month, `sum_amount_captured` what was captured. */
export async function groupColumns(context: Context, chosen: Chosen | undefined): Promise<Column[]> {
  const { format, query, columns } = await context.settings();
  const grouping = chosen?.selection.grouping;
  if (grouping === undefined || query !== undefined) return [];
  const { keys, sums, byCurrency, different } = grouping;
  // The smallest or largest of times is shown as a time.
  if (columns !== undefined)
    return different.flatMap(({ name, type, tells }) =>
      type === 'instant' && tells !== 'count' ? [{ path: name, title: name, as: 'time' as const }] : [],
    );
  if (format !== 'table') return [];
  const named: { readonly path: string; readonly title: string }[] = [
    ...keys.map(({ name }) => ({ path: name, title: titleOf(name.split(':').at(-1) ?? name) })),
    ...(byCurrency ? [{ path: 'iso_currency', title: 'currency' }] : []),
    { path: 'count', title: 'count' },
    ...sums.map(({ name, path }) => ({ path: name, title: path.replace(/^amount_/, '') })),
  ];
  const isAlone = (title: string) => named.filter((one) => one.title === title).length === 1;
  return named.map(({ path, title }) => (isAlone(title) ? { path, title } : { path }));
}

/** The named columns, plus the currency: amounts mean nothing without it. */
export async function withCurrency(context: Context, chosen: Chosen | undefined): Promise<UsualColumns | undefined> {
  const { columns, query, format } = await context.settings();
  const grouping = chosen?.selection.grouping;
  if (!columns || query !== undefined || grouping?.currency === undefined) return undefined;
  const { currency, byCurrency, amounts } = grouping;
  const shown = new Set(columns.map(asSaid));
  const isNamed = [currency, CURRENCY, 'currency'].some((name) => shown.has(asSaid(name)));
  const isNeeded = byCurrency || amounts.some((name) => shown.has(asSaid(name)));
  return isNeeded && !isNamed
    ? { names: [...columns, byCurrency && format === 'table' ? 'currency' : currency], setting: '--columns' }
    : undefined;
}

/**
 * Marks the groups of days, months or years that the list's range holds only in part: with a star in a table, in a note
 * everywhere. Their values stay as they are in every other format.
 * @param span what was read: of items by the day on which they were made
 */
export async function withParts(context: Context, view: View, chosen: Chosen | undefined, span: UnixSpan) {
  const { format, query } = await context.settings();
  const { stdout } = context.world;
  if (view.rows && chosen && format === 'table' && stdout.isTTY === true && span.ends > span.begins) {
    const { zone } = chosen.moment;
    const [from, to] = [edgeIn(span.begins, span.begins, zone), edgeIn(span.ends - 1, span.ends, zone)];
    context.notes.note(`${span.begins <= 0 ? 'Everything up' : from} to ${to}, days in ${zone.name}.`);
  }
  const key = chosen?.selection.grouping?.keys.find(({ path, period }) => path === CREATED && period);
  if (!chosen || !key?.period) return { items: view.items, say: () => undefined };
  const { now, zone } = chosen.moment;
  const all = partialPeriods(span, key.period, zone, Math.floor(now / 1000));
  const star = format === 'table' && query === undefined ? '*' : '';
  const shown = new Set<string>();
  const labels = new Set<string>();
  const items = (async function* (): AsyncGenerator<Item> {
    for await (const item of view.items) {
      const row = parseLossless(item.raw);
      const label = row instanceof Map ? row.get(key.name) : undefined;
      if (typeof label === 'string') labels.add(label);
      if (typeof label !== 'string' || !all.some(({ bucket }) => bucket === label)) yield item;
      else {
        shown.add(label);
        const name = `${JSON.stringify(key.name)}:`;
        yield new Item(item.raw.replace(`${name}"${label}"`, `${name}"${label}${star}"`));
      }
    }
  })();
  const say = (): void => {
    const said = partsSaid(all.filter(({ bucket }) => shown.has(bucket)));
    if (said !== undefined) context.notes.warn(`${star === '' ? '' : '* '}${said}`);
    const empty = emptyPeriods(
      view,
      chosen,
      { begins: span.begins, ends: Math.min(span.ends, now / 1000) },
      labels.size,
    );
    if (empty !== undefined) context.notes.note(empty);
  };
  return { items, say };
}

/** How many periods of a range have no row, in words; undefined if none, or if not all rows are shown. */
function emptyPeriods(
  { selected }: View,
  { selection: { grouping, having }, moment }: Chosen,
  span: UnixSpan,
  filled: number,
): string | undefined {
  const unit = grouping?.keys.find(({ path, period }) => path === CREATED && period)?.period;
  const isWhole = selected && selected.matched === selected.shown && having.length === 0;
  // A range that begins at the epoch has no real first period.
  if (!unit || !isWhole || filled === 0 || span.begins <= 0) return undefined;
  const said = emptySaid(span, unit, moment.zone, filled);
  return said && `${said}.`;
}

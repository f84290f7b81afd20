import type { Database } from '../../base/database/types.js';
import { CopsError, local, usage, Would } from '../../base/errors/errors.js';
import { typedPath } from '../../base/files/typed-path.js';
import { cops, say } from '../../base/text/command-line.js';
import { dayIn } from '../../base/time/periods.js';
import { rangeTexts, resolveRange, type TimeRange } from '../../base/time/range.js';
import { DAY, isoTime } from '../../base/time/units.js';
import type { Zone } from '../../base/time/zones.js';
import { wordList } from '../../catalogue/references.js';
import type { Column } from '../../catalogue/types.js';
import type { Context, Done } from '../../session/context/context.js';
import { lineWithout } from '../../session/context/lines.js';
import { zoneInUse } from '../../session/context/typed-words.js';
import { type CsvRecord, csvRecords, givenBytes } from '../given/csv-records.js';
import { knownMirror, mirrorInUse } from '../mirror/mirror-in-use.js';
import { namedMirror, nameOfMirror, readMirror } from '../mirror/own-mirror.js';
import { standingOf } from '../mirror/standing.js';
import { keepColumns, keptColumns } from './kept-columns.js';
import type { OwnMovement } from './match-payouts.js';
import { ownMovements } from './own-movements.js';
import { type ClassedLine, classedLines, classedSums, MOST_LAG, sumsOf } from './payout-classes.js';
import { columnsByValues, type KnownIds, knownIn, type PayoutColumns, payoutColumnsOf } from './payout-columns.js';
import { type PayoutForm, type PayoutRows, payoutRows, UnclearForm } from './payout-file.js';
import { PAYOUT_ROLES, type PayoutRole, type ReconcileOptions } from './payout-roles.js';
import { reconcileItems, sumTexts } from './reconcile-lines.js';

/** How far outside the month to look for another month's movements. */
const AROUND = 40 * DAY;

/** `cops reconcile <file> --month …`: every row of the file and every movement of the month, each in one class. */
export async function answerReconcile(
  context: Context,
  typed: string | undefined,
  options: ReconcileOptions,
): Promise<Done> {
  if (typed === undefined) throw withoutFile(options);
  const [now, zone] = [await context.now(), await zoneInUse(context)];
  const month = resolveRange(rangeTexts(options).length > 0 ? options : { month: 'last' }, now, zone);
  const path = typedPath(context.world, typed);
  if (context.options.dryRun) throw await wouldRead(context, path, options);
  const { records, header } = await csvRecords(context.notes, await givenBytes(path), path);
  const agreed = await agreedColumns(context, header, options);
  const mirror = (await namedMirror(context, options.mirror)) ?? (await mirrorInUse(context));
  const { movements, doubts } = await readMirror(context, mirror, ({ database, facts }) => {
    context.notes.note(standingOf(database, facts).told);
    return {
      movements: ownMovements(database, month.from - AROUND, month.to + 1 + AROUND),
      doubts: doubtsOf(database, month),
    };
  });
  const known = knownIds(movements);
  const given = withoutStrange(context, header, { records, columns: agreed.columns }, known);
  const said = new Set([...agreed.said].filter((role) => given[role] !== undefined));
  const columns = columnsByValues(given, records, known, said);
  checkDated(header, columns);
  const file = rowsOf(records, columns, { month, zone }, options);
  tellFile(context, header, columns, file);
  const lines = linesOf(context, columns, file, movements, { month, zone });
  if (!isSumsOnly(columns)) tellDays(context, file, lines, zone);
  const shown = options.all ? lines : lines.filter(({ class: kind }) => kind !== 'matched' && kind !== 'other month');
  return {
    result: {
      shape: 'list',
      items: reconcileItems(shown, zone),
      columns: lineColumns(shown, (await context.settings()).format === 'table'),
      idField: 'transaction',
    },
    finish: () => told(context, lines, month, doubts, isSumsOnly(columns)),
  };
}

/** A table may not have room for all columns, so the figures that differ come first. */
function lineColumns(lines: readonly ClassedLine[], isTable: boolean): Column[] {
  const kinds = new Set(isTable ? lines.map(({ class: kind }) => kind) : []);
  const first = wordList(
    [
      'class by line day amount',
      ...(kinds.has('amount differs') || kinds.has('only here') ? ['own_amount'] : []),
      ...(kinds.has('fee differs') ? ['fee own_fee'] : []),
    ].join(' '),
  );
  const all = [...first, ...wordList('currency reference transaction own_day own_amount fee own_fee')];
  return [...new Set(all)].map((path) => ({ path, ...(first.includes(path) && { whole: true as const }) }));
}

/** A month is reconciled with a bank's or gateway's records; without them it is closed. */
function withoutFile({ month = 'last' }: ReconcileOptions): CopsError {
  return usage(
    'cops reconcile compares transactions with a file of a bank or a gateway: name the file.',
    say`With the file: ${cops`reconcile payouts.csv --month ${month}`}. Without one, the month against itself, with what is pending and what differs: ${cops`report close --month ${month}`}`,
  );
}

const knownIds = (movements: readonly OwnMovement[]): KnownIds => ({
  ids: new Set(movements.flatMap(({ id, gatewayId }) => [id.toLowerCase(), ...(gatewayId === '' ? [] : [gatewayId])])),
  refs: new Set(movements.flatMap(({ refs }) => refs)),
});

const isSumsOnly = ({ id, auth, last4, text }: PayoutColumns): boolean =>
  [id, auth, last4, text].every((at) => at === undefined);

/** Puts each row and each movement in a class; leaves out movements in currencies that the file does not have. */
function linesOf(
  { notes }: Context,
  columns: PayoutColumns,
  { rows, unread }: PayoutRows,
  movements: readonly OwnMovement[],
  { month, zone }: { readonly month: TimeRange; readonly zone: Zone },
): readonly ClassedLine[] {
  const codes = new Set(rows.map(({ currency }) => currency));
  const period = { begins: month.from, ends: month.to + 1 };
  const named = new Set(rows.flatMap(({ id, refs }) => [id, ...refs]));
  const isOwn = ({ currency, ids }: OwnMovement): boolean =>
    codes.size === 0 || codes.has(currency) || ids.some((id) => named.has(id));
  const strange = movements.filter((one) => !isOwn(one) && one.at >= period.begins && one.at < period.ends);
  if (strange.length > 0) {
    const others = [...new Set(strange.map(({ currency }) => currency))].sort().join(', ');
    const some = strange.length === 1 ? '1 movement' : `${strange.length} movements`;
    notes.note(`The file has ${[...codes].join(', ')} only: ${some} in ${others} left out.`);
  }
  const dayOf = (at: number): string => dayIn(at, zone);
  const own = movements.filter(isOwn);
  if (!isSumsOnly(columns)) return classedLines({ rows, unread, movements: own, month: period, dayOf });
  const lag = MOST_LAG * DAY;
  const near = own.filter(({ at }) => at >= period.begins - lag && at < period.ends);
  return classedSums({ rows, unread, movements: near, month: period, dayOf });
}

/** A file that covers some days says nothing about the others: the account's rows there are no differences. */
function tellDays({ notes, world }: Context, { rows }: PayoutRows, lines: readonly ClassedLine[], zone: Zone): void {
  const days = rows
    .filter(({ isUndated }) => !isUndated)
    .map(({ at }) => dayIn(at, zone))
    .sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return;
  const isOutside = (day: string): boolean => day < first || day > last;
  const outside = lines.filter(({ class: kind, own }) => kind === 'only here' && own && isOutside(dayIn(own.at, zone)));
  if (outside.length === 0) return;
  const line = lineWithout(world.argv, ['--month', '--from', '--to'], '--from', first, '--to', last);
  const all = lines.filter(({ class: kind }) => kind === 'only here').length;
  notes.warn(
    say`The file has ${first} to ${last}: ${outside.length} of ${all} only here are of other days. Those days alone: ${line}`,
  );
}

/** A column of ids or texts that names nothing of this account can match nothing: a file with days goes without it. */
function withoutStrange(
  { notes }: Context,
  header: readonly string[],
  { records, columns }: { readonly records: readonly CsvRecord[]; readonly columns: PayoutColumns },
  ids: KnownIds,
): PayoutColumns {
  if (columns.date === undefined) return columns;
  const left = { ...columns };
  for (const role of ['id', 'text'] as const) {
    const at = left[role];
    const { of, known } = at === undefined ? { of: 0, known: 0 } : knownIn(records, at, ids);
    if (at === undefined || known > 0) continue;
    notes.warn(`0 of ${of} values of "${header[at]}" are known here: compared without this column.`);
    delete left[role];
  }
  return left;
}

function told(
  { notes }: Context,
  lines: readonly ClassedLine[],
  month: TimeRange,
  doubts: readonly string[],
  isSums: boolean,
): CopsError | undefined {
  const sums = sumsOf(lines);
  for (const text of sumTexts(sums, lines)) notes.note(text);
  const differing = lines.filter(({ class: kind }) => kind !== 'matched' && kind !== 'other month');
  if (differing.length === 0 && doubts.length === 0) return undefined;
  const refunds = differing.filter(({ class: kind }) => kind === 'refund').length;
  const rows = differing.length - refunds;
  const said = [
    ...(rows === 0 ? [] : [rows === 1 ? '1 row differs' : `${rows} rows differ`]),
    ...(refunds === 0 ? [] : [`refunds not compared, as the file has none: ${refunds}`]),
    ...(rows > 0 && refunds > 0 ? [`together: ${differing.length}`] : []),
    ...doubts,
  ].join('; ');
  return new CopsError('incomplete', `${isoTime(month.from)} to ${isoTime(month.to)}: ${said}.`, {
    hint:
      differing.length > 0 && isSums
        ? "No column names payments of this account, so sums by day were compared. To compare single payments, ask for a file with the gateway's transaction ids."
        : undefined,
    more: { differing: differing.length },
  });
}

async function wouldRead(context: Context, path: string, { mirror }: ReconcileOptions): Promise<Would> {
  const file = (await nameOfMirror(context, mirror)) ?? (await knownMirror(context));
  return new Would(`send no request, read ${path} and the mirror ${file}`);
}

/** The columns from the line, by their names, or as saved earlier; asks the person at the terminal once. */
async function agreedColumns(
  context: Context,
  header: readonly string[],
  { map = [], columnsAs }: ReconcileOptions,
): Promise<{ readonly columns: PayoutColumns; readonly said: ReadonlySet<PayoutRole> }> {
  const typed = new Map(map.map((text) => roleTyped(text, header)));
  const kept = columnsAs === undefined ? undefined : await keptColumns(context, columnsAs);
  if (columnsAs !== undefined && kept === undefined && context.options.yes === false && typed.size === 0) {
    const prompter = await context.prompter();
    if (!prompter.canPrompt())
      throw usage(`No columns are saved as "${columnsAs}".`, 'Name them once: --map amount=Betrag --map date=Datum');
  }
  const columns = payoutColumnsOf(header, new Map([...(kept ?? []), ...typed]));
  if (columns.amount === undefined && columns.net === undefined)
    throw usage(
      `It is not clear which column is the amount. The file has: ${header.join(', ')}.`,
      'Name it: --map amount=<column>',
    );
  const prompter = await context.prompter();
  if (kept === undefined && typed.size === 0 && !context.options.yes && prompter.canPrompt()) {
    if (!(await prompter.confirm(`${columnTexts(header, columns)}. Is that right?`)))
      throw usage('The columns were not confirmed.', 'Name them: --map amount=<column> --map date=<column>');
  }
  if (columnsAs !== undefined && (kept === undefined || typed.size > 0)) {
    await keepColumns(context, columnsAs, namesOf(header, columns));
    context.notes.note(`The columns are saved as ${columnsAs}.`);
  }
  return { columns, said: new Set([...(kept ?? []), ...typed].map(([role]) => role)) };
}

/** A file without days can still be matched by what it calls each payment. */
function checkDated(header: readonly string[], { date, id, text }: PayoutColumns): void {
  if ((date ?? id ?? text) !== undefined) return;
  throw usage(
    `It is not clear which column is the date, and none has ids or order numbers. The file has: ${header.join(', ')}.`,
    "Name it: --map date=<column>. A file without days needs the gateway's ids: --map id=<column>",
  );
}

function roleTyped(text: string, header: readonly string[]): [PayoutRole, string] {
  const [, word = '', name = ''] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(text) ?? [];
  const role = PAYOUT_ROLES.find((one) => one === word.toLowerCase());
  if (role === undefined)
    throw usage(`--map: "${text}" is not understood.`, `Write role=column; the roles: ${PAYOUT_ROLES.join(', ')}.`);
  if (!header.some((one) => one.trim().toLowerCase() === name.toLowerCase()))
    throw usage(`--map: there is no column "${name}".`, `The file has: ${header.join(', ')}.`);
  return [role, name];
}

const namesOf = (header: readonly string[], columns: PayoutColumns): Map<PayoutRole, string> =>
  new Map(
    PAYOUT_ROLES.flatMap((role): [PayoutRole, string][] => {
      const at = columns[role];
      return at === undefined ? [] : [[role, header[at] ?? '']];
    }),
  );

const columnTexts = (header: readonly string[], columns: PayoutColumns): string =>
  [...namesOf(header, columns)].map(([role, name]) => `${role} is "${name}"`).join(', ');

function rowsOf(
  records: readonly CsvRecord[],
  columns: PayoutColumns,
  { month, zone }: { readonly month: TimeRange; readonly zone: Zone },
  { currency, dates }: ReconcileOptions,
): PayoutRows {
  if (dates !== undefined && !['dmy', 'mdy', 'ymd'].includes(dates)) throw usage('--dates must be dmy, mdy or ymd.');
  const code = currency?.toUpperCase();
  if (columns.currency === undefined && code === undefined)
    throw usage('The file does not show its currency.', 'Name it: --currency USD, or --map currency=<column>');
  try {
    return payoutRows(records, columns, {
      ...{ zone, currency: code, begins: month.from },
      days: dates as PayoutForm['days'] | undefined,
    });
  } catch (error) {
    if (!(error instanceof UnclearForm)) throw error;
    throw error.what === 'days'
      ? usage('Its dates can be read two ways: day or month first.', 'Choose: --dates dmy, or --dates mdy')
      : usage('Its amounts mix decimal points and decimal commas.', 'Use a file that writes all amounts the same way.');
  }
}

function tellFile(context: Context, header: readonly string[], columns: PayoutColumns, file: PayoutRows): void {
  const { rows, unread, form } = file;
  const mark = form.decimal === ',' ? 'decimal comma' : 'decimal point';
  context.notes.note(
    `${rows.length + unread.length} rows: ${columnTexts(header, columns)}; ${mark}, ${columns.date === undefined ? 'no days: taken to be of the month, matched by ids and order numbers only' : `days as ${form.days}`}.`,
  );
}

function doubtsOf(database: Database, { to }: TimeRange): string[] {
  return ['transactions', 'pending_refunds'].flatMap((family) => {
    const row = database.prepare('SELECT state, why, read_at FROM _families WHERE family = ?').get(family);
    if (!row) throw local(`The mirror holds no ${family}.`, say`Sync it whole: ${cops`sync ${database.file}`}`);
    const [state, why, readAt] = row;
    if (state !== 'synced') return [`${family} is not complete (${why === null ? String(state) : String(why)})`];
    return Number(readAt) < to ? [`the mirror ends ${isoTime(Number(readAt))}, before the end of the month`] : [];
  });
}

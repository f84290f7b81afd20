import { idCacheWanted, readIds } from '../../account/seen-ids/ids.js';
import { usage, wrongOption } from '../../base/errors/errors.js';
import { meantOr } from '../../base/errors/nearest.js';
import { cops, joinedTexts, say, type Text } from '../../base/text/command-line.js';
import { dayIn } from '../../base/time/periods.js';
import { datesSaid } from '../../base/time/spoken-days.js';
import { parseWhen } from '../../base/time/when.js';
import { FAMILY_INDEX, familyByCommand } from '../../catalogue/index.js';
import { Item } from '../../items/json/item-json.js';
import { colourLevel } from '../../screen/notes.js';
import { OUTPUT_FORMATS } from '../../screen/output-formats.js';
import { accountLine, palette } from '../../screen/style.js';
import type { Context, Done } from '../context/context.js';
import { zoneInUse } from '../context/typed-words.js';
import type { ListAsker } from '../names/people.js';
import { firstDayOf } from '../read/first-day.js';
import { openReader } from '../read/reading.js';
import { Look } from './ask.js';
import { itemOfAny, type Known } from './one.js';
import { screenOf } from './screen.js';
import { documentOf, incompleteOf, type NotRead, type Section, type Sheet } from './sheet.js';

/** How far a command looks that gathers from several families. */
export interface LookingOptions {
  /** Since when, as it was typed. */
  readonly since?: string;
  /** The same in unix seconds, if the line gives a range. */
  readonly from?: number | undefined;
  readonly all?: boolean | undefined;
  /** Most requests, unless everything since a moment is read. */
  readonly most?: number | undefined;
  /** What to ask; the service by default. */
  readonly asker?: ListAsker | undefined;
}

/** Rows of a section on a terminal, unless all are requested. */
const ROWS = 5;
const FEWEST_ROWS = 1;
/** Lines of a screen without the heading. */
const SCREEN = 34;

/** Begins a look into several families. @throws CopsError `usage` for a dry run, and for `--since` with `--all` */
export async function openLook(context: Context, options: LookingOptions): Promise<Look> {
  if (context.options.dryRun)
    throw usage(`cops ${context.command} sends requests to several places: there is no single one to show.`);
  if (options.all && options.since !== undefined) throw usage('--all reads everything: leave out --since.');
  const now = await context.now();
  const zone = await zoneInUse(context);
  const since =
    options.since === undefined
      ? options.from
      : parseWhen(options.since, { now, zone, edge: 'start', option: '--since' });
  for (const said of datesSaid([options.since], now, zone)) context.notes.note(said);
  const asker = options.asker ?? (await openReader(context));
  if (options.asker === undefined) await context.transport();
  return new Look({
    asker,
    now: Math.floor(now / 1000),
    since: options.all ? (await firstDayOf(context, undefined)).from : since,
    most: options.most,
  });
}

/** A sheet as a screen, or as one document for every other format. */
export async function present(context: Context, of: Sheet, options: LookingOptions): Promise<Done> {
  const sheet = await withShownLines(of, context);
  const { format, query, columns, tz } = await context.settings();
  const { stdout, env } = context.world;
  if (OUTPUT_FORMATS[format].flat)
    throw usage(`-o ${format} cannot show several kinds of items at once.`, 'Use -o json.');
  for (const { what, why, commands } of of.notRead)
    if (format !== 'table') context.notes.warn(say`Not read: ${what} (${why}). ${joinedTexts(commands, '; ')}`, {});
  const isAll = options.all === true;
  const finish = () => incompleteOf(of.notRead, isAll);
  if (format !== 'table' || query !== undefined || columns !== undefined)
    return { result: { shape: 'one', item: new Item(documentOf(sheet, isAll)), idField: 'id' }, finish };
  const zone = await zoneInUse(context);
  const profile = await context.profile();
  const colour = colourLevel(env, stdout, context.options.color) > 0;
  const screen = (rows: number, isTight = false) =>
    screenOf(sheet, {
      tz,
      color: colour,
      width: stdout.isTTY && !context.options.wide ? stdout.columns || 80 : undefined,
      rows,
      isTight,
      day: (unix) => dayIn(unix, zone),
    });
  const lines = Math.max(SCREEN, (stdout.rows ?? 0) - 1);
  let text = await screen(isAll ? Number.POSITIVE_INFINITY : ROWS);
  // On a terminal, each section is cut to fit the screen, unless the line asked for more: a longer look back never shows
  // less.
  const isAsked = isAll || options.since !== undefined || !stdout.isTTY;
  for (let rows = ROWS - 1; !isAsked && rows >= FEWEST_ROWS && text.split('\n').length > lines; rows--)
    text = await screen(rows);
  if (!isAsked && text.split('\n').length > lines) text = await screen(FEWEST_ROWS, true);
  const account = accountLine(profile.account, await palette(colour));
  const head = `${account}; times in ${zone.name}\n`;
  return { result: { shape: 'text', text: head + text, painted: true }, finish };
}

/** The sheet with its lines as shown; leaves out lines that would not run. */
async function withShownLines(sheet: Sheet, { shown }: Context): Promise<Sheet> {
  const all = async (texts: readonly Text[]): Promise<string[]> => {
    const lines: string[] = [];
    for (const text of texts) lines.push(...[(await shown(text)) ?? []].flat());
    return lines;
  };
  const sections: Section[] = [];
  for (const section of sheet.sections)
    sections.push({ ...section, command: section.command && ((await shown(section.command)) ?? '') });
  const notRead: NotRead[] = [];
  for (const left of sheet.notRead) notRead.push({ ...left, commands: await all(left.commands) });
  return { ...sheet, heading: await all(sheet.heading), sections, notRead, next: await all(sheet.next) };
}

/** The family in which this machine saw an id, from the data for completion. */
export async function seenIn(context: Context, id: string): Promise<string | undefined> {
  if (!idCacheWanted(context.world.env)) return undefined;
  const profile = await context.profile();
  const place = { dataDir: context.dataDir, profile: profile.name.value, mode: profile.mode.value };
  return FAMILY_INDEX.find(({ name }) => readIds(place, name).some((seen) => seen.id === id))?.name;
}

/** The family that an option names. @throws CopsError `usage` with the nearest one */
export function familyNamed(word: string, option: string, reads: readonly string[] = ['get']): string {
  const readable = FAMILY_INDEX.filter(({ actions }) => actions.some(({ action }) => reads.includes(action)));
  const entry = familyByCommand(word);
  if (entry && readable.some(({ name }) => name === entry.name)) return entry.name;
  const words = readable.map(({ command }) => command);
  const hint = meantOr(word, words, say`${cops`commands`} lists them.`);
  throw wrongOption(option, `there is no family "${word}" to read from.`, hint);
}

/** The item of an id: of the family that is named or was seen, otherwise of one of `usual`. */
export async function knownItem(
  context: Context,
  look: Look,
  id: string,
  named: string | undefined,
  usual: readonly string[],
): Promise<Known> {
  if (named !== undefined) return itemOfAny(look, id, [familyNamed(named, '--family')]);
  const seen = await seenIn(context, id);
  return itemOfAny(look, id, seen === undefined ? usual : [seen]);
}

import { Item } from '../../items/json/item-json.js';
import { sanitise } from '../../items/text/inert.js';
import { openMeasure, type TextMeasure, wrapWords } from '../../items/text/width.js';
import { palette } from '../../screen/style.js';
import { Table, type TableOptions } from '../../screen/table.js';
import type { Section, Sheet } from './sheet.js';

export interface ScreenOptions extends Pick<TableOptions, 'tz' | 'color' | 'width'> {
  /** Most rows of a section. */
  readonly rows: number;
  /** No empty lines between the tables. */
  readonly isTight?: boolean | undefined;
  /** How a moment is written. */
  readonly day: (unix: number) => string;
}

/** A sheet as lines for a person: heading, one table per section, what was not read, what may follow. */
export async function screenOf(sheet: Sheet, options: ScreenOptions): Promise<string> {
  const colours = await palette(options.color);
  const measure = await openMeasure();
  const lines = sheet.heading.flatMap((line) => laid(sanitise(String(line)), options, measure));
  let text = `${lines.join('\n')}\n`;
  const empty: string[] = [];
  const between = options.isTight ? '' : '\n';
  for (const section of sheet.sections) {
    // What was not fully searched, or only counted, is not empty: it is listed as not read.
    if (section.items.length === 0)
      empty.push(...(section.isCut || section.total ? [] : [titleOf(section) + sinceOf(section, options)]));
    else
      text += `${between}${colours.strong(headOf(section, options))}\n${await tableOf(section, options, sheet.told)}`;
  }
  if (empty.length > 0) {
    const none = laid(`None: ${empty.join(', ')}.`, options, measure);
    text += `${between}${none.map((line) => `${colours.faint(line)}\n`).join('')}`;
  }
  if (sheet.notRead.length > 0) {
    text += `${between}${colours.strong('NOT READ')}\n`;
    for (const { what, why, commands } of sheet.notRead)
      text += `${laid(sanitise(`${what}: ${why}`), options, measure).join('\n')}\n${commands
        .map((line) => `  ${sanitise(String(line))}\n`)
        .join('')}`;
  }
  if (sheet.next.length > 0)
    text += `${between}${colours.strong('NEXT')}\n${sheet.next.map((line) => `  ${sanitise(String(line))}\n`).join('')}`;
  return text;
}

/** A sentence wrapped to the terminal, indented like its first line. */
function laid(line: string, { width }: ScreenOptions, measure: TextMeasure): string[] {
  if (width === undefined) return [line];
  const [indent = ''] = /^ */.exec(line) ?? [];
  return wrapWords(line.slice(indent.length), width - indent.length, measure).map((part) => indent + part);
}

const titleOf = ({ word, title }: Section): string => title ?? word.replaceAll('_', ' ');

const sinceOf = ({ since }: Section, options: ScreenOptions): string =>
  since === undefined ? '' : ` since ${options.day(since)}`;

function headOf(section: Section, options: ScreenOptions): string {
  const shown = Math.min(section.items.length, rowsOf(section, options));
  const total = section.total ?? section.items.length;
  const many = `${total}${section.isCut ? ' or more' : ''}`;
  const ofMany = total > shown ? `${shown} of ${many}` : many;
  const title = `${titleOf(section).toUpperCase()}${sinceOf(section, options)}`;
  if (total <= shown && !section.isCut) return `${title} (${many})`;
  const head = `${title} (${ofMany}${section.command === '' ? '' : `: ${section.command}`})`;
  // A terminal would break a longer line within the command.
  return head.length > (options.width ?? head.length) ? `${title} (${ofMany})\n  ${section.command}` : head;
}

const rowsOf = ({ fewest = 1 }: Section, { rows }: ScreenOptions): number => Math.max(fewest, rows);

async function tableOf(section: Section, options: ScreenOptions, told: Sheet['told'] = []): Promise<string> {
  const { tz, color, width } = options;
  const table = await Table.open({ columns: section.columns, tz, color, width, zoneSaid: true, told });
  let text = '';
  for (const raw of section.items.slice(0, rowsOf(section, options))) text += table.add(new Item(raw));
  return text + (await table.end());
}

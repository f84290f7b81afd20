import type { Text } from '../../base/text/command-line.js';
import type { Column } from '../../catalogue/types.js';
import { compact } from '../../items/json/json-text.js';

/** Items of one kind on a sheet. */
export interface Section {
  /** Its name in JSON. */
  readonly word: string;
  /** What a screen calls it, where that is not its name. */
  readonly title?: string | undefined;
  readonly columns: readonly Column[];
  /** Exact texts of the items. */
  readonly items: readonly string[];
  /** How many there are, where that is known. */
  readonly total?: number | undefined;
  /** There may be more than what was counted: a search shows its best hits only. */
  readonly isCut?: boolean | undefined;
  /** Since when was looked, unix seconds; undefined for everything that there is. */
  readonly since?: number | undefined;
  /** The command that shows the rest. */
  readonly command: Text;
  /** Rows that a screen shows of it even where it is too long: what people ask for most. */
  readonly fewest?: number | undefined;
}

/** What a sheet leaves out, and how it is read. */
export interface NotRead {
  readonly what: string;
  readonly why: string;
  readonly commands: readonly Text[];
}

/** What was gathered about something from several places: one document, one screen. */
export interface Sheet {
  /** What stands on top of the screen. */
  readonly heading: readonly Text[];
  /** Paths of what it tells: no section says it again in the place of an empty column. */
  readonly told?: readonly string[];
  /** Members of the document before the sections: exact JSON texts by name. */
  readonly facts: readonly (readonly [name: string, json: string])[];
  readonly sections: readonly Section[];
  readonly notRead: readonly NotRead[];
  /** Commands that may follow: they read, or ask before they write. */
  readonly next: readonly Text[];
}

/** The sheet as one JSON document; items leave with the digits they came with. */
export function documentOf(sheet: Sheet): string {
  const members = sheet.facts.map(([name, json]) => `${JSON.stringify(name)}:${compact(json)}`);
  for (const { word, items } of sheet.sections) {
    members.push(`${JSON.stringify(word)}:[${items.map(compact).join(',')}]`);
  }
  const looked = Object.fromEntries(
    sheet.sections.map(({ word, since, total, items, isCut }) => [
      word,
      { since: since ?? null, shown: items.length, total: isCut ? null : (total ?? null) },
    ]),
  );
  members.push(`"looked":${JSON.stringify(looked)}`);
  const notRead = sheet.notRead.map(({ what, why, commands }) => ({ what, why, command: commands.join('; ') }));
  members.push(`"not_read":${JSON.stringify(notRead)}`);
  members.push(`"next":${JSON.stringify(sheet.next.map(String))}`);
  return `{${members.join(',')}}`;
}

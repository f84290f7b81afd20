import { CopsError } from '../../base/errors/errors.js';
import { type CommandLine, cops, type Text } from '../../base/text/command-line.js';
import type { Column } from '../../catalogue/types.js';
import { compact } from '../../items/json/item-json.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';

/** Items of one kind on a sheet. */
export interface Section {
  /** Its name in JSON. */
  readonly word: string;
  /** Its title on a screen, if that is not its name. */
  readonly title?: string | undefined;
  /** The family of its items, if that is not its name. */
  readonly family?: string | undefined;
  readonly columns: readonly Column[];
  /** Exact texts of the items. */
  readonly items: readonly string[];
  /** How many there are, if known. */
  readonly total?: number | undefined;
  /** There may be more than were counted: a search shows only its best hits. */
  readonly isCut?: boolean | undefined;
  /** Start of the search, unix seconds; undefined for everything there is. */
  readonly since?: number | undefined;
  /** The command that shows the rest. */
  readonly command: Text;
  /** Rows that a screen shows even if it is too long: what people want most. */
  readonly fewest?: number | undefined;
}

/** What a sheet leaves out, and how to read it. */
export interface NotRead {
  readonly what: string;
  readonly why: string;
  readonly commands: readonly Text[];
  /** Why reading it failed; undefined if it was left out on purpose. */
  readonly fault?: CopsError | undefined;
}

/** The error after an answer that lacks what could not be read, or with `isAll` anything readable that was left out. */
export function incompleteOf(notRead: readonly NotRead[], isAll: boolean): CopsError | undefined {
  const open = notRead.filter(({ fault, commands }) => fault || (isAll && commands.length > 0));
  const what = [...new Set(open.map((one) => one.what))].join(', ');
  return open.length === 0 ? undefined : new CopsError('incomplete', `Not everything was read: ${what}.`);
}

/** What was gathered about something from several places: one document, one screen. */
export interface Sheet {
  /** The heading of the screen. */
  readonly heading: readonly Text[];
  /** Paths whose values it already shows: no section repeats them instead of an empty column. */
  readonly told?: readonly string[];
  /** Members of the document before the sections: exact JSON texts by name. */
  readonly facts: readonly (readonly [name: string, json: string])[];
  readonly sections: readonly Section[];
  readonly notRead: readonly NotRead[];
  /** Commands that may follow: they read, or ask before writing. */
  readonly next: readonly Text[];
}

/** The sheet as one JSON document; items keep their digits. */
export function documentOf(sheet: Sheet, isAll: boolean): string {
  const members = sheet.facts.map(([name, json]) => `${JSON.stringify(name)}:${compact(json)}`);
  for (const { word, items } of sheet.sections)
    members.push(`${JSON.stringify(word)}:[${items.map(compact).join(',')}]`);
  const looked = Object.fromEntries(
    sheet.sections.map(({ word, since, total, items, isCut }) => [
      word,
      { since: since ?? null, shown: items.length, total: isCut ? null : (total ?? null) },
    ]),
  );
  members.push(`"looked":${JSON.stringify(looked)}`);
  const notRead = sheet.notRead.map(({ what, why, commands }) => ({ what, why, command: commands.join('; ') }));
  members.push(`"complete":${incompleteOf(sheet.notRead, isAll) === undefined}`);
  members.push(`"not_read":${JSON.stringify(notRead)}`);
  members.push(`"next":${JSON.stringify(sheet.next.map(String))}`);
  return `{${members.join(',')}}`;
}

/** States in which a subscription no longer renews: its stored date means nothing (lifecycle of subscriptions). */
export const ENDED: NonNullable<Column['unless']> = { path: 'status', values: ['cancelled', 'occurrence_limit'] };

/** How to show fields that several families have; all others appear unchanged. */
const SHOWN: Readonly<Record<string, Omit<Column, 'path'>>> = {
  amount: { as: 'money' },
  amount_refunded: { title: 'refunded', as: 'money' },
  amount_remaining: { title: 'left', as: 'money' },
  amount_total: { title: 'total', as: 'money' },
  'billing.next_renewal_date_unix': { title: 'next renewal', as: 'time', unless: ENDED },
  card_payment: { title: 'card payment', as: 'money' },
  case_number: { title: 'case number' },
  created_date_unix: { title: 'created', as: 'time' },
  'customer_card.last_4': { title: 'card' },
  enabled: { as: 'flag' },
  expiration_date_unix: { title: 'ends', as: 'time' },
  expiry_date: { title: 'expires' },
  first_name: { title: 'first name' },
  gateway_name: { title: 'gateway' },
  is_default: { title: 'default', as: 'flag' },
  is_overdue: { title: 'overdue', as: 'flag' },
  last_4: { title: 'last four' },
  last_name: { title: 'last name' },
  overdue_count: { title: 'overdue' },
  'product.name': { title: 'product' },
  provider_tracking: { title: 'tracking' },
  result: { as: 'status' },
  status: { as: 'status' },
};

/** The columns of a section, in their order. */
export const columnsOf = (...paths: readonly string[]): readonly Column[] =>
  paths.map((path) => ({ path, ...SHOWN[path] }));

/** A value of an item as text; empty where there is none. */
export const textAt = (item: Lossless, path: string): string => plain(get(item, path)) ?? '';

/** When an item was created, unix seconds; 0 if it does not show that. */
export const madeOf = ({ item }: { readonly item: Lossless }): number => Number(textAt(item, 'created_date_unix') || 0);

/** A family's name as a command word. */
export const commandOf = (family: string): string => family.replaceAll('_', '-');

/**
 * The line that lists what a customer has in a family.
 * @param since unix seconds; the last window where it is not given
 */
export function listLine(family: string, customer: string, since?: number): CommandLine {
  const range = since === undefined ? ['--last', '90d'] : ['--from', String(since)];
  return cops`${commandOf(family)} list ${range} --customer ${customer}`;
}

/** Events are searched from the end; hits without a creation time stay where they are. */
export function newestFirst(raws: readonly string[]): string[] {
  const made = new Map(raws.map((raw) => [raw, Number(textAt(parseLossless(raw), 'created_date_unix') || 0)]));
  return [...raws].sort((a, b) => (made.get(b) ?? 0) - (made.get(a) ?? 0));
}

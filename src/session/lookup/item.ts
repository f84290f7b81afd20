import { type CommandLine, cops } from '../../base/text/command-line.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';

/** A value of an item as text; empty where there is none. */
export function textAt(item: Lossless, path: string): string {
  return plain(get(item, path)) ?? '';
}

/** When an item was made, unix seconds; 0 where it does not say. */
export function madeOf({ item }: { readonly item: Lossless }): number {
  return Number(textAt(item, 'created_date_unix') || 0);
}

/** The ids in a list of an item, whose elements are ids or objects. */
export function idsAt(item: Lossless, path: string): string[] {
  const value = get(item, path);
  return Array.isArray(value) ? value.flatMap((one) => plain(get(one, 'id') ?? one) ?? []) : [];
}

/** A family's name as a command word. */
export function commandOf(family: string): string {
  return family.replaceAll('_', '-');
}

/**
 * The line that lists what a customer has in a family.
 * @param since unix seconds; the last window where it is not given
 */
export function listLine(family: string, customer: string, since?: number): CommandLine {
  const range = since === undefined ? ['--last', '90d'] : ['--from', String(since)];
  return cops`${commandOf(family)} list ${range} --customer ${customer}`;
}

/** What happens is looked for from its end; hits that do not say when they were made stay where they are. */
export function newestFirst(raws: readonly string[]): string[] {
  const made = new Map(raws.map((raw) => [raw, Number(textAt(parseLossless(raw), 'created_date_unix') || 0)]));
  return [...raws].sort((a, b) => (made.get(b) ?? 0) - (made.get(a) ?? 0));
}

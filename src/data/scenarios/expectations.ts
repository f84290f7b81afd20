import { createHash } from 'node:crypto';
import { CopsError } from '../../base/errors/errors.js';
import { zoneOf } from '../../base/time/zones.js';
import { familyByCommand, loadFamily } from '../../catalogue/index.js';
import type { Expectation } from '../../items/checks/scenario-shape.js';
import { get, type Lossless, parseLossless, plain, textOf } from '../../items/json/lossless.js';
import { type Condition, parseCondition } from '../../items/select/condition.js';
import { addNumbers, compareNumbers } from '../../items/select/decimals.js';
import { fulfils } from '../../items/select/fulfils.js';
import { fieldPath, type Vocabulary, vocabularyOf } from '../../items/select/names.js';
import { KINDS_OF_ITEMS } from '../../sandbox/store/kinds.js';
import type { OpenedSandbox } from '../../sandbox/store/open-store.js';
import type { Bindings } from './bindings.js';
import type { ItemSource } from './seen-items.js';

/** An expectation that is not met. */
export interface Unmet {
  readonly expected: string;
  readonly found: string;
  /** The item it is about, for its timeline. */
  readonly item?: { readonly family: string; readonly id: string };
  /** The new content of the file, if a single value can express it. */
  readonly instead?: Correction;
}

/** Names and indices that lead to a value of a file. */
export type CorrectionPlace = readonly (string | number)[];

/** A value of a file, and the YAML of the value found. */
export interface Correction {
  readonly place: CorrectionPlace;
  readonly yaml: string;
}

/** The service at a moment, and the bindings. */
export interface Observed {
  readonly opened: OpenedSandbox;
  /** The service's items. */
  readonly items: ItemSource;
  readonly bindings: Bindings;
  readonly zone: string;
  /** The newest row before the scenario began. */
  readonly since: number;
  /** Hashes of all items at the start of the part that `unchanged` covers. */
  readonly before: Marks;
  /** Collects the items that an expectation looks at. */
  readonly looked?: Set<string> | undefined;
}

/** A hash for each item of each family, without calls of the service's interface. */
export type Marks = ReadonlyMap<string, ReadonlyMap<string, string>>;

const MODES = [false, true];

/** Hashes of the whole service now. */
export function marksOf(source: ItemSource, families = KINDS_OF_ITEMS): Marks {
  const marks = new Map<string, Map<string, string>>();
  for (const family of families) {
    if (family === 'api_calls') continue;
    const items = new Map<string, string>();
    for (const live of MODES)
      for (const { id, value } of source.all(family, live))
        items.set(`${id} ${live}`, createHash('sha1').update(JSON.stringify(value)).digest('base64'));
    marks.set(family, items);
  }
  return marks;
}

/** The current item, in whichever mode it exists. */
export function itemNow({ store }: OpenedSandbox, family: string, id: string): Lossless | undefined {
  const found = store.get(family, id, false) ?? store.get(family, id, true) ?? store.get(family, id, null);
  return found && parseLossless(JSON.stringify(found.value));
}

/**
 * The parts of an expectation that are not met; empty if all are. @throws CopsError `usage` for an invalid expectation
 */
export async function unmet(one: Expectation, observed: Observed): Promise<Unmet[]> {
  if (one.item !== undefined) return itemUnmet(one.item, one, observed);
  if (one.list !== undefined) return listUnmet(one.list, one, observed);
  if (one.sum !== undefined) return sumUnmet(one.sum, one, observed);
  if (one.events !== undefined) return eventsUnmet(one.events, observed);
  if (one.mail !== undefined) return recordsUnmet('mail', 'smtp_messages', { ...one, where: one.mail }, observed);
  if (one.functions !== undefined)
    return recordsUnmet('functions', 'function_runs', { ...one, where: one.functions }, observed);
  if (one.unchanged !== undefined) return changesSince(observed, one.unchanged.except ?? []);
  return valueUnmet(one.value ?? '', observed);
}

async function itemUnmet(typed: string, { where = [] }: Expectation, observed: Observed): Promise<Unmet[]> {
  const [word = '', id = ''] = (await observed.bindings.fill(typed)).trim().split(/\s+/);
  const family = familyNamed(word);
  const value = itemNow(observed.opened, family, id);
  const item = { family, id };
  observed.looked?.add(id);
  if (value === undefined) return [{ expected: `${word} ${id}`, found: 'no such item', item }];
  const { conditions } = await conditionsOf(family, where, observed);
  return conditions.flatMap((condition, at) => {
    if (fulfils(value, condition) === true) return [];
    const found = foundAt(value, condition.path);
    // A placeholder is filled in each time, so no value may overwrite it.
    const isPlain =
      condition.operator === '=' && where[at] === condition.text && get(value, condition.path) !== undefined;
    const instead = { place: ['where', at], yaml: JSON.stringify(found) };
    return [{ expected: condition.text, found, item, ...(isPlain && { instead }) }];
  });
}

async function listUnmet(word: string, one: Expectation, observed: Observed): Promise<Unmet[]> {
  return recordsUnmet(word, familyNamed(word), one, observed, 0);
}

/** Counts the items of a family that meet conditions, and compares the count with the expected one. */
async function recordsUnmet(
  word: string,
  family: string,
  { where = [], count }: Expectation,
  observed: Observed,
  since = observed.since,
): Promise<Unmet[]> {
  const { all, kept } = await chosen(family, where, observed, since);
  for (const value of kept) observed.looked?.add(plain(get(value, 'id') ?? null) ?? '');
  const wanted = typeof count === 'number' ? `=${count}` : (count ?? '>=1');
  if (holds(kept.length, wanted)) return [];
  const what = where.length === 0 ? word : `${word} where ${where.join(', ')}`;
  const few = all.length <= 5 ? all.map((value) => shortly(value, where)).join('; ') : '';
  return [
    {
      expected: `${wanted.replace(/^=/, '')} of ${what}`,
      ...(count !== undefined && { instead: { place: ['count'], yaml: String(kept.length) } }),
      found: `${kept.length} (of ${all.length} in all${few === '' ? '' : `: ${few}`})`,
    },
  ];
}

async function sumUnmet(word: string, one: Expectation, observed: Observed): Promise<Unmet[]> {
  const family = familyNamed(word);
  const { vocabulary, kept } = await chosen(family, one.where ?? [], observed, 0);
  const path = fieldPath(vocabulary, one.field ?? 'amount', 'path');
  const sums = new Map<string, string>();
  for (const value of kept) {
    const currency = plain(get(value, 'iso_currency')) ?? 'no currency';
    sums.set(currency, addNumbers(sums.get(currency) ?? '0', plain(get(value, path)) ?? '0'));
  }
  const wanted = new Map(Object.entries(one.equals ?? {}).map(([currency, sum]) => [currency, String(sum)]));
  const currencies = new Set([...sums.keys(), ...wanted.keys()]);
  const yaml = `{ ${[...sums].map(([currency, sum]) => `${JSON.stringify(currency)}: ${sum}`).join(', ')} }`;
  return [...currencies].flatMap((currency) => {
    const [expected = '0', found = '0'] = [wanted.get(currency), sums.get(currency)];
    if (compareNumbers(expected, found) === 0) return [];
    return [
      {
        expected: `${path} of ${word}: ${expected} ${currency}`,
        found: `${found} ${currency}`,
        instead: { place: ['equals'], yaml },
      },
    ];
  });
}

function eventsUnmet(expected: readonly string[], observed: Observed): Unmet[] {
  const raised = MODES.flatMap((live) => observed.items.all('site_events', live))
    .filter(({ seq, value }) => seq > observed.since && value.type === 'account_event')
    .sort((one, other) => one.seq - other.seq)
    .map(({ value }) => String(value.notation));
  let at = 0;
  for (const notation of raised) {
    const wanted = expected[at];
    if (wanted !== undefined && (notation === wanted || notation.startsWith(`${wanted}.`))) at++;
  }
  if (at === expected.length) return [];
  const [next = ''] = expected.slice(at);
  return [
    {
      expected: `the event ${next}${at === 0 ? '' : ` after ${expected[at - 1]}`}`,
      found: raised.length === 0 ? 'no event' : raised.join(', '),
    },
  ];
}

function changesSince({ items: source, before }: Observed, except: readonly string[]): Unmet[] {
  const left = new Set(except.map(familyNamed));
  const now = marksOf(source);
  const changed = [...now].flatMap(([family, items]) => {
    if (left.has(family)) return [];
    const known = before.get(family) ?? new Map<string, string>();
    const ids = [...new Set([...items.keys(), ...known.keys()])].filter((id) => items.get(id) !== known.get(id));
    return ids.length === 0 ? [] : [`${ids.length} of ${family.replaceAll('_', '-')}`];
  });
  return changed.length === 0 ? [] : [{ expected: 'nothing changed', found: changed.join(', ') }];
}

async function valueUnmet(text: string, observed: Observed): Promise<Unmet[]> {
  const filled = await observed.bindings.fill(text);
  const [, expression = ''] = /^([^=!<>~]+)/.exec(filled) ?? [];
  const value = await observed.bindings.valueOf(expression.trim());
  // A text with a comma is one value, not a list of them.
  const asked = `value${filled.slice(expression.length).replace(/^(\s*(?:==?|!=|~)\s*)([^"']*,.*)$/s, '$1"$2"')}`;
  const condition = parseCondition(asked, { columns: [], fields: {} }, clockOf(observed));
  if (fulfils(new Map([['value', value]]), condition) === true) return [];
  return [{ expected: filled, found: plain(value) ?? textOf(value) }];
}

/** Items of a family stored after a row, and those of them that meet conditions. */
async function chosen(family: string, where: readonly string[], observed: Observed, since: number) {
  const { vocabulary, conditions } = await conditionsOf(family, where, observed);
  const all = MODES.flatMap((live) => observed.items.all(family, live))
    .filter(({ seq }) => seq > since)
    .map(({ value }) => parseLossless(JSON.stringify(value)));
  const kept = all.filter((value) => conditions.every((condition) => fulfils(value, condition) === true));
  return { vocabulary, all, kept };
}

/** The fields of the service's own records are those in the catalogue. */
const NO_WORDS: Vocabulary = { columns: [], fields: {} };

async function conditionsOf(name: string, where: readonly string[], observed: Observed) {
  const family = familyByCommand(name) ? await loadFamily(name) : undefined;
  const [operation] = family?.operations ?? [];
  const vocabulary = family && operation ? vocabularyOf(family, operation) : NO_WORDS;
  const conditions: Condition[] = [];
  for (const text of where)
    conditions.push(parseCondition(await observed.bindings.fill(text), vocabulary, clockOf(observed)));
  return { vocabulary, conditions };
}

function clockOf({ opened, zone }: Observed) {
  return { now: opened.now(), zone: zoneOf(zone) };
}

function familyNamed(word: string): string {
  const entry = familyByCommand(word);
  if (entry) return entry.name;
  throw new CopsError('usage', `There is no family ${word}.`);
}

function holds(count: number, wanted: string): boolean {
  const [, sign = '=', number = ''] = /^(=|!=|>=|<=|>|<)\s*(\d+)$/.exec(wanted) ?? [];
  const order = Math.sign(count - Number(number));
  if (sign === '!=') return order !== 0;
  return sign.includes(order > 0 ? '>' : order < 0 ? '<' : '=');
}

function foundAt(value: Lossless, path: string): string {
  const found = get(value, path);
  return `${path}=${found === undefined ? '(not there)' : (plain(found) ?? textOf(found))}`;
}

/** The fields of an item that conditions refer to. */
function shortly(value: Lossless, where: readonly string[]): string {
  const paths = where.map((text) => /^[^=!<>~]+/.exec(text)?.[0].trim() ?? '');
  return [...new Set(['id', ...paths])].map((path) => foundAt(value, path)).join(' ');
}

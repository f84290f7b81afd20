import { invalid } from './refusal.js';

/** The five parts of a schedule with what each may hold; months and days also by name. */
const PARTS: readonly { readonly from: number; readonly to: number; readonly names?: string }[] = [
  { from: 0, to: 59 },
  { from: 0, to: 23 },
  { from: 1, to: 31 },
  { from: 1, to: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec' },
  { from: 0, to: 7, names: 'sun mon tue wed thu fri sat' },
];

/** True for a five-part cron expression (spec 2.8, 2.10). */
export function isCron(text: unknown): boolean {
  return minutesOf(text) !== undefined;
}

/** True for one whose runs are at least an hour apart (spec 2.10): then one minute of the hour is named. */
export function isHourlyCron(text: unknown): boolean {
  return minutesOf(text)?.size === 1;
}

function minutesOf(text: unknown): Set<number> | undefined {
  if (typeof text !== 'string') return undefined;
  const words = text.trim().toLowerCase().split(/\s+/);
  if (words.length !== PARTS.length) return undefined;
  const sets = PARTS.map((part, index) => valuesOf(words[index] as string, part));
  return sets.every((set) => set !== undefined) ? sets[0] : undefined;
}

function valuesOf(word: string, { from, to, names }: (typeof PARTS)[number]): Set<number> | undefined {
  const values = new Set<number>();
  const number = (one: string) => {
    const named = names?.split(' ').indexOf(one) ?? -1;
    return named >= 0 ? named + (from === 1 ? 1 : 0) : /^\d{1,2}$/.test(one) ? Number(one) : Number.NaN;
  };
  for (const piece of word.split(',')) {
    const [, range = '', step = '1'] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(piece) ?? [];
    const [first = '', last] = range === '*' ? [String(from), String(to)] : range.split('-', 2);
    const start = number(first);
    const end = last === undefined ? (piece.includes('/') ? to : start) : number(last);
    if (!(start >= from && end <= to && start <= end && Number(step) > 0)) return undefined;
    for (let value = start; value <= end; value += Number(step)) values.add(value);
  }
  return values;
}

/** @throws Refusal 400 for what is no IANA time zone (spec 2.8, 2.10); none means UTC. */
export function checkTimezone(name: unknown): void {
  if (name === undefined || name === '') return;
  const isZone = typeof name === 'string' && (name === 'UTC' || /^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name));
  try {
    if (isZone && new Intl.DateTimeFormat('en', { timeZone: name as string })) return;
  } catch {}
  throw invalid(`cron_timezone: there is no time zone ${JSON.stringify(name)}.`);
}

import type { Family, Field, Operation } from '../catalogue/types.js';

/** A line that names an option which is none, and what the parser knows at that place. */
export interface OptionPlace {
  readonly argv: readonly string[];
  /** As it stands on the line: `--since`, `--since=3d`, `-n`. */
  readonly option: string;
  /** Long names that the place takes, with their dashes. */
  readonly known: readonly string[];
  /** The operation whose line it is, where it is one. */
  readonly operation?: Operation | undefined;
  /** The family of the operation. */
  readonly family?: Family | undefined;
}

/**
 * The line of a list with an option that can only be a condition put in our words: a value that one field of the items
 * takes (`--overdue` is `--status overdue`), or a field that they have (`--status failed` is `--where http_status>=400`).
 * A list only reads: nothing can come of it but another selection, which is told.
 */
export function asCondition(place: OptionPlace): { argv: string[]; note: string } | undefined {
  const { argv, option, operation, family } = place;
  const [typed = '', joined] = option.split(/=(.*)/s, 2);
  const at = argv.indexOf(option);
  if (!operation?.list || operation.list.style === 'search' || at < 0 || !typed.startsWith('--')) return undefined;
  const word = typed.slice(2).toLowerCase().replaceAll('-', '_');
  const fields = Object.entries(family?.item ?? {});
  const next = argv[at + 1];
  const isSwitch = joined === undefined && (next === undefined || next.startsWith('-'));
  if (isSwitch) return withWords(place, at, 1, ofValue(fields, word, place.known));
  const value = joined ?? next ?? '';
  return withWords(
    place,
    at,
    joined === undefined ? 2 : 1,
    ofField(fields, word, value) ?? ofBound(fields, word, value),
  );
}

/** The option that asks for a value which exactly one field takes. */
function ofValue(fields: Fields, word: string, known: readonly string[]): string[] | undefined {
  const [found, another] = fields.filter(([, field]) => field.enum?.includes(word));
  if (!found) return spokenValue(fields, word);
  if (another) return undefined;
  const [name] = found;
  const option = `--${name.replaceAll('_', '-')}`;
  return known.includes(option) ? [option, word] : ['--where', `${name}=${word}`];
}

/** `--failed` of calls: what people say of one field alone. */
function spokenValue(fields: Fields, word: string): string[] | undefined {
  const said = fields.flatMap(([name, { spoken }]) =>
    spoken && Object.hasOwn(spoken, word) ? [`${name}${spoken[word]}`] : [],
  );
  return said.length === 1 ? ['--where', said[0] ?? ''] : undefined;
}

/** The condition on a field of that name, or on the one whose name ends with it and that people say so of. */
function ofField(fields: Fields, word: string, value: string): string[] | undefined {
  const exact = fields.find(([name]) => name === word);
  const ending = fields.filter(([name, field]) => name.endsWith(`_${word}`) && field.spoken !== undefined);
  const [name, field] = exact ?? (ending.length === 1 ? ending[0] : undefined) ?? [];
  if (name === undefined || field === undefined || field.type === 'object' || field.type === 'array') return undefined;
  const spoken = field.spoken;
  if (spoken && Object.hasOwn(spoken, value)) return ['--where', `${name}${spoken[value]}`];
  return ['--where', COMPARED.test(value) ? `${name}${value}` : `${name}=${value}`];
}

/** A value that says itself how it is compared: `>100`. */
const COMPARED = /^(?:[<>]=?|!=|~)\s*\S/;

/** What stands before or behind a field's name for one end of a range. */
const BOUNDS: readonly (readonly [RegExp, string])[] = [
  [/^min_(.+)|^(.+)_(?:min|since|from|gte)$/, '>='],
  [/^max_(.+)|^(.+)_(?:max|until|to|lte)$/, '<='],
  [/^(.+)_(?:after|above|over|gt)$/, '>'],
  [/^(.+)_(?:before|below|under|lt)$/, '<'],
];

/** One end of a range: `--min-amount 100`, `--created-after 2026-10-01`. */
function ofBound(fields: Fields, word: string, value: string): string[] | undefined {
  for (const [bound, compared] of BOUNDS) {
    const [, before, behind] = bound.exec(word) ?? [];
    const name = before ?? behind;
    if (name === undefined) continue;
    const found = fields.find(([one]) => one === name || one === `${name}_date_unix`)?.[1];
    if (found && found.type !== 'object' && found.type !== 'array') return ['--where', `${name}${compared}${value}`];
  }
  return undefined;
}

type Fields = readonly (readonly [string, Field])[];

function withWords(
  { argv, option }: OptionPlace,
  at: number,
  replaced: number,
  words: readonly string[] | undefined,
): { argv: string[]; note: string } | undefined {
  if (!words) return undefined;
  const said = [option, ...argv.slice(at + 1, at + replaced)].join(' ');
  const shown = words.map((word) => (/[<>]/.test(word) ? `'${word}'` : word)).join(' ');
  return {
    argv: [...argv.slice(0, at), ...words, ...argv.slice(at + replaced)],
    note: `${said} is read as ${shown}.`,
  };
}

import { type CommandLine, copsLine } from '../../base/text/command-line.js';
import type { Family, Field, Operation } from '../../catalogue/types.js';
import { figureOptions } from '../../items/select/group-figures.js';
import { vocabularyOf } from '../../items/select/names.js';
import type { Reworded } from '../parser/argv.js';

/** A line with an unknown option, and what the parser accepts there. */
export interface OptionPlace {
  readonly argv: readonly string[];
  /** As typed on the line: `--since`, `--since=3d`, `-n`. */
  readonly option: string;
  /** Long names accepted there, with their dashes. */
  readonly known: readonly string[];
  /** The operation of the line, if it has one. */
  readonly operation?: Operation | undefined;
  /** The family of the operation. */
  readonly family?: Family | undefined;
}

/** An option of a line, split into its parts. */
export interface Apart {
  readonly at: number;
  /** Without a joined value: `--since`. */
  readonly typed: string;
  /** The value joined with an equals sign. */
  readonly joined: string | undefined;
  /** The joined value, else the next argument, whatever it is. */
  readonly value: string | undefined;
  /** False for a switch: an option or nothing follows it. */
  readonly isFilled: boolean;
  /** The line with other words in place of the option and its value. */
  instead(words: readonly string[]): string[];
}

export function apart({ argv, option }: Pick<OptionPlace, 'argv' | 'option'>): Apart {
  const [typed = '', joined] = option.split(/=(.*)/s, 2);
  const at = argv.indexOf(option);
  const value = joined ?? argv[at + 1];
  const isFilled = joined !== undefined || (value !== undefined && !value.startsWith('-'));
  const end = at + (isFilled && joined === undefined ? 2 : 1);
  const instead = (words: readonly string[]) => [...argv.slice(0, at), ...words, ...argv.slice(end)];
  return { at, typed, joined, value, isFilled, instead };
}

/**
 * The line of a list, with an option that can only be a condition put in our words: a value that exactly one field of
 * the items takes (`--overdue` is `--status overdue`), or a field they have
 * (`--status failed` is `--where http_status>=400`). A list only reads, so the worst result is a different selection,
 * and a note says so.
 */
export function asCondition(place: OptionPlace): Reworded | undefined {
  const { option, operation, family } = place;
  const { at, typed, joined, value = '', isFilled, instead } = apart(place);
  if (!operation?.list || operation.list.style === 'search' || at < 0 || !typed.startsWith('--')) return undefined;
  const word = typed.slice(2).toLowerCase().replaceAll('-', '_');
  const fields = Object.entries(family?.item ?? {});
  const words = isFilled
    ? (ofField(fields, word, value) ?? ofBound(fields, word, value))
    : ofValue(fields, word, place.known);
  if (!words) return undefined;
  const said = isFilled && joined === undefined ? `${option} ${value}` : option;
  const shown = words.map((one) => (/[<>]/.test(one) ? `'${one}'` : one)).join(' ');
  return { argv: instead(words), note: `${said} is read as ${shown}.` };
}

/** The list that shows a figure for which other tools have an option: `--max amount`, `--average`. */
export function withFigure(place: OptionPlace, figure: string | undefined): CommandLine | undefined {
  const { operation, family } = place;
  const { at, value = '', isFilled, instead } = apart(place);
  if (figure === undefined || !family || !operation?.list || operation.list.style === 'search' || at < 0)
    return undefined;
  const hasMoney = Object.hasOwn(family.item ?? {}, 'iso_currency');
  if (isFilled ? /^\d+$/.test(value) : !hasMoney) return undefined;
  const words = instead([]);
  const isGrouped = words.some((word) => /^--(?:group-by|sum)(?:=|$)/.test(word));
  const name = `${figure}(${isFilled ? value : 'amount'})`;
  return copsLine([...words, ...figureOptions(name, vocabularyOf(family, operation), isGrouped)]);
}

/** The option for a value that exactly one field takes. */
function ofValue(fields: Fields, word: string, known: readonly string[]): string[] | undefined {
  const [found, another] = fields.filter(([, field]) => field.enum?.includes(word));
  if (!found) return spokenValue(fields, word);
  if (another) return undefined;
  const [name] = found;
  const option = `--${name.replaceAll('_', '-')}`;
  return known.includes(option) ? [option, word] : ['--where', `${name}=${word}`];
}

/** `--failed` for calls: a word that people use of one field alone. */
function spokenValue(fields: Fields, word: string): string[] | undefined {
  const said = fields.flatMap(([name, { spoken }]) =>
    spoken && Object.hasOwn(spoken, word) ? [`${name}${spoken[word]}`] : [],
  );
  return said.length === 1 ? ['--where', said[0] ?? ''] : undefined;
}

/** The condition on a field of that name, or on the only field with spoken values whose name ends with it. */
function ofField(fields: Fields, word: string, value: string): string[] | undefined {
  const exact = fields.find(([name]) => name === word);
  const ending = fields.filter(([name, field]) => name.endsWith(`_${word}`) && field.spoken !== undefined);
  const [name, field] = exact ?? (ending.length === 1 ? ending[0] : undefined) ?? [];
  if (name === undefined || field === undefined || field.type === 'object' || field.type === 'array') return undefined;
  const spoken = field.spoken;
  if (spoken && Object.hasOwn(spoken, value)) return ['--where', `${name}${spoken[value]}`];
  return ['--where', COMPARED.test(value) ? `${name}${value}` : `${name}=${value}`];
}

/** A value that includes its own comparison: `>100`. */
const COMPARED = /^(?:[<>]=?|!=|~)\s*\S/;

/** Prefixes and suffixes of a field's name that mean one end of a range. */
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

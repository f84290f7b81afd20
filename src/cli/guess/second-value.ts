import { type CopsError, usage, wrongOption } from '../../base/errors/errors.js';
import { say } from '../../base/text/command-line.js';
import { HIDDEN, lineWithout } from '../../session/context/lines.js';
import type { SecondValue } from '../parser/parser.js';

/** A line that gives an option two values. */
export interface TwiceGiven extends SecondValue {
  readonly argv: readonly string[];
  /** The options of the command. */
  readonly known: readonly { readonly long?: string; readonly short?: string; readonly flags: string }[];
}

/** Refuses an option given twice: the parser would drop the first value without a word. */
export function secondValueRefused({ argv, option, before, values, isSwitch, known }: TwiceGiven): CopsError {
  const [first, second] = values;
  if (isSwitch) return usage(`${first} cannot be combined with ${second}.`, 'Keep one of the two.');
  const names = known.flatMap(({ long, short }) => (long === option ? [long, short ?? long] : []));
  const says = HIDDEN.test(option)
    ? 'it takes one value, and the line gives two.'
    : `it takes one value, and the line gives two, ${first} and ${second}.`;
  const words = isListed(option, known) ? [option, `${first},${second}`] : asRange(option, values, known);
  const both = words && lineWithout(argv, names, ...words);
  if (option !== before) return usage(`${option} and ${before} set the same: ${says}`, 'Keep one of the two.');
  return wrongOption(option, says, both ? say`For both: ${both}` : 'Keep one, or run one line for each.');
}

/** True for an option whose one value is a list with commas. */
const isListed = (option: string, known: TwiceGiven['known']): boolean =>
  known.some(({ long, flags }) => long === option && /[<[](?:list|families|risks|days)[\]>]/.test(flags));

/** How many of each calendar period a year has. */
const IN_A_YEAR: Readonly<Record<string, number>> = { '--month': 12, '--year': 1 };

/** Two periods next to each other as one range, where the command takes one. */
function asRange(option: string, values: readonly string[], known: TwiceGiven['known']): readonly string[] | undefined {
  const inYear = IN_A_YEAR[option];
  const [from = '', to = ''] = values.toSorted();
  if (inYear === undefined || !['--from', '--to'].every((name) => known.some(({ long }) => long === name)))
    return undefined;
  const place = (value: string): number => {
    const [, year, part = '1'] = /^(\d{4})(?:-(\d\d))?$/.exec(value) ?? [];
    return Number(year) * inYear + Number(part);
  };
  return place(to) - place(from) === 1 ? ['--from', from, '--to', to] : undefined;
}

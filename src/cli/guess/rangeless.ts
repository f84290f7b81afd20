import { type CommandLine, say, type Text } from '../../base/text/command-line.js';
import type { Reworded } from '../parser/argv.js';
import { apart, type OptionPlace } from './as-condition.js';

/** Options that set the range of a list. */
const RANGE = /^--(?:from|to|last|week|month|quarter|year|since|until|first-day|no-range)$/;

const isRangeless = ({ operation }: OptionPlace): boolean =>
  operation?.list !== undefined && operation.list.style !== 'windowed';

/** `--all-time` on a list without a range is dropped: the list shows everything anyway. */
export function withoutAllTime(place: OptionPlace): Reworded | undefined {
  const { at, typed, joined } = apart(place);
  if (typed !== '--all-time' || joined !== undefined || at < 0 || !isRangeless(place)) return undefined;
  const whole = place.operation?.list?.style === 'search' ? 'it reads everything' : 'it shows everything';
  return { argv: place.argv.toSpliced(at, 1), note: `--all-time: this list has no range; ${whole}.` };
}

/** The hint for a range on a list that takes none; undefined for other lines. @param paste writes out a line */
export function rangelessHint(place: OptionPlace, paste: (argv: readonly string[]) => CommandLine): Text | undefined {
  const { at, typed, instead } = apart(place);
  if (at < 0 || !RANGE.test(typed) || !isRangeless(place)) return undefined;
  const rest = typed === '--no-range' ? place.argv.toSpliced(at, 1) : instead([]);
  return say`This list has no range; it shows everything: ${paste(rest)}`;
}

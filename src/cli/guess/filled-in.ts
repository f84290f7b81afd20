import { shellWord } from '../../session/context/lines.js';
import { rangeIn, takesWord, wordPositions } from '../parser/argv.js';

/** A sentence with the line's own words in it: whom it is about, and the option's value. */
export function filledIn(says: string, argv: readonly string[], value: string | undefined): string {
  const positions = wordPositions(argv);
  const [family, , whoever] = positions.map((at) => argv[at] ?? '');
  // What is no value of an option comes first: of `--customer jane`, jane is meant.
  const free = positions.filter((at) => !takesWord(argv[at - 1] ?? ''))[2];
  const who = free === undefined ? whoever : argv[free];
  return says
    .replaceAll(' <range>', () => rangeTyped(argv))
    .replaceAll('<term>', () => (value === undefined || value.startsWith('-') ? '<term>' : shellWord(value)))
    .replaceAll('<family>', () => family ?? '<family>')
    .replaceAll('<who>', () => (who === undefined ? '<who>' : shellWord(who)))
    .replace('=<value>', () => (value === undefined || value.startsWith('-') ? '=<name>' : `=${shellWord(value)}`));
}

/** The range of a line, as it was typed. */
function rangeTyped(argv: readonly string[]): string {
  const range = rangeIn(argv).map(shellWord).join(' ');
  return range === '' ? '' : ` ${range}`;
}

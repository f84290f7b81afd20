import { copsLine, say } from '../../base/text/command-line.js';
import { familyByCommand } from '../../catalogue/index.js';
import { isTurned, synonymOf, type TurnedLine, turnedLines } from '../../catalogue/synonyms.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { dashed, type Reworded, takesWord, wordPositions } from '../parser/argv.js';

/** A line whose words mean exactly what one of ours does, in another order. */
export interface Turned extends Reworded {
  /** True if the typed action is one of ours: the line is then offered, never run instead. */
  readonly isHint: boolean;
}

/**
 * `customer-groups add-customer GROUP WHO` is `customers add-to-group WHO` with that group;
 * `subscriptions pause WHO --for 1 month` is `subscriptions postpone WHO --by '1 month'`. Undefined for every other
 * line.
 */
export function turnedLine(argv: readonly string[]): Turned | undefined {
  const positions = wordPositions(argv);
  const { family, verb } = placeOf(argv, positions);
  const action = dashed(argv[positions[verb] ?? -1] ?? '');
  for (const turned of turnedLines(family, action)) {
    const { given: words, used } = givenTo(turned, argv, positions, verb);
    const given = withName(turned, words);
    if (!isTurned(turned, given)) continue;
    const spoken = given.slice(1).join(' ');
    const second = turned.second?.exec(spoken)?.[1] ?? spoken;
    const line = turned.line.map((word) =>
      // Only in the value of a field does an @ name a file.
      word.replace(/\{(\d)\}/g, (_all, at: string) => {
        const value = at === '0' ? (given[0] ?? '') : second;
        return word.includes('=') ? value.replace(/^@/, '@@') : value;
      }),
    );
    const rest = argv.filter((_word, at) => !used.has(at));
    const isHint = turned.hints === action;
    return { argv: [...line, ...rest], note: say`This is read as ${copsLine(line)}.`, isHint };
  }
  return undefined;
}

/** The family that a line is about, and the position of its action: `pause WHO` applies to subscriptions alone. */
function placeOf(argv: readonly string[], [head = -1]: readonly number[]): { family: string; verb: number } {
  const word = argv[head] ?? '';
  const synonym = synonymOf('command', dashed(word));
  const named = familyByCommand(word) ?? familyByCommand((synonym?.same && synonym.means) || '');
  if (named || synonym) return { family: named?.name ?? '', verb: 1 };
  return { family: 'subscriptions', verb: 0 };
}

/** Words that begin the second part. */
const JOINING = /^(?:until|till|to|on|for|by|during)$/i;

/** A name of several words before the second part: `pause jonas okafor for 2 weeks`, an address and a product. */
function withName({ second }: TurnedLine, given: readonly string[]): readonly string[] {
  const at = second ? given.findIndex((_word, one) => one > 0 && second.test(given.slice(one).join(' '))) : 1;
  if (at < 2 || looksLikeId(given[0] ?? '') || JOINING.test(given[at - 1] ?? '')) return given;
  return [given.slice(0, at).join(' '), ...given.slice(at)];
}

/** A word that is a span only after a number. */
const UNIT = /^(?:day|week|month|quarter|year)s?$/i;
/** The words after the action, with an option's value last, and the positions of everything used. */
function givenTo(
  { options = {} }: TurnedLine,
  argv: readonly string[],
  positions: readonly number[],
  verb: number,
): { given: string[]; used: ReadonlySet<number> } {
  const at = argv.findIndex((word) => Object.hasOwn(options, word.replace(/=.*/s, '')));
  const spoken = argv[at] ?? '';
  const [name = '', joined] = spoken.split(/=(.*)/s, 2);
  const taken = at < 0 || joined !== undefined ? [] : [at + 1];
  const others = positions
    .slice(verb + 1)
    .filter((one) => !taken.includes(one) && (one - 1 === at || !takesWord(argv[one - 1] ?? '')));
  // A value of several words continues after its first one: `--for 1 month`.
  const isWhoFirst = others.some((one) => one < at);
  for (let next = at + 2; taken.length > 0 && others.includes(next); next++)
    if (isWhoFirst || (next === at + 2 && UNIT.test(argv[next] ?? ''))) taken.push(next);
  const who = others.filter((one) => !taken.includes(one));
  const values = joined === undefined ? taken.map((one) => argv[one] ?? '') : [joined];
  const [value = '', ...more] = values;
  const second = at < 0 ? [] : [(options[name] ?? '{}').replace('{}', () => value), ...more];
  const used = new Set([...positions.slice(0, verb + 1), ...who, ...taken, ...(at < 0 ? [] : [at])]);
  return { given: [...who.map((one) => argv[one] ?? ''), ...second], used };
}

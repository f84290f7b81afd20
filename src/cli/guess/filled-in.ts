import { CommandLine, Note, type Placeholder, placeholder, type Text } from '../../base/text/command-line.js';
import { familyByCommand } from '../../catalogue/index.js';
import { rangeIn, takesWord, wordPositions } from '../parser/argv.js';

/**
 * A text whose example lines use the line's own words: its subject, and the option's value.
 * @param isOfPeople whether the family's list can be limited to one customer
 */
export function filledIn(
  says: Text,
  argv: readonly string[],
  value: string | undefined,
  { isOfPeople = false } = {},
): Text {
  const positions = wordPositions(argv);
  const words = positions.map((at) => argv[at] ?? '');
  const [family, second] = words;
  // `bulk subscriptions edit` has three words of its own, `subscriptions edit` two.
  const before = familyByCommand(second ?? '') && !familyByCommand(family ?? '') ? 3 : 2;
  // A word that is not the value of an option comes first; in `--customer jane`, jane is meant.
  const free = positions.filter((at) => !takesWord(argv[at - 1] ?? ''))[before];
  const given = value === undefined || value.startsWith('-') ? undefined : value;
  const typed: Readonly<Record<string, string | undefined>> = {
    '<term>': given,
    '<value>': given ?? '<name>',
    '<state>': given?.replace(/.*[=~]/s, '').replaceAll(/[^\w-]/g, ''),
    '<family>': familyByCommand(family ?? '') && family,
    '<who>': free === undefined ? words[before] : argv[free],
  };
  const filled = (text: string): string => text.replaceAll(/<\w+>/g, (name) => typed[name] ?? name);
  const word = (one: string | Placeholder): (string | Placeholder)[] => {
    if (typeof one === 'string') return [one];
    if (one.text === '<range>') return rangeIn(argv);
    if (one.text === '<of-whom>') return isOfPeople ? ['--customer', ...word(placeholder('<who>'))] : [];
    const isFilled = (one.text.match(/<\w+>/g) ?? []).every(
      (name) => typed[name] !== undefined && (name !== '<value>' || given),
    );
    return [isFilled ? filled(one.text) : { shown: filled(one.shown), text: filled(one.text) }];
  };
  const part = (text: Text): Text => {
    if (typeof text === 'string') return filled(text);
    if (text instanceof CommandLine) return new CommandLine(text.words.flatMap(word), text.profile, text.mode);
    return new Note(text.parts.map(part), text.between);
  };
  return part(says);
}

import {
  CommandLine,
  copsLine,
  joinedTexts,
  Note,
  type Placeholder,
  say,
  type Text,
} from '../../base/text/command-line.js';
import { spanIn } from '../../base/time/spans.js';
import { familyByCommand } from '../../catalogue/index.js';
import { synonymOf } from '../../catalogue/synonyms.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { dashed, takesWord, wordPositions, wordsOf } from '../parser/argv.js';
import { CAPABILITIES, type Card } from './capabilities.js';

/** The form of a word typed as a value. */
export type ValueForm = 'who' | 'amount' | 'day' | 'span' | 'name';

const NUMBER = /^(?:[$\u20ac\u00a3] ?)?\d[\d.,]*(?: ?(?:%|[$\u20ac\u00a3]|[A-Za-z]{3}))?$/;
const DAY =
  /^(?:until |till |to |on )?(?:\d{4}-\d\d(?:-\d\d)?|\d{1,2}[./]\d{1,2}[./]?(?:\d{2,4})?|(?:\d{1,2}\.? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?: \d{1,2})?(?:,? \d{4})?|tomorrow|next \w+)$/i;

/** The form of a word; undefined for an ordinary word. */
export function formOf(word: string): ValueForm | undefined {
  if (looksLikeId(word) || /\S@\S/.test(word) || /^#?[A-Z]{1,3}-\d+$/i.test(word)) return 'who';
  if (spanIn(word.replace(/^(?:\+|for |by )/, ''))) return 'span';
  if (DAY.test(word)) return 'day';
  if (NUMBER.test(word)) return 'amount';
  return /^[a-z][a-z-]*$/.test(word) ? undefined : 'name';
}

/** A line in the form that cards are matched against. */
interface Spoken {
  /** The stems of each word; the family counts as one word, whatever it is called. */
  readonly words: readonly (readonly string[])[];
  /** The family's command, or ''. */
  readonly family: string;
  readonly values: Readonly<Partial<Record<ValueForm, string>>>;
}

/** `charged`, `charges` and `charge` have one stem. */
function stem(word: string): string {
  const short = word.replace(/(?:ing|ed|es|s)$/, '').replace(/e$/, '');
  return short.length < 2 ? word : short.replace(/([bdgmnprt])\1$/, '$1');
}

/** Joined words as one and separately: `change-card` gives change, card and changecard. */
function stemsOf(word: string): string[] {
  const parts = dashed(word).replace(/^-+/, '').split('-').filter(Boolean);
  return [...new Set([...parts, parts.join('')])].map(stem);
}

function spokenOf(argv: readonly string[]): Spoken {
  const words: string[][] = [];
  const values: Partial<Record<ValueForm, string>> = {};
  const positions = new Set(wordPositions(argv));
  const [head = -1] = positions;
  const typed = dashed(argv[head] ?? '');
  const family = (familyByCommand(typed) ?? familyByCommand(synonymOf('command', typed)?.means ?? ''))?.command ?? '';
  for (const [at, word] of argv.entries()) {
    if (at === head && family !== '') {
      words.push([...stemsOf(typed), ...stemsOf(family)]);
      continue;
    }
    const [option = '', joined] = word.startsWith('--') ? word.split(/=(.*)/s, 2) : [];
    if (option !== '') words.push(...stemsOf(option).map((one) => [one]));
    const value = joined ?? (option === '' && positions.has(at) ? word : undefined);
    if (value === undefined) continue;
    const form = formOf(value) ?? (takesWord(argv[at - 1] ?? '') ? 'name' : undefined);
    if (form !== undefined) values[form] ??= value;
    if (form === undefined || form === 'name') words.push(...stemsOf(value).map((one) => [one]));
  }
  return { words, family, values };
}

/**
 * How many words of a card the line has; 0 unless it has all the words of one phrasing, each matched by a different
 * word.
 */
function fitOf({ said, of }: Card, { words, family }: Spoken, needed: readonly string[]): number {
  if (of && !of.includes(family)) return 0;
  let best = 0;
  for (const one of said) {
    const groups = one.split(' ').map((group) => group.split('|').map((word) => stem(word)));
    const used = new Set<readonly string[]>();
    const isSaid = groups.every((group) => {
      const found = words.find((stems) => !used.has(stems) && stems.some((each) => group.includes(each)));
      if (found) used.add(found);
      return found !== undefined;
    });
    const isAsked = needed.length === 0 || [...used].some(([first = '']) => needed.includes(first));
    if (isSaid && isAsked) best = Math.max(best, groups.length + (of ? 0.5 : 0));
  }
  return best;
}

/**
 * The hint for a line with more words than its command takes: the card it asks for, or the line about the one item it
 * names.
 */
export function surplusHint(argv: readonly string[], command: string): Text | undefined {
  const meant = cardHint(argv);
  if (meant !== undefined) return meant;
  const about = wordsOf(argv).filter((word) => formOf(word) === 'who');
  return about.length === 1 ? say`Did you mean "${copsLine([...command.split(' '), ...about])}"?` : undefined;
}

/** Most cards in an answer. */
const MOST_CARDS = 2;

/**
 * The cards that answer a line that cannot run, with the typed values filled in; undefined if none applies.
 * @param option the unknown option, if the rest of the line is right: a card must be about it
 */
export function cardHint(argv: readonly string[], option?: string): Text | undefined {
  const spoken = spokenOf(argv);
  const needed = option === undefined ? [] : stemsOf(option.replace(/=.*/s, ''));
  const fitting = CAPABILITIES.map((card) => ({ card, score: fitOf(card, spoken, needed) })).filter(
    ({ score }) => score > 0,
  );
  const best = Math.max(...fitting.map(({ score }) => score));
  const shown = fitting.filter(({ score }) => score === best).slice(0, MOST_CARDS);
  return shown.length === 0
    ? undefined
    : joinedTexts(
        shown.map(({ card }) => filledCard(card.text, spoken)),
        ' ',
      );
}

const FORMS: Readonly<Record<string, ValueForm>> = {
  '<who>': 'who',
  '<amount>': 'amount',
  '<part>': 'amount',
  '<day>': 'day',
  '<days>': 'span',
  '<name>': 'name',
  '<phone>': 'amount',
};

/** A text of the catalogue with the line's values in its placeholders. */
export function filledByForm(text: Text, argv: readonly string[]): Text {
  return filledCard(text, spokenOf(argv));
}

/** A text with typed values in its placeholders; without a value, `<part>` is dropped together with its option. */
function filledCard(text: Text, spoken: Spoken): Text {
  if (typeof text === 'string') return text;
  if (text instanceof Note)
    return new Note(
      text.parts.map((part) => filledCard(part, spoken)),
      text.between,
    );
  const words: (string | Placeholder)[] = [];
  for (const word of text.words) {
    const place = typeof word === 'string' ? '' : (/<[^>]*>/.exec(word.text)?.[0] ?? '');
    const value = typeof word === 'string' ? word : typedFor(place, words, spoken);
    if (typeof word === 'string') words.push(word);
    else if (value !== undefined) words.push(word.text.replace(place, () => value));
    else if (place === '<part>') words.pop();
    else words.push(word);
  }
  return new CommandLine(words, text.profile, text.mode);
}

/** The typed value for a placeholder after some words of a line; undefined if it would be wrong there. */
function typedFor(place: string, line: readonly (string | Placeholder)[], spoken: Spoken): string | undefined {
  const form = FORMS[place];
  const { values, family } = spoken;
  if (form === undefined) return undefined;
  const typed = values[form] ?? (form === 'who' ? values.name : undefined);
  if (typed === undefined) return undefined;
  if (place === '<days>') return daysIn(typed);
  // A percentage is always one of the amount paid.
  if (place === '<amount>' && typed.includes('%')) return undefined;
  // An id of one family is not an id of another.
  const of = line.at(-1) === '--customer' ? 'customers' : String(line[0]);
  const isElsewhere = family !== '' && family !== of && familyByCommand(of) !== undefined;
  return form === 'who' && looksLikeId(typed) && isElsewhere ? undefined : typed;
}

/** A span as a number of days, if it is in days or weeks. */
export function daysIn(typed: string): string | undefined {
  const span = spanIn(typed.replace(/^(?:\+|for |by )/, ''));
  return span?.unit === 'd' ? String(span.count) : span?.unit === 'w' ? String(span.count * 7) : undefined;
}

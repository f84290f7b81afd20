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
import type { FamilyOperation } from '../../catalogue/types.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { dashed, takesWord, wordPositions, wordsOf } from '../parser/argv.js';
import type { Card } from './capabilities.js';
import { CAPABILITIES, OF_BODIES } from './capabilities.js';

/** The form of a word typed as a value. */
export type ValueForm = 'who' | 'amount' | 'day' | 'span' | 'name';

const NUMBER = /^(?:[$\u20ac\u00a3] ?)?\d[\d.,]*(?: ?(?:%|[$\u20ac\u00a3]|[A-Za-z]{3}))?$/;
const DAY =
  /^(?:until |till |to |on )?(?:\d{4}-\d\d(?:-\d\d)?|\d{1,2}(?:\/\d{1,2}[./]?|\.\d{1,2}\.)(?:\d{2,4})?|(?:\d{1,2}\.? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?: \d{1,2})?(?:,? \d{4})?|tomorrow|next \w+)$/i;

/** The form of a word; undefined for an ordinary word. */
export function formOf(word: string): ValueForm | undefined {
  if (looksLikeId(word) || /\S@\S/.test(word) || /^#?[A-Z]{1,3}-\d+$/i.test(word)) return 'who';
  if (spanIn(word.replace(/^(?:\+|for |by )/, ''))) return 'span';
  if (DAY.test(word)) return 'day';
  if (NUMBER.test(word)) return 'amount';
  return /^[a-z][a-z-]*$/.test(word) ? undefined : 'name';
}

/** A value of a line. */
interface TypedValue {
  readonly text: string;
  readonly form: ValueForm;
  /** The stems of the option or field that it is the value of; none for a word by itself. */
  readonly of: readonly string[];
}

/**
 * A line prepared for matching against cards. `words`: the stems of each word; the family counts as one word, whatever
 * it is called. `family`: the family's command, or ''.
 */
type Spoken = ReturnType<typeof spokenOf>;

/** `charged`, `charges` and `charge` have one stem. */
function stem(word: string): string {
  const short = word
    .replace(/(?<!s)s$/, '')
    .replace(/(?:ing|ed)$/, '')
    .replace(/e$/, '');
  return short.length < 2 ? word : short.replace(/([bdgmnprt])\1$/, '$1');
}

const partsOf = (word: string): string[] =>
  dashed(word)
    .replace(/^-+/, '')
    .split(/[-.[\]]+/)
    .filter(Boolean);

/** Joined words as one and separately: `change-card` gives change, card and changecard. */
function stemsOf(word: string): string[] {
  const parts = partsOf(word);
  return [...new Set([...parts, parts.join('')])].map(stem);
}

function spokenOf(argv: readonly string[]) {
  const words: string[][] = [];
  const values: TypedValue[] = [];
  const positions = new Set(wordPositions(argv));
  const [head = -1] = positions;
  const typed = dashed(argv[head] ?? '');
  const family = (familyByCommand(typed) ?? familyByCommand(synonymOf('command', typed)?.means ?? ''))?.command ?? '';
  for (const [at, word] of argv.entries()) {
    if (at === head && family !== '') {
      words.push([...stemsOf(typed), ...stemsOf(family)]);
      continue;
    }
    const before = argv[at - 1] ?? '';
    // `-d field=value` does for a field what an option does.
    const isPart = word.startsWith('--') || (before === '-d' && word.includes('='));
    const [option = '', joined] = isPart ? word.split(/:?=(.*)/s, 2) : [];
    if (option !== '') words.push(...stemsOf(option).map((one) => [one]));
    const value = joined ?? (option === '' && positions.has(at) ? word : undefined);
    if (value === undefined) continue;
    const of = option !== '' ? option : takesWord(before) ? before : '';
    // `--weeks 2` is two weeks.
    const isUnit = /^\d+$/.test(value) && /^--(?:day|week|month|year)s$/.test(of);
    const form = isUnit ? 'span' : (formOf(value) ?? (of === '' ? undefined : 'name'));
    const text = isUnit ? `${value} ${of.slice(2)}` : value;
    if (form !== undefined) values.push({ text, form, of: partsOf(of).map(stem) });
    if (form === undefined || form === 'name') words.push(...stemsOf(value).map((one) => [one]));
  }
  return { words, family, values };
}

/**
 * The number of a card's words in the line; 0 unless the line has all the words of one phrasing, each as a different
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

/** Cards that are about certain families. */
export const CARDS_OF_FAMILIES: readonly Card[] = CAPABILITIES.filter(({ of }) => of !== undefined);

/**
 * Why a body has no such field; undefined if nothing is known about it. For an action that moves money, the answer is that
 * of the option with the same name: the service would ignore the field and still move the money.
 */
export function lackHint(
  { family, operation }: FamilyOperation,
  field: string,
  words: readonly string[],
): Text | undefined {
  const option = `--${field.replaceAll(/[_.]/g, '-')}`;
  const action = operation.action.split(' ');
  const isMoney = operation.risk === 'money' || operation.risk === 'irreversible';
  const isAction = isMoney && !['create', 'edit'].includes(action.at(-1) ?? '');
  return cardHint(
    [dashed(family.name), ...action, ...words, option],
    option,
    isAction ? [...CARDS_OF_FAMILIES, ...OF_BODIES] : CAPABILITIES.filter(({ lacks }) => lacks),
  );
}

/** Most cards in an answer. */
const MOST_CARDS = 2;

/**
 * The cards that answer a line that cannot run, with the typed values filled in; undefined if none applies.
 * @param option the unknown option, if the rest of the line is right: a card must be about it
 */
export function cardHint(
  argv: readonly string[],
  option?: string,
  cards: readonly Card[] = CAPABILITIES,
): Text | undefined {
  const spoken = spokenOf(argv);
  const needed = option === undefined ? [] : stemsOf(option.replace(/=.*/s, ''));
  const fitting = cards.map((card) => ({ card, score: fitOf(card, spoken, needed) })).filter(({ score }) => score > 0);
  const best = Math.max(...fitting.map(({ score }) => score));
  const shown = fitting.filter(({ score }) => score === best).slice(0, MOST_CARDS);
  return shown.length === 0
    ? undefined
    : joinedTexts(
        shown.map(({ card }) => filledCard(card.text, spoken)),
        ' ',
      );
}

/** The values that a placeholder accepts. */
interface Place {
  /** The form of a word by itself. */
  readonly form: ValueForm;
  /** All names of options or fields whose value fits there. */
  readonly of: ReadonlySet<string>;
}

const place = (form: ValueForm, of: string): Place => ({ form, of: new Set(of.split('|').map(stem)) });

/** Values of other options fit nowhere: three of something are not three dollars. */
const PLACES: Readonly<Record<string, Place>> = {
  '<who>': place('who', 'customer|who|person|buyer|client|id|for|of|order|sale|subscription|trial|number'),
  '<subscription>': place('who', 'subscription|id|for|of'),
  '<amount>': place('amount', 'amount|price|cost|fee|sum|total|value|new|to'),
  '<part>': place('amount', 'amount|part|partial|partially|sum|value|only|refund'),
  '<day>': place('day', 'until|till|to|on|at|date|day|next|renewal|renew|bill|billing|charge|due|anchor|new'),
  '<card>': place('amount', 'card|cc|last|4|paymentmethod|payment|method'),
  '<days>': place('span', 'for|by|during|days|weeks|months|another|more|extend'),
  '<coupon>': place('name', 'coupon|promo|voucher|code|discount'),
  '<profile>': place('name', 'plan|profile|subscription|frequency|interval|cycle|schedule|tier|to|new'),
  '<surname>': place('name', 'surname|lastname|last|family|name|married|new'),
  '<street>': place('name', 'address|street|line|1|shipping|ship|to|new'),
  '<phone>': place('amount', 'phone|telephone|mobile|cell|number|new'),
};

/** A text of the catalogue with the line's values in its placeholders. */
export const filledByForm = (text: Text, argv: readonly string[]): Text => filledCard(text, spokenOf(argv));

/** A text with typed values in its placeholders; with no sum at all, `<part>` is dropped together with its option. */
function filledCard(text: Text, spoken: Spoken): Text {
  if (typeof text === 'string') return text;
  if (text instanceof Note)
    return new Note(
      text.parts.map((part) => filledCard(part, spoken)),
      text.between,
    );
  const words: (string | Placeholder)[] = [];
  for (const word of text.words) {
    const name = typeof word === 'string' ? '' : (/<[^>]*>/.exec(word.text)?.[0] ?? '');
    const value = typeof word === 'string' ? word : typedFor(name, words, spoken);
    if (typeof word === 'string') words.push(word);
    else if (value !== undefined) words.push(word.text.replace(name, () => value));
    // A sum of unclear meaning is never dropped: without it, everything would be refunded.
    else if (name === '<part>' && !spoken.values.some(({ form }) => form === 'amount')) words.pop();
    else words.push(word);
  }
  return new CommandLine(words, text.profile, text.mode);
}

/** The typed value for a placeholder after some words of a line; undefined if it would be wrong there. */
function typedFor(name: string, line: readonly (string | Placeholder)[], spoken: Spoken): string | undefined {
  const { form, of: options } = PLACES[name] ?? {};
  if (form === undefined || options === undefined) return undefined;
  const fitting = spoken.values.filter((value) => value.form === form && value.of.every((one) => options.has(one)));
  const free = (wanted: ValueForm) => spoken.values.find((value) => value.form === wanted && value.of.length === 0);
  const [first] = fitting;
  // An id or address after an unknown switch is the subject of the line.
  const isWho = name === '<who>' || name === '<subscription>';
  const whose = isWho ? spoken.values.find((value) => value.form === 'who' && !isAddress(value)) : undefined;
  const typed = (free(form) ?? first ?? whose ?? (name === '<who>' ? free('name') : undefined))?.text;
  if (typed === undefined) return undefined;
  if (name === '<days>') return daysIn(typed);
  // A percentage is always one of the amount paid.
  if (name === '<amount>' && typed.includes('%')) return undefined;
  // A surname is one word: with more words, nobody can say which is which.
  if (name === '<surname>' && /\s/.test(typed)) return undefined;
  if (name === '<subscription>') return spoken.family === 'subscriptions' && looksLikeId(typed) ? typed : undefined;
  // An id of one family is not an id of another.
  const of = line.at(-1) === '--customer' ? 'customers' : String(line[0]);
  const { family } = spoken;
  const isElsewhere = family !== '' && family !== of && familyByCommand(of) !== undefined;
  return form === 'who' && looksLikeId(typed) && isElsewhere ? undefined : typed;
}

/** True for the value of an option that gives somebody a new address. */
const isAddress = ({ of }: TypedValue): boolean => of.some((one) => ['email', 'mail', 'to'].includes(one));

/** A span as a number of days, if it is in days or weeks. */
export function daysIn(typed: string): string | undefined {
  const span = spanIn(typed.replace(/^(?:\+|for |by )/, ''));
  return span?.unit === 'd' ? String(span.count) : span?.unit === 'w' ? String(span.count * 7) : undefined;
}

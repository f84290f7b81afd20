import { LEAF_TYPES, type LeafType } from '../../catalogue/leaf-types.js';
import { amountFault, spokenSum } from './amounts.js';
import { isNumber } from './decimals.js';
import { fieldPath, isKnown, typeAt, type Vocabulary } from './names.js';

/** A quoted text that ends where its piece ends. */
const QUOTED = /^(?:".*?"|'.*?'|\u201c.*?\u201d)(?=\s*(?:,|$))/s;
/** The place where a quote opens: at the beginning of a piece, or of the value in it. */
const OPENS = /(?:^|[=<>~])\s*$/;

/** Splits a text at its commas, except those in quotes. Pieces keep their quotes. */
export function commaPieces(text: string): string[] {
  const pieces = [''];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    const last = pieces.at(-1) ?? '';
    const quoted = OPENS.test(last) ? QUOTED.exec(text.slice(at))?.[0] : undefined;
    if (sign === ',' && quoted === undefined) pieces.push('');
    else pieces[pieces.length - 1] = `${last}${quoted ?? sign}`;
    if (quoted !== undefined) at += quoted.length - 1;
  }
  return pieces;
}

/** The text inside the quotes; the text itself if there are none. */
export function withoutQuotes(text: string): string {
  const trimmed = text.trim();
  return QUOTED.exec(trimmed)?.[0] === trimmed ? trimmed.slice(1, -1) : trimmed;
}

/** The beginning of a condition. */
const COMPARED = /^\s*([\w.@-][^"'=!<>~,]*)(?:!=|[<>]=?|==?|~)/;

/**
 * Conditions separated by commas; a piece without a comparison is one more value of the condition before it.
 * @param isName whether a text before a comparison may be a field; otherwise it belongs to a value
 */
export function commaConditions(text: string, isName: (name: string) => boolean = () => true): string[] {
  const found: string[] = [];
  for (const piece of commaPieces(text)) {
    // Quotes may surround the whole condition.
    const inside = withoutQuotes(piece);
    const isQuoted = inside !== piece.trim() && COMPARED.test(inside);
    const isList = isQuoted && inside.includes(',');
    const condition = isList ? `${inside.replace(COMPARED, '$&"')}"` : isQuoted ? inside : piece;
    const [, name] = COMPARED.exec(condition) ?? [];
    const isValue = found.length > 0 && (name === undefined || !isName(name.trim()));
    if (isValue) found.push(`${found.pop()},${piece}`);
    else if (piece.trim() !== '') found.push(condition);
  }
  return found.map((one) => one.trim());
}

/** `or` and `and` between two conditions: a field and a comparison follow. */
const JOINED = /\s+(or|and)\s+(?=[\w.@-]+\s*(?:[=<>~]|!=))/gi;

/** The text, as long as before, with everything in quotes masked. */
const masked = (text: string): string =>
  text.replace(/"[^"]*"|(?<=[=,~]\s*)'[^']*'/g, (quoted) => '_'.repeat(quoted.length));

/** Splits `status=overdue or amount>100` at a word between conditions; a text in quotes stays whole. */
export function splitAtWord(text: string, word: 'or' | 'and'): string[] {
  return partsOf(text, JOINED, ([, found]) => found?.toLowerCase() === word);
}

/** Splits a text at the matches outside quotes that `isCut` accepts; it also gets the text since the last cut. */
function partsOf(text: string, at: RegExp, isCut: (match: RegExpExecArray, before: string) => boolean): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const match of masked(text).matchAll(at)) {
    const before = text.slice(from, match.index);
    if (!isCut(match, before)) continue;
    parts.push(before);
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)].map((part) => part.trim());
}

/** A space, or `and`, before what may be another condition. */
const FURTHER = /\s+(?:and\s+)?(?=([\w.@-]+)\s*(?:[=<>~]|!=))/gi;

/**
 * Splits conditions with only a space or `and` between them: `status=active count>1`. A text in quotes and alternatives
 * with `or` stay whole.
 * @param isName whether a word before a comparison is a field; otherwise it belongs to a value
 */
export function blankConditions(text: string, isName: (name: string, before?: string) => boolean): string[] {
  if (splitAtWord(text, 'or').length > 1) return [text];
  return partsOf(text, FURTHER, ([, name = ''], part) => {
    const before = COMPARED.exec(part)?.[1];
    return before !== undefined && isName(name, before);
  });
}

/**
 * Tells whether a word starts a new condition: a field, a path over a relation, or any word after a value that is not
 * text, which the word could belong to.
 */
export function conditionStarts(vocabulary: Vocabulary, isRelation: (word: string) => boolean) {
  return (name: string, before?: string): boolean => {
    if (isKnown(vocabulary, fieldPath(vocabulary, name, 'path'))) return true;
    const [head = '', ...tail] = name.split('.');
    if (tail.length > 0 && isRelation(head)) return true;
    const type = before === undefined ? undefined : typeAt(vocabulary, fieldPath(vocabulary, before.trim(), 'path'));
    return type !== undefined && type !== 'text';
  };
}

/** The ways to read an operand. */
interface Listed {
  readonly values: readonly string[];
  /** The items may hold a value with the comma in it: the operand as typed is one more alternative. */
  readonly mayBeOne: boolean;
  /** How the comma was read, where that is not obvious. */
  readonly said?: string | undefined;
  /** Both readings of an ambiguous comma. */
  readonly unclear?: readonly [one: string, several: string] | undefined;
}

interface ListedField {
  readonly type: LeafType | undefined;
  readonly isMoney: boolean;
  /** True for numbers that may have decimals. */
  readonly hasFraction: boolean;
  /** Whether the field takes a text with commas as one value: a country, a day, one of its words. */
  isOne(operand: string): boolean;
}

/** The values that the commas of an operand separate. */
export function listedValues(operand: string, field: ListedField): Listed {
  const { type, isMoney, isOne } = field;
  const pieces = commaPieces(operand)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  const one = { values: [operand], mayBeOne: false };
  const isText = type === undefined || type === 'text';
  if (pieces.length < 2)
    return isText || pieces.length === 0 ? one : { ...one, values: [withoutQuotes(pieces[0] ?? '')] };
  const listed = { values: pieces.map(withoutQuotes), mayBeOne: isText };
  const isNumeric = isMoney || (type !== undefined && (LEAF_TYPES[type].sums || type === 'share'));
  if (isNumeric) return asNumber(operand, field, one) ?? listed;
  return isOne(operand) ? one : listed;
}

/** A number that contains a comma itself; undefined where commas separate numbers. */
function asNumber(operand: string, { isMoney, hasFraction }: ListedField, one: Listed): Listed | undefined {
  const areApart = !/,(?!\s)/.test(operand);
  if (areApart) return undefined;
  const spoken = spokenSum(operand)?.text ?? '';
  if (isMoney && isNumber(spoken))
    return { ...one, said: `${operand} is read as ${spoken}: put a space after each comma to list several amounts.` };
  // The amount's own fault gives both readings.
  if (isMoney && amountFault(operand) !== undefined) return one;
  const several = operand.replaceAll(',', ', ');
  if (/^\d{1,3}(?:,\d{3})+$/.test(operand)) return { ...one, unclear: [operand.replaceAll(',', ''), several] };
  if (hasFraction && /^\d+,\d+$/.test(operand)) return { ...one, unclear: [operand.replace(',', '.'), several] };
  return undefined;
}

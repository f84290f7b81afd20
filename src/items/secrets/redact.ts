import { asciiDigits, isCardNumber, isSecretByNames } from './secret-fields.js';

/** Removes secrets from everything shown or stored: by field name in JSON, and by value anywhere. */

/** Replacement for a secret: its last four characters if it is too long to guess from them. */
export function mask(secret: string): string {
  return secret.length >= 12 ? `****${secret.slice(-4)}` : '****';
}

/** Shortest secret to search for inside other text; shorter ones are masked only where they stand alone. */
const SHORTEST_INSIDE = 5;

/** Separators that people and services put between the digits of a card or account number. */
const BETWEEN = '(?:[ .\\-_/\\u00a0\\u2009\\u2011]|%20|\\+){0,2}';

/**
 * `text` with every occurrence of each secret masked, in all usual spellings: verbatim, JSON-escaped, URL-encoded,
 * hexadecimal, Base64, and digits grouped with spaces, dashes or dots. Codes of three or four characters (a card's) are
 * masked where they stand alone; searching for shorter secrets would hit innocent text.
 */
export function redact(text: string, secrets: readonly string[]): string {
  return new Redactor(secrets).text(text);
}

/**
 * JSON text with the secrets masked in its strings and numbers, every other byte unchanged; other text is masked
 * directly.
 */
export function redactJson(text: string, secrets: readonly string[]): string {
  return new Redactor(secrets).json(text);
}

const TEXT_OR_NUMBER = /"(?:[^"\\]|\\[\s\S])*"|-?\d[\d.eE+-]*/g;

/** `redact` and `redactJson` for many texts: builds the patterns only once. */
export class Redactor {
  #wanted: readonly { readonly pattern: RegExp; readonly shown: string }[] | undefined;

  constructor(private readonly secrets: readonly string[]) {}

  text(text: string): string {
    this.#wanted ??= [...this.secrets]
      .sort((a, b) => b.length - a.length)
      .flatMap((secret) => {
        const pattern = patternOf(secret);
        return pattern ? [{ pattern, shown: mask(secret) }] : [];
      });
    let clean = text;
    // A function, because in a replacement string `$&` and the like inside a secret would bring it back.
    for (const { pattern, shown } of this.#wanted) clean = clean.replace(pattern, () => shown);
    return clean;
  }

  json(text: string): string {
    const { secrets } = this;
    // Without escapes, each string appears in the text verbatim.
    if (secrets.length === 0 || (!text.includes('\\') && this.text(text) === text)) return text;
    if (!isJson(text)) return this.text(text);
    return text.replace(TEXT_OR_NUMBER, (token) => {
      if (!token.startsWith('"'))
        return secrets.some((one) => one.length >= SHORTEST_INSIDE && one === token) ? '"****"' : token;
      const plain = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
      const clean = this.text(plain);
      return clean === plain ? token : JSON.stringify(clean);
    });
  }
}

/** A pattern for a secret in all its spellings. */
function patternOf(secret: string): RegExp | undefined {
  if (secret.length < 3) return undefined;
  if (secret.length < SHORTEST_INSIDE) {
    return new RegExp(`(?<![\\w.]|\\d,)${quoted(secret)}(?![\\w]|[.,]\\d)`, 'g');
  }
  const digits = secret.replace(/[ .\-_/]/g, '');
  const grouped = /^\d{8,}$/.test(digits);
  const forms = new Set([secret, ...(grouped ? [digits] : [])].flatMap(formsOf));
  if (grouped) forms.add(`(?<!\\d)${[...digits].join(BETWEEN)}(?!\\d)`);
  return new RegExp([...forms].sort((one, other) => other.length - one.length).join('|'), 'g');
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const eitherCase = (digit: string) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit);
  return [
    quoted(secret),
    quoted(JSON.stringify(secret).slice(1, -1)),
    // Decoded again, a lone half of a pair is a character that has a code.
    anyCaseCodes(encodeURIComponent(bytes.toString())),
    anyCaseCodes(new URLSearchParams([['', secret]]).toString().slice(1)),
    ...base64Forms(bytes),
    [...bytes.toString('hex')].map(eitherCase).join(''),
  ];
}

/** Patterns for Base64 in both alphabets, with and without padding. */
function base64Forms(bytes: Buffer): string[] {
  const open = bytes.toString('base64').replace(/=+$/, '');
  // Without its padding a short one would match innocent text.
  const end = open.length < 10 ? '={1,2}' : '={0,2}';
  return [open, bytes.toString('base64url')].map((text) => quoted(text) + end);
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** A pattern in which the letters of `%2F` match in either case. */
function anyCaseCodes(text: string): string {
  return quoted(text).replace(/%([0-9A-F])([0-9A-F])/g, (_, one: string, two: string) => {
    const either = (digit: string) => (/[A-F]/.test(digit) ? `[${digit}${digit.toLowerCase()}]` : digit);
    return `%${either(one)}${either(two)}`;
  });
}

/** Hides a key in bodies of the service, whichever command reads them; a body without the key is only searched. */
export function keyFilter(key: string): (body: Buffer) => Buffer {
  const bytes = Buffer.from(key);
  const coded = [encodeURIComponent(key), new URLSearchParams([['', key]]).toString().slice(1)];
  const texts = [
    key,
    ...coded,
    ...coded.map((text) => text.replace(/%../g, (code) => code.toLowerCase())),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ];
  // As a JSON string, and as JSON inside such a string.
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const all = texts.flatMap((text) => [text, inJson(text), inJson(inJson(text))]);
  const spellings = [...new Set(all)].map((text) => Buffer.from(text));
  const redactor = new Redactor([key]);
  return (body) =>
    spellings.some((spelling) => body.includes(spelling)) ? Buffer.from(redactor.json(body.toString('utf8'))) : body;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function maskedValue(name: string | number | undefined, value: unknown): string {
  // The last four digits identify a card to its owner and are printed on every receipt.
  if (name === 'card_number' && typeof value === 'string' && /^[\d -]{12,}$/.test(value)) return mask(value);
  return '****';
}

const TOKEN = /\s+|"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON text with secrets masked by field name and every other byte unchanged. Text that is not JSON is not shown at
 * all: what cannot be read cannot be cleaned. Calls `found` with each string or number it masks.
 */
export function maskJson(text: string, found?: (secret: string) => void): string {
  try {
    JSON.parse(text);
    return maskTokens(text.match(TOKEN) ?? [], found);
  } catch {
    return `[${Buffer.byteLength(text)} bytes that are not JSON]`;
  }
}

function maskTokens(tokens: readonly string[], found?: (secret: string) => void): string {
  const out: string[] = [];
  const path: (string | number)[] = [];
  let at = 0;
  const blank = () => {
    while (/^\s/.test(tokens[at] ?? '')) out.push(tokens[at++] ?? '');
  };
  const take = () => {
    blank();
    const token = tokens[at++] ?? '';
    out.push(token);
    return token;
  };
  const peek = () => {
    blank();
    return tokens[at] ?? '';
  };
  const value = () => {
    const first = peek();
    const start = out.length;
    if (first === '{' || first === '[') {
      const close = first === '{' ? '}' : ']';
      take();
      for (let index = 0; peek() !== close; index += 1) {
        if (index > 0) take();
        path.push(close === '}' ? (JSON.parse(take()) as string) : index);
        if (close === '}') take();
        value();
        path.pop();
      }
      take();
    } else take();
    const plain = first.startsWith('"') ? (JSON.parse(first) as string) : first;
    // An encrypted variable has the form `{encrypted, value}`, so its value is hidden whatever is next to it.
    const isSecret = isSecretByNames(path) || (path.at(-1) === 'value' && path.includes('environment_variables'));
    const cards = isSecret ? [] : cardsIn(plain);
    if (first === 'null' || !(cards.length > 0 || isSecret)) return;
    const shown = isSecret ? maskedValue(path.at(-1), first.startsWith('"') ? plain : undefined) : hideCards(plain);
    if (found && !isSecret) for (const card of cards) found(card);
    else if (found)
      for (const [text] of out
        .slice(start)
        .join('')
        .matchAll(/"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d[\d.]*/g))
        found(text.startsWith('"') ? (JSON.parse(text) as string) : text);
    out.splice(start, out.length - start, JSON.stringify(shown));
  };
  value();
  blank();
  return out.join('');
}

/**
 * Masks card numbers in free text, grouped or not, recognised by their check digit; keeps our own paths and UUIDs,
 * which people need to type.
 */
export function hideCards(text: string, folders: readonly string[] = []): string {
  if (!MAY_HOLD_CARD.test(text)) return text;
  const own = folders.flatMap((folder) => [folder, JSON.stringify(folder).slice(1, -1)]);
  const kept = [...own.map((folder) => `${folder.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}[/\\\\][\\w./\\\\-]*`), UUID];
  const pattern = folders.length === 0 ? UUID_OR_CARD : new RegExp(`(${kept.join('|')})|${CARD.source}`, 'gi');
  // Each foreign digit is replaced by one of ours, so that positions stay the same.
  const plain = asciiDigits(text);
  let shown = '';
  let end = 0;
  for (const match of plain.matchAll(pattern)) {
    const [found, stays] = match;
    if (stays !== undefined || !isCardAt(plain, match)) continue;
    shown += `${text.slice(end, match.index)}****${found.replace(/\D/g, '').slice(-4)}`;
    end = match.index + found.length;
  }
  return shown + text.slice(end);
}

/** A record as JSON text, as histories, journals and ledgers store it: no card number, whoever gave it. */
export function recordText(record: object): string {
  const text = JSON.stringify(record);
  if (!holdsCard(text)) return text;
  return text.replace(TEXT_OR_NUMBER, (token) => {
    const shown = hideCards(token);
    return shown === token || token.startsWith('"') ? shown : `"${shown}"`;
  });
}

/** True for a text that contains a card number. */
export function holdsCard(text: string): boolean {
  return hideCards(text) !== text;
}

/** True for what reads as a card number, except that with a plus in front, up to 15 digits are a phone number. */
function isCardAt(text: string, { 0: found, index }: { readonly 0: string; readonly index: number }): boolean {
  const digits = found.replace(/\D/g, '');
  return isCardNumber(digits) && !(digits.length <= 15 && /(?<!\w)\+$/.test(text.slice(Math.max(0, index - 2), index)));
}

/** A URL with the card numbers in its path and query masked, however they are encoded. */
export function hideCardsInUrl(url: string): string {
  return redact(url, cardsInUrl(url));
}

/** The card numbers in a URL: as written there, and as bare digits. */
export function cardsInUrl(url: string): readonly string[] {
  return url.split(/[/?&=#]/).flatMap((part) => cardsIn(decoded(part)));
}

/** The card numbers in a text: as written there, and as bare digits. */
function cardsIn(text: string): readonly string[] {
  const plain = asciiDigits(text);
  const found = [...plain.matchAll(new RegExp(CARD.source, 'gi'))].filter((match) => isCardAt(plain, match));
  return found.flatMap(({ 0: card, index }) => [card.replace(/\D/g, ''), text.slice(index, index + card.length)]);
}

function decoded(part: string): string {
  const text = part.replaceAll('+', ' ');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const UUID = '(?<!\\w)[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}(?!\\w)';
/** Finds at least every card that `CARD` finds, and is much faster: every stored record is checked. */
const MAY_HOLD_CARD = /[^\0-\x7f]|(?<![\w.])[2-6](?:[ ._/-]?\d){12,18}(?!\w)/;
const CARD =
  /(?<![\w.])[2-6](?:(?:[ -]?\d){12,18}|\d{3}(?<dot>[._/\u00a0])\d{4,6}\k<dot>\d{4,5}(?:\k<dot>\d{1,4})?)(?![\w]|\.\d)/;
const UUID_OR_CARD = new RegExp(`(${UUID})|${CARD.source}`, 'gi');

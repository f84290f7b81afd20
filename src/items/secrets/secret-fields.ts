import { bodyFieldAt, rootField } from '../../catalogue/body-fields.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { isEmpty, isObject, NumberText, ownMember, type Tree, type TreeObject, walk } from '../json/tree.js';

/**
 * Names whose value is secret anywhere, even where the fields of a body are unknown: card data of
 * service.md#new-customers, bank accounts, the recaptcha secret of 2.6, and the usual names of credentials. A single
 * list, so that refusals on the command line and masking in dry runs and traces always agree.
 */
const SECRET_NAMES: ReadonlySet<string> = new Set(
  `account_number authorization bank_account_number card_code card_cvc card_cvv card_num card_number
  card_security_code cardnumber cc_number credit_card_number gateway_raw_response pan passphrase
  passwd proxy_authorization routing_number security_code`.split(/\s+/),
);

/** Endings that make any name secret: `smtp_password`, `webhook_secret`, `x_api_key`, `bearer_token`. */
const SECRET_ENDINGS =
  /(^|_)(password|secret|(secret|private|api)_key|(access|api|auth|bearer|refresh)_token|cvv2?|cvc2?)$/;

/** Objects of credentials: everything in them is secret, except the names that only identify them. */
const CONTAINERS: ReadonlySet<string> = new Set(['credential', 'credentials', 'third_party_credentials']);
const PLAIN_IN_CONTAINER: ReadonlySet<string> = new Set(['id', 'name', 'description', 'enabled']);

type Parts = readonly (string | number)[];

/** True for a name that is secret anywhere, in any spelling: `cardNumber`, `card-number`. */
export function isSecretName(name: string): boolean {
  const plain = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll('-', '_');
  return SECRET_NAMES.has(plain) || SECRET_ENDINGS.test(plain);
}

/** True when the names on a path alone make its value secret: its own, or an ancestor's. */
export function isSecretByNames(parts: Parts): boolean {
  const names = parts.filter((part) => typeof part === 'string');
  if (names.some(isSecretName)) return true;
  const last = names.at(-1) ?? '';
  if (names.some((name) => CONTAINERS.has(name)) && !PLAIN_IN_CONTAINER.has(last)) return true;
  // `fields: [{id, value}]` is how gateways and fulfillment accounts take credentials (service.md#integrations,
  // service.md#other-families).
  return last === 'value' && names.at(-2) === 'fields' && !names.some((name) => name.endsWith('_options'));
}

/** Issued ranges of card numbers, with their lengths; the longer ones where schemes differ. */
const CARD_RANGES = new RegExp(
  `^(?:${[
    '220[0-4]\\d{12}', // Mir
    '2(?:22[1-9]|2[3-9]\\d|[3-6]\\d\\d|7[01]\\d|720)\\d{12}', // Mastercard
    '3[47]\\d{13}', // American Express
    '3[05689]\\d{12,17}', // Diners, JCB
    '4\\d{12}(?:\\d{3}){0,2}', // Visa
    '5[1-5]\\d{14}', // Mastercard
    '5[0678]\\d{11,17}', // Maestro
    '6\\d{12,18}', // Discover, UnionPay, Maestro, RuPay
  ].join('|')})$`,
);

/** How card numbers are written: in one piece, or in groups. */
const WRITTEN = /^(?:\d(?:[ -]?\d){12,18}|\d{4}(?<dot>[._/\u00a0])\d{4,6}\k<dot>\d{4,5}(?:\k<dot>\d{1,4})?)$/;

/** True for a card number: digits from an issued range, possibly grouped, with a valid check digit. */
export function isCardNumber(text: string): boolean {
  const plain = asciiDigits(text.trim());
  if (!WRITTEN.test(plain)) return false;
  const digits = plain.replace(/\D/g, '');
  return CARD_RANGES.test(digits) && hasCheckDigit(digits);
}

function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    sum += index % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0);
  }
  return sum % 10 === 0;
}

/** True when the value at a path is secret, by its field, its name, or an ancestor. */
export function isSecretPath(operation: Operation | undefined, parts: Parts): boolean {
  if (isSecretByNames(parts)) return true;
  return (
    operation !== undefined && parts.some((_, index) => bodyFieldAt(operation, parts.slice(0, index + 1)).field?.secret)
  );
}

/** Every place in a body that holds a secret, in order; nothing below such a place is listed again. */
export function secretPlaces(operation: Operation | undefined, body: Tree): (string | number)[][] {
  const places: (string | number)[][] = [];
  walk(body, (parts, value, parent) => {
    const last = places.at(-1);
    if (last?.every((part, index) => parts[index] === part)) return;
    if (isEmpty(value)) return;
    const bySchema = operation !== undefined && bodyFieldAt(operation, parts).field?.secret === true;
    const name = parts.at(-1);
    const whole = bySchema || (typeof name === 'string' && isSecretName(name));
    const leaf = typeof value !== 'object' || !(Array.isArray(value) || isObject(value));
    // Where the service's field names are unknown, a card number is recognised by its digits.
    const card = leaf && !(operation && bodyFieldAt(operation, parts).field) && isCardNumber(plainText(value));
    // The service hides the value of an encrypted variable on retrieval (service.md#other-items), so it is hidden here
    // too.
    const encrypted = name === 'value' && isObject(parent) && parent.encrypted === true;
    if (whole || encrypted || card || (leaf && isSecretPath(operation, parts))) places.push([...parts]);
  });
  return places;
}

const plainText = (value: Tree | undefined): string => (value instanceof NumberText ? value.text : String(value));

/** Paths of an operation's secret fields, as patterns (`fields[].value`), for help and prompts. */
export function secretFields(operation: Operation): string[] {
  const found: string[] = [];
  const step = (field: Field, path: string, parts: Parts): void => {
    for (const [name, member] of Object.entries(field.fields ?? {})) {
      const below = path === '' ? name : `${path}.${name}`;
      const inside = [...parts, name];
      const plain = member.fields === undefined && member.items === undefined;
      if (member.secret || isSecretName(name) || (plain && isSecretPath(operation, inside))) found.push(below);
      else step(member, below, inside);
    }
    if (field.items) step(field.items, `${path}[]`, [...parts, 0]);
  };
  step(rootField(operation), '', []);
  return found;
}

/**
 * The places to ask for with a masked prompt: required secrets, and those missing from a given object (a card's
 * number).
 */
export function secretsToAsk(operation: Operation, body: TreeObject): (string | number)[][] {
  const places: (string | number)[][] = [];
  const step = (value: Tree | undefined, field: Field, parts: Parts): void => {
    if (field.type === 'array' && field.items && Array.isArray(value))
      for (const [index, element] of value.entries()) step(element, field.items, [...parts, index]);
    if (field.type !== 'object' || !isObject(value)) return;
    for (const [name, member] of Object.entries(field.fields ?? {})) {
      const place = [...parts, name];
      const given = ownMember(value, name);
      if (member.fields || member.items) step(given, member, place);
      else if (given === undefined && isSecretPath(operation, place) && (parts.length > 0 || member.required)) {
        places.push(place);
      }
    }
  };
  step(body, rootField(operation), []);
  return places;
}

/** A text with the digits of other scripts (full-width, Arabic) converted to ASCII, at the same positions. */
export const asciiDigits = (text: string): string =>
  /[^\0-\x7f]/.test(text) ? text.replace(/(?!\d)\p{Nd}/gu, digitOf) : text;

/** The digits of a script are consecutive, starting at its zero. */
function digitOf(digit: string): string {
  // Beyond the basic plane a digit takes two code units.
  if (digit.length > 1) return digit;
  let value = 0;
  for (let code = digit.charCodeAt(0) - 1; value < 9 && /\p{Nd}/u.test(String.fromCharCode(code)); code -= 1)
    value += 1;
  return String(value);
}

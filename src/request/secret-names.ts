import type { Field, Operation } from '../catalogue/types.js';
import { isCardNumber } from '../http/redact.js';
import { fieldAt, rootField } from './fields.js';
import { get, isObject, NumberText, type Tree, type TreeObject, walk } from './tree.js';

/**
 * Names that hold a secret wherever they stand, also in bodies whose fields are not known: card data of spec
 * 4.10, the recaptcha secret of 2.6, and the usual names of credentials.
 */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'card_number',
  'card_num',
  'cardnumber',
  'credit_card_number',
  'cc_number',
  'pan',
  'card_code',
  'card_cvv',
  'card_cvc',
  'card_security_code',
  'security_code',
  'cvv',
  'cvv2',
  'cvc',
  'cvc2',
  'secret',
  'secret_key',
  'client_secret',
  'api_secret',
  'api_key',
  'api_token',
  'access_token',
  'refresh_token',
  'auth_token',
  'bearer_token',
  'private_key',
  'password',
  'passphrase',
  'passwd',
  'x_api_key',
]);

/** Objects of credentials: what is in them is secret, apart from the names that only say which one it is. */
const CONTAINER_NAMES: ReadonlySet<string> = new Set(['credential', 'credentials', 'third_party_credentials']);
const PLAIN_IN_CONTAINER: ReadonlySet<string> = new Set(['id', 'name', 'description', 'enabled']);

type Parts = readonly (string | number)[];

const SECRET_ENDINGS =
  /_(password|secret|secret_key|private_key|api_key|access_token|auth_token|refresh_token|cvv2?|cvc2?)$/;

/** True for a name that holds a secret wherever it stands, however it is spelled: `cardNumber`, `card-number`. */
export function isSecretName(name: string): boolean {
  const plain = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll('-', '_');
  return SECRET_NAMES.has(plain) || SECRET_ENDINGS.test(plain);
}

/** True when a value at the path is secret, by its field, its name, or what it is part of. */
export function isSecretPath(operation: Operation | undefined, parts: Parts): boolean {
  const names = parts.filter((part) => typeof part === 'string');
  if (names.some(isSecretName)) return true;
  if (operation && parts.some((_, index) => fieldAt(operation, parts.slice(0, index + 1)).field?.secret)) return true;
  const last = names.at(-1) ?? '';
  if (names.some((name) => CONTAINER_NAMES.has(name)) && !PLAIN_IN_CONTAINER.has(last)) return true;
  // `fields: [{id, value}]` is how gateways and fulfillment accounts take their credentials (spec 2.7, 4.13).
  return last === 'value' && names.at(-2) === 'fields' && !names.some((name) => name.endsWith('_options'));
}

/** Every place of a body that holds a secret, in order; nothing below a place is listed again. */
export function secretPlaces(operation: Operation | undefined, body: Tree): (string | number)[][] {
  const places: (string | number)[][] = [];
  walk(body, (parts, value, parent) => {
    const last = places.at(-1);
    if (last?.every((part, index) => parts[index] === part)) return;
    if (isEmpty(value)) return;
    const bySchema = operation !== undefined && fieldAt(operation, parts).field?.secret === true;
    const name = parts.at(-1);
    const whole = bySchema || (typeof name === 'string' && isSecretName(name));
    const leaf = typeof value !== 'object' || !(Array.isArray(value) || isObject(value));
    // Where the service's names are not known, a card number is known by itself.
    const card = leaf && !(operation && fieldAt(operation, parts).field) && isCardNumber(plainText(value));
    // The value of an encrypted variable is hidden on retrieval (spec 2.8), so it is hidden here.
    const encrypted = name === 'value' && isObject(parent) && parent.encrypted === true;
    if (whole || encrypted || card || (leaf && isSecretPath(operation, parts))) places.push([...parts]);
  });
  return places;
}

function plainText(value: Tree | undefined): string {
  return value instanceof NumberText ? value.text : String(value);
}

function isEmpty(value: Tree | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** Paths of the secret fields of an operation, as patterns (`fields[].value`), for help and prompts. */
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
 * Secrets that a body leaves open although what they belong to is there (a card without its number), and required
 * ones: the places that a masked prompt may fill, in order.
 */
export function secretsToAsk(operation: Operation, body: TreeObject): (string | number)[][] {
  const places: (string | number)[][] = [];
  const step = (value: Tree | undefined, field: Field, parts: Parts): void => {
    if (field.type === 'array' && field.items && Array.isArray(value)) {
      for (const [index, element] of value.entries()) step(element, field.items, [...parts, index]);
    }
    if (field.type !== 'object' || !isObject(value)) return;
    for (const [name, member] of Object.entries(field.fields ?? {})) {
      const place = [...parts, name];
      const given = get(value, name);
      if (member.fields || member.items) step(given, member, place);
      else if (given === undefined && isSecretPath(operation, place) && (parts.length > 0 || member.required)) {
        places.push(place);
      }
    }
  };
  step(body, rootField(operation), []);
  return places;
}

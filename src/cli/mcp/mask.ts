import { Digits, get, type Lossless, parseLossless, textOf } from '../../items/json/lossless.js';

/** Fields that hold a customer's personal data, or text that people wrote. */
const PERSONAL =
  /(^|_)(emails?|phones?|mobile|fax|first_name|last_name|full_name|middle_name|company|address(_?\d)?|street\d?|line_?\d|city|zip|zip_code|postal|postal_code|post_code|state|province|ip|ip_address|user_agent|birth\w*|dob|ssn|tax_id|vat_id|passport|note|notes|message|messages|text|content|subject|body|comment|comments|transcript|summary|last_4|last4|first_6|bin|holder|cardholder\w*|latitude|longitude|username|avatar|value|signature|description)$/i;
const NAMED_BY = /customer|shipping|billing|recipient|contact|user|person|buyer/i;
/** A name of a person, recognised by its prefix: `recipient_name`, but not `shipping_profile_name`. */
const NAME_OF_PERSON =
  /^(customer|ship_?to|shipping|bill_?to|billing|recipient|contact|user|person|buyer|payer|payee|sender|(account_|card_?)?holder)_name$/i;
const EXPIRY = /^(expiry|exp)(_(date|month|year))?$/i;
const EMAIL = /[^\s"'<>@,;:]+@[^\s"'<>@,;:]+/g;
export const MASKED = '(masked)';

/** True for a field, by its dotted path, whose value `--mask` hides. */
export function isPersonal(path: string, family = ''): boolean {
  const parts = path.split('.').map((part) => part.replace(/\[.*$/, ''));
  const name = parts.at(-1) ?? '';
  if (parts.includes('metadata')) return true;
  if (name === 'name') return [...parts.slice(0, -1), family].some((part) => NAMED_BY.test(part));
  if (EXPIRY.test(name)) return [...parts.slice(0, -1), family].some((part) => /card|payment/i.test(part));
  return PERSONAL.test(name) || NAME_OF_PERSON.test(name);
}

/** Names of columns whose text never identifies a person. */
const PLAIN =
  /(^|_)(id|ids|unix|date|day|month|created|updated|at|status|type|kind|result|currency|mode|outcome|interval|brand|country|family|code|gateway|processor|product|campaign|sku)$|^(product|campaign|gateway|profile|group|site|shop|project)_name$/i;

/** What a column of a mirror may show while personal data is hidden: text that may identify a person stays hidden. */
export function shownColumn(column: string, families: readonly string[]): 'all' | 'numbers' | 'none' {
  if (families.some((family) => isPersonal(column, family))) return 'none';
  return PLAIN.test(column) ? 'all' : 'numbers';
}

/** JSON text with personal values hidden; numbers keep their digits. */
export const maskPersonal = (text: string, family: string): string => write(parseLossless(text), '', family);

/** A sentence with people's addresses hidden. */
export const maskSentence = (text: string): string => text.replace(EMAIL, MASKED);

function write(value: Lossless, path: string, family: string): string {
  if (value instanceof Map) {
    const members = [...value].map(([name, member]) => {
      const at = path === '' ? name : `${path}.${name}`;
      const hidden = isPersonal(at, family) && member !== null && typeof member !== 'boolean' && !isEmpty(member);
      return `${JSON.stringify(name)}:${hidden ? JSON.stringify(MASKED) : write(member, at, family)}`;
    });
    return `{${members.join(',')}}`;
  }
  if (Array.isArray(value)) return `[${value.map((one) => write(one, path, family)).join(',')}]`;
  return textOf(typeof value === 'string' ? maskSentence(value) : value);
}

const isEmpty = (value: Lossless): boolean => value === '' || (Array.isArray(value) && value.length === 0);

/** JSON text as plain values; a number that would lose digits in JavaScript becomes a string. */
export const plainOf = (raw: string): unknown => plain(parseLossless(raw));

function plain(value: Lossless): unknown {
  if (value instanceof Digits) return isExact(value.text) ? Number(value.text) : value.text;
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, one]) => [name, plain(one)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

function isExact(text: string): boolean {
  const digits = text.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '');
  return digits.length <= 15 && Number.isFinite(Number(text));
}

/** Only these paths of an item, as an object keyed by path; digits stay as received. */
export function pick(raw: string, paths: readonly string[]): string {
  const tree = parseLossless(raw);
  const valueAt = (path: string): Lossless => (tree instanceof Map && tree.get(path)) || (get(tree, path) ?? null);
  return `{${paths.map((path) => `${JSON.stringify(path)}:${textOf(valueAt(path))}`).join(',')}}`;
}

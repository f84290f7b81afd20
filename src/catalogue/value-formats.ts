import { countryMeant, isCountry, isCurrency } from './iso-codes.js';
import type { FieldFormat } from './types.js';

/** What is wrong with a text for a format, in words that say what to write instead; undefined when it is right. */
export function formatFault(format: FieldFormat, text: string): string | undefined {
  return RULES[format](text);
}

type Rule = (text: string) => string | undefined;

const expect =
  (holds: (text: string) => boolean, message: string): Rule =>
  (text) =>
    holds(text) ? undefined : message;

const RULES: Readonly<Record<FieldFormat, Rule>> = {
  id: idFault,
  email: expect(isEmail, 'is not an e-mail address'),
  'date-time': expect(isDateTime, 'is not a date and time such as 2026-01-31T10:00:00Z'),
  unix: expect((text) => /^\d{1,12}$/.test(text), 'is not a time in unix seconds'),
  country: (text) =>
    isCountry(text) ? undefined : `is not a country by its three letters of ISO 3166-1${countryHint(text)}`,
  currency: (text) =>
    isCurrency(text) ? undefined : `is not a currency of ISO 4217${capitals(text, isCurrency, 'USD')}`,
  url: expect(isUrl, 'is not a web address that begins with https:// or http://'),
  ipv4: expect(isIpv4, 'is not a single IPv4 address such as 203.0.113.7'),
  timezone: expect(isTimezone, 'is not an IANA time zone such as Europe/Berlin'),
  cron: expect(isCronForm, 'is not a cron expression of five parts such as "0 6 * * 1"'),
  digits: expect((text) => /^\d+$/.test(text), 'may hold digits only'),
};

function countryHint(text: string): string {
  const meant = countryMeant(text);
  return meant === undefined ? capitals(text, isCountry, 'USA') : ` (${text.trim()} is ${meant})`;
}

function capitals(text: string, known: (code: string) => boolean, example: string): string {
  const upper = text.toUpperCase();
  return known(upper) ? ` (write ${upper})` : ` (such as ${example})`;
}

/**
 * An identifier is exactly 20 characters (service.md#conventions); which ones is not said, so anything printable passes
 * but spaces and slashes, which are never part of one and would change the path.
 */
export function idFault(text: string): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(text) || /[/\\]/.test(text)) return 'holds a character that no id has';
  if (text.length !== 20) return `is not an id: 20 characters are expected, these are ${text.length}`;
  return undefined;
}

/**
 * True for a word that can only be an id: 20 characters of which ids are made (service.md#conventions). It is never taken as a
 * name. No id holds an `@`.
 */
export function looksLikeId(word: string): boolean {
  return idFault(word) === undefined && !word.includes('@');
}

/** The plain form of an address: one `@`, no spaces, a domain of dotted labels. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || text.length > 254 || local.length > 64) return false;
  if (/[\s\u0000-\u001f\u007f<>()[\],;:"\\@]/.test(local) || local.startsWith('.') || local.endsWith('.')) return false;
  if (local.includes('..')) return false;
  return /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u.test(
    domain,
  );
}

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?$/;

function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= days && hour <= 23 && minute <= 59 && second <= 60;
}

function isUrl(text: string): boolean {
  if (/\s/.test(text) || !/^https?:\/\/[^/]/i.test(text)) return false;
  return URL.canParse(text);
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/** An IANA name that this runtime knows; offsets such as `+02:00` are not names. */
export function isTimezone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Five parts of cron's characters; whether they make sense is told by the schedule check. */
export function isCronForm(text: string): boolean {
  const parts = text.trim().split(/\s+/);
  return parts.length === 5 && parts.every((part) => /^[\dA-Za-z*,/?#-]+$/.test(part));
}

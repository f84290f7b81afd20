import { usage } from '../errors/errors.js';
import { didYouMean } from '../errors/nearest.js';
import { isLoopback } from '../http/base-url.js';
import { FORMATS } from '../output/formats.js';
import { IDEMPOTENCY_CHOICES, MODES } from './shape.js';
import type { Mode } from './types.js';

/** Highest request rate that can be meant, requests a second. */
const HIGHEST_RATE = 10_000;

/**
 * A base URL without the slash at its end. `https` only, except for loopback addresses (command line, section 3).
 * @throws CopsError `usage` naming `source`
 */
export function checkBaseUrl(text: string, source: string): string {
  const bad = (why: string, hint?: string) => usage(`The base URL from ${source} ${why}.`, hint);
  if (text.trim() === '') throw bad('is empty');
  if (/[\s\x00-\x1f\x7f]/.test(text)) throw bad('has spaces or control characters in it');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw bad('is not a URL', 'It looks like https://api.example.com/v2.');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw bad('does not begin with https://', 'It looks like https://api.example.com/v2.');
  if (url.username !== '' || url.password !== '')
    throw bad('holds a user name or password', 'The service knows you by a key: `cops login`.');
  if (url.search !== '' || url.hash !== '' || text.includes('?') || text.includes('#'))
    throw bad('has a query or a fragment', 'Leave out everything from ? or # on.');
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw bad('begins with http://, which would send the key unprotected', 'Use https://.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

export function checkMode(text: string, source: string): Mode {
  return oneOf(text, MODES, 'mode', source);
}

export function checkOutput(text: string, source: string): string {
  return oneOf(text, FORMATS, 'output format', source);
}

export function checkIdempotency(text: string, source: string): (typeof IDEMPOTENCY_CHOICES)[number] {
  return oneOf(text, IDEMPOTENCY_CHOICES, 'idempotency_key setting', source);
}

export function checkZone(text: string, source: string): string {
  if (text === 'UTC') return text;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text;
  } catch {
    const near = didYouMean(text, Intl.supportedValuesOf('timeZone'));
    throw usage(`${shown(text)} (${source}) is no time zone.${near}`, 'It looks like Europe/Berlin or UTC.');
  }
}

export function checkRate(text: string, source: string): number {
  const rate = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!(rate > 0 && rate <= HIGHEST_RATE))
    throw usage(`${shown(text)} (${source}) is no rate.`, 'It is a number of requests a second, above 0.');
  return rate;
}

export function checkWalletWord(text: string, source: string): string {
  if (!/^[a-z][a-z0-9]{0,31}$/.test(text))
    throw usage(`${shown(text)} (${source}) is no word for wallet.`, 'It is lower-case letters and digits.');
  return text;
}

/** A pattern of web addresses: `https://`, with a place for the id. */
export function checkWebUrl(text: string, source: string): string {
  const filled = text.replaceAll('{family}', 'family').replaceAll('{id}', 'id');
  const right =
    /^https?:\/\/[^/]/.test(text) && URL.canParse(filled) && !/[\s{}]/.test(filled) && text.includes('{id}');
  if (!right)
    throw usage(
      `${shown(text)} (${source}) is no pattern of a web address.`,
      'For example https://app.example.com/{family}/{id}: {id} stands for the id.',
    );
  return text;
}

/** A pager as a shell runs it, on one line. */
export function checkPager(text: string, source: string): string {
  const command = text.trim();
  if (command === '' || command.length > 500 || /[\x00-\x1f\x7f]/.test(command))
    throw usage(`${shown(text)} (${source}) is no pager.`, 'A program and its arguments, such as "less -FRX", or off.');
  return command;
}

export function checkFlag(text: string, source: string): boolean {
  if (['true', 'yes', 'on', '1'].includes(text)) return true;
  if (['false', 'no', 'off', '0'].includes(text)) return false;
  throw usage(`${shown(text)} (${source}) is neither true nor false.`);
}

function oneOf<T extends string>(text: string, allowed: readonly T[], what: string, source: string): T {
  const found = allowed.find((each) => each === text);
  if (found === undefined)
    throw usage(
      `${shown(text)} (${source}) is no ${what}.${didYouMean(text, allowed)}`,
      `One of ${allowed.join(', ')}.`,
    );
  return found;
}

/** Outside text on one line of a message. */
function shown(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text);
}

import { unixOf, type Zone } from '../../base/time/zones.js';
import { minorDigits, toMinor } from '../../items/schema/types.js';
import { orderWords, type PayoutColumns } from './payout-columns.js';

/** A movement of money as either side books it. */
export interface Movement {
  readonly id: string;
  readonly auth: string;
  readonly last4: string;
  readonly gateway: string;
  readonly currency: string;
  /** Unix seconds; the start of the day if the file has no time. */
  readonly at: number;
  /** Minor units, before fees; negative for a refund. */
  readonly amount: bigint;
  readonly fee: bigint | undefined;
}

/** One row of a bank's or gateway's file. */
export interface PayoutRow extends Movement {
  /** True if the file shows no days: it is taken to be of the month, and only ids and order numbers can match it. */
  readonly isUndated: boolean;
  /** Its id as the file writes it. */
  readonly written: string;
  /** Words of its id and its text that may name a payment or an order. */
  readonly refs: readonly string[];
  /** Its line in the file, counted from 1. */
  readonly line: number;
}

/** An unreadable row, and why. */
export interface UnreadRow {
  readonly line: number;
  readonly why: string;
}

/** How a file writes its numbers and days. */
export interface PayoutForm {
  readonly decimal: '.' | ',';
  /** `dmy`, `mdy`, or `ymd`, for days in digits. */
  readonly days: 'dmy' | 'mdy' | 'ymd';
}

export type PayoutRows = ReturnType<typeof payoutRows>;

/** A file whose content leaves its form ambiguous. */
export class UnclearForm extends Error {
  override readonly name = 'UnclearForm';

  constructor(readonly what: 'decimal' | 'days') {
    super(what);
  }
}

/** The decimal mark that fits all amounts of a file. */
export function decimalOf(values: readonly string[]): '.' | ',' {
  const ends = (mark: string) => values.some((text) => new RegExp(`\\${mark}\\d{1,2}\\D*$`).test(text));
  const [comma, point] = [ends(','), ends('.')];
  if (comma && point) throw new UnclearForm('decimal');
  return comma ? ',' : '.';
}

const DAY_PARTS = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})/;

/** The order of day, month and year that fits all dates of a file. */
export function dayOrderOf(values: readonly string[]): PayoutForm['days'] {
  const parts = values.map((text) => DAY_PARTS.exec(text.trim())).filter((match) => match !== null);
  if (parts.length === 0 || parts.every(([, first = '']) => first.length === 4)) return 'ymd';
  const isDayFirst = parts.some(([, first]) => Number(first) > 12);
  const isMonthFirst = parts.some(([, , second]) => Number(second) > 12);
  if (isDayFirst !== isMonthFirst) return isDayFirst ? 'dmy' : 'mdy';
  // People who write points put the day first.
  if (!isDayFirst && parts.every(([text]) => text.includes('.'))) return 'dmy';
  throw new UnclearForm('days');
}

/** An amount in minor units; undefined for anything that is not an amount of the currency. */
export function amountOf(text: string, currency: string, decimal: '.' | ','): bigint | undefined {
  const digits = minorDigits(currency);
  if (digits === undefined) return undefined;
  const bare = text
    .trim()
    .replace(/[\s'\u00a0\u202f\u2019]/g, '')
    .replace(/^[A-Z]{3}|[A-Z]{3}$|[\u20ac$\u00a3\u00a5]/g, '');
  const isNegative = /^\(.*\)$/.test(bare) || bare.startsWith('-') || bare.startsWith('\u2212') || bare.endsWith('-');
  const number = bare.replace(/[()+\-\u2212]/g, '');
  const [whole = '', fraction = '', ...more] = number.split(decimal);
  const groups = whole.split(decimal === ',' ? '.' : ',');
  if (more.length > 0 || groups.slice(1).some((group) => group.length !== 3)) return undefined;
  const minor = toMinor(`${groups.join('')}${fraction === '' ? '' : `.${fraction}`}`, digits);
  return minor === undefined ? undefined : isNegative ? -minor : minor;
}

/** A moment in unix seconds; undefined for anything else. A time without a zone is in the zone in use. */
export function momentIn(text: string, days: PayoutForm['days'], zone: Zone): number | undefined {
  const value = text.trim();
  if (/^\d{10}$/.test(value)) return Number(value);
  if (/^\d{4}-\d{2}-\d{2}T?.*(?:Z|[+-]\d{2}:?\d{2})$/.test(value)) {
    const parsed = Date.parse(value.replace(' ', 'T'));
    return Number.isNaN(parsed) ? undefined : Math.floor(parsed / 1000);
  }
  const match = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?/.exec(value);
  if (!match) return undefined;
  const numbers = match.slice(1, 4).map(Number) as [number, number, number];
  const [year, month, day] =
    days === 'ymd'
      ? numbers
      : days === 'dmy'
        ? [numbers[2], numbers[1], numbers[0]]
        : [numbers[2], numbers[0], numbers[1]];
  const full = year < 100 ? 2000 + year : year;
  if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(full, month, 0)).getUTCDate()) return undefined;
  const [hour, minute, second] = [4, 5, 6].map((at) => Number(match[at] ?? 0)) as [number, number, number];
  return unixOf({ year: full, month, day, hour, minute, second }, zone);
}

/**
 * Reads the records of a file as rows.
 * @throws UnclearForm if its amounts or dates can be read two ways
 */
export function payoutRows(
  records: readonly { readonly line: number; readonly cells: readonly string[] }[],
  columns: PayoutColumns,
  {
    zone,
    currency,
    days,
    begins,
  }: {
    readonly zone: Zone;
    readonly currency: string | undefined;
    readonly days?: PayoutForm['days'] | undefined;
    /** The day of rows in a file without days, unix seconds. */
    readonly begins: number;
  },
) {
  const cell = (cells: readonly string[], at: number | undefined): string =>
    at === undefined ? '' : (cells[at] ?? '').trim();
  const column = (at: number | undefined): string[] =>
    records.map(({ cells }) => cell(cells, at)).filter((text) => text !== '');
  const form: PayoutForm = {
    decimal: decimalOf([...column(columns.amount), ...column(columns.net), ...column(columns.fee)]),
    days: days ?? dayOrderOf(column(columns.date)),
  };
  const isUndated = columns.date === undefined;
  const rows: PayoutRow[] = [];
  const unread: UnreadRow[] = [];
  for (const { line, cells } of records) {
    const code = (cell(cells, columns.currency) || currency || '').toUpperCase();
    const money = (at: number | undefined): bigint | undefined => {
      const text = cell(cells, at);
      return text === '' ? undefined : amountOf(text, code, form.decimal);
    };
    const at = isUndated ? begins : momentIn(cell(cells, columns.date), form.days, zone);
    const [gross, net, given] = [money(columns.amount), money(columns.net), money(columns.fee)];
    // A fee is always deducted, whichever sign the file gives it.
    const fee = given !== undefined && given < 0n ? -given : given;
    const amount = gross ?? (net === undefined ? undefined : net + (fee ?? 0n));
    if (at === undefined) unread.push({ line, why: 'its date is not readable' });
    else if (minorDigits(code) === undefined) unread.push({ line, why: 'it has no currency' });
    else if (amount === undefined) unread.push({ line, why: 'its amount is not readable' });
    else {
      const card = cell(cells, columns.last4).replace(/\D/g, '').slice(-4);
      const ids = {
        id: cell(cells, columns.id).toLowerCase(),
        auth: isUndated ? '' : cell(cells, columns.auth).toLowerCase(),
      };
      rows.push({
        line,
        isUndated,
        written: cell(cells, columns.id),
        ...ids,
        refs: [columns.id, columns.text].flatMap((column) => orderWords(cell(cells, column))),
        last4: card.length === 4 && !isUndated ? card : '',
        gateway: cell(cells, columns.gateway),
        currency: code,
        at,
        amount,
        fee,
      });
    }
  }
  return { rows, unread, form };
}

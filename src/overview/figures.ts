import Big from 'big.js';
import { cellText, Picker } from '../json/pick.js';

/** What the overview counts, in the order in which it shows it. */
export const KINDS = [
  'sales',
  'sales failed',
  'renewals',
  'renewals failed',
  'refunds',
  'chargebacks',
  'trials',
  'salvage',
] as const;
export type Kind = (typeof KINDS)[number];

/** A list that the overview reads, with how an item of it counts. */
export interface Source {
  readonly family: string;
  readonly kinds: readonly Kind[];
  /** Paths that `kind` and `amount` look at. */
  readonly paths: readonly string[];
  kind(fields: Fields): Kind | undefined;
  amount(fields: Fields, kind: Kind): Big;
}

/** The texts of an item at the paths of its source; '' where it has none. */
export type Fields = (path: string) => string;

/** States in which a sale took no money (spec section 3). */
const NO_SALE: ReadonlySet<string> = new Set([
  'failed',
  'declined',
  'error',
  'no_gateway',
  'fraud_detected',
  'merchant_error',
  'merchant_hold',
]);

const AMOUNTS = ['amount', 'amount_total', 'amount_refunded', 'amount_captured', 'amount_original_total'] as const;

export const SOURCES: readonly Source[] = [
  {
    family: 'sales',
    kinds: ['sales', 'sales failed'],
    paths: ['status', ...AMOUNTS],
    kind: (at) => {
      const status = at('status').toLowerCase();
      if (status === 'pending' || status === 'cancelled') return undefined;
      return NO_SALE.has(status) ? 'sales failed' : 'sales';
    },
    amount: (at, kind) => (kind === 'sales' ? beforeRefunds(at) : first(at, 'amount_original_total', 'amount')),
  },
  {
    family: 'subscription_renewals',
    kinds: ['renewals', 'renewals failed'],
    paths: ['is_overdue', ...AMOUNTS],
    kind: (at) => (renewalFailed(at) ? 'renewals failed' : 'renewals'),
    amount: (at, kind) => (kind === 'renewals' ? beforeRefunds(at) : first(at, 'amount_original_total', 'amount')),
  },
  plain('pending_refunds', 'refunds', 'amount'),
  plain('chargebacks', 'chargebacks', 'amount'),
  plain('trials', 'trials', 'amount', 'amount_total'),
  plain('salvage_transactions', 'salvage', 'amount', 'amount_remaining'),
];

function plain(family: string, kind: Kind, ...amounts: readonly string[]): Source {
  return { family, kinds: [kind], paths: amounts, kind: () => kind, amount: (at) => first(at, ...amounts) };
}

/** A renewal carries no result: one that is overdue, or took nothing and paid nothing back, failed (spec 2.4). */
function renewalFailed(at: Fields): boolean {
  if (at('is_overdue') === 'true') return true;
  const due = first(at, 'amount_original_total', 'amount');
  return (
    due.gt(0) && at('amount_captured') !== '' && big(at('amount_captured')).eq(0) && big(at('amount_refunded')).eq(0)
  );
}

/** What was charged, before anything of it was paid back (spec 2.4, first relation). */
function beforeRefunds(at: Fields): Big {
  return at('amount_total') === '' ? first(at, 'amount') : big(at('amount_total')).plus(big(at('amount_refunded')));
}

function first(at: Fields, ...paths: readonly string[]): Big {
  return big(paths.map(at).find((text) => text !== '') ?? '');
}

function big(text: string): Big {
  try {
    return new Big(text === '' ? '0' : text);
  } catch {
    return new Big('0');
  }
}

/** Count and sum of one kind in one currency. */
export interface Figure {
  readonly kind: Kind;
  /** ISO 4217, or `` where items carry none. */
  readonly currency: string;
  readonly count: number;
  /** Exact, with at least two decimals. */
  readonly amount: string;
}

export interface DayFigure extends Figure {
  /** `2026-01-31`, in the zone in use. */
  readonly day: string;
}

export interface Overview {
  /** Unix seconds. */
  readonly from: number;
  readonly to: number;
  readonly tz: string;
  readonly days: readonly string[];
  readonly totals: readonly Figure[];
  readonly by_day: readonly DayFigure[];
}

interface Sum {
  count: number;
  amount: Big;
}

/** Adds up items as they are read. */
export class Adder {
  readonly #sums = new Map<string, Sum>();
  readonly #dayOf: (unix: number) => string;

  constructor(dayOf: (unix: number) => string) {
    this.#dayOf = dayOf;
  }

  /** Makes the function that takes the items of a source. */
  taker(source: Source): (raw: string) => void {
    const paths = [...new Set(['created_date_unix', 'iso_currency', ...source.paths])];
    const picker = new Picker(paths);
    return (raw) => {
      const found = picker.pick(raw);
      const at: Fields = (path) => cellText(found[paths.indexOf(path)]);
      const kind = source.kind(at);
      if (kind === undefined) return;
      const unix = Number(at('created_date_unix') || Number.NaN);
      const day = Number.isFinite(unix) ? this.#dayOf(unix) : '';
      const currency = at('iso_currency').toUpperCase();
      const key = JSON.stringify([day, kind, /^[A-Z]{3}$/.test(currency) ? currency : '']);
      const sum = this.#sums.get(key) ?? { count: 0, amount: new Big(0) };
      sum.count += 1;
      sum.amount = sum.amount.plus(source.amount(at, kind));
      this.#sums.set(key, sum);
    };
  }

  result(range: { from: number; to: number }, tz: string, days: readonly string[]): Overview {
    const totals = new Map<string, Sum>();
    const byDay: (readonly [string, Kind, string, Sum])[] = [];
    for (const [key, sum] of this.#sums) {
      const [day, kind, currency] = JSON.parse(key) as [string, Kind, string];
      byDay.push([day, kind, currency, sum]);
      const total = totals.get(JSON.stringify([kind, currency])) ?? { count: 0, amount: new Big(0) };
      totals.set(JSON.stringify([kind, currency]), {
        count: total.count + sum.count,
        amount: total.amount.plus(sum.amount),
      });
    }
    const order = (a: Figure, b: Figure): number =>
      KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.currency.localeCompare(b.currency);
    return {
      ...range,
      tz,
      days,
      totals: [...totals]
        .map(([key, sum]): Figure => {
          const [kind, currency] = JSON.parse(key) as [Kind, string];
          return { kind, currency, count: sum.count, amount: shown(sum.amount) };
        })
        .sort(order),
      by_day: byDay
        .map(
          ([day, kind, currency, sum]): DayFigure => ({
            day,
            kind,
            currency,
            count: sum.count,
            amount: shown(sum.amount),
          }),
        )
        .sort((a, b) => a.day.localeCompare(b.day) || order(a, b)),
    };
  }
}

/** All its decimals, at least two. */
function shown(amount: Big): string {
  const plainText = amount.toFixed();
  const decimals = plainText.split('.')[1]?.length ?? 0;
  return decimals < 2 ? amount.toFixed(2) : plainText;
}

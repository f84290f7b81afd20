/**
 * What figures can be grouped by besides time: a path from a fact to one thing. Plain data, which completion reads. A
 * fact has a dimension if its entry names it; adding one takes a line here and a column of the fact's view.
 */
interface Dimension {
  readonly about: string;
  /** The column of the fact's view, or of `report_splits` if a payment is split. */
  readonly column: string;
  /** Other words for it. */
  readonly also?: readonly string[];
  /** A column with more about a value; if `apart`, one value of the dimension may have several. */
  readonly beside?: { readonly column: string; readonly apart: boolean };
  /** The name of a value, if the mirror knows it: a column, and an expression over `v`. */
  readonly called?: { readonly column: string; readonly sql: string };
  /** Shown in place of a missing value. */
  readonly otherwise?: string;
  /** True if one payment may have several of them and is split over them. */
  readonly splits?: true;
}

const TABLE = {
  kind: { about: 'what was paid for: sale, renewal, trial', column: 'kind' },
  product: { about: 'the product', column: 'product', also: ['product.name'] },
  plan: {
    about: 'the schedule of a subscription',
    column: 'plan',
    also: ['subscription_profile', 'subscription-profile', 'subscription_profile.name', 'schedule', 'interval'],
  },
  campaign: { about: 'the campaign', column: 'campaign', also: ['campaign.name'] },
  country: { about: "the customer's country", column: 'country', also: ['customer.country'] },
  state: {
    about: "the state it was shipped to, else the customer's",
    column: 'state',
    beside: { column: 'state_country', apart: true },
    otherwise: 'unknown',
  },
  customer: {
    about: 'the customer',
    column: 'customer_id',
    also: ['customer.id', 'customer.email'],
    beside: { column: 'customer_email', apart: false },
    called: {
      column: 'customer_name',
      sql: "(SELECT nullif(trim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')), '') FROM raw_customers AS c WHERE c.id = v.customer_id)",
    },
  },
  payment_type: { about: 'card, check, ...', column: 'payment_type', also: ['payment-type'] },
  gateway: {
    about: 'the gateway; a separate row for what no card paid',
    column: 'gateway',
    also: ['gateway.name'],
    splits: true,
  },
  'card.brand': {
    about: 'visa, mastercard, ...; a separate row for what no card paid',
    column: 'card_brand',
    also: ['card', 'brand'],
    splits: true,
  },
  status: { about: 'the status', column: 'status' },
  reason: { about: 'the reason, if shown', column: 'reason' },
  method: { about: 'what was to be paid', column: 'method' },
  card_type: { about: 'visa, mastercard, ...', column: 'card_type' },
  outcome: { about: 'how a trial ended', column: 'outcome' },
  name: { about: 'the name of a discount', column: 'name', also: ['coupon', 'coupon.name'] },
  rate: { about: 'the rate of a tax in percent', column: 'rate', otherwise: 'unknown' },
  profile: { about: 'the tax profile', column: 'profile' },
} satisfies Readonly<Record<string, Dimension>>;

export type DimensionName = keyof typeof TABLE;

/** The most words of `--by` and `--across` with which a table stays readable. */
export const MOST_GROUPS = 3;

export const DIMENSIONS: Readonly<Record<string, Dimension>> = TABLE;

/** Dimensions whose values are no words that people spell in several ways. */
const EXACT: ReadonlySet<DimensionName> = new Set(['customer', 'rate', 'kind', 'outcome']);

/** Columns that accompany a value and make no rows of their own. */
const BESIDE: ReadonlySet<string> = new Set(
  Object.values(DIMENSIONS).flatMap(({ beside, called }) => [
    ...(beside && !beside.apart ? [beside.column] : []),
    ...(called ? [called.column] : []),
  ]),
);

/** A form of a cell that equal ones share, as `NOCASE` has it in SQL. */
export const sameText = <Cell>(cell: Cell): Cell | string =>
  typeof cell === 'string' ? cell.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : cell;

/** What identifies a row among those of another query, whichever spelling of a text each of them shows. */
export function rowKey(row: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  return JSON.stringify(names.filter((name) => !BESIDE.has(name)).map((name) => sameText(row[name] ?? null)));
}

/** Expressions over a fact's view `v`, by their words for `--by`. */
export function dimensions(...names: readonly DimensionName[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((name) => {
      const { column, otherwise }: Dimension = TABLE[name];
      const value = otherwise === undefined ? `v.${column}` : `coalesce(v.${column}, '${otherwise}')`;
      return [name, EXACT.has(name) ? value : `${value} COLLATE NOCASE`];
    }),
  );
}

/** The dimension that a word for `--by` means: `card` is `card.brand`. */
export function dimensionMeant(word: string): string {
  if (Object.hasOwn(DIMENSIONS, word)) return word;
  return Object.entries(DIMENSIONS).find(([, { also }]) => also?.includes(word))?.[0] ?? word;
}

/** Parts of a time in the zone in use, which recur or are not those of the row itself: every fact has the first two. */
export const LOCAL: Readonly<
  Record<string, { readonly about: string; readonly form: string; readonly column?: string }>
> = {
  weekday: { about: 'the day of the week', form: '%w' },
  hour: { about: 'the hour of the day', form: '%H:00' },
  paid_month: { about: 'refunds: the month in which was paid what they give back', form: '%Y-%m', column: 'paid_unix' },
};

/** Dimensions that the service does not show at all, with the reason. */
export const NOT_SHOWN: Readonly<Record<string, string>> = {
  'card.country': "the service does not show a card's country; country is the customer's",
  deadline: 'the service does not show until when a chargeback can be fought',
  payout: 'the service does not show what a gateway pays out; cops reconcile compares a payout file',
};

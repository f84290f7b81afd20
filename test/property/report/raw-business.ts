import { newId } from '../../unit/report/mirror.js';

/*
 * A small business at random, as the service shows it: payments by one card, by two of different gateways, by a card and
 * a wallet, by a transaction that was not read; refunds, tax, discounts, failures. In currencies of none, two and three decimals.
 */

type Item = Record<string, unknown> & { readonly id: string };

/** The same numbers for the same seed (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const DIGITS: Readonly<Record<string, number>> = { USD: 2, JPY: 0, KWD: 3 };
/** Around the ends of months in zones to both sides. */
const BEGIN = Date.parse('2026-08-30T00:00:00Z') / 1000;
const SPAN = 65 * 86_400;

export type RawBusiness = Readonly<Record<string, readonly Item[]>>;

export function rawBusiness(seed: number, size = 60): RawBusiness {
  const random = chance(seed);
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
  const lists: Record<string, Item[]> = {};
  const put = (family: string, item: Record<string, unknown>): string => {
    const id = newId();
    lists[family] = [...(lists[family] ?? []), { id, live_mode: false, ...item }];
    return id;
  };
  const customers = Array.from({ length: 6 }, (_, i) => ({
    id: newId(),
    email: `c${i}@example.com`,
    country: pick(['USA', 'GBR', 'AUS']),
    state: pick(['CA', 'WA', '', 'TX']),
  }));
  for (let i = 0; i < size; i++) one();
  return lists;

  function one(): void {
    const currency = pick(Object.keys(DIGITS));
    const unit = 10 ** (DIGITS[currency] as number);
    const whole = (minor: number): number => Number((minor / unit).toFixed(DIGITS[currency]));
    const customer = pick(customers);
    const created = BEGIN + Math.floor(random() * SPAN);
    const shared = {
      iso_currency: currency,
      created_date_unix: created,
      customer,
      campaign_name: pick(['Spring', 'Autumn']),
      payment_type: { name: 'Credit Card' },
      ship_to: pick([
        { state: 'NY', country: 'USA' },
        { state: '', country: '' },
        { state: 'WA', country: 'AUS' },
      ]),
    };
    const paidWith = (minor: number, fees: number) => ({
      amount: whole(minor),
      amount_captured: whole(minor),
      amount_fees: whole(fees),
      amount_refunded: 0,
    });
    const transaction = (minor: number, fees: number, more: Record<string, unknown> = {}): string =>
      put('transactions', {
        ...shared,
        ...paidWith(minor, fees),
        result: 'approved',
        method: 'sale_create',
        gateway_name: pick(['North', 'South']),
        customer_card: { type: pick(['visa', 'amex', '']), last_4: '4242' },
        ...more,
      });
    const total = 5 + Math.floor(random() * 20_000);
    const way = pick(['one', 'one', 'two', 'wallet', 'mixed', 'missing', 'failed first']);
    const parts =
      way === 'two'
        ? [Math.floor(total / 3), total - Math.floor(total / 3)]
        : [way === 'mixed' ? Math.ceil(total / 2) : total];
    const rates = parts.map(() => pick([0.029, 0.05]));
    const partFees = parts.map((part, i) => Math.floor(part * (rates[i] as number)));
    const rest = way === 'mixed' ? total - Math.ceil(total / 2) : 0;
    const restFees = Math.floor(rest * 0.01);
    const isCard = way !== 'wallet' && way !== 'missing';
    // Of these no item says what was captured: the result alone tells them apart.
    const bare = way === 'failed first' ? { amount_captured: undefined } : {};
    const transactions = isCard
      ? parts.map((part, i) => transaction(part, partFees[i] as number, bare))
      : way === 'missing'
        ? [newId()]
        : [];
    if (way === 'failed first') transactions.unshift(transaction(total, 0, { result: 'declined', ...bare }));
    const fees = isCard ? partFees.reduce((all, fee) => all + fee, 0) + restFees : Math.floor(total * 0.02);
    const wallets = way === 'wallet' || way === 'mixed' ? [newId()] : [];
    const kind = pick(['sale', 'sale', 'renewal']);
    const payment = {
      ...shared,
      ...paidWith(total, fees),
      transactions,
      wallet_transactions: wallets,
      check_directs: [],
      offline_payments: [],
    };
    const lines: Item[] = [];
    let id: string;
    const add = (family: 'tax' | 'shipping', minor: number, of: Record<string, unknown>): void => {
      const line = put(family, {
        ...shared,
        ...paidWith(minor, 0),
        ...(family === 'tax' ? { tax_rate: pick([8.25, 20]) } : {}),
        ...{ sales: [], subscription_renewals: [], trials: [], ...of },
      });
      if (random() >= 0.3 || minor === 0) return;
      put('pending_refunds', {
        ...shared,
        type: family,
        status: 'processed',
        amount: whole(Math.ceil(minor / 2)),
        source_id: line,
        transaction_id: isCard ? transactions.at(-1) : '',
      });
    };
    if (kind === 'renewal') {
      id = put('subscription_renewals', { ...payment, product: { name: pick(['Tea', 'Coffee']) } });
      add('tax', Math.floor(total / 12), { subscription_renewals: [id] });
      add('shipping', Math.floor(total / 9), { subscription_renewals: [id] });
    } else {
      const products = pick([['Tea'], ['Tea', 'Mug'], ['Mug', 'Coffee']]);
      const tax = Math.floor(total / 11);
      const left = total - tax;
      id = put('sales', payment);
      for (const [i, product] of products.entries()) {
        const own = i === products.length - 1 ? left - Math.floor(left / 2) * i : Math.floor(left / 2);
        put('product_sales', { ...shared, ...paidWith(own, 0), sales: [id], product: { name: product } });
        lines.push((lists.product_sales as Item[]).at(-1) as Item);
      }
      add('tax', tax, { sales: [id] });
      if (random() < 0.3)
        put('discounts', {
          ...shared,
          name: 'Ten',
          amount: whole(Math.floor(total / 10)),
          sales: [id],
          product_sales: lines.slice(0, 1).map((item) => item.id),
        });
    }
    if (random() < 0.25) {
      const source = kind === 'renewal' ? id : (lines[0] as Item).id;
      const amount = Math.floor(total / 4);
      put('pending_refunds', {
        ...shared,
        created_date_unix: created + 86_400,
        type: kind === 'renewal' ? 'subscription_renewal' : 'product_sale',
        status: pick(['pending', 'processed']),
        amount: whole(amount),
        source_id: source,
        transaction_id: isCard ? transactions.at(-1) : '',
      });
    }
    if (isCard && random() < 0.15)
      put('chargebacks', {
        ...shared,
        amount: whole(Math.floor(total / 2)),
        status: 'open',
        reason_code: '10.4',
        transaction_id: transactions.at(-1),
      });
  }
}

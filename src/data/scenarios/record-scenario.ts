// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scenarios write places this way
import { CopsError } from '../../base/errors/errors.js';
import { isoTime } from '../../base/time/units.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { addNumbers } from '../../items/select/decimals.js';
import type { Context } from '../../session/context/context.js';
import { knownItem, openLook } from '../../session/lookup/look.js';

/** Families that name the sale they belong to. */
const OF_A_SALE = [
  ...['sales', 'subscriptions', 'subscription_renewals', 'transactions', 'pending_refunds', 'chargebacks'],
  ...['product_sales', 'trials', 'shipping'],
];
/** How long after a moment everything due then is surely done: lines of a scenario take seconds. */
const HOUR = 3600;
const MINUTE = 60;

/** Something that happened after the sale: the step that repeats it, and what holds then. */
interface Deed {
  readonly at: number;
  readonly step: Readonly<Record<string, unknown>>;
}

/** A sale and everything that followed from it. */
interface Story {
  readonly sale: Lossless;
  /** A sum of the sale. */
  readonly tax: string;
  /** In the order in which they were made. */
  readonly payments: readonly Lossless[];
  readonly refunds: readonly Lossless[];
  readonly chargebacks: readonly Lossless[];
  readonly subscriptions: readonly Lossless[];
}

/**
 * A scenario that repeats what happened to an item: its sale, each payment that was tried since, refunds, chargebacks and
 * cancellations, in their time. Products go by name; people and cards are stand-ins.
 * @throws CopsError `not_found`; `usage` for an item that no sale began
 */
export async function recordScenario(context: Context, id: string): Promise<string> {
  const story = await storyOf(context, id);
  const { stringify } = await import('yaml');
  return stringify(scenarioOf(story, id), { lineWidth: 0 });
}

async function storyOf(context: Context, id: string): Promise<Story> {
  const known = await knownItem(context, await openLook(context, {}), id, undefined, OF_A_SALE);
  const saleId = known.family === 'sales' ? id : plain(get(known.item, 'sales[0]'));
  if (saleId === undefined)
    throw new CopsError('usage', `${id} belongs to no sale, so there is nothing to record.`, {
      hint: 'Name a sale, a subscription, a renewal, a payment, a refund or a chargeback.',
    });
  const sale =
    known.family === 'sales' ? known.item : parseLossless(await (await openLook(context, {})).item('sales', saleId));
  const look = await openLook(context, { from: timeOf(sale) });
  const customer = textOf(sale, 'customer.id');
  const isOfSale = (item: Lossless) => (get(item, 'sales') as Lossless[] | undefined)?.includes(saleId) === true;
  const listed = async (family: string, belongs = isOfSale) => {
    const { items } = await look.listed(family.replaceAll('_', '-'), family, customer);
    const own = items.map((raw) => parseLossless(raw)).filter(belongs);
    return own.sort((one, other) => timeOf(one) - timeOf(other));
  };
  const payments = (await listed('transactions')).filter((one) => textOf(one, 'method') !== 'refund');
  const paid = new Set(payments.map((one) => textOf(one, 'id')));
  const ofPayment = (item: Lossless) => paid.has(textOf(item, 'transaction_id'));
  const subscriptions = [];
  for (const one of (get(sale, 'subscriptions') as Lossless[] | undefined) ?? [])
    subscriptions.push(parseLossless(await look.item('subscriptions', String(one))));
  let tax = '0';
  for (const one of (get(sale, 'tax') as Lossless[] | undefined) ?? [])
    tax = addNumbers(tax, textOf(parseLossless(await look.item('tax', String(one))), 'amount_original_total') || '0');
  const story = {
    ...{ sale, tax, payments, subscriptions },
    refunds: await listed('pending_refunds', ofPayment),
    chargebacks: await listed('chargebacks', ofPayment),
  };
  for (const { what, why } of look.notRead) context.notes.warn(`Not read: ${what} (${why}).`);
  const error = look.notRead.length > 0 ? 'Not everything that happened could be read.' : undefined;
  if (error) throw new CopsError('incomplete', error, { hint: 'A scenario of only a part would be wrong.' });
  return story;
}

function scenarioOf(story: Story, id: string): object {
  const { sale } = story;
  const products = (get(sale, 'products') as Lossless[] | undefined) ?? [];
  const remarks = remarksOn(story);
  const about = [`Recorded from ${id}; the customer and the card are stand-ins.`, ...remarks].join(' ');
  const declines = declinesFrom(story.payments.slice(1));
  return {
    version: 1,
    name: `Recorded: ${products.map((one) => textOf(one, 'name')).join(', ')}`,
    about,
    tags: ['recorded'],
    given: {
      now: isoTime(timeOf(sale)),
      ...(declines !== undefined && { cards: [{ number: CARD, declines_from: isoTime(declines) }] }),
    },
    steps: [
      { run: 'campaigns list --limit 1', as: 'campaign' },
      { run: 'payment-profiles list --limit 1', as: 'routing' },
      ...products.map((one, at) => ({
        run: ['products', 'list', '--where', literally(`name=${textOf(one, 'name')}`)],
        as: `product${at + 1}`,
      })),
      bought(story),
      ...(story.subscriptions.length > 0 ? [{ run: 'subscriptions list --all-time', as: 'subscription' }] : []),
      ...inTime(timeOf(sale) + MINUTE, deedsOf(story)),
    ],
  };
}

/** Deeds in order, with time passing between them; a clock never goes back. */
function inTime(begin: number, deeds: readonly Deed[]): object[] {
  let now = begin;
  return [...deeds]
    .sort((one, other) => one.at - other.at)
    .flatMap(({ at, step }) => {
      const passing = at > now ? [{ advance_to: isoTime(at) }] : [];
      now = Math.max(now, at);
      return [...passing, step];
    });
}

const CARD = '4111111111111111';
const DECLINED_CARD = '4000000000000002';

/** The sale as a new customer would make it. */
function bought({ sale, payments, tax }: Story): object {
  const isPaid = payments.length === 0 || isApproved(payments[0] as Lossless);
  const products = (get(sale, 'products') as Lossless[] | undefined) ?? [];
  const status = ['paid', 'declined', 'pending'].find((one) => one === textOf(sale, 'status')) ?? 'paid';
  return {
    run: 'sales create',
    body: {
      campaign: '${campaign[0].id}',
      payment_profile: '${routing[0].id}',
      iso_currency: textOf(sale, 'iso_currency'),
      tax_amount: Number(tax),
      products: products.map((one, at) => ({
        id: `\${product${at + 1}[0].id}`,
        quantity: Number(textOf(one, 'quantity') || 1),
      })),
      credit_card: { card_number: isPaid ? CARD : DECLINED_CARD, exp_month: 12, exp_year: 60, card_code: '123' },
      customer: { first_name: 'Jane', last_name: 'Doe', email: 'jane@example.com', country: 'USA', city: 'Austin' },
    },
    as: 'sale',
    ...(isPaid
      ? {
          expect: [
            {
              item: 'sales ${sale.id}',
              where: [`status=${status}`, `amount_original_total=${textOf(sale, 'amount_original_total')}`],
            },
          ],
        }
      : { exit: 5 }),
  };
}

function deedsOf(story: Story): Deed[] {
  const { payments, refunds, chargebacks, subscriptions } = story;
  const count = (approved: boolean, upTo: number) =>
    payments.filter((one) => timeOf(one) <= upTo && isApproved(one) === approved).length;
  const tries = [...new Set(payments.slice(1).map(timeOf))].map((at): Deed => {
    const result = (word: string, n: number) => ({ list: 'transactions', where: [`result=${word}`], count: n });
    const expect = [
      result('approved', count(true, at)),
      { ...result('approved', count(false, at)), where: ['result!=approved'] },
    ];
    return { at: at + HOUR, step: { expect } };
  });
  const paying = { run: 'transactions list --all-time --oldest-first', as: 'payments' };
  const ofPayment = (item: Lossless) => {
    const at = payments.findIndex((one) => textOf(one, 'id') === textOf(item, 'transaction_id'));
    return `\${payments[${at}].id}`;
  };
  const back = refunds.flatMap((one): Deed[] => [
    { at: timeOf(one), step: paying },
    {
      at: timeOf(one),
      step: { run: `transactions refund ${ofPayment(one)} --amount ${textOf(one, 'amount')} --yes` },
    },
  ]);
  const charged = chargebacks.flatMap((one): Deed[] => [
    { at: timeOf(one), step: paying },
    {
      at: timeOf(one),
      step: {
        run: 'chargebacks create',
        body: { transaction_id: ofPayment(one), amount: Number(textOf(one, 'amount')) },
      },
    },
  ]);
  const ended = subscriptions.flatMap((one, index): Deed[] => {
    if (textOf(one, 'status') !== 'cancelled') return [];
    const at = Number(textOf(one, 'updated_date_unix'));
    return [{ at, step: { run: `subscriptions cancel \${subscription[${index}].id} --yes` } }];
  });
  return [...tries, ...back, ...charged, ...ended];
}

/** When the run of failed payments began; undefined if the last payment was approved. */
function declinesFrom(payments: readonly Lossless[]): number | undefined {
  const last = payments.findLastIndex((one) => isApproved(one));
  const first = payments[last + 1];
  return first === undefined ? undefined : timeOf(first);
}

/** What a new sale of the same products would have differently. */
function remarksOn({ sale, payments }: Story): string[] {
  const some = (name: string) => ((get(sale, name) as Lossless[] | undefined) ?? []).length > 0;
  const isOnce = payments.slice(1).some((one, at, all) => !isApproved(one) && all.slice(at).some(isApproved));
  return [
    ...(some('discounts') ? ['Its discounts are left out: add their coupons.'] : []),
    ...(isOnce ? ['A payment failed in between; cards that decline from a certain day on cannot repeat that.'] : []),
    ...(payments.length === 0 && Number(textOf(sale, 'amount_captured') || 0) > 0
      ? ['It was not paid by card, but is here.']
      : []),
  ];
}

const isApproved = (payment: Lossless): boolean => textOf(payment, 'result') === 'approved';
const timeOf = (item: Lossless): number => Number(textOf(item, 'created_date_unix'));
const literally = (text: string): string => text.replaceAll('${', '$${');

function textOf(item: Lossless, path: string): string {
  return plain(get(item, path) ?? null) ?? '';
}

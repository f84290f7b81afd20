import { type CommandLine, cops } from '../../base/text/command-line.js';
import { dayIn } from '../../base/time/periods.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { idsAt } from '../../items/json/lossless.js';
import type { Context, Done } from '../context/context.js';
import { zoneInUse } from '../context/typed-words.js';
import { furtherIn } from '../names/line-names.js';
import { labelOf } from '../names/natural-keys.js';
import type { Found, Look } from './ask.js';
import {
  chargesSaid,
  isPeriod,
  linesNamed,
  paidSaid,
  parcelSaid,
  productNames,
  purposeOf,
  sumSaid,
} from './charges.js';
import { ATTEMPTS, failuresOf, headingOf, nothingFailed, type Saying, whyFact } from './failures.js';
import { knownItem, openLook, present } from './look.js';
import { belonging, type Known, keyOf, knownOf, namedBy, payerOf, readNamed, uniqueOf } from './one.js';
import { findNamed } from './person.js';
import { commandOf, ENDED, madeOf, type Sheet, textAt } from './sheet.js';

/** Families whose items can fail or be pending, tried for an id of unknown family. */
const WHY_FAMILIES = [
  'subscription_renewals',
  'transactions',
  'sales',
  'salvage_transactions',
  'subscriptions',
  'pending_refunds',
] as const;
/** What explains a payment, in the order in which requests are spent on it. */
const EXPLAINS = 'salvage_transactions transactions subscriptions sales customers'.split(' ');
/** Fields with a gateway's answer, besides those of every attempt. */
const ANSWERS = `code response response_code response_text gateway_response gateway_response_code decline_reason message
    error_message`.split(/\s+/);

/** What was read about an item. */
interface Around {
  /** The item itself comes first. */
  readonly items: readonly Known[];
  /** All its payments since then were read, unix seconds: 0 for all of them, undefined if unknown. */
  readonly since: number | undefined;
}

/**
 * Reads what explains an item, and leaves `kept` requests for other reads.
 * @param listed its customer's payments, if already listed
 */
async function aroundOf(look: Look, known: Known, kept = 0, listed?: Found): Promise<Around> {
  const { items: own, since } = await paymentsOf(look, known, listed);
  const have = new Set(own.map(keyOf));
  const named = (await namedBy(known)).filter((one) => !have.has(keyOf(one)));
  const some = (family: string, most: number) => named.filter((one) => one.family === family).slice(-most);
  // If the list shows no payment, the newest renewal or amount to collect leads to the last one.
  const steps =
    own.length > 0 || payerOf(known) === undefined
      ? []
      : ['subscription_renewals', 'salvage_transactions'].flatMap((one) => some(one, 1));
  const nearest = await readNamed(look, steps, look.left - kept);
  const behind = (await Promise.all(nearest.map(namedBy))).flat().filter(({ family }) => family === 'transactions');
  const older = await readNamed(look, uniqueOf(behind), look.left - kept);
  const read = await readNamed(
    look,
    uniqueOf([
      ...EXPLAINS.flatMap((family) => some(family, 4)),
      ...(isOver(known) ? some('trials', 4) : []),
      ...linesNamed(known),
    ]),
    look.left - kept,
  );
  const periods = known.family === 'transactions' ? read.filter(isPeriod) : [];
  const further = await readNamed(look, uniqueOf(periods.flatMap(linesNamed)), look.left - kept);
  if (since !== 0 && payerOf(known) !== undefined && !look.isWhole)
    look.skip('its other card payments', 'left for --all', cops`why ${known.id} --all`);
  return { items: uniqueOf([known, ...own, ...nearest, ...older, ...read, ...further]), since };
}

/** An item's payments, from the list of its customer's: the item itself names only some of them. */
async function paymentsOf(look: Look, known: Known, listed?: Found): Promise<Around> {
  const payer = payerOf(known);
  if (payer === undefined) return { items: [], since: undefined };
  const found = listed ?? (await look.listed('card payments', 'transactions', payer));
  const all = found.items.map((raw) => knownOf('transactions', raw));
  const own = await belonging([known], all);
  // Renewals belong to the subscription, not to the order.
  const items =
    known.family === 'sales' ? own.filter((one) => idsAt(one.item, 'subscription_renewals').length === 0) : own;
  if (found.isCut) return { items, since: undefined };
  const isCut = (found.total ?? 0) > all.length;
  const since = isCut ? Math.min(...all.map(madeOf)) : (found.since ?? 0);
  // An amount to collect, or a subscription after a trial, may be newer than its first payment.
  const isYounger = known.family === 'salvage_transactions' || idsAt(known.item, 'trials').length > 0;
  const first = isYounger ? Number(textAt(known.item, 'customer.created_date_unix') || 0) : madeOf(known);
  return { items, since: since <= first ? 0 : since };
}

/** Says why an item is as it is, by what hangs together with it. */
function whySheet(
  look: Look,
  { items: around, since }: Around,
  day: (unix: number) => string,
  told: readonly Saying[],
): Sheet {
  const [known] = around as readonly [Known];
  const attempts = attemptsOf(around);
  const said = [
    ...told,
    {
      of: `${commandOf(known.family)} ${known.id}: ${labelOf(known.item)}`,
      sentences: sentencesOf(known, around, look.now, day, since),
    },
  ];
  return {
    heading: headingOf(said),
    facts: [['family', JSON.stringify(known.family)], ['item', known.raw], whyFact(said)],
    sections: [
      {
        word: 'attempts',
        columns: ATTEMPTS,
        items: attempts.map(({ raw }) => raw),
        total: attempts.length,
        isCut: payerOf(known) !== undefined && since !== 0,
        command: cops`transactions get <id>`,
      },
    ],
    notRead: look.notRead,
    next: nextOf(known, around),
  };
}

/**
 * An item's state in words: the last attempt and the gateway's answer, the card, what is left to collect, what the
 * service does next and when. Pure.
 */
export function sentencesOf(
  known: Known,
  around: readonly Known[],
  now: number,
  day: (unix: number) => string,
  since?: number,
): string[] {
  const of = (family: string) => around.filter((one) => one.family === family);
  const attempts = attemptsOf(around);
  // A payment is explained by itself, whatever was tried after it.
  const last = known.family === 'transactions' ? attempts.find(({ id }) => id === known.id) : attempts[0];
  const lines = [
    ...stateOf(known, day),
    ...purposeSaid(known, around),
    ...sumSaid(known, around),
    ...of('shipping').map(parcelSaid),
    ...(known.family === 'transactions' ? paidSaid(known) : []),
    ...(last ? attemptOf(last, attempts.length - 1, day, known.family === 'transactions' ? 'own' : since) : []),
    ...of('salvage_transactions').flatMap((one) => salvageOf(one)),
    ...of('subscriptions').flatMap((one) => subscriptionOf(one, now, day)),
    ...(isOver(known)
      ? of('trials')
          .filter(isRunning)
          .map((one) => trialSaid(one, day))
      : []),
    ...of('customers').flatMap((one) => personOf(one)),
    ...chargesSaid(around, of('subscriptions'), day),
  ];
  if (!last && payerOf(known) !== undefined) lines.push(unreadSaid(known, since, day));
  return lines;
}

/** Why nothing is said about a card payment: perhaps no request was left to read one. */
function unreadSaid(known: Known, since: number | undefined, day: (unix: number) => string): string {
  const isNone = idsAt(known.item, 'transactions').length === 0;
  if (isNone && since === 0) return 'It names no card payment: it was paid another way, or not tried yet.';
  if (since) return `No card payment was tried for it since ${day(since)}; earlier ones were not read.`;
  return 'Its card payments were not read, so how they ended is unknown.';
}

/** What a charge, a renewal or a refund was for. */
function purposeSaid(known: Known, around: readonly Known[]): string[] {
  if (known.family === 'subscriptions' || known.family === 'sales' || known.family === 'customers') return [];
  const purpose = purposeOf(known, productNames(around));
  return purpose === undefined ? [] : [`It is for ${purpose}.`];
}

/** The attempts to charge a card, latest first; leaves out refunds that are separate transactions. */
function attemptsOf(around: readonly Known[]): Known[] {
  return around
    .filter(({ family, item }) => family === 'transactions' && !/refund/i.test(textAt(item, 'method')))
    .sort((a, b) => madeOf(b) - madeOf(a));
}

function stateOf({ family, item }: Known, day: (unix: number) => string): string[] {
  const at = (path: string) => textAt(item, path);
  const lines: string[] = [];
  const made = Number(at('created_date_unix') || 0);
  const state = at('status') || at('result');
  const when = made > 0 ? `, made ${day(made)}` : '';
  if (state !== '') lines.push(`Its state is ${state}${when}.`);
  if (family === 'subscription_renewals') {
    if (at('is_overdue') === 'true') lines.push(`The renewal is overdue: its amount was not collected${when}.`);
    else if (Number(at('amount_captured') || 0) > 0)
      lines.push(`The renewal was paid: ${at('amount_captured')} ${at('iso_currency')} captured${when}.`);
  }
  if (family === 'pending_refunds' && /^pending$/i.test(state))
    lines.push('A refund waits until the payment is settled, up to 72 hours after the charge. It cannot be stopped.');
  if (family === 'sales' && /^pending$/i.test(state))
    lines.push('The order is waiting: nothing was charged for it. To charge it: sales pending process.');
  if (/^(no_gateway)$/i.test(state)) lines.push('No gateway took it: check the payment profile and its gateways.');
  if (/^fraud_detected$/i.test(state))
    lines.push("It was refused as fraud: the buyer's further attempts are refused too.");
  return lines;
}

/** @param since when the attempts read begin; `own` for a payment that is explained by itself */
function attemptOf(
  { item }: Known,
  before: number,
  day: (unix: number) => string,
  since: number | undefined | 'own',
): string[] {
  const at = (path: string) => textAt(item, path);
  const result =
    at('result') || ['approved', 'declined', 'held', 'error'].find((word) => at(word) === 'true') || 'without a result';
  const answers = ANSWERS.flatMap((name) => (at(name) === '' ? [] : [`${name} ${at(name)}`]));
  const card = [at('customer_card.type'), at('customer_card.last_4')].filter((part) => part !== '').join(' ');
  const made = Number(at('created_date_unix') || 0);
  const isLast = typeof since === 'number' && made >= since;
  const others =
    before > 0
      ? `${since === 0 ? '' : 'at least '}${before} before it`
      : since === 0
        ? 'it is the only one'
        : 'no earlier one was read';
  const earlier = since === 'own' ? '' : `; ${others}${isLast ? '' : ', and there may be later ones'}`;
  const lines = [
    `${since === 'own' ? 'Attempt' : isLast ? 'Last attempt' : 'Last attempt read,'} ${day(made)}: ${result}${at('gateway_name') ? ` at ${at('gateway_name')}` : ''}` +
      `${card ? `, card ${card}` : ''}${earlier}.`,
  ];
  if (answers.length > 0) lines.push(`The gateway answered: ${answers.join(', ')}.`);
  else if (result !== 'approved') lines.push('The service shows no other answer from the gateway.');
  return lines;
}

function salvageOf({ id, item }: Known): string[] {
  const at = (path: string) => textAt(item, path);
  const left = [at('amount_remaining'), at('iso_currency')].filter((part) => part !== '').join(' ');
  if (at('status') === 'processed') return [`Salvage ${id}: processed.`];
  if (at('enabled') === 'false' || at('status') === 'disabled')
    return [`Salvage ${id}: given up, ${left} was not collected.`];
  return [
    `Salvage ${id}: ${left} is still to collect, ${at('attempts') || '0'} attempts so far. The service does not show when it tries next; processing it charges now.`,
  ];
}

function subscriptionOf({ id, item }: Known, now: number, day: (unix: number) => string): string[] {
  const at = (path: string) => textAt(item, path);
  const next = Number(at('billing.next_renewal_date_unix') || 0);
  const overdue = Number(at('overdue_count') || 0);
  const limit = at('subscription_profile.overdue_limit');
  const isOver = ENDED.values.includes(at(ENDED.path));
  const lines = [
    `Subscription ${id} is ${at('status') || 'without a status'}` +
      (isOver
        ? ': it no longer renews.'
        : next === 0
          ? '; no next renewal is stored.'
          : `; next renewal ${day(next)}${next < now ? ', which is past' : ''}.`),
  ];
  if (overdue > 0)
    lines.push(
      `${overdue} ${overdue === 1 ? 'renewal is' : 'renewals are'} overdue${limit ? `; beyond ${limit} the service suspends the subscription` : ''}.`,
    );
  if (at('status') === 'suspended') lines.push('It does not renew while suspended.');
  return lines;
}

/** A subscription that has ended, although its trial may still charge. */
const isOver = ({ family, item }: Known): boolean =>
  family === 'subscriptions' && /^(?:cancelled|occurrence_limit)$/.test(textAt(item, 'status'));

const isRunning = ({ item }: Known): boolean => textAt(item, 'status') === 'active';

function trialSaid({ id, item }: Known, day: (unix: number) => string): string {
  const end = Number(textAt(item, 'expiration_date_unix') || 0);
  const sum = `${textAt(item, 'amount')} ${textAt(item, 'iso_currency')}`.trim();
  return `Its trial ${id} goes on, and charges ${sum} when it ends${end > 0 ? ` on ${day(end)}` : ''}.`;
}

function personOf({ id, item }: Known): string[] {
  const at = (path: string) => textAt(item, path);
  return [
    ...(at('blocked') === 'true' ? [`Customer ${id} is blocked: the service charges nothing.`] : []),
    ...(at('enabled') === 'false' ? [`Customer ${id} is disabled: normal activity is stopped.`] : []),
  ];
}

/** What an operator can do: reads first, then writes that ask first. */
function nextOf(known: Known, around: readonly Known[]): CommandLine[] {
  const of = (family: string) => around.filter((one) => one.family === family);
  const customer = textAt(known.item, 'customer.id') || textAt(known.item, 'customer_id');
  const open = of('salvage_transactions').find(({ item }) => textAt(item, 'status') === 'created');
  const overdue = of('subscriptions').find(({ item }) => textAt(item, 'status') === 'overdue');
  const suspended = of('subscriptions').find(({ item }) => textAt(item, 'status') === 'suspended');
  const last = of('transactions').find(({ item }) => textAt(item, 'api_call_id') !== '');
  return [
    ...(customer === '' ? [] : [cops`customers show ${customer}`]),
    cops`timeline ${known.id}`,
    ...(known.family === 'sales' ? idsAt(known.item, 'subscriptions').map((id) => cops`why ${id}`) : []),
    ...(last ? [cops`api-calls get ${textAt(last.item, 'api_call_id')}`] : []),
    ...(open ? [cops`salvage-transactions process ${open.id}`] : []),
    ...(isOver(known)
      ? of('trials')
          .filter(isRunning)
          .map(({ id }) => cops`trials cancel ${id}`)
      : []),
    // Either of the two would charge: offers only one.
    ...(overdue && !open ? [cops`subscriptions renew ${overdue.id}`] : []),
    ...(suspended ? [cops`subscriptions activate ${suspended.id}`] : []),
  ];
}

/** Options of `cops why`, as typed. */
export interface WhyOptions {
  readonly family?: string;
  readonly all?: boolean;
}

/** `cops why <id | who>`: for a customer, the newest failure. */
export async function answerWhy(context: Context, word: string, options: WhyOptions): Promise<Done> {
  const look = await openLook(context, { all: options.all });
  const zone = await zoneInUse(context);
  const day = (unix: number): string => dayIn(unix, zone);
  const known = looksLikeId(word)
    ? await knownItem(context, look, word, options.family, [...WHY_FAMILIES, 'customers'])
    : await findNamed(look, word, (text) => context.notes.warn(text), furtherIn(context, look.asker));
  const sheet =
    known.family === 'customers'
      ? personSheet(look, known.raw, day)
      : whySheet(look, await aroundOf(look, known), day, []);
  return present(context, await sheet, options);
}

async function personSheet(look: Look, customer: string, day: (unix: number) => string): Promise<Sheet> {
  const failures = await failuresOf(look, customer, day);
  if (!failures.latest) return nothingFailed(failures, look, customer);
  const around = await aroundOf(look, failures.latest, failures.unread(), failures.payments);
  const told = await failures.told(around.items);
  const sheet = whySheet(look, around, day, [told.said]);
  const shown = new Set(sheet.sections.flatMap(({ items }) => items));
  const others = told.sections.map((section) => {
    const items = section.items.filter((raw) => !shown.has(raw));
    return { ...section, items, total: items.length };
  });
  return {
    ...sheet,
    facts: [['customer', customer], ...sheet.facts],
    sections: [...sheet.sections, ...others.filter(({ items }) => items.length > 0)],
  };
}

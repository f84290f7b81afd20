import { cops, type Text } from '../../base/text/command-line.js';
import type { Column } from '../../catalogue/types.js';
import { idsAt, type Lossless, parseLossless } from '../../items/json/lossless.js';
import { fullName } from '../names/natural-keys.js';
import type { Found, Look } from './ask.js';
import { approvedCharges, chargesSaid, lastCharges, productNames } from './charges.js';
import { type Known, knownOf, readNamed } from './one.js';
import { columnsOf, commandOf, listLine, madeOf, type Section, type Sheet, textAt } from './sheet.js';
import { allToCollect, lastRenewalOf, type OpenNow, openNow, type ToCollect, toCollect } from './to-collect.js';

/** Attempts to charge. */
export const ATTEMPTS = columnsOf(
  'id',
  'created_date_unix',
  'result',
  'amount',
  'gateway_name',
  'customer_card.last_4',
);
const OVERDUE = columnsOf('id', 'created_date_unix', 'amount_total', 'product.name');

const SUBSCRIPTIONS = columnsOf('id', 'status', 'product.name', 'overdue_count', 'billing.next_renewal_date_unix');
const TO_COLLECT = columnsOf('id', 'amount_remaining', 'attempts', 'created_date_unix');
/** What to call the latest failure, by family. */
const KINDS: Readonly<Record<string, string>> = {
  transactions: 'a card payment',
  subscription_renewals: 'a renewal',
  salvage_transactions: 'an amount to collect',
  subscriptions: 'of a subscription',
};

/**
 * A customer's failures: card payments that were not approved and renewals that were not collected; newest first.
 * `latest`: the newest failure; undefined if nothing failed. `payments`: the customer's card payments, as far as they
 * were listed. `unread`: how many subscriptions are still to be read; explaining leaves requests for them. `told`: what
 * to say about all of it, given what was read to explain the newest.
 */
export type Failures = Awaited<ReturnType<typeof failuresOf>>;

/** What is said of one thing: a screen and a document say the same. */
export interface Saying {
  /** What it is. */
  readonly of: string;
  readonly sentences: readonly string[];
}

/** The lines on top of a screen. */
export const headingOf = (said: readonly Saying[]): string[] =>
  said.flatMap(({ of, sentences }) => [of, ...sentences.map((line) => `  ${line}`)]);

/** The same lines as the member of a document. */
export const whyFact = (said: readonly Saying[]): readonly [string, string] => [
  'why',
  JSON.stringify(said.flatMap(({ of, sentences }) => [of, ...sentences])),
];

interface Told {
  readonly sections: readonly Section[];
  /** How the customer is called, since when was looked, and what went through and may be complained of. */
  readonly said: Saying;
}

const counted = (count: number, what: string): string =>
  count === 0 ? '' : count === 1 ? `one ${what}` : `${count} ${what}s`;

/** Reads a customer's failed payments. */
export async function failuresOf(look: Look, customer: string, day: (unix: number) => string) {
  const person = parseLossless(customer);
  const id = textAt(person, 'id');
  const listed = (family: string) => look.listed(commandOf(family), family, id);
  const lists = Promise.all([listed('transactions'), listed('subscription_renewals')]);
  const [[payments, renewals], open] = await Promise.all([lists, openNow(look, person, lists)]);
  const declined = failed('transactions', payments, (item) => !['', 'approved'].includes(textAt(item, 'result')));
  const overdue = failed('subscription_renewals', renewals, (item) => textAt(item, 'is_overdue') === 'true');
  const [listedLast] = [...overdue, ...declined].sort((a, b) => madeOf(b) - madeOf(a));
  const older = listedLast === undefined ? await lastRenewalOf(look, open) : undefined;
  const latest = listedLast ?? older ?? open.salvages[0] ?? open.subscriptions[0];
  const refused = listLine('transactions', id).and('--where', 'result!=approved');
  const unpaid = listLine('subscription_renewals', id).and('--where', 'is_overdue=true');
  const behind = cops`subscriptions list --customer ${id} --status overdue`;
  const since = payments.since ?? renewals.since;
  const toCollectOf = cops`salvage-transactions list --all-time --customer ${id}`;
  const told = async (around: readonly Known[] = []): Promise<Told> => {
    const overdueNow = await open.rest();
    const toCollectNow = await allToCollect(look, person, { ...open, ...overdueNow }, around);
    const salvages = toCollectNow.open;
    const paid = approvedCharges(failed('transactions', payments, () => true));
    const ids = paid[0] ? idsAt(paid[0].item, 'subscriptions').slice(0, 1) : [];
    const known = around.filter(({ family }) => family === 'subscriptions');
    const unread = ids.filter((one) => !known.some((other) => other.id === one));
    const read = await readNamed(
      look,
      unread.map((one) => ({ family: 'subscriptions', id: one })),
    );
    const sentences = [
      ...lastCharges(
        paid,
        productNames([...failed('subscription_renewals', renewals, () => true), ...known, ...read]),
        day,
      ),
      ...chargesSaid(paid, [...known, ...read], day),
    ];
    return {
      said: {
        of: countsOf(person, { declined, overdue, overdueNow, toCollectNow, latest, since }, day),
        sentences,
      },
      sections: [
        section('failed_payments', ATTEMPTS, declined, payments, refused),
        section('overdue_renewals', OVERDUE, overdue, renewals, unpaid),
        section(
          'overdue_subscriptions',
          SUBSCRIPTIONS,
          overdueNow.subscriptions,
          { items: [], isCut: !overdueNow.isWhole },
          behind,
        ),
        { ...section('to_collect', TO_COLLECT, salvages, { items: [] }, toCollectOf), isCut: !toCollectNow.isWhole },
      ],
    };
  };
  return { latest, payments, unread: open.unread, told };
}

interface Facts {
  readonly declined: readonly Known[];
  readonly overdue: readonly Known[];
  readonly overdueNow: Pick<OpenNow, 'subscriptions' | 'isWhole'>;
  readonly toCollectNow: ToCollect;
  readonly latest: Known | undefined;
  readonly since: number | undefined;
}

/** Who it is, what failed of late, and what is open now, however old. */
function countsOf(
  person: Lossless,
  { declined, overdue, overdueNow, toCollectNow, latest, since }: Facts,
  day: (unix: number) => string,
): string {
  const who = [fullName(person), textAt(person, 'email'), textAt(person, 'id')]
    .filter((part) => part !== '')
    .join('  ');
  // A failed renewal and its refused payment are one failure: shows them separately, and does not add them up.
  const many = [counted(declined.length, 'refused card payment'), counted(overdue.length, 'overdue renewal')].filter(
    (part) => part !== '',
  );
  const recent = many.length === 0 ? 'no card payment was refused and no renewal failed' : many.join(' and ');
  const behind = counted(overdueNow.subscriptions.length, 'overdue subscription');
  const now = [
    behind !== '' && !overdueNow.isWhole ? `at least ${behind}` : behind,
    toCollect(toCollectNow.open, toCollectNow.isWhole),
  ].filter((part) => part !== '');
  const found = [
    `${recent}${since === undefined ? '' : ` (since ${day(since)})`}`,
    ...(now.length > 0 ? [`now ${now.join(', ')}`] : overdueNow.isWhole ? ['no subscription is overdue now'] : []),
    ...(behind === '' && !overdueNow.isWhole ? ['whether a subscription is overdue is unknown'] : []),
    ...(latest === undefined ? [] : [`the latest failure is ${KINDS[latest.family] ?? latest.family}`]),
  ];
  return `${who}: ${found.join('; ')}.`;
}

/** The answer if nothing failed: what was searched, and where to look next. */
export async function nothingFailed({ told }: Failures, look: Look, customer: string): Promise<Sheet> {
  const { said, sections } = await told();
  const id = textAt(parseLossless(customer), 'id');
  return {
    heading: headingOf([said]),
    facts: [['customer', customer], whyFact([said])],
    sections,
    notRead: look.notRead,
    next: [cops`customers show ${id}`, cops`timeline ${id} --all`],
  };
}

const failed = (family: string, found: Found, isFailure: (item: Lossless) => boolean): Known[] =>
  found.items.map((raw) => knownOf(family, raw)).filter(({ item }) => isFailure(item));

const section = (
  word: string,
  columns: readonly Column[],
  known: readonly Known[],
  { since, isCut }: Found,
  command: Text,
): Section => ({ word, columns, items: known.map(({ raw }) => raw), total: known.length, since, isCut, command });

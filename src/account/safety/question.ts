import Big from 'big.js';
import { type CommandLine, cops, copsLine, placeholder, say, type Text } from '../../base/text/command-line.js';
import type { Operation, Risk } from '../../catalogue/types.js';
import type { Values } from '../../items/json/lossless.js';
import type { Profile } from '../profiles/types.js';

export interface QuestionInput {
  readonly profile: Pick<Profile, 'name' | 'mode' | 'modeAssumed' | 'proof' | 'baseUrl' | 'embedded'>;
  /** The family's command word, with dashes. */
  readonly family: string;
  readonly operation: Pick<Operation, 'action' | 'summary' | 'preview'>;
  readonly risk: Risk;
  readonly ids: readonly string[];
  /** The item as the service just returned it. */
  readonly item?: Values;
  /** The body that would be sent. */
  readonly body?: Values;
  /** The fields that the body sets: each path and its new value. */
  readonly sets?: readonly (readonly [path: string, text: string])[];
  /** Why there is no item, if reading it failed. */
  readonly itemMissing?: string;
  /** Time zone for dates. */
  readonly tz: string;
  /** The meanings of names given instead of ids, one sentence each. */
  readonly named?: readonly string[];
}

/** Maximum number of body fields shown one by one. */
const MOST_SET = 12;

/** The fixed id of the payment type "Offline Payment" (service.md#payment-types). */
const OFFLINE_PAYMENT = '1rdzjX2rrkcNjPXMEvOm';

/** Whose account is about to change, and in which mode: the first words of every question. */
export function modeLine({ mode, embedded, name }: Pick<Profile, 'mode' | 'embedded' | 'name'>): string {
  const live = mode.value === 'live' && !embedded ? '*** LIVE: real money *** ' : '';
  return `${live}${mode.value.toUpperCase()} mode, profile ${name.value}`;
}

/**
 * What is about to happen, one line each, for the question before a grave operation (command-line.md#writes). Pure text
 * in and out; leaves out what the item does not show, and never makes anything up. The caller sanitises it.
 */
export function questionLines(input: QuestionInput): readonly Text[] {
  const { profile, operation, ids } = input;
  const lines: Text[] = [
    `${modeLine(profile)}${modeDoubt(input)}`,
    `${[input.family, operation.action, ...ids].join(' ')}: ${operation.summary}`,
  ];
  for (const line of input.named ?? []) lines.push(`  Named: ${line}`);
  if (input.itemMissing) lines.push(`The item could not be read: ${input.itemMissing}`);
  const said = new Set<string>();
  const isCancel = operation.action === 'cancel';
  if (input.item) {
    if (operation.preview?.refund) lines.push(...refundLines(input.item, input.body, said));
    const currency = input.item('iso_currency') ?? input.item('currency');
    const customer = customerText(input.item);
    for (const { path, label } of operation.preview?.show ?? []) {
      const value = input.item(path);
      if (value === undefined || said.has(path)) continue;
      said.add(path);
      if (/^customer(\.|_id$|$)/.test(path) && customer !== '') {
        // Names the customer on one line, in place of the first part.
        if (!said.has(CUSTOMER)) lines.push(`  customer: ${customer}`);
        said.add(CUSTOMER);
        if (TOLD_OF_CUSTOMER.has(path)) continue;
      }
      if (/^(iso_)?currency$/.test(path) && said.has(AMOUNT)) continue;
      const unit = currency !== undefined && isAmount(path, value) ? ` ${currency}` : '';
      if (unit !== '') said.add(AMOUNT);
      const next = operation.preview?.refund ? undefined : input.body?.(path);
      const change =
        next === undefined || next === value ? '' : ` -> ${shown(path, digitsLike(next, value), input.tz)}${unit}`;
      lines.push(`  ${label}: ${shown(path, value, input.tz)}${unit}${change}`);
    }
    if (!said.has(CUSTOMER) && customer !== '') lines.push(`  customer: ${customer}`);
    if (input.family === 'subscriptions' && isCancel) lines.push(...renewalLine(input.item, said, input.tz));
  }
  const sets = (input.sets ?? []).filter(([path]) => !said.has(path));
  for (const [path, text] of sets.slice(0, MOST_SET)) lines.push(`  ${path}: ${text}`);
  if (sets.length > MOST_SET) lines.push(`  and ${sets.length - MOST_SET} more fields of the body`);
  for (const sentence of warningsOf({ ...operation, risk: input.risk })) lines.push(fill(sentence, ids));
  const offline = operation.preview?.refund && input.item ? offlineLine(input.item) : undefined;
  if (offline) lines.push(offline);
  else if (operation.preview?.narrower) lines.push(say`Narrower: ${narrowerLine(operation.preview.narrower, ids)}`);
  return lines;
}

/** The consequences of an operation, and whether it can be undone, one sentence each. */
export function warningsOf({ preview, risk }: Pick<Operation, 'preview' | 'risk'>): readonly string[] {
  const undo = preview?.undo ?? (risk === 'irreversible' ? 'This cannot be undone.' : undefined);
  return [...(preview?.says ?? []), ...(undo === undefined ? [] : [undo])];
}

/** Amounts of an item that can be refunded: exact decimals with the digits received. */
export interface RefundAmounts {
  readonly currency?: string;
  readonly amount?: string;
  readonly refunded?: string;
  readonly left?: string;
  /** The largest amount that may be left, where the item's own figures disagree. */
  readonly most?: string;
}

/** Reads amount, refunded and left; `left` is at most `amount_total`, net of refunds (service.md#payments). */
export function refundAmounts(item: Values): RefundAmounts {
  const total = item('amount_original_total') ?? item('amount_captured') ?? item('amount');
  const refunded = item('amount_refunded');
  const candidates: Big[] = [];
  const after = decimal(item('amount_total'));
  if (after) candidates.push(after);
  const whole = decimal(total);
  const back = decimal(refunded);
  if (whole && back) candidates.push(whole.minus(back));
  const [left, ...more] = candidates.sort((a, b) => a.cmp(b));
  const most = [left, ...more, whole && !back ? whole : undefined].reduce((high, one) =>
    high && (!one || one.lt(high)) ? high : one,
  );
  const currency = item('iso_currency') ?? item('currency');
  const places = Math.max(...[total, refunded, item('amount_total')].map((text) => text?.split('.')[1]?.length ?? 0));
  return {
    currency: currency || undefined,
    amount: total,
    refunded,
    left: left ? left.toFixed(Math.max(places, decimals(left))) : undefined,
    most: most?.toFixed(),
  };
}

function refundLines(item: Values, body: Values | undefined, said: Set<string>): string[] {
  const facts = refundAmounts(item);
  const unit = facts.currency ? ` ${facts.currency}` : '';
  const lines: string[] = [];
  if (facts.amount !== undefined) lines.push(`  Amount: ${facts.amount}${unit}`);
  if (facts.refunded !== undefined) lines.push(`  Already refunded: ${facts.refunded}${unit}`);
  if (facts.left !== undefined) lines.push(`  Left: ${facts.left}${unit}`);
  const given = body?.('amount');
  const asked = given === undefined ? undefined : digitsLike(given, facts.left ?? facts.amount);
  const whole = facts.left === undefined ? '' : `, ${facts.left}${unit}`;
  lines.push(
    asked === undefined ? `  Refunding now: everything that is left${whole}` : `  Refunding now: ${asked}${unit}`,
  );
  const wanted = decimal(asked);
  const left = decimal(facts.left);
  if (wanted && left?.lt(wanted)) lines.push('  That is more than what is left; the service decides what happens.');
  said.add('refunded_offsite');
  if (body?.('refunded_offsite') === 'true')
    lines.push('  Only booked as refunded elsewhere: the gateway does not pay it back.');
  for (const path of `amount amount_original_total amount_captured amount_refunded amount_total iso_currency currency`.split(
    /\s+/,
  ))
    said.add(path);
  return lines;
}

/** Marks the customer as already named, among the named paths. */
const CUSTOMER = '(customer)';
const AMOUNT = '(amount)';
const TOLD_OF_CUSTOMER = new Set(
  `customer customer_id customer.id customer.name customer.first_name customer.last_name customer.email`.split(/\s+/),
);

/** Name, e-mail address and id, as far as the item shows them. */
function customerText(item: Values): string {
  const name = [item('customer.first_name'), item('customer.last_name')].filter(Boolean).join(' ');
  const whole = item('customer');
  const plain = whole !== undefined && !/^[{[]/.test(whole) ? whole : undefined;
  const parts = [
    name || item('customer.name'),
    item('customer.email'),
    item('customer.id') ?? item('customer_id') ?? plain,
  ];
  return parts.filter(Boolean).join(', ');
}

function renewalLine(item: Values, said: Set<string>, tz: string): string[] {
  for (const path of ['billing.next_renewal_date_unix', 'next_renewal_date_unix']) {
    const value = item(path);
    if (said.has(path)) return [];
    if (value !== undefined) return [`  Next renewal: ${shown(path, value, tz)}`];
  }
  return [];
}

function offlineLine(item: Values): Text | undefined {
  const kind = item('payment_type.id') ?? item('payment_type.name') ?? item('payment_type');
  if (kind === undefined || (kind !== OFFLINE_PAYMENT && !/^offline/i.test(kind))) return undefined;
  const sale = item('sales[0]') ?? item('sale.id') ?? item('sale_id');
  return say`Paid offline: an offline payment cannot be refunded itself. To undo everything, including its subscriptions, void its sale: ${cops`sales void ${sale ?? placeholder('<sale_id>')}`}`;
}

function modeDoubt(input: QuestionInput): string {
  const { profile } = input;
  if (profile.embedded) return ' (the embedded sandbox: no real money)';
  if (profile.modeAssumed) return ` at ${profile.baseUrl.value} (nobody said which mode this key has)`;
  if (profile.proof === 'proven') return ` at ${profile.baseUrl.value}`;
  return ` at ${profile.baseUrl.value} (declared, not proven yet: this may be a live key)`;
}

const isAmount = (path: string, value: string): boolean =>
  /^(amount|price)(_|$)/.test(path.split('.').at(-1) ?? '') && /^-?\d+(\.\d+)?$/.test(value);

const shown = (path: string, value: string, tz: string): string =>
  /_unix$/.test(path) && /^\d{1,11}$/.test(value) ? moment(Number(value), tz) : value;

/** `2026-12-01 10:00 (Europe/Berlin)`; the digits themselves if this machine does not know the zone. */
function moment(seconds: number, tz: string): string {
  try {
    const parts = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: tz });
    return `${parts.format(new Date(seconds * 1000))} (${tz})`;
  } catch {
    return String(seconds);
  }
}

/** The better line with the id filled in; for only a family and an action, its help. */
function narrowerLine(command: string, [id]: readonly string[]): CommandLine {
  const words = command.split(' ');
  if (!words.some((word) => word.startsWith('<'))) return copsLine([...words, '--help']);
  return copsLine(words.map((word) => (word === '<id>' && id ? id : word.startsWith('<') ? placeholder(word) : word)));
}

function fill(command: string, ids: readonly string[]): string {
  const [id] = ids;
  // A function, because in a replacement text `$&` and the like in an id would have a meaning.
  return ids.length === 1 && id ? command.replace('<id>', () => id) : command;
}

/** An amount with as many decimals as the one next to it, never fewer than it has. */
function digitsLike(text: string, other: string | undefined): string {
  const [amount, beside] = [decimal(text), decimal(other)];
  const written = (number = ''): number => number.split('.')[1]?.length ?? 0;
  return amount && beside ? amount.toFixed(Math.max(written(other), written(text), decimals(amount))) : text;
}

function decimal(text: string | undefined): Big | undefined {
  if (text === undefined || !/^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/.test(text)) return undefined;
  return new Big(text);
}

const decimals = (value: Big): number => value.toFixed().split('.')[1]?.length ?? 0;

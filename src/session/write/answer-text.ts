import Big from 'big.js';
import { refundAmounts } from '../../account/safety/question.js';
import { type CommandLine, copsLine, joinedTexts, say, type Text } from '../../base/text/command-line.js';
import type { Operation } from '../../catalogue/types.js';
import { type Values, valuesOf } from '../../items/json/lossless.js';
import { parseJson } from '../../items/json/parse-json.js';
import { isObject, NumberText, type Tree, type TreeObject, valueAt } from '../../items/json/tree.js';
import { sanitise } from '../../items/text/inert.js';
import { Clock } from '../../items/text/times.js';
import { wrapProse } from '../../items/text/width.js';
import type { Context, Done } from '../context/context.js';
import { type Change, changedFields, changeText, shownValue } from './edited-fields.js';
import type { PreparedWrite, Seen } from './prepared-write.js';

/** A completed write, for telling a person. */
interface DoneWrite extends Pick<PreparedWrite, 'family' | 'operation' | 'ids' | 'body'> {
  /** The item before the write; undefined if it was not read. */
  readonly before?: { readonly values: Values; readonly tree: Tree } | undefined;
  readonly answer: Values;
  readonly tz: string;
}

/** The past tense of actions; others keep their own word. */
const PAST: Readonly<Record<string, string>> = {
  activate: 'Activated',
  cancel: 'Cancelled',
  create: 'Created',
  delete: 'Deleted',
  disable: 'Disabled',
  edit: 'Edited',
  enable: 'Enabled',
  expire: 'Expired',
  extend: 'Extended',
  process: 'Processed',
  renew: 'Renewed',
  shorten: 'Shortened',
  suspend: 'Suspended',
  trigger: 'Started',
  void: 'Void accepted:',
};

/** What reverses an action, if the family has it. */
const UNDO: Readonly<Record<string, string>> = {
  activate: 'suspend',
  'add-to-group': 'remove-from-group',
  disable: 'enable',
  enable: 'disable',
  'remove-from-group': 'add-to-group',
  suspend: 'activate',
};

/** Sentences that say what happened, to what, and how to undo it (one line each); never made up. */
function answerLines(done: DoneWrite): Text[] {
  const verb = verbOf(done.operation);
  if (done.operation.preview?.refund === true || verb === 'refund') return refundLines(done);
  const past = Object.hasOwn(PAST, verb) ? PAST[verb] : `Done (${done.operation.action}):`;
  const changes = verb === 'edit' ? changedFields(done.operation, done.body, done.before?.tree) : [];
  return [
    joinedTexts([`${past} ${subject(done)}.`, nextRenewal(done, verb), undoOf(done, verb)], ' '),
    ...changes.map((change) => `  ${change.path}: ${changeText(change)}`),
    ...undoOfEdit(done, verb, changes),
    ...pauseInstead(done),
    ...wentAlong(done, verb),
  ];
}

function verbOf(operation: Operation): string {
  return operation.action.split(' ').at(-1) ?? operation.action;
}

function commandOf({ family, operation }: DoneWrite, verb: string, words: readonly string[]): CommandLine {
  return copsLine([family.name.replaceAll('_', '-'), ...operation.action.split(' ').slice(0, -1), verb, ...words]);
}

/** The id with what people call the item: its product or name, and its customer's e-mail address. */
function subject({ family, operation, ids, before, answer, body }: DoneWrite): string {
  const made = operation.answerId === undefined ? undefined : answer(operation.answerId);
  const id = ids.at(-1) ?? made ?? '';
  const value = before?.values ?? bodyValues(body);
  const email = value('customer.email') ?? value('email');
  const keys = family.keys.map(({ field }) => value(field));
  const names = [value('product.name'), value('name'), ...keys].filter((text) => text !== undefined && text !== id);
  const known = [names.find((text) => text !== email), email].filter((text) => text !== undefined);
  const words = [id, known.join(', ')].filter(Boolean);
  return words.length > 0 ? words.join(' ') : family.name.replaceAll('_', ' ');
}

function bodyValues(body: Readonly<Record<string, unknown>>): Values {
  return (path) => {
    const value = valueAt(body as TreeObject, path);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
}

function nextRenewal({ family, before, tz }: DoneWrite, verb: string): string {
  const unix = before?.values('billing.next_renewal_date_unix');
  if (family.name !== 'subscriptions' || unix === undefined || verb === 'edit') return '';
  const day = new Clock(tz).show(Number(unix))?.slice(0, 10);
  return day === undefined ? '' : `Next renewal ${verb === 'activate' ? 'is' : 'was'} ${day}.`;
}

function undoOf(done: DoneWrite, verb: string): Text {
  const { family, operation, ids } = done;
  const back = Object.hasOwn(UNDO, verb) ? UNDO[verb] : undefined;
  const prefix = operation.action.split(' ').slice(0, -1);
  if (back !== undefined && family.operations.some(({ action }) => action === [...prefix, back].join(' '))) {
    // Members of a group stay in it, and an undo would remove them.
    const lead = /group$/.test(operation.action) ? 'To undo it, if this changed anything' : 'Undo';
    return say`${lead}: ${commandOf(done, back, [...ids, ...sameBody(done)])}`;
  }
  if (operation.risk === 'irreversible') return 'This cannot be undone.';
  const made = verb === 'create' && operation.answerId !== undefined ? done.answer(operation.answerId) : undefined;
  if (made === undefined || !family.operations.some(({ action }) => action === [...prefix, 'get'].join(' '))) return '';
  return say`See it: ${commandOf(done, 'get', [...ids, made])}`;
}

/** What an undo also needs: the groups that were joined. */
function sameBody({ operation, body }: DoneWrite): string[] {
  if (!/group$/.test(operation.action)) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    Array.isArray(value) ? value.flatMap((one, at) => ['-d', `${name}[${at}]=${String(one)}`]) : [],
  );
}

/** A suspension has no end: names the action that has one, in case that was meant. */
function pauseInstead(done: DoneWrite): Text[] {
  if (done.family.name !== 'subscriptions' || done.operation.action !== 'suspend') return [];
  return [
    say`Nothing renews until then. For a pause with an end, then run: ${commandOf(done, 'postpone', [...done.ids, '--by', '1mo'])}`,
  ];
}

/** What else a void affected: it reaches further than its name says. */
function wentAlong({ operation }: DoneWrite, verb: string): string[] {
  return verb === 'void' ? (operation.preview?.says ?? []).map((sentence) => `  ${sentence}`) : [];
}

/** The edit that restores the old values, if all of them are known and plain. */
function undoOfEdit(done: DoneWrite, verb: string, changes: readonly Change[]): Text[] {
  const known = changes.every(({ from, path }) => from !== undefined && !/[[{]/.test(from) && !path.includes('['));
  if (verb !== 'edit' || changes.length === 0 || !known || changes.length > 4) return [];
  const fields = changes.flatMap(({ path, from = '' }) => ['-d', `${path}=${from.replace(/^@/, '@@')}`]);
  return [say`Undo: ${commandOf(done, 'edit', [...done.ids, ...fields])}`];
}

function refundLines(done: DoneWrite): Text[] {
  const { before, answer, body } = done;
  const amounts = before ? refundAmounts(before.values) : {};
  const asked =
    answer('amount') ?? (body.amount === undefined ? undefined : shownValue(body.amount as Tree)) ?? amounts.left;
  const unit = amounts.currency === undefined ? '' : ` ${amounts.currency}`;
  const sum = asked === undefined ? '' : ` of ${asked}${unit}`;
  const isPlain =
    asked !== undefined && amounts.left !== undefined && [asked, amounts.left].every((one) => MONEY.test(one));
  const left = isPlain ? ` Left: ${minus(amounts.left ?? '0', asked)}${unit}.` : '';
  const what = verbOf(done.operation) === 'void' ? 'Void' : 'Refund';
  return [`${what}${sum} accepted: ${subject(done)}.${left}`];
}

const MONEY = /^\d{1,15}(\.\d{1,4})?$/;

/** Exact difference of two plain amounts, not below zero. */
function minus(a: string, b: string): string {
  const rest = new Big(a).minus(b);
  return (rest.lt(0) ? new Big(0) : rest).toFixed(Math.max(...[a, b].map((one) => one.split('.')[1]?.length ?? 0)));
}

/** What every answer contains, and what a sentence already says of it. */
const KNOWN = new Set(['api_call_id', 'api_call_unix', 'code', 'result', 'message', 'live_mode', 'amount']);

/** The answer of a completed write as sentences; undefined if it says more than fits into lines. */
export async function toldToPerson(
  prepared: PreparedWrite,
  seen: Seen | undefined,
  answer: string,
  context: Context,
): Promise<Done | undefined> {
  const { family, operation, ids, body } = prepared;
  const before =
    seen?.item && seen.text !== undefined ? { values: seen.item, tree: parseJson(seen.text).value } : undefined;
  const { tz } = await context.settings();
  const lines = answerLines({ family, operation, ids, body, before, answer: valuesOf(answer), tz });
  const told = parseJson(answer).value;
  const more = isObject(told) ? Object.entries(told) : [];
  for (const [name, value] of more) {
    if (KNOWN.has(name) || name === operation.answerId || ids.includes(String(value))) continue;
    const shown = plain(value);
    if (shown === undefined && !isEmpty(value)) return undefined;
    if (shown !== undefined) lines.push(`  ${name.replaceAll('_', ' ')}: ${shown}`);
  }
  const shown: string[] = [];
  for (const line of lines) shown.push(...[(await context.shown(line)) ?? []].flat());
  return {
    result: {
      shape: 'text',
      text: `${shown
        .flatMap((line) => line.split('\n'))
        .map((line) => wrapProse(sanitise(line), context.world.stdout.columns || 80))
        .join('\n')}\n`,
    },
    wrote: true,
  };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A value that fits on a line: words, numbers, and short lists of them. */
function plain(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    const parts = value.map(plain);
    return parts.length > 0 && parts.every((part) => part !== undefined) ? parts.join(', ') : undefined;
  }
  if (value === null || value === '') return undefined;
  if (typeof value !== 'object') return String(value);
  return value instanceof NumberText ? value.text : undefined;
}

import Big from 'big.js';
import { type CopsError, stopped } from '../../base/errors/errors.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { midnight } from '../../base/time/periods.js';
import { momentOf, wallTime, zoneOf } from '../../base/time/zones.js';
import { WEEKDAYS } from './rule-fields.js';
import type { Asked, Counted, Limits, Moves, Policy, Rule } from './types.js';

const HOUR_MS = 3_600_000;

/** True if words such as `customers` or `transactions refund` mean this operation. */
export function names(words: readonly string[], operation: string): boolean {
  const family = operation.split(' ')[0];
  return words.some((one) => one === operation || one === family);
}

/** The words of `never` and `only` that name writes outside the rule's own `operations`. */
export function wordsOutside({
  operations,
  never = [],
  only = [],
}: Rule): { readonly limit: 'never' | 'only'; readonly words: readonly string[] }[] {
  const isOutside = (word: string): boolean =>
    operations !== undefined && !operations.some((one) => names([one], word) || names([word], one));
  return [
    { limit: 'never' as const, words: never.filter(isOutside) },
    { limit: 'only' as const, words: only.filter(isOutside) },
  ].filter(({ words }) => words.length > 0);
}

/** Everything that a write does, in command-line words. */
function deeds({ operation, also = [] }: Pick<Counted, 'operation' | 'also'>): string[] {
  return [operation, ...also.map((one) => one.operation)];
}

/** `sales void`, with the operation that causes it if that is another one. */
function told(deed: string, { operation, also = [] }: Asked): string {
  const field = also.find((one) => one.operation === deed)?.field;
  return deed === operation || field === undefined ? deed : `${deed} (which ${operation} does with ${field})`;
}

const isWithin = <T>(scope: readonly T[] | undefined, value: T): boolean =>
  scope === undefined || scope.includes(value);

const speaksOfDeed = ({ operations }: Rule, all: readonly string[]): boolean =>
  operations === undefined || all.some((one) => names(operations, one));

const isInScope = (rule: Rule, { profile, mode, who }: Asked): boolean =>
  isWithin(rule.profiles, profile) && isWithin(rule.modes, mode) && isWithin(rule.who, who);

/** The rules that apply to a write. */
export const rulesFor = (policy: Policy, asked: Asked): readonly Rule[] =>
  policy.rules.filter((rule) => isInScope(rule, asked) && speaksOfDeed(rule, deeds(asked)));

/**
 * A rule that names operations cannot tell of one that the catalogue does not know whether it is one of these under
 * another name. One that names it, `api` or its family, judges it like any other.
 */
function* judgeUnlisted(policy: Policy, asked: Asked): Iterable<CopsError> {
  if (!asked.isUnlisted) return;
  for (const rule of policy.rules) {
    if (!isInScope(rule, asked) || !restricts(rule)) continue;
    const words = ['operations', 'only', 'never'] as const;
    const limit = words.find((word) => rule[word] && !names(rule[word], asked.operation));
    if (limit !== undefined)
      yield fault(rule, limit, `it names operations, but cops does not know ${asked.operation} or what it does`);
  }
}

/** False for a rule that only lets an agent act alone. */
const restricts = ({
  name: _name,
  profiles: _p,
  modes: _m,
  who: _w,
  operations: _o,
  alone: _a,
  ...limits
}: Rule): boolean => Object.values(limits).some((limit) => limit !== undefined);

/** True if a rule counts the amounts moved. */
export const countsAmounts = (rules: readonly Rule[]): boolean =>
  rules.some((rule) => rule.most !== undefined || rule.mostADay !== undefined);

/** True if a rule needs the history. */
export const countsWrites = (rules: readonly Rule[]): boolean =>
  rules.some((rule) => rule.mostADay !== undefined || rule.writesAnHour !== undefined);

/** True if a rule lets an agent run exactly this operation without a person to ask. */
export function mayGoAlone(policy: Policy, asked: Asked): boolean {
  const rules = rulesFor(policy, asked);
  return deeds(asked).every((deed) => rules.some((rule) => rule.alone?.includes(deed) === true));
}

/** The moment from which the writes of a policy count, milliseconds. */
export function countedFrom(policy: Policy, now: number): { readonly day: number; readonly hour: number } {
  const zone = zoneOf(policy.zone, 'zone');
  const day = momentOf(midnight(wallTime(now, zone)), zone);
  const from = policy.countsFrom ?? 0;
  return { day: Math.max(day, from), hour: Math.max(now - HOUR_MS, from) };
}

/** The errors (12) of all rules that stop this write, whatever was written before. */
export function* judgeAlone(policy: Policy, asked: Asked, moves: Moves, now: number): Iterable<CopsError> {
  yield* judgeUnlisted(policy, asked);
  for (const rule of rulesFor(policy, asked)) {
    for (const deed of deeds(asked)) {
      if (rule.never && names(rule.never, deed)) yield fault(rule, 'never', `${told(deed, asked)} is never written`);
      if (rule.only && !names(rule.only, deed)) {
        const allowed = rule.only.join(', ');
        const all = allowed ? `only ${allowed} may be written, not` : 'nothing may be written, so neither may';
        yield fault(rule, 'only', `${all} ${told(deed, asked)}`);
      }
    }
    if (rule.neverOn?.includes(weekday(now, policy.zone)))
      yield fault(rule, 'never_on', `no write passes on ${rule.neverOn.join(', ')} (${policy.zone})`);
    if (rule.hours && !isInHours(rule.hours, now, policy.zone)) {
      const [from, to] = rule.hours.map(clock);
      yield fault(rule, 'hours', `writes pass from ${from} to ${to} (${policy.zone})`);
    }
    if (rule.reason && !asked.reason?.trim()) yield fault(rule, 'reason', 'a reason is required: --reason <text>');
    yield* judgeAmounts(rule, 'most', rule.most, moves);
    yield* judgeAmounts(rule, 'most_a_day', rule.mostADay, moves);
  }
}

/** Checks one write against the amount limits of a rule; yields an error (12) for each that stops it. */
function* judgeAmounts(rule: Rule, word: string, limits: Limits | undefined, moves: Moves): Iterable<CopsError> {
  if (!limits || moves.kind === 'nothing') return;
  if (moves.kind === 'unknown')
    return yield fault(
      rule,
      word,
      `it limits amounts, but the amount of this write is unknown before it is sent: ${moves.why}`,
    );
  const limit = limits.get(moves.currency);
  if (!limit) yield fault(rule, word, `it has no limit for ${moves.currency}, so it forbids that currency`);
  else if (word === 'most' && moves.amount.gt(limit))
    yield fault(
      rule,
      word,
      `the limit for one write is ${money(limit, moves)}, and this is ${money(moves.amount, moves)}`,
    );
}

/**
 * The errors (12) of all limits that count earlier writes.
 * @param written the writes since the earlier of the two moments of `countedFrom`
 * @param mayMove whether an operation can move an amount, for writes whose amount was not counted
 */
export function* judgeSums(
  policy: Policy,
  asked: Asked,
  moves: Moves,
  now: number,
  written: readonly Counted[],
  mayMove: (operation: string) => boolean,
): Iterable<CopsError> {
  const { day, hour } = countedFrom(policy, now);
  for (const rule of rulesFor(policy, asked)) {
    const own = written.filter((one) => speaksOf(rule, one, asked));
    if (rule.writesAnHour !== undefined) {
      const count = own.filter(({ time }) => time >= hour).length;
      if (count >= rule.writesAnHour)
        yield fault(rule, 'writes_an_hour', `the limit is ${rule.writesAnHour} writes an hour, and ${count} passed`);
    }
    const limit = moves.kind === 'amount' ? rule.mostADay?.get(moves.currency) : undefined;
    if (limit === undefined || moves.kind !== 'amount') continue;
    const today = own.filter(({ time }) => time >= day);
    const odd = today.find((one) => one.currency === undefined && deeds(one).some(mayMove));
    if (odd) yield uncounted(rule, odd);
    const same = today.filter(({ currency }) => currency === moves.currency);
    const sum = same.reduce((all, { amount = '0' }) => all.plus(amount), new Big(0));
    if (sum.plus(moves.amount).gt(limit))
      yield fault(
        rule,
        'most_a_day',
        `the limit for a day is ${money(limit, moves)}; today's total is ${money(sum, moves)} (${policy.zone}), unknown ` +
          `outcomes included, and this is ${money(moves.amount, moves)}`,
      );
  }
}

/** A profile can be renamed, and two can hold one key: writes with this key count too. */
const speaksOf = (rule: Rule, one: Counted, asked: Asked): boolean =>
  (isWithin(rule.profiles, one.profile) || one.credential === asked.credential) &&
  isWithin(rule.modes, one.mode as Asked['mode']) &&
  isWithin(rule.who, one.who) &&
  speaksOfDeed(rule, deeds(one));

const uncounted = (rule: Rule, one: Counted): CopsError =>
  fault(
    rule,
    'most_a_day',
    `the amount of ${one.operation}, written today, was not counted (${cops`history show ${one.id}`})`,
    say`Nothing was sent. A person can leave out writes from before the limit: counts_from: <moment> in the policy (${cops`policy edit`}).`,
  );

function weekday(now: number, zone: string): string {
  const { year, month, day } = wallTime(now, zoneOf(zone, 'zone'));
  return WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] as string;
}

function isInHours([from, to]: readonly [number, number], now: number, zone: string): boolean {
  const { hour, minute } = wallTime(now, zoneOf(zone, 'zone'));
  const at = hour * 60 + minute;
  return from < to ? at >= from && at < to : at >= from || at < to;
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

const money = (amount: Big, { currency }: { readonly currency: string }): string =>
  `${amount.toFixed(Math.max(2, amount.c.length - amount.e - 1))} ${currency}`;

const fault = (rule: Rule, limit: string, message: string, hint?: Text): CopsError =>
  stopped(
    `policy rule ${JSON.stringify(rule.name)}: ${message}`,
    hint ?? say`Nothing was sent. To see the rules: ${cops`policy show`}.`,
    { rule: rule.name, limit },
  );

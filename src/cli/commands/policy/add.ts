import type Big from 'big.js';
import { accountRecords } from '../../../account/account-records.js';
import { policyPath, policyText } from '../../../account/policy/file.js';
import { wordsOutside } from '../../../account/policy/judge.js';
import { parsePolicy } from '../../../account/policy/parse.js';
import { choicesMeant, RULE_FIELDS, type RuleField } from '../../../account/policy/rule-fields.js';
import type { Limits, Rule } from '../../../account/policy/types.js';
import { optionKey } from '../../../account/profiles/settings.js';
import { usage, wrongOption } from '../../../base/errors/errors.js';
import { cops, joinedTexts, say, type Text } from '../../../base/text/command-line.js';
import { minorDigits } from '../../../items/schema/types.js';
import { amountFault } from '../../../items/select/amounts.js';
import type { Context, Done } from '../../../session/context/context.js';
import { one } from '../../../session/context/run.js';
import { type AddOptions, limitOptions, neverAll, scopeWords, tellVerbs, wordsIn, writesMeant } from './rule-words.js';
import { keepRules, refuseAgent, shownPolicy, TEMPLATE } from './rules.js';

/** `cops policy add --operations refund --most "100 USD"`: adds a rule and leaves the rest of the file as it is. */
export async function addRule(context: Context, typed: AddOptions): Promise<Done> {
  refuseAgent(context);
  const options = neverAll(typed);
  const path = policyPath(context.configDir);
  const before = policyText(context.configDir) ?? TEMPLATE;
  const { rules: old } = await parsePolicy(before, path);
  const name = options.name ?? freeName(old);
  refuseOutside(options, (await typedRule(options, name)) as Rule);
  const lines = linesOf(options, name);
  const text = withRule(before, lines, old.length);
  const policy = await parsePolicy(text, path);
  // Refuses a file whose layout this code cannot read, rather than guess.
  if (policy.rules.length !== old.length + 1)
    throw usage('The layout of this file does not let cops add a rule to it.', cops`policy edit`);
  const rule = policy.rules.at(-1) as Rule;
  const same = old.find((one) => sayingOf(one) === sayingOf(rule));
  if (same) {
    context.notes.warn(`Rule "${same.name}" already says this: nothing was added.`);
    return { result: one({ path, ...shownPolicy({ ...policy, rules: old }) }) };
  }
  const done = await keepRules(context, text, policy);
  tellWhom(context, rule);
  await tellVerbs(context, options, name);
  if (!tellFrozen(context, old, rule, options)) await tellOthers(context, rule, options);
  if (rule.most && !rule.mostADay) tellParts(context, rule, options);
  return done;
}

/** Says whom the rule binds: an agent that types commands cannot be told apart from a person. */
function tellWhom({ configDir, notes }: Context, { who }: Rule): void {
  const team = say`For a team and all its machines: ${cops`team --help`}`;
  if (who?.every((one) => one === 'agent')) {
    notes.warn(
      say`This rule binds agents that write through ${cops`mcp`} with ${configDir} as its configuration. An agent that types commands counts as a person: what binds it is a rule without --who, or a read-only profile as its only one: ${cops`profiles edit <name> --read-only`} (docs/agents.md).`,
    );
    notes.note(team);
  } else notes.note(say`It holds for all ${who ? 'people ' : ''}who use ${configDir} as their configuration. ${team}`);
}

/**
 * The rule of the line.
 * @throws CopsError usage (2): a fault of the new rule is one of the line, not of the file
 */
async function typedRule(options: AddOptions, name: string): Promise<Rule | undefined> {
  const text = `zone: UTC\nrules:\n  ${linesOf(options, name).join('\n  ')}\n`;
  const read = await parsePolicy(text, 'the rule').catch((error: Error) => {
    throw usage(`cops policy add: ${error.message}`);
  });
  return read.rules[0];
}

/**
 * A limit on writes outside the rule would be stored without effect.
 * @throws CopsError usage (2) with the lines for separate rules
 */
function refuseOutside(options: AddOptions, rule: Rule): void {
  const [outside] = wordsOutside(rule);
  if (!outside) return;
  const { limit, words } = outside;
  const typed = wordsIn(options[limit]);
  // A word for several operations, such as refund, may lie inside the rule with one of them.
  const foreign = typed.filter((word) => writesMeant(word).every((one) => words.includes(one)));
  if (foreign.length === 0) return;
  const { operations = [], profiles, who, modes, neverOn, hours } = options;
  const place = { profiles, who, modes, neverOn, hours };
  const others = typed.filter((word) => !foreign.includes(word));
  const rest: AddOptions = { ...options, [limit]: undefined };
  const kept = [...limitOptions(rest), ...others.flatMap((word) => [`--${limit}`, word])];
  const first = kept.length + (rest.only ?? []).length === 0 ? [] : [cops`policy add ${scopeWords(rest)} ${kept}`];
  // Without the first rule's operations, an `--only` rule would stop all of them.
  const alone = limit === 'only' ? [...foreign, ...operations] : foreign;
  const second = cops`policy add ${scopeWords(place)} ${alone.flatMap((word) => [`--${limit}`, word])}`;
  throw usage(
    `cops policy add: --${limit} ${JSON.stringify(foreign.join(', '))} lies outside the rule, which covers only ${operations.join(', ')}.`,
    say`Nothing was added. Write it as ${first.length === 0 ? 'a rule of its own' : 'two rules'}: ${joinedTexts([...first, second], ' && ')}`,
  );
}

/** The content of a rule without its name. */
const sayingOf = (rule: Rule): string => JSON.stringify(shownPolicy({ zone: '', rules: [{ ...rule, name: '' }] }));

/** A name that no rule has, even if others were removed. */
function freeName(rules: readonly Rule[]): string {
  const taken = new Set(rules.map(({ name }) => name));
  let number = rules.length + 1;
  while (taken.has(`rule ${number}`)) number++;
  return `rule ${number}`;
}

/** Warns that a limit in one currency forbids all others, which not everybody expects. */
async function tellOthers(context: Context, rule: Rule, options: AddOptions): Promise<void> {
  const limits = limitsOf(rule);
  const [first] = limits;
  if (!first) return;
  const named = [...first[1].keys()].filter((currency) => limits.every(([, amounts]) => amounts.has(currency)));
  const others = (await writtenCurrencies(context)).filter((currency) => !named.includes(currency));
  const more = limits.flatMap(([option, amounts]) =>
    others.flatMap((currency) =>
      amounts.has(currency) ? [] : [option, `${[...amounts.values()][0]?.toFixed()} ${currency}`],
    ),
  );
  // Without known currencies the line is only a template, and a template must not remove a rule.
  const template = limits.map(([option, amounts]) => `${amountWords(option, amounts, '"').join(' ')} ${option} "..."`);
  const line = more.length === 0 ? template.join(' ') : mergedLine([rule], options, more);
  context.notes.warn(
    say`This rule forbids every currency${named.length > 0 ? ` except ${named.join(', ')}` : ''}, and a second rule does not change that. One rule for several, with an amount for each: ${line}`,
  );
}

/** Amounts as words of a line. */
const amountWords = (option: string, amounts: Limits, quote = ''): string[] =>
  [...amounts].flatMap(([currency, amount]) => [option, `${quote}${amount.toFixed()} ${currency}${quote}`]);

/** Currencies of the writes whose amounts are in the history. */
async function writtenCurrencies(context: Context): Promise<readonly string[]> {
  const history = await accountRecords(context).history();
  const found = new Set<string>();
  for await (const { currency } of history.list()) if (currency !== undefined) found.add(currency);
  return [...found].sort();
}

/** Notes that two smaller writes can get around a limit on a single write. */
function tellParts({ notes }: Context, { most }: Rule, options: AddOptions): void {
  const words = [...scopeWords(options), ...amountWords('--most-a-day', most ?? new Map())];
  notes.note(
    say`Several smaller writes can exceed --most together. To limit their daily total too: ${cops`policy add ${words}`}`,
  );
}

const limitsOf = ({ most, mostADay }: Rule): (readonly [option: string, limits: Limits])[] => [
  ...(most ? [['--most', most] as const] : []),
  ...(mostADay ? [['--most-a-day', mostADay] as const] : []),
];

/**
 * Notes currencies that a new rule allows and an older one still forbids because it does not name them, and vice versa.
 * @returns whether there is such a rule
 */
function tellFrozen(context: Context, old: readonly Rule[], rule: Rule, options: AddOptions): boolean {
  const others = old.filter(
    (one) => speakOfTheSame(one, rule) && (frozen(one, rule) ?? frozen(rule, one)) !== undefined,
  );
  for (const other of others) {
    const says = [
      [other, frozen(other, rule)],
      [rule, frozen(rule, other)],
    ] as const;
    const sentences = says.flatMap(([by, currencies]) =>
      currencies ? [`Rule "${by.name}" still forbids ${currencies.join(', ')}.`] : [],
    );
    const line = sameScope(other, rule) ? mergedLine([other, rule], options) : cops`policy edit`;
    context.notes.warn(
      say`${sentences.join(' ')} A write must pass every rule that applies to it; one rule for these currencies: ${line}`,
    );
  }
  return others.length > 0;
}

/** Currencies that `other` limits and that some limit of `by` does not name; undefined if there are none. */
function frozen(by: Rule, other: Rule): readonly string[] | undefined {
  const named = limitsOf(other).flatMap(([, limits]) => [...limits.keys()]);
  const missing = named.filter((currency) => limitsOf(by).some(([, limits]) => !limits.has(currency)));
  return missing.length > 0 ? [...new Set(missing)] : undefined;
}

/** Whether one write may fall under both rules: a missing option covers everything. */
function speakOfTheSame(one: Rule, other: Rule): boolean {
  const meet = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
    a === undefined || b === undefined || a.some((word) => b.some((own) => isPart(word, own) || isPart(own, word)));
  return (['profiles', 'modes', 'who', 'operations'] as const).every((scope) => meet(one[scope], other[scope]));
}

/** `sales void` is a part of `sales`. */
const isPart = (word: string, whole: string): boolean => word === whole || word.startsWith(`${whole} `);

/** Whether two rules differ only in their names and amount limits. */
function sameScope(one: Rule, other: Rule): boolean {
  const rest = ({ name: _name, most: _most, mostADay: _day, ...more }: Rule): string =>
    JSON.stringify(Object.entries(more).filter(([, value]) => value !== undefined));
  return rest(one) === rest(other);
}

/** A line that removes the given rules and adds one with their smallest limit for each currency. */
function mergedLine(rules: readonly Rule[], options: AddOptions, more: readonly string[] = []): Text {
  const least = new Map<string, Map<string, Big>>();
  for (const [option, limits] of rules.flatMap(limitsOf)) {
    const own = least.get(option) ?? new Map<string, Big>();
    for (const [currency, amount] of limits) if (!own.get(currency)?.lte(amount)) own.set(currency, amount);
    least.set(option, own);
  }
  const { most: _most, mostADay: _day, ...others } = options;
  const words = [
    ...scopeWords(options),
    ...limitOptions(others),
    ...[...least].flatMap(([option, amounts]) => amountWords(option, amounts)),
    ...more,
  ];
  const removed = rules.map(({ name }) => cops`policy remove ${name}`);
  return say`${joinedTexts(removed, ' && ')} && ${cops`policy add ${words}`}`;
}

const listOf = (words: readonly string[]): string => JSON.stringify(words.filter(Boolean));

/** The typed value of a field, in the form of the file. */
const WRITTEN: { readonly [Kind in RuleField['reads']]: (typed: never, field: RuleField) => string | undefined } = {
  words: (typed: readonly string[]) => listOf(wordsIn(typed)),
  choices: (typed: readonly string[], { values = [] }) =>
    listOf([...new Set(wordsIn(typed).flatMap((word) => choicesMeant(word, values)))]),
  operations: (typed: readonly string[] | true) =>
    typed === true ? undefined : listOf(wordsIn(typed).flatMap(writesMeant)),
  amounts: (typed: readonly string[], { name }) => amountsOf(typed, `--${name.replaceAll('_', '-')}`),
  count: String,
  hours: (typed: string) => JSON.stringify(typed),
  flag: String,
};

function linesOf(options: AddOptions, name: string): string[] {
  const given = options as unknown as Readonly<Record<string, never>>;
  const said = RULE_FIELDS.flatMap((field) => {
    const typed = field.option && given[optionKey(field.option[0])];
    const value = typed === undefined ? undefined : WRITTEN[field.reads](typed, field);
    return value === undefined ? [] : [{ ...field, value }];
  });
  if (!said.some(({ isLimit }) => isLimit))
    throw usage(
      'cops policy add: which writes are forbidden?',
      say`For example: ${cops`policy add --operations refund --most "100 USD"`}, or: ${cops`policy add --never "subscriptions cancel"`}`,
    );
  return [`- name: ${JSON.stringify(name)}`, ...said.map((one) => `  ${one.name}: ${one.value}`)];
}

function amountsOf(texts: readonly string[] | undefined, option: string): string | undefined {
  const pairs = texts
    ?.flatMap((text) => text.split(','))
    .map((text) => {
      const match = /^\s*(?:(\d+(?:\.\d+)?)\s*([A-Za-z]{3})|([A-Za-z]{3})[\s:=]*(\d+(?:\.\d+)?))\s*$/.exec(text);
      if (!match)
        throw wrongOption(option, `"${text}" is not an amount with its currency.`, `For example: ${option} "100 USD"`);
      const [amount = '', currency = ''] = [match[1] ?? match[4], (match[2] ?? match[3])?.toUpperCase()];
      const fault = amountFault(amount, minorDigits(currency));
      if (fault !== undefined) throw wrongOption(option, `${fault}.`);
      return `${currency}: ${amount}`;
    });
  return pairs && `{${pairs.join(', ')}}`;
}

/** The text with a rule after its last one, or in place of an empty list. */
function withRule(text: string, lines: readonly string[], count: number): string {
  const told = (indent: string): string => lines.map((line) => `${indent}${line}`).join('\n');
  if (count === 0) {
    const alone = /^([ \t]+)\[\][ \t]*$/m;
    if (alone.test(text)) return text.replace(alone, (_, indent: string) => told(indent));
    return text.replace(/^rules:[ \t]*\[\][ \t]*$/m, () => `rules:\n${told('  ')}`);
  }
  const rules = text.slice(text.search(/^rules:/m)).replaceAll(/^\s*#.*$/gm, '');
  return `${text.trimEnd()}\n${told(/^([ \t]*)- /m.exec(rules)?.[1] ?? '  ')}\n`;
}

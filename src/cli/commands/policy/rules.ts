import { policyPath, policyText } from '../../../account/policy/file.js';
import { names, wordsOutside } from '../../../account/policy/judge.js';
import { parsePolicy } from '../../../account/policy/parse.js';
import { RULE_FIELDS, type RuleField } from '../../../account/policy/rule-fields.js';
import type { Limits, Policy, Rule } from '../../../account/policy/types.js';
import { leftOut, leftOutText } from '../../../account/policy/verbs.js';
import { camelCase } from '../../../account/profiles/settings.js';
import { stopped, usage } from '../../../base/errors/errors.js';
import { oneOf } from '../../../base/errors/nearest.js';
import { replaceFile } from '../../../base/files/replace-file.js';
import { cops, say } from '../../../base/text/command-line.js';
import { allFamilies } from '../../../catalogue/index.js';
import type { Context, Done } from '../../../session/context/context.js';
import { one } from '../../../session/context/run.js';
import { tellUnknownProfiles, whoAsks } from '../../../session/write/limited-history.js';

/** @throws CopsError stopped (12) for an agent */
export function refuseAgent(context: Context): void {
  if (whoAsks(context) === 'agent') throw stopped(`${context.command}: only people may change the rules, not agents`);
}

/** Saves the rules read from a text, unless it is a dry run, and shows them. */
export async function keepRules(context: Context, text: string, policy: Policy): Promise<Done> {
  const path = policyPath(context.configDir);
  if (context.options.dryRun) context.notes.note('Dry run: the rules were read but not saved.');
  else await replaceFile(path, text);
  await tellPassing(context, policy);
  return { result: one({ path, ...shownPolicy(policy) }) };
}

/**
 * Notes which rules name unknown profiles. Warns of words outside their own rule, of verbs that miss some writes, and of
 * allowed writes that also do what a rule forbids, unless a rule for everybody forbids them too.
 */
export async function tellPassing(context: Context, policy: Policy): Promise<void> {
  tellUnknownProfiles(context, policy);
  const { notes } = context;
  const { rules } = policy;
  tellOutside(context, policy);
  for (const one of leftOut(rules)) notes.warn(leftOutText(one));
  const forbidden = rules.flatMap(({ never = [] }) => never);
  if (forbidden.length === 0) return;
  const everywhere = rules.flatMap((rule) => (isForAll(rule) ? (rule.never ?? []) : []));
  const families = await allFamilies();
  const passing = new Map<string, string[]>();
  for (const { name, operations } of families)
    for (const { action, entails = [] } of operations) {
      const command = `${name.replaceAll('_', '-')} ${action}`;
      if (names(everywhere, command)) continue;
      for (const one of entails) if (names(forbidden, one)) passing.set(one, [...(passing.get(one) ?? []), command]);
    }
  for (const [one, commands] of passing)
    notes.warn(
      say`${commands.join(' and ')} still ${commands.length === 1 ? 'passes' : 'pass'}, and ${commands.length === 1 ? 'does' : 'do'} ${one} as well. To forbid that too: ${cops`policy add --never ${commands.join(', ')}`}`,
    );
}

/** Warns of limits on writes outside their own rule. */
export function tellOutside({ notes }: Context, { rules }: Policy): void {
  for (const rule of rules)
    for (const { limit, words } of wordsOutside(rule))
      notes.warn(
        say`Rule "${rule.name}": ${limit} names ${words.join(', ')}, but the rule covers only ${(rule.operations ?? []).join(', ')}, so this has no effect. Give it a rule of its own: ${cops`policy edit`}`,
      );
}

const isForAll = ({ profiles, modes, who, operations }: Rule): boolean =>
  [profiles, modes, who, operations].every((scope) => scope === undefined);

/** How to show values that differ from the file. */
const SHOWN: { readonly [Kind in RuleField['reads']]?: (value: never) => unknown } = {
  amounts: (limits: Limits) => Object.fromEntries([...limits].map(([currency, sum]) => [currency, sum.toFixed(2)])),
  count: (most: number) => most,
  hours: (hours: readonly number[]) =>
    hours.map((at) => `${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}`).join('-'),
};

function shownFields(rule: Rule, isOne: (reads: RuleField['reads']) => boolean): object {
  const values = rule as unknown as Readonly<Record<string, never>>;
  const shown = RULE_FIELDS.filter(({ reads }) => isOne(reads)).map(({ name, reads }) => {
    const value = values[camelCase(name)];
    return [name, value === undefined ? undefined : (SHOWN[reads]?.(value) ?? value)];
  });
  return Object.fromEntries(shown);
}

/** The rules in the form that is shown; empty if there is no file. */
export function shownPolicy(policy: Policy | undefined): object {
  if (!policy) return { rules: [] };
  const from = policy.countsFrom === undefined ? {} : { counts_from: new Date(policy.countsFrom).toISOString() };
  const rules = policy.rules.map((rule) => ({
    name: rule.name,
    ...shownFields(rule, (reads) => SHOWN[reads] === undefined),
    ...shownFields(rule, (reads) => SHOWN[reads] !== undefined),
  }));
  return { zone: policy.zone, ...from, rules };
}

/**
 * `cops policy remove <name>`: removes a rule and leaves the rest of the file as it is.
 * @throws CopsError stopped (12) for an agent; usage (2) for an unknown rule, or a file with another layout
 */
export async function removeRule(context: Context, name: string): Promise<Done> {
  refuseAgent(context);
  const path = policyPath(context.configDir);
  const before = policyText(context.configDir);
  const old = before === undefined ? undefined : await parsePolicy(before, path);
  const names = old?.rules.map((rule) => rule.name) ?? [];
  if (before === undefined || old === undefined || !names.includes(name))
    throw usage(
      `There is no rule "${name}".`,
      names.length === 0 ? 'There are no rules left.' : `There is ${oneOf(names.map((one) => `"${one}"`))}.`,
    );
  const { text, policy } = await without(before, old, name, path);
  const done = await keepRules(context, text, policy);
  const rest = policy.rules.length;
  const left = rest === 0 ? 'no rule remains' : `${rest} of ${names.length} rules remain`;
  context.notes.note(context.options.dryRun ? `Without "${name}" ${left}.` : `Removed "${name}": ${left}.`);
  return done;
}

/** The text without the rule; accepted only if reading it again gives all other rules unchanged. */
async function without(
  before: string,
  old: Policy,
  name: string,
  path: string,
): Promise<{ text: string; policy: Policy }> {
  const wanted = JSON.stringify({ ...shownPolicy({ ...old, rules: old.rules.filter((rule) => rule.name !== name) }) });
  for (const text of withoutRule(before, old.rules.length === 1)) {
    const policy = await parsePolicy(text, path).catch(() => undefined);
    if (policy && JSON.stringify({ ...shownPolicy(policy) }) === wanted) return { text, policy };
  }
  throw usage('The layout of this file does not let cops remove a rule from it.', cops`policy edit`);
}

/**
 * The text without one of its rules, for each rule: a rule extends from its dash to the next one, or to less
 * indentation.
 */
function* withoutRule(text: string, isOnly: boolean): Generator<string> {
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    const indent = /^([ \t]*)- /.exec(line)?.[1];
    if (indent === undefined) continue;
    const length = lines.slice(at + 1).findIndex((next) => next.trim() !== '' && !next.startsWith(`${indent} `));
    const end = length < 0 ? lines.length : at + 1 + length;
    const rest = [...lines.slice(0, at), ...(isOnly ? [`${indent || '  '}[]`] : []), ...lines.slice(end)].join('\n');
    yield rest.endsWith('\n') ? rest : `${rest}\n`;
  }
}

/** The initial text for `policy edit`. */
export const TEMPLATE = `# What may be written with this configuration. Every rule that speaks of a write must let it pass.
# Money and days are counted from the history beside this file; writes whose outcome is unknown count as done.
# This is a rail, not a wall: whoever may change this file may change the rules.

# The zone whose days and hours count.
zone: UTC
rules:
  # - name: agents
  #   who: [agent]                      # person, agent; all where it is left out
  #   profiles: [shop]                  # all where it is left out
  #   modes: [live]                     # test, live
  #   operations: [transactions refund] # families, operations, or an action of all families: refund
  #   only: [customers]                 # nothing but these may be written
  #   never: [subscriptions cancel]     # these may not
  #   most: {USD: 100, EUR: 90}         # for one write; no other currency may move
  #   most_a_day: {USD: 500, EUR: 450}
  #   writes_an_hour: 20
  #   never_on: [saturday, sunday]
  #   hours: "08:00-18:00"
  #   reason: true                      # --reason is wanted
  #   alone: [transactions refund]      # an agent may commit these with nobody there to be asked
  []
`;

import { policyPath } from '../../../account/policy/file.js';
import { names } from '../../../account/policy/judge.js';
import type { Limits, Policy, Rule } from '../../../account/policy/types.js';
import { stopped } from '../../../base/errors/errors.js';
import { replaceFile } from '../../../base/files/replace-file.js';
import { cops, say } from '../../../base/text/command-line.js';
import { FAMILY_INDEX, loadFamily } from '../../../catalogue/index.js';
import type { Context, Done } from '../../../session/context/context.js';
import { one } from '../../../session/context/run.js';
import { whoAsks } from '../../../session/write/limited-history.js';

/** @throws CopsError stopped (12) for an agent */
export function refuseAgent(context: Context): void {
  if (whoAsks(context) === 'agent') {
    throw stopped(`${context.command}: the rules are for people to change, not for agents`);
  }
}

/** Keeps the rules that were read out of a text, unless it is a dry run, and shows them. */
export async function keepRules(context: Context, text: string, policy: Policy): Promise<Done> {
  const path = policyPath(context.configDir);
  if (context.options.dryRun) context.notes.note('Dry run: the rules were read and not kept.');
  else await replaceFile(path, text);
  await tellPassing(context, policy);
  return { result: one({ path, ...shownPolicy(policy) }) };
}

/** What does the same as a write that is forbidden, along with its own, and that no rule for everybody forbids. */
export async function tellPassing({ notes }: Context, { rules }: Policy): Promise<void> {
  const forbidden = rules.flatMap(({ never = [] }) => never);
  if (forbidden.length === 0) return;
  const everywhere = rules.flatMap((rule) => (isForAll(rule) ? (rule.never ?? []) : []));
  const families = await Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)));
  const passing = new Map<string, string[]>();
  for (const { name, operations } of families)
    for (const { action, entails = [] } of operations) {
      const command = `${name.replaceAll('_', '-')} ${action}`;
      if (names(everywhere, command)) continue;
      for (const one of entails) if (names(forbidden, one)) passing.set(one, [...(passing.get(one) ?? []), command]);
    }
  for (const [one, commands] of passing)
    notes.warn(
      say`${commands.join(' and ')} still ${commands.length === 1 ? 'passes' : 'pass'}, and ${commands.length === 1 ? 'does' : 'do'} ${one} along with it. To forbid that as well: ${cops`policy add --never ${commands.join(', ')}`}`,
    );
}

const isForAll = ({ profiles, modes, who, operations }: Rule): boolean =>
  [profiles, modes, who, operations].every((scope) => scope === undefined);

/** The rules as they are shown; none where there is no file. */
export function shownPolicy(policy: Policy | undefined): object {
  if (!policy) return { rules: [] };
  const limits = (of: Limits | undefined) =>
    of && Object.fromEntries([...of].map(([currency, amount]) => [currency, amount.toFixed(2)]));
  const from = policy.countsFrom === undefined ? {} : { counts_from: new Date(policy.countsFrom).toISOString() };
  const rules = policy.rules.map(({ mostADay, most, writesAnHour, hours, ...rule }) => ({
    ...rule,
    most: limits(most),
    most_a_day: limits(mostADay),
    writes_an_hour: writesAnHour,
    hours: hours?.map((at) => `${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}`).join('-'),
  }));
  return { zone: policy.zone, ...from, rules };
}

import type { Context, Done } from '../../command/context.js';
import { one } from '../../command/run.js';
import { stopped } from '../../errors/errors.js';
import { replaceFile } from '../../files/replace-file.js';
import { policyPath } from '../../policy/file.js';
import type { Limits, Policy } from '../../policy/types.js';
import { whoAsks } from '../operation/limited-history.js';

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
  return { result: one({ path, ...shownPolicy(policy) }) };
}

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

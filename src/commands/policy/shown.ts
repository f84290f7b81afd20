import type { Limits, Policy } from '../../policy/types.js';

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

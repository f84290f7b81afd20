import { policyPath, policyText } from '../../../account/policy/file.js';
import { parsePolicy } from '../../../account/policy/parse.js';
import type { Policy } from '../../../account/policy/types.js';
import { usage } from '../../../base/errors/errors.js';
import { oneOf } from '../../../base/errors/nearest.js';
import { cops } from '../../../base/text/command-line.js';
import type { Context, Done } from '../../../session/context/context.js';
import { keepRules, refuseAgent, shownPolicy } from './shown.js';

/**
 * `cops policy remove <name>`: one rule less, what else stands in the file left as it is.
 * @throws CopsError stopped (12) for an agent; usage (2) for a name that no rule has, or a file laid out in another way
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
      names.length === 0 ? 'No rules stand.' : `There is ${oneOf(names.map((one) => `"${one}"`))}.`,
    );
  const { text, policy } = await without(before, old, name, path);
  const done = await keepRules(context, text, policy);
  const rest = policy.rules.length;
  const left = rest === 0 ? 'no rule stands' : `${rest} of ${names.length} rules stand`;
  context.notes.note(context.options.dryRun ? `Without "${name}" ${left}.` : `Removed "${name}": ${left}.`);
  return done;
}

/** The text without the rule; it is kept only if reading it again gives all other rules as they were. */
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
  throw usage('The rules of the file are laid out so that none can be taken out of them here.', cops`policy edit`);
}

/** The text without one of its rules, for each rule: a rule reaches from its dash to the next, or to what stands further left. */
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

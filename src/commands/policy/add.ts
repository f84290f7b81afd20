import { FAMILY_INDEX } from '../../catalogue/index.js';
import type { Context } from '../../command/context.js';
import type { Done } from '../../command/run.js';
import { usage } from '../../errors/errors.js';
import { policyPath, policyText } from '../../policy/file.js';
import { parsePolicy } from '../../policy/parse.js';
import type { Rule } from '../../policy/types.js';
import { keepRules, refuseAgent } from './shown.js';
import { TEMPLATE } from './template.js';

/** One rule as options say it. */
export interface AddOptions {
  readonly name?: string;
  readonly operations?: readonly string[];
  readonly never?: readonly string[];
  readonly most?: readonly string[];
  readonly mostADay?: readonly string[];
  readonly writesAnHour?: string;
  readonly who?: readonly string[];
  readonly modes?: readonly string[];
}

/** `cops policy add --operations refund --most "100 USD"`: one more rule, what stands in the file left as it is. */
export async function addRule(context: Context, options: AddOptions): Promise<Done> {
  refuseAgent(context);
  const path = policyPath(context.configDir);
  const before = policyText(context.configDir) ?? TEMPLATE;
  const { rules: old } = await parsePolicy(before, path);
  const lines = linesOf(options, options.name ?? freeName(old));
  const text = withRule(before, lines, old.length);
  const policy = await parsePolicy(text, path);
  // Where the file is laid out in another way than this reads it, nothing is guessed.
  if (policy.rules.length !== old.length + 1)
    throw usage('The rules of the file are laid out so that none can be added to them here.', 'cops policy edit');
  const done = await keepRules(context, text, policy);
  tellOthers(context, policy.rules.at(-1));
  return done;
}

/** A name that no rule has, also after others were removed. */
function freeName(rules: readonly Rule[]): string {
  const taken = new Set(rules.map(({ name }) => name));
  let number = rules.length + 1;
  while (taken.has(`rule ${number}`)) number++;
  return `rule ${number}`;
}

/** A limit in one currency forbids all others: that is not what everybody means by it. */
function tellOthers(context: Context, rule: Rule | undefined): void {
  for (const [option, limits] of [
    ['--most', rule?.most],
    ['--most-a-day', rule?.mostADay],
  ] as const) {
    if (!limits) continue;
    const named = [...limits.keys()].join(', ');
    context.notes.warn(
      `Nothing in another currency than ${named} may move under this rule: give ${option} once for each, as in ` +
        `${option} "100 USD" ${option} "90 EUR".`,
    );
  }
}

function linesOf(options: AddOptions, name: string): string[] {
  const fields: (readonly [string, string | undefined])[] = [
    ['who', listOf(options.who)],
    ['modes', listOf(options.modes)],
    ['operations', listOf(options.operations?.flatMap((text) => text.split(',')).flatMap(spoken))],
    ['never', listOf(options.never?.flatMap((text) => text.split(',')).flatMap(spoken))],
    ['most', amountsOf(options.most, '--most')],
    ['most_a_day', amountsOf(options.mostADay, '--most-a-day')],
    ['writes_an_hour', options.writesAnHour],
  ];
  const said = fields.filter(([, value]) => value !== undefined);
  if (!said.some(([field]) => ['never', 'most', 'most_a_day', 'writes_an_hour'].includes(field)))
    throw usage(
      'cops policy add: what is forbidden?',
      'For example: cops policy add --operations refund --most "100 USD", or: cops policy add --never "subscriptions cancel"',
    );
  return [`- name: ${JSON.stringify(name)}`, ...said.map(([field, value]) => `  ${field}: ${value}`)];
}

/** An action alone stands for it in all families that have it: `refund`, with voids, which pay back everything. */
function spoken(typed: string): string[] {
  const word = typed.trim().replace(/^refunds$/, 'refund');
  const actions = word === 'refund' ? ['refund', 'void'] : [word];
  const found = FAMILY_INDEX.flatMap(({ command, actions: all }) =>
    all.filter(({ action }) => actions.includes(action)).map(({ action }) => `${command} ${action}`),
  );
  return found.length > 0 ? found : [word];
}

function listOf(words: readonly string[] | undefined): string | undefined {
  return words && JSON.stringify(words.map((word) => word.trim()).filter(Boolean));
}

function amountsOf(texts: readonly string[] | undefined, option: string): string | undefined {
  const pairs = texts
    ?.flatMap((text) => text.split(','))
    .map((text) => {
      const match = /^\s*(?:(\d+(?:\.\d+)?)\s*([A-Za-z]{3})|([A-Za-z]{3})[\s:=]*(\d+(?:\.\d+)?))\s*$/.exec(text);
      if (!match)
        throw usage(`${option}: "${text}" is no amount with its currency.`, `For example: ${option} "100 USD"`);
      return `${(match[2] ?? match[3] ?? '').toUpperCase()}: ${match[1] ?? match[4]}`;
    });
  return pairs && `{${pairs.join(', ')}}`;
}

/** The text with a rule behind its last one; an empty list gives way to it. */
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

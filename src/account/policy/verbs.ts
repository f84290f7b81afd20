import { cops, say, type Text } from '../../base/text/command-line.js';
import { FAMILY_INDEX } from '../../catalogue/index.js';
import type { Rule } from './types.js';

/** Every write, with the last word of its action. */
const WRITES = FAMILY_INDEX.flatMap(({ command, actions }) =>
  actions
    .filter(({ risk }) => risk !== 'read')
    .map(({ action }) => ({
      operation: `${command} ${action}`,
      verb: action.split(' ').at(-1),
      isPlain: !action.includes(' '),
    })),
);

/**
 * The writes that an action alone means in a rule: those of all families that end with it, so `delete` includes
 * `customers payment-methods delete`. `refund` includes voids, which pay back everything.
 */
export function writesOf(verb: string): string[] {
  const verbs = verb === 'refund' ? ['refund', 'void'] : [verb];
  return WRITES.filter((one) => verbs.includes(one.verb ?? '')).map(({ operation }) => operation);
}

/** What a rule that lists an action for every family leaves out: the same action one level below. */
interface LeftOut {
  readonly rule: Rule;
  readonly limit: 'operations' | 'never';
  readonly verb: string;
  readonly missing: readonly string[];
}

/** What rules that forbid or limit an action for every family leave out, unless another rule covers it. */
export function leftOut(rules: readonly Rule[]): LeftOut[] {
  const verbs = [...new Set(WRITES.map(({ verb = '' }) => verb))];
  return rules.flatMap((rule) =>
    (['operations', 'never'] as const).flatMap((limit) =>
      verbs.flatMap((verb) => {
        const all = WRITES.filter((one) => one.verb === verb);
        const plain = all.filter(({ isPlain }) => isPlain);
        const said = (one: { readonly operation: string }, by = rule): boolean =>
          by[limit]?.some((word) => word === one.operation || word === one.operation.split(' ')[0]) === true;
        if (plain.length < 2 || !plain.every((one) => said(one))) return [];
        const missing = all.filter((one) => !rules.some((other) => isAsWide(other, rule) && said(one, other)));
        return missing.length === 0 ? [] : [{ rule, limit, verb, missing: missing.map(({ operation }) => operation) }];
      }),
    ),
  );
}

/** Whether a rule holds wherever another does. */
const isAsWide = (rule: Rule, other: Rule): boolean =>
  (['profiles', 'modes', 'who'] as const).every(
    (scope) => rule[scope] === undefined || JSON.stringify(rule[scope]) === JSON.stringify(other[scope]),
  );

/** The warning about what such a rule leaves out. */
export function leftOutText({ rule, limit, verb, missing }: LeftOut): Text {
  const lacks = `Rule "${rule.name}" lists ${verb} for every family, but not ${missing.join(', ')}.`;
  const { who = [], modes = [] } = rule;
  const words = [...who.flatMap((one) => ['--who', one]), ...modes.flatMap((one) => ['--modes', one])];
  const isSaid = limit === 'never' && rule.profiles === undefined && rule.operations === undefined;
  const line = isSaid ? cops`policy add ${words} --never ${missing.join(', ')}` : cops`policy edit`;
  return say`${lacks} To cover ${missing.length === 1 ? 'it' : 'them'} too: ${line}`;
}

import type { Profile } from '../../account/profiles/types.js';
import { stopped, usage, wrongOption } from '../../base/errors/errors.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { FAMILY_INDEX, familyByCommand } from '../../catalogue/index.js';
import type { Context } from '../../session/context/context.js';
import { DEFAULTS } from '../../session/context/spec.js';
import { wholeNumber } from '../../session/context/typed-words.js';

/** Options of `cops mcp`, as typed. */
export interface McpOptions {
  readonly allow?: string;
  readonly readOnly?: boolean;
  readonly families?: string;
  readonly maxBytes?: string;
  readonly mask?: boolean;
}

const RISKS = ['write', 'money', 'irreversible'];

/** What the options ask for. @throws CopsError `usage` */
export function settledOptions(options: McpOptions) {
  const allow = listed(options.allow) ?? [];
  if (options.readOnly && allow.length > 0) throw usage('--read-only and --allow cannot be combined.');
  for (const risk of allow)
    if (!RISKS.includes(risk)) throw usage(`--allow ${risk}: give some of ${RISKS.join(', ')}.`);
  const families = listed(options.families)?.map((word) => {
    const entry = familyByCommand(word);
    if (!entry) throw wrongOption('--families', `"${word}" is not a family.`);
    return entry;
  });
  const maxBytes = wholeNumber(options.maxBytes, '--max-bytes', 2048, 4_194_304) ?? DEFAULTS.answerBytes;
  return { allow, families, maxBytes, mask: options.mask === true };
}

/** What a server lets agents write, counted by action; empty for one that only reads. */
export function saidOfAllowed(options: McpOptions): Text {
  const { allow, families = FAMILY_INDEX } = settledOptions(options);
  if (allow.length === 0) return 'Agents may only read; --allow permits more.';
  const counts = new Map<string, number>();
  for (const { actions } of families)
    for (const { action, risk } of actions) if (allow.includes(risk)) counts.set(action, (counts.get(action) ?? 0) + 1);
  const all = [...counts].sort(([, one], [, other]) => other - one);
  const sum = all.reduce((total, [, count]) => total + count, 0);
  const named = all.slice(0, NAMED_ACTIONS).map(([action, count]) => `${action} (${count})`);
  const rest = all.length > named.length ? ', and others' : '';
  return say`Agents may write: ${allow.join(', ')}, which is ${sum} operations: ${named.join(', ')}${rest}. To allow only some: ${cops`policy add --who agent --only refund`}`;
}

/** The number of actions to name among those an agent may write. */
const NAMED_ACTIONS = 8;

/** @throws CopsError stopped (12) for a profile in live mode without `--live` on the line */
export function refuseUnsaidLive({ options }: Context, { mode }: Profile): void {
  if (mode.value === 'live' && options.mode !== 'live')
    throw stopped(
      'this profile is in live mode, but a server for agents is not by default',
      'Add --live if that is what you want.',
    );
}

const listed = (text: string | undefined): string[] | undefined => text?.split(',').map((word) => word.trim());

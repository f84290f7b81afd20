import type { Profile } from '../../account/profiles/types.js';
import { stopped, usage, wrongOption } from '../../base/errors/errors.js';
import { type FamilyIndexEntry, familyByCommand } from '../../catalogue/index.js';
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
export function settledOptions(options: McpOptions): {
  readonly allow: readonly string[];
  readonly families: readonly FamilyIndexEntry[] | undefined;
  readonly maxBytes: number;
  readonly mask: boolean;
} {
  const allow = listed(options.allow) ?? [];
  if (options.readOnly && allow.length > 0) throw usage('--read-only and --allow cannot be combined.');
  for (const risk of allow)
    if (!RISKS.includes(risk)) throw usage(`--allow ${risk}: give some of ${RISKS.join(', ')}.`);
  const families = listed(options.families)?.map((word) => {
    const entry = familyByCommand(word);
    if (!entry) throw wrongOption('--families', `"${word}" is no family.`);
    return entry;
  });
  const maxBytes = wholeNumber(options.maxBytes, '--max-bytes', 2048, 4_194_304) ?? DEFAULTS.answerBytes;
  return { allow, families, maxBytes, mask: options.mask === true };
}

/** @throws CopsError stopped (12) for a profile in live mode without `--live` on the line */
export function refuseUnsaidLive({ options }: Context, { mode }: Profile): void {
  if (mode.value === 'live' && options.mode !== 'live')
    throw stopped(
      'this profile is in live mode, and a server for agents is not',
      'Add --live if that is what you mean.',
    );
}

function listed(text: string | undefined): string[] | undefined {
  return text?.split(',').map((word) => word.trim());
}

import { maskKey } from '../../../account/profiles/keys.js';
import type { Profile, Sourced } from '../../../account/profiles/types.js';
import { cops, say } from '../../../base/text/command-line.js';
import { isoDay } from '../../../base/time/units.js';
import { PERMISSIONS_UNLISTED } from '../../../catalogue/permissions.js';
import { readFirstDay } from '../../../service/lists/account-begin.js';
import { record, shownAs } from '../../../session/context/run.js';

/** `whoami`: `--verbose` adds `sources`, with the source of each value under the same name. */
export const run = shownAs(async (context) => {
  const profile = await context.profile();
  if (context.options.verbose)
    context.notes.note(say`${PERMISSIONS_UNLISTED} The known permissions: ${cops`reference permissions`}`);
  const kept = await readFirstDay(context.configDir, profile.fingerprint, profile.baseUrl.value);
  const first_day = kept ? isoDay(kept.first_day) : null;
  return record({ ...factsOf(profile, context.options.verbose), first_day });
});

/** The stable shape of `whoami -o json`. */
function factsOf(profile: Profile, verbose: boolean): Record<string, unknown> {
  const values: Record<string, Sourced<unknown>> = {
    profile: profile.name,
    base_url: profile.baseUrl,
    mode: profile.mode,
    key: { value: maskKey(profile.key.value), source: profile.key.source },
    read_only: profile.readOnly,
    output: profile.output,
    tz: profile.tz,
    rate: profile.rate,
    wallet_word: profile.walletWord,
    idempotency_key: profile.idempotencyKey,
  };
  const facts: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const [name, { value, source }] of Object.entries(values)) {
    facts[name] = value ?? null;
    sources[name] = source;
    if (name === 'mode') facts.mode_assumed = profile.modeAssumed;
    if (name === 'key') {
      facts.fingerprint = profile.fingerprint;
      facts.mode_proof = profile.proof;
    }
  }
  facts.embedded = profile.embedded;
  if (!verbose) return facts;
  return {
    ...facts,
    sources: {
      ...sources,
      mode_proof: profile.proof === 'unproven' ? 'no item has shown it yet' : 'items that this key has read',
    },
  };
}

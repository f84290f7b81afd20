import type { Context } from '../../command/context.js';
import type { Done } from '../../command/run.js';
import { Item } from '../../json/item.js';
import type { Result } from '../../output/types.js';
import { readFirstDay } from '../../paging/first-days.js';
import { maskKey } from '../../profiles/keys.js';
import type { Profile, Sourced } from '../../profiles/types.js';
import { isoDay } from '../../time/units.js';

/**
 * `whoami`: the resolved profile, key masked. With `--verbose` each value is followed by its source, in
 * `sources`, under the same name.
 */
export async function whoami(context: Context): Promise<Result> {
  const profile = await context.profile();
  const kept = await readFirstDay(context.configDir, profile.fingerprint, profile.baseUrl.value);
  const record = {
    ...whoamiRecord(profile, context.options.verbose),
    first_day: kept ? isoDay(kept.first_day) : null,
  };
  const columns = Object.keys(record).map((path) => ({ path }));
  return { shape: 'one', item: Item.of(record), columns };
}

/** The stable shape of `whoami -o json`. */
export function whoamiRecord(profile: Profile, verbose: boolean): Record<string, unknown> {
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
  const record: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const [name, { value, source }] of Object.entries(values)) {
    record[name] = value ?? null;
    sources[name] = source;
    if (name === 'mode') record.mode_assumed = profile.modeAssumed;
    if (name === 'key') {
      record.fingerprint = profile.fingerprint;
      record.mode_proof = profile.proof;
    }
  }
  record.embedded = profile.embedded;
  if (!verbose) return record;
  return {
    ...record,
    sources: {
      ...sources,
      mode_proof: profile.proof === 'unproven' ? 'no item has shown it yet' : 'items that this key has read',
    },
  };
}

export async function run(context: Context): Promise<Done> {
  return { result: await whoami(context) };
}

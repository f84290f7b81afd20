import type { Family, Operation } from '../../catalogue/types.js';
import { serviceName } from '../../http/base-url.js';
import type { TreeObject } from '../../json/tree.js';
import type { Origin } from '../../log/types.js';
import type { Profile } from '../../profiles/types.js';
import { canonicalBody, intentionTag, maskBody } from '../../secrets/mask-body.js';

/** What the history keeps of every write of one operation with one profile. */
export function originOf(profile: Profile, family: Family, operation: Operation): Origin {
  return {
    profile: profile.name.value,
    baseUrl: profile.baseUrl.value,
    mode: profile.mode.value,
    operation: `${family.name.replaceAll('_', '-')} ${operation.action}`,
    fingerprint: profile.fingerprint,
  };
}

/**
 * What one write is recognised by when it comes again: address, operation, ids and body. Secrets are masked before they
 * are hashed, so that nothing can be guessed back from the history. A body that is given again must be unchanged.
 */
export function taggerOf(
  profile: Profile,
  operation: Operation,
): (ids: readonly string[], body: Readonly<Record<string, unknown>>) => string {
  const what = `${serviceName(profile.baseUrl.value)} ${operation.method} ${operation.path}`;
  let last: { readonly body: unknown; readonly text: string } | undefined;
  return (ids, body) => {
    if (last?.body !== body) last = { body, text: canonicalBody(maskBody(operation, body as TreeObject)) };
    return intentionTag(what, ids, last.text);
  };
}

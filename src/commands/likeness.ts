import type { Family, Operation } from '../catalogue/types.js';
import type { Profile } from '../profiles/types.js';
import { bodyHash, maskBody } from '../request/secrets.js';
import type { TreeObject } from '../request/tree.js';
import type { Likeness } from '../safety/history.js';

/**
 * What one write is recognised by when it comes again: profile, address, operation, ids and body. Secrets are masked
 * before they are hashed, so that nothing can be guessed back from the history.
 */
export function likenessOf(
  profile: Profile,
  family: Family,
  operation: Operation,
  ids: readonly string[],
  body: Readonly<Record<string, unknown>>,
): Likeness & { readonly fingerprint: string } {
  const masked = maskBody(operation, body as TreeObject);
  return {
    profile: profile.name.value,
    fingerprint: profile.fingerprint,
    baseUrl: profile.baseUrl.value,
    operation: `${family.name.replaceAll('_', '-')} ${operation.action}`,
    ids,
    bodyHash: bodyHash(`${operation.method} ${operation.path}`, ids, masked),
  };
}

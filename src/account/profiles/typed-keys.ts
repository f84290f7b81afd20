import { looksLikeId } from '../../catalogue/value-formats.js';
import { SANDBOX_LIVE_KEY, SANDBOX_TEST_KEY } from '../../sandbox/serve/keys.js';
import type { Store } from './store.js';
import type { KeyReference } from './types.js';

/** No key is shorter, and few words of a line are as long. */
const SHORTEST = 16;
/** How keys begin in this trade, whoever gave them. */
const LIKE_A_KEY = /^(?:sk|pk|rk|whsec|api|key|secret|token)[_-](?:key[_-])?(?:(?:live|test)[_-])?[A-Za-z0-9_-]{16,}$/i;

/**
 * The API key among the words of a line: one that is filed here or stands in the environment, wherever it is, and what
 * looks like a key of anybody among the words that are looked for.
 */
export function typedKey(
  words: readonly string[],
  terms: readonly string[],
  { store, env }: { readonly store: Store; readonly env: Readonly<Record<string, string | undefined>> },
): string | undefined {
  const long = words.filter((word) => word.length >= SHORTEST && !looksLikeId(word) && !word.includes('@'));
  if (long.length === 0) return undefined;
  const known = [SANDBOX_TEST_KEY, SANDBOX_LIVE_KEY, env.COPS_API_KEY?.trim() ?? '', ...filedKeys(store, env)];
  const isTyped = (key: string): boolean => key.length >= SHORTEST && long.some((word) => word.includes(key));
  return known.find(isTyped) ?? terms.find((term) => LIKE_A_KEY.test(term.trim()));
}

function filedKeys(store: Store, env: Readonly<Record<string, string | undefined>>): string[] {
  try {
    return Object.values(store.read().profiles).flatMap((profile) =>
      [profile.test_key, profile.live_key].flatMap((reference) => keyBehind(reference, env)),
    );
  } catch {
    // A damaged file is reported by what needs it.
    return [];
  }
}

function keyBehind(reference: KeyReference | undefined, env: Readonly<Record<string, string | undefined>>): string[] {
  if (reference?.kind === 'stored') return [reference.key];
  return reference?.kind === 'env' ? [env[reference.name]?.trim() ?? ''] : [];
}

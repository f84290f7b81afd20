import type { Account } from '../output/account.js';
import type { Profile } from '../profiles/types.js';

/** Whose items a profile reads. */
export function accountOf({ name, mode, embedded }: Pick<Profile, 'name' | 'mode' | 'embedded'>): Account {
  return { profile: name.value, mode: mode.value, embedded };
}

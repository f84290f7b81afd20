import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint } from '../../account/profiles/keys.js';
import { orElse } from '../../base/errors/errors.js';
import { SANDBOX_BASE_URL, SANDBOX_LIVE_KEY, SANDBOX_TEST_KEY } from '../../sandbox/serve/embedded-keys.js';
import { forgetFirstDays } from '../../service/lists/account-begin.js';
import type { Context } from '../../session/context/context.js';
import { openToRead } from './mirror.js';

/**
 * Forgets what was read of the sandbox before its data was laid out anew: its mirrors, by the embedded service's name or
 * served on this machine, and its first day. Answers from them would show items that no longer exist.
 */
export async function forgetSandbox(context: Pick<Context, 'dataDir' | 'configDir' | 'notes'>): Promise<void> {
  const accounts = [SANDBOX_TEST_KEY, SANDBOX_LIVE_KEY].map(fingerprint);
  const isSandbox = (account: string, address: string): boolean =>
    accounts.includes(account) &&
    (address === SANDBOX_BASE_URL || /^https?:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?=[:/]|$)/.test(address));
  const folder = join(context.dataDir, 'mirrors');
  for (const file of filesIn(folder).filter((name) => name.endsWith('.sqlite'))) {
    const facts = await factsOf(join(folder, file));
    if (facts && isSandbox(facts.account, facts.service)) {
      rmSync(join(folder, file), { force: true });
      context.notes.note(`Removed its mirror, which shows the old data: ${join(folder, file)}`);
    }
  }
  await forgetFirstDays(context.configDir, (day) => isSandbox(day.fingerprint, day.base_url));
}

function filesIn(folder: string): string[] {
  return orElse(() => readdirSync(folder), []);
}

async function factsOf(file: string) {
  try {
    const { database, facts } = await openToRead(file, undefined);
    database.close();
    return facts;
  } catch {
    // A file that is not a mirror, or is one of another version, is reported where it is opened.
    return undefined;
  }
}

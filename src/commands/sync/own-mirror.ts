import { join } from 'node:path';
import type { Context } from '../../command/context.js';
import type { Owner } from '../../mirror/mirror.js';

/** Where the mirror of the profile in use is kept when no file is named: one for each profile and mode. */
export async function ownMirror(context: Context): Promise<string> {
  const { name, mode } = await context.profile();
  return join(context.dataDir, 'mirrors', `${encodeURIComponent(name.value)}-${mode.value}.sqlite`);
}

/** Whose data a mirror of the profile in use holds. */
export async function ownerOf(context: Context): Promise<Owner> {
  const { baseUrl, fingerprint, mode } = await context.profile();
  return { service: baseUrl.value, account: fingerprint, mode: mode.value };
}

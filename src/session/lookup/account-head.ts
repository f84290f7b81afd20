import { profileIfAny } from '../../account/profiles/faults.js';
import { colourLevel } from '../../screen/notes.js';
import { accountLine, palette } from '../../screen/style.js';
import type { Context } from '../context/context.js';

/** The line that names the account above a page of figures on a terminal; empty in a pipe and without a profile. */
export async function accountHead(context: Context, mode?: 'test' | 'live'): Promise<string> {
  const { stdout, env } = context.world;
  if (stdout.isTTY !== true) return '';
  const account = (await profileIfAny(context))?.account;
  if (account === undefined) return '';
  const colours = await palette(colourLevel(env, stdout, context.options.color) > 0);
  return `${accountLine({ ...account, mode: mode ?? account.mode }, colours)}\n`;
}

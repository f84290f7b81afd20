import type { Context } from '../../command/context.js';
import { accountLine } from '../../output/account.js';
import { colourLevel, palette } from '../../output/colour.js';

/** The line above a page of figures on a terminal: whose they are, as above every list; empty in a pipe. */
export async function accountHead(context: Context, mode?: 'test' | 'live'): Promise<string> {
  const { stdout, env } = context.world;
  if (stdout.isTTY !== true) return '';
  const { account } = await context.profile();
  const colours = await palette(colourLevel(env, stdout, context.options.color) > 0);
  return `${accountLine({ ...account, mode: mode ?? account.mode }, colours)}\n`;
}

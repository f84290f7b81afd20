import { existsSync } from 'node:fs';
import { shellWord } from '../../base/text/command-line.js';
import type { Context } from '../../session/context/context.js';
import { lastMirror, namedMirror, ownMirror } from './own-mirror.js';

/**
 * The mirror for a command line that names none: the profile's own; if there is none, the last one synced, with a note;
 * otherwise asks the person at the terminal whether to create one (`--yes` agrees in advance). After a no, nothing
 * happens: the code that opens the mirror reports what is missing.
 */
export async function mirrorInUse(context: Context): Promise<string> {
  const file = await knownMirror(context);
  if (!existsSync(file)) await makeMirror(context);
  return file;
}

/** The same without creating a mirror: the profile's own path if none exists. */
export async function knownMirror(context: Context): Promise<string> {
  const team = await namedMirror(context, undefined);
  if (team !== undefined) return team;
  const own = await ownMirror(context);
  if (existsSync(own)) return own;
  const last = await lastMirror(context);
  if (last === undefined || !existsSync(last)) return own;
  context.notes.note(`Using the mirror that was synced last: --mirror ${shellWord(last)}`);
  return last;
}

async function makeMirror(context: Context): Promise<void> {
  if (!context.options.yes) {
    const prompter = await context.prompter();
    if (!prompter.canPrompt()) return;
    if (!(await prompter.confirm('There is no mirror yet. Create one from all lists now (cops sync)?'))) return;
  }
  const { syncLists } = await import('./sync-lists.js');
  const { finish } = await syncLists(context, [], {});
  context.notes.progressDone();
  const fault = await finish?.();
  if (fault) context.notes.warn(`${fault.message} What depends on it says so.`);
}

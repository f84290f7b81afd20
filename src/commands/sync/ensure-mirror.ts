import { existsSync } from 'node:fs';
import type { Context } from '../../command/context.js';

/**
 * Where the mirror of the profile in use does not exist yet, asks the person at the terminal whether to make it, and
 * makes it. Without one, or with a no, nothing happens: whoever opens the mirror says what is missing.
 */
export async function ensureMirror(context: Context, file: string): Promise<void> {
  if (existsSync(file)) return;
  const prompter = await context.prompter();
  if (!prompter.canPrompt()) return;
  const yes = await prompter.confirm('There is no mirror yet. Read all lists into it now (cops sync)?');
  if (!yes) return;
  const { syncCommand } = await import('./run.js');
  const { finish } = await syncCommand(context, [], {});
  context.notes.progressDone();
  const fault = await finish?.();
  if (fault) context.notes.warn(`${fault.message} What depends on it says so.`);
}

import { closing } from '../../base/errors/errors.js';
import type { openSandboxStore } from '../../sandbox/serve/index.js';
import type { Context } from './context.js';

type Opened = Awaited<ReturnType<typeof openSandboxStore>>;

/** The part of a run that opens the sandbox's own database. */
export type Opener = Pick<Context, 'world' | 'dataDir' | 'options'>;

/** The sandbox's own database; in a dry run, closing it undoes every change. */
export async function openedSandbox({ world, dataDir, options }: Opener): Promise<Opened> {
  const { openSandboxStore } = await import('../../sandbox/serve/index.js');
  const { functionThread } = world;
  const trial = options.dryRun ? 'undone' : undefined;
  return openSandboxStore({ dataDir, now: () => world.now(), trial, functionThread });
}

/** Does work on the sandbox's own database, then closes it. */
export async function withSandbox<T>(context: Opener, work: (opened: Opened) => T | Promise<T>): Promise<T> {
  const opened = await openedSandbox(context);
  return closing(opened.database, () => work(opened));
}

/** In a dry run, notes that the sandbox is unchanged. */
export function sayTried({ notes, options }: Pick<Context, 'notes' | 'options'>): void {
  if (options.dryRun) notes.note('Dry run: this is what would happen; the sandbox is unchanged.');
}

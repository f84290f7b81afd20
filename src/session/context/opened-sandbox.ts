import type { openStore } from '../../sandbox/serve/index.js';
import type { Context } from './context.js';

type Opened = Awaited<ReturnType<typeof openStore>>;

/** Works on the sandbox's own database, which is closed behind it. */
export async function withSandbox<T>(
  { world, dataDir }: Pick<Context, 'world' | 'dataDir'>,
  work: (opened: Opened) => T | Promise<T>,
): Promise<T> {
  const { openStore } = await import('../../sandbox/serve/index.js');
  const opened = await openStore({ dataDir, now: () => world.now() });
  try {
    return await work(opened);
  } finally {
    opened.database.close();
  }
}

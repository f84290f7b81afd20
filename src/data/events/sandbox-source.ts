import type { LoggedEvent } from '../../sandbox/serve/index.js';
import { type Opener, openedSandbox } from '../../session/context/opened-sandbox.js';
import type { AccountEvent, EventSource } from './account-event.js';

/** Milliseconds between two looks at a sandbox; another process may raise events in it. */
const LOOK_MS = 300;

/** The account events of the embedded service in one mode. Reading them lets its time pass. */
export async function openSandboxSource(context: Opener, mode: 'test' | 'live'): Promise<EventSource> {
  const { catchUp, EventLog } = await import('../../sandbox/serve/index.js');
  const opened = await openedSandbox(context);
  const log = new EventLog(opened, mode === 'live');
  const event = ({ row, id, notation, created, family, itemId }: LoggedEvent): AccountEvent => {
    return { row, id, type: notation, at: created, family, itemId, mode, derived: false };
  };
  return {
    identity: () => log.identity(),
    refresh: async () => {
      if (opened.isReady()) await catchUp(opened);
    },
    begin: () => log.begin(),
    last: () => log.last(),
    before: (unix) => log.before(unix),
    after: (row) => log.after(row).map(event),
    *within(range) {
      for (const found of log.within(range)) yield event(found);
    },
    find: (id) => {
      const found = log.find(id);
      return found && event(found);
    },
    lookMs: LOOK_MS,
    close: async () => opened.database.close(),
  };
}

import type { Scene } from '../call.js';
import { runDue } from '../due.js';
import { idOf } from '../ids.js';
import type { Store } from '../store.js';
import { raising } from './events.js';
import type { Host } from './host.js';
import { occasionOf } from './occasions.js';
import { PREPARE } from './tasks.js';

/**
 * Does everything that has fallen due by `now` (unix seconds) in the order of its moments, automations included.
 * @returns how many things happened.
 */
export async function passTime(
  store: Store,
  now: number,
  host: () => Host,
  progress?: (done: number) => void,
): Promise<number> {
  let count = 0;
  for (;;) {
    const before = count;
    count += runDue(store, now, (done) => progress?.(before + done));
    const due = store.nextDue(now);
    if (!due) return count;
    await runSlow(store, due, host());
    count++;
    if (count % 50 === 0) progress?.(count);
  }
}

async function runSlow(store: Store, due: { at: number; task: string; id: string }, host: Host): Promise<void> {
  let made = 0;
  const live = occasionOf(store, due.id)?.live ?? store.get('ai_threads', due.id, true) !== undefined;
  const scene: Scene = { store, now: due.at, live, newId: () => idOf('due', due.task, due.id, due.at, made++) };
  let failure: string | undefined;
  const write = await PREPARE[due.task]?.(scene, due.id, host).catch((error: unknown) => {
    failure = error instanceof Error ? error.message : String(error);
    return undefined;
  });
  store.database.transaction(() => {
    const taken = store.database
      .prepare('DELETE FROM due WHERE at = ? AND task = ? AND id = ? RETURNING 1')
      .get(due.at, due.task, due.id);
    // Another process was faster, or the sandbox was laid out anew.
    if (!taken) return;
    store.forgetSecret(`${due.id}.occasion`);
    if (write) raising(scene, write);
    if (failure !== undefined) logFailure(scene, due.task, failure);
  });
}

/** An automation that broke the sandbox's own code is told in the site's log, and not tried for ever. */
function logFailure(scene: Scene, task: string, failure: string): void {
  const value = {
    id: scene.newId(),
    created_date_unix: scene.now,
    live_mode: scene.live,
    level: 'error',
    message: `${task.replaceAll('_', ' ')}: ${failure}`,
  };
  scene.store.insert('site_logs', value, { live: scene.live });
}

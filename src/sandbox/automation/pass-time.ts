import type { Scene } from '../rules/call.js';
import type { ItemStore } from '../store/item-store.js';
import { seededId } from '../store/seeded-ids.js';
import { prepareStart, prepareStep } from './assistant-replies.js';
import { AT_ONCE, runSlice, SLOW_TASKS } from './due-tasks.js';
import { raising } from './emit-events.js';
import { prepareRun } from './functions.js';
import type { Host, Write } from './host.js';
import { prepareMail } from './mail.js';
import { type Occasion, occasionOf } from './occasions.js';

/**
 * A slow task reads the store, computes, and returns what to write. It changes nothing before that, so it does no harm
 * if two processes run it simultaneously or it is cut short.
 */
type Prepare = (scene: Scene, host: Host, id: string) => Promise<Write>;

const PREPARE: Readonly<Record<string, Prepare>> = {
  run_function: forOccasion(prepareRun),
  start_thread: forOccasion(prepareStart),
  step_thread: prepareStep,
  send_mail: forOccasion(prepareMail),
};

function forOccasion(work: (...given: [...Parameters<Prepare>, Occasion]) => Promise<Write>): Prepare {
  return async (scene, host, id) => {
    const occasion = occasionOf(scene.store, id);
    return occasion && work(scene, host, id, occasion);
  };
}

/** The longest that one slice may hold up requests, milliseconds. */
const SLICE_MS = 15;

/** Callbacks while time passes. */
export interface Watcher {
  /** Receives how many things have happened, and the moment reached (unix seconds). */
  readonly progress?: ((done: number, at: number) => void) | undefined;
  /**
   * If present, work is cut into slices; called after each with the next due moment (unix seconds). Time passes on once
   * the promise resolves.
   */
  readonly slice?: ((next: number | undefined, isSlow: boolean) => Promise<void> | undefined) | undefined;
  /** Called where something is left to do, with the moment that it is due at; what it throws ends the work there. */
  readonly between?: ((next: number) => Promise<void>) | undefined;
}

/**
 * Runs everything that has fallen due by `now` (unix seconds), in order, automations included.
 * @returns how many things happened.
 */
export async function passTime(store: ItemStore, now: number, host: Host, watcher: Watcher = {}): Promise<number> {
  const limit = watcher.slice
    ? { most: Number.POSITIVE_INFINITY, ms: SLICE_MS }
    : { most: AT_ONCE, ms: Number.POSITIVE_INFINITY };
  let count = 0;
  for (;;) {
    const { done } = runSlice(store, now, limit);
    count += done;
    const due = store.nextDue(now);
    if (done > 0) watcher.progress?.(count, due?.at ?? now);
    const isSlow = due !== undefined && SLOW_TASKS.has(due.task);
    await watcher.slice?.(due?.at, isSlow);
    if (!due) return count;
    await watcher.between?.(due.at);
    if (!isSlow) continue;
    await runSlow(store, due, host);
    count++;
    if (count % 50 === 0) watcher.progress?.(count, due.at);
  }
}

async function runSlow(store: ItemStore, due: { at: number; task: string; id: string }, host: Host): Promise<void> {
  let made = 0;
  const live = occasionOf(store, due.id)?.live ?? store.get('ai_threads', due.id, true) !== undefined;
  const scene: Scene = { store, now: due.at, live, newId: () => seededId('due', due.task, due.id, due.at, made++) };
  let failure: string | undefined;
  const write = await PREPARE[due.task]?.(scene, host, due.id).catch((error: unknown) => {
    failure = error instanceof Error ? error.message : String(error);
    return undefined;
  });
  store.transaction(() => {
    const taken = store.database
      .prepare('DELETE FROM due WHERE at = ? AND task = ? AND id = ? RETURNING 1')
      .get(due.at, due.task, due.id);
    // Another process was faster, or the data was recreated.
    if (!taken) return;
    store.forgetSecret(`${due.id}.occasion`);
    if (write) raising(scene, write);
    if (failure !== undefined) logFailure(scene, due.task, failure);
  });
}

/** Logs an automation that broke the sandbox's own code; it is not tried again. */
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

import type { Scene } from '../call.js';
import { prepareStart, prepareStep } from './assistants.js';
import { callFunction, recordRun } from './functions.js';
import type { Host } from './host.js';
import { prepareMail } from './mail.js';
import { occasionOf } from './occasions.js';

/**
 * A slow task looks at the store, computes, and gives back what is to be written: nothing is changed before that, so a
 * task that is done twice at once (by two processes) or cut short does no harm.
 */
type Prepare = (scene: Scene, id: string, host: Host) => Promise<(() => void) | undefined>;

export const PREPARE: Readonly<Record<string, Prepare>> = {
  run_function: async (scene, id, host) => {
    const occasion = occasionOf(scene.store, id);
    if (!occasion) return undefined;
    const run = await callFunction(scene, host, occasion.what, occasion);
    if (run) return () => recordRun(scene, id, run);
    return () => {
      const asked = scene.store.get('function_runs', id, scene.live);
      if (asked) scene.store.update(asked, { status: 'error', error: 'The function is gone or disabled.' }, scene.now);
    };
  },
  start_thread: async (scene, id, host) => {
    const occasion = occasionOf(scene.store, id);
    return occasion && prepareStart(scene, host, id, occasion);
  },
  step_thread: (scene, id, host) => prepareStep(scene, host, id),
  send_mail: async (scene, id, host) => {
    const occasion = occasionOf(scene.store, id);
    return occasion && prepareMail(scene, host, id, occasion);
  },
};

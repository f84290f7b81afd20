import type { Scene } from '../rules/call.js';
import { prepareStart, prepareStep } from './assistant-replies.js';
import { prepareRun } from './functions.js';
import type { Host, Write } from './host.js';
import { prepareMail } from './mail.js';
import { type Occasion, occasionOf } from './occasions.js';

/**
 * A slow task reads the store, computes, and returns what to write. It changes nothing before that, so it does no harm
 * if two processes run it simultaneously or it is cut short.
 */
type Prepare = (scene: Scene, host: Host, id: string) => Promise<Write>;

export const PREPARE: Readonly<Record<string, Prepare>> = {
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

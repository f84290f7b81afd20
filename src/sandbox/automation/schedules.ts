import { Cron } from 'croner';
import { faultBy } from '../../items/checks/automation-checks.js';
import type { Scene } from '../rules/call.js';
import { invalid } from '../rules/refusals.js';
import { objectUnder, type Value } from '../store/item-values.js';
import type { ItemChange } from './item-changes.js';
import { appoint } from './occasions.js';

/** Families whose items may run by a schedule. */
const SCHEDULED: Readonly<Record<string, (value: Value) => Value | undefined>> = {
  functions: (value) => (value.event_source === 'schedule' ? value : undefined),
  ai_assistants: (value) => {
    const trigger = objectUnder(objectUnder(value, 'settings'), 'trigger_settings');
    return trigger.trigger === 'schedule' ? (trigger.schedule as Value | undefined) : undefined;
  },
};

/** The moment after `from`, unix seconds, at which a schedule is due next; undefined when it never is again. */
export function nextRun(schedule: Value, from: number): number | undefined {
  try {
    const timezone = String(schedule.cron_timezone || 'UTC');
    const cron = new Cron(String(schedule.cron_expression), { timezone, mode: '5-part' });
    const next = cron.nextRun(new Date(from * 1000));
    return next ? Math.floor(next.getTime() / 1000) : undefined;
  } catch {
    // What no schedule can be read from never runs; the rules refuse it where it is written.
    return undefined;
  }
}

/** @throws Refusal 400 for what is no schedule, or where `hourApart` is asked for runs too often (service.md#other-items, service.md#assistants). */
export function checkSchedule(expression: unknown, hourApart: boolean): void {
  const fault = faultBy(Cron, String(expression ?? ''), hourApart);
  if (fault !== undefined) throw invalid(`cron_expression ${fault}.`);
}

/** Keeps the next run of a function or assistant in step with what was written to it. */
export function reschedule(scene: Scene, { family, id, after }: ItemChange): void {
  const schedule = after && after.enabled !== false ? SCHEDULED[family]?.(after) : undefined;
  if (SCHEDULED[family]) scene.store.schedule('cron', id, schedule ? nextRun(schedule, scene.now) : undefined);
}

/** A schedule is due: what it is of runs now, and again at its next moment. */
export function runSchedule(scene: Scene, id: string): void {
  for (const [family, task] of [
    ['functions', 'run_function'],
    ['ai_assistants', 'start_thread'],
  ] as const) {
    const item = scene.store.get(family, id, scene.live);
    const schedule = item && item.value.enabled !== false ? SCHEDULED[family]?.(item.value) : undefined;
    if (!schedule) continue;
    appoint(scene, task, scene.newId(), scene.now, { what: id, live: scene.live, source: 'schedule' });
    scene.store.schedule('cron', id, nextRun(schedule, scene.now));
  }
}

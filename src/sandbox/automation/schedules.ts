import { Cron } from 'croner';
import { orElse } from '../../base/errors/errors.js';
import { faultBy } from '../../items/checks/automation-checks.js';
import type { Scene } from '../rules/call.js';
import { invalid } from '../rules/refusals.js';
import { objectUnder, type Value } from '../store/item-values.js';
import type { ItemChange } from './item-changes.js';
import { appoint } from './occasions.js';

/** Families whose items may run on a schedule. */
const SCHEDULED: Readonly<Record<string, (value: Value) => Value | undefined>> = {
  functions: (value) => (value.event_source === 'schedule' ? value : undefined),
  ai_assistants: (value) => {
    const trigger = objectUnder(objectUnder(value, 'settings'), 'trigger_settings');
    return trigger.trigger === 'schedule' ? (trigger.schedule as Value | undefined) : undefined;
  },
};

/** The next moment after `from` (unix seconds) at which a schedule is due; undefined when there is no such moment. */
export function nextRun(schedule: Value, from: number): number | undefined {
  // An unreadable schedule never runs; the rules refuse it when it is written.
  return orElse(() => {
    const timezone = String(schedule.cron_timezone || 'UTC');
    const cron = new Cron(String(schedule.cron_expression), { timezone, mode: '5-part' });
    const next = cron.nextRun(new Date(from * 1000));
    return next ? Math.floor(next.getTime() / 1000) : undefined;
  }, undefined);
}

/**
 * @throws Refusal 400 for an unreadable schedule, or one that runs too often where `hourApart` is set
 * (service.md#other-items, service.md#assistants).
 */
export function checkSchedule(expression: unknown, hourApart: boolean): void {
  const fault = faultBy(Cron, String(expression ?? ''), hourApart);
  if (fault !== undefined) throw invalid(`cron_expression ${fault}.`);
}

/** Schedules the next run of a function or assistant after a write. */
export function reschedule(scene: Scene, { family, id, after }: ItemChange): void {
  const schedule = after && after.enabled !== false ? SCHEDULED[family]?.(after) : undefined;
  if (SCHEDULED[family]) scene.store.schedule('cron', id, schedule ? nextRun(schedule, scene.now) : undefined);
}

/** Runs the owner of a due schedule, and schedules its next run. */
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

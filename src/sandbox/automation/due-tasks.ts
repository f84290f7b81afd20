import { DAY } from '../../base/time/units.js';
import type { Scene } from '../rules/call.js';
import { customerNow } from '../rules/new-customer.js';
import { recordRefund, settlePayment } from '../rules/payment-ledger.js';
import { attemptRenewal } from '../rules/renewals.js';
import { confirmWallet } from '../rules/sell.js';
import { expireTrial } from '../rules/trials.js';
import type { ItemStore, Stored } from '../store/item-store.js';
import { seededId } from '../store/seeded-ids.js';
import { finishSync } from '../sync.js';
import { raising } from './emit-events.js';
import { runSchedule } from './schedules.js';

/** Tasks that wait for a function or for a rule to load: each runs alone, in its own transaction. */
export const SLOW_TASKS: ReadonlySet<string> = new Set(['run_function', 'start_thread', 'step_thread', 'send_mail']);

/** Memos are kept at most 7 days (service.md#limits). */
const MEMO_DAYS = 7;

type Task = (scene: Scene, id: string) => void;

/** The work of due tasks. Each looks its item up again and does nothing if the item has moved on. */
const TASKS: Readonly<Record<string, Task>> = {
  renew: (scene, id) => {
    const item = scene.store.get('subscriptions', id, scene.live);
    if (item && ['active', 'overdue'].includes(String(item.value.status)) && isCharged(scene, item))
      attemptRenewal(scene, item, false);
  },
  expire: (scene, id) => {
    const item = scene.store.get('trials', id, scene.live);
    if (item?.value.status === 'active' && isCharged(scene, item)) expireTrial(scene, item);
  },
  settle: (scene, id) => {
    const item = scene.store.get('transactions', id, scene.live);
    if (item?.value.result === 'approved' && item.value.settled !== true) settlePayment(scene, item);
  },
  refund: (scene, id) => {
    const item = scene.store.get('pending_refunds', id, scene.live);
    if (item?.value.status === 'pending') {
      scene.store.update(item, { status: 'processed', processed_date_unix: scene.now }, scene.now);
      recordRefund(scene, item.value, item.customer);
    }
  },
  confirm_wallet: confirmWallet,
  forget_memo: (scene, id) => remove(scene, 'ai_memos', id),
  forget_thread: (scene, id) => remove(scene, 'ai_threads', id),
  forget_form: (scene, id) => remove(scene, 'secure_forms', id),
  cron: runSchedule,
  begin_sync: (scene, id) => {
    const item = scene.store.get('product_syncs', id, scene.live);
    if (item?.value.status === 'pending') scene.store.update(item, { status: 'processing' }, scene.now);
  },
  finish_sync: (scene, id) => {
    const item = scene.store.get('product_syncs', id, scene.live);
    if (item) finishSync(scene, item);
  },
};

/** Tasks that fall due while a customer is disabled wait until it is enabled (`POST /customers/{}/enable`). */
function isCharged(scene: Scene, item: Stored): boolean {
  return customerNow(scene, item.value).enabled !== false;
}

function remove(scene: Scene, family: string, id: string): void {
  const item = scene.store.get(family, id, scene.live);
  if (item) scene.store.remove(item);
}

/** When a memo is removed. */
export function memoEnd(created: number): number {
  return created + MEMO_DAYS * DAY;
}

/** The number of tasks committed together. */
export const AT_ONCE = 1000;

/**
 * Runs tasks that have fallen due by `now` (unix seconds) in one transaction, in order, each at its own moment:
 * renewals, trial ends, settlements, refunds, removals. The same data gives the same ids. `limit` bounds the number of
 * tasks and the milliseconds; a slow task also ends the slice.
 * @returns how many tasks ran, and the moment of the next due task, if there is one.
 */
export function runSlice(
  store: ItemStore,
  now: number,
  limit: { readonly most: number; readonly ms: number },
): { done: number; next: number | undefined } {
  return store.transaction(() => {
    const until = process.uptime() + limit.ms / 1000;
    for (let done = 0; ; done++) {
      const task = store.nextDue(now);
      if (!task || SLOW_TASKS.has(task.task) || done >= limit.most || (done > 0 && process.uptime() >= until))
        return { done, next: task?.at };
      store.database.prepare('DELETE FROM due WHERE at = ? AND task = ? AND id = ?').run(task.at, task.task, task.id);
      runTask(store, task);
    }
  });
}

function runTask(store: ItemStore, due: { at: number; task: string; id: string }): void {
  const work = TASKS[due.task];
  // The task's id exists in only one of the modes; in the other nothing happens.
  for (const live of [false, true]) {
    let made = 0;
    const scene: Scene = { store, now: due.at, live, newId: () => seededId('due', due.task, due.id, due.at, made++) };
    if (work) raising(scene, () => work(scene, due.id));
  }
}

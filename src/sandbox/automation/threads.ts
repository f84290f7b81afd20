import { newItemHead, type Scene } from '../rules/call.js';
import type { Stored } from '../store/item-store.js';
import { listUnder, type Value } from '../store/item-values.js';
import type { Occasion } from './occasions.js';

/** Seconds that a step of an assistant takes. reading: thread-steps */
const STEP_SECONDS = 30;

/** Threads are kept 60 days (published), seconds. */
export const KEPT_SECONDS = 60 * 86_400;

/** The progress of a thread, kept next to it. */
export interface ThreadState {
  /** The node that runs next. */
  readonly node?: string | undefined;
  readonly visited: readonly string[];
  readonly occasion: Occasion;
}

/** Begins a run of an assistant; its first step follows a little later by the sandbox's clock. */
export function beginThread(
  scene: Scene,
  assistant: Stored,
  occasion: Occasion,
  more: { readonly id?: string; readonly messages?: readonly Value[]; readonly sourceType?: string } = {},
): string {
  const id = more.id ?? scene.newId();
  const value: Value = {
    ...newItemHead(scene, id),
    live_mode: scene.live,
    status: 'Running',
    ai_assistant_id: assistant.id,
    ai_assistant: { id: assistant.id, name: assistant.value.name },
    trigger: occasion.source === 'api_direct' ? 'on_demand' : occasion.source,
    notation: occasion.notation,
    source_type: more.sourceType ?? (occasion.itemId ? 'item' : ''),
    ...(occasion.itemId ? { item_type: occasion.itemType, item_id: occasion.itemId } : {}),
    messages: more.messages ?? [],
    steps: [],
    tokens: 0,
  };
  scene.store.insert('ai_threads', value, { live: scene.live });
  scene.store.schedule('forget_thread', id, scene.now + KEPT_SECONDS);
  const start = listUnder(assistant.value, 'flow').find(({ type }) => type === 'start_thread');
  keepState(scene, id, { node: start ? String(start.id) : undefined, visited: [], occasion });
  stepLater(scene, id);
  return id;
}

export function keepState(scene: Scene, threadId: string, state: ThreadState): void {
  scene.store.keepSecret(`${threadId}.state`, { ...state });
}

export function threadState(scene: Scene, threadId: string): ThreadState | undefined {
  return scene.store.secret(`${threadId}.state`) as unknown as ThreadState | undefined;
}

/** Schedules the next step of a thread in that many seconds. */
export function stepLater(scene: Scene, threadId: string, seconds = STEP_SECONDS): void {
  scene.store.schedule('step_thread', threadId, scene.now + seconds);
}

/** Ends a thread in a given state (service.md#states names those that reads show). */
export function endThread(scene: Scene, thread: Stored, status: 'Complete' | 'Error', more: Value = {}): void {
  scene.store.update(thread, { ...more, status, completed_date_unix: scene.now }, scene.now);
  scene.store.schedule('step_thread', thread.id, undefined);
  scene.store.forgetSecret(`${thread.id}.state`);
}

import type { Scene } from '../rules/call.js';
import type { Stored } from '../store/item-store.js';
import { isItem, listUnder, type Value } from '../store/item-values.js';
import { eventObject, type Source } from './event-object.js';
import type { Host, Write } from './host.js';
import { aboutItem, type Occasion } from './occasions.js';

/** A function that ran, and its occasion. */
export type FunctionRun = NonNullable<Awaited<ReturnType<typeof callFunction>>>;

/**
 * Runs the code of a function for an occasion; undefined when the function does not exist or is disabled
 * (service.md#other-items).
 */
export async function callFunction(
  scene: Scene,
  host: Host,
  id: string,
  occasion: Occasion,
  source: Source = occasion.source,
) {
  const { store, live, now } = scene;
  const item = store.get('functions', id, live);
  if (!item || item.value.enabled === false) return undefined;
  const event = eventObject({ ...occasion, source, item: aboutItem(store, occasion)?.value, live, now });
  const code = String(item.value.function_code ?? '');
  const result = await host.engine.run({ code, event, env: variables(scene, item), now: now * 1000 });
  return { function: item, occasion, source, result };
}

/** The variables of a function by name; encrypted ones are hidden only from reads. */
function variables({ store }: Scene, item: Stored): Record<string, string> {
  const named = listUnder(item.value, 'environment_variables').map(({ name, value, encrypted }) => {
    const known = encrypted === true ? store.secret(`${item.id}.env.${String(name)}`)?.value : value;
    return [String(name), String(known ?? '')] as const;
  });
  return Object.fromEntries(named);
}

/** Runs a function for an event, a schedule or a trigger. */
export async function prepareRun(scene: Scene, host: Host, id: string, occasion: Occasion): Promise<Write> {
  const run = await callFunction(scene, host, occasion.what, occasion);
  if (run) return () => recordRun(scene, id, run);
  return () => {
    const asked = scene.store.get('function_runs', id, scene.live);
    if (asked) scene.store.update(asked, { status: 'error', error: 'The function is gone or disabled.' }, scene.now);
  };
}

/**
 * Files the outcome of a run under the id that its trigger was answered with; no published path lists such runs.
 * reading: function-runs
 */
export function recordRun(scene: Scene, id: string, run: FunctionRun): void {
  const { occasion, result } = run;
  const value: Value = {
    id,
    created_date_unix: scene.now,
    live_mode: scene.live,
    function_id: run.function.id,
    function: { id: run.function.id, name: run.function.value.name },
    event_source: run.source,
    notation: occasion.notation ?? null,
    item_type: occasion.itemType ?? null,
    item_id: occasion.itemId ?? null,
    custom_arguments: occasion.arguments ?? {},
    status: result.outcome,
    result: result.result === undefined ? null : JSON.parse(result.result),
    error: result.error ?? null,
    logs: result.logs,
    logs_dropped: result.dropped,
  };
  const known = scene.store.get('function_runs', id, scene.live);
  if (known) scene.store.update(known, value, scene.now);
  else scene.store.insert('function_runs', value, { live: scene.live });
}

/** The result of a run as an object; empty if the run failed or gave something else. */
export function objectOf({ result }: FunctionRun): Value {
  const given: unknown = result.result === undefined ? undefined : JSON.parse(result.result);
  return isItem(given) ? given : {};
}

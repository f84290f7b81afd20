import type { Scene } from '../rules/call.js';
import { Refusal } from '../rules/refusals.js';
import type { Stored } from '../store/item-store.js';
import { listUnder, objectUnder, type Value } from '../store/item-values.js';
import { answerFor, type ScriptedAnswer } from './assistant-answers.js';
import { callFunction, recordRun } from './functions.js';
import type { Deed, Host, Write } from './host.js';
import { mailData } from './mail.js';
import { delaySeconds, type Occasion } from './occasions.js';
import { fillAll, UnfilledError } from './shortcodes.js';
import { beginThread, endThread, keepState, stepLater, type ThreadState, threadState } from './threads.js';

/** Characters counted as one token. reading: token-limits */
const TOKEN_CHARACTERS = 4;

/**
 * Starts an assistant for an event or a schedule, unless it is off, has used up its runs for the item or its tokens for
 * the day, or its filter function answers anything but `pass` (service.md#assistants, service.md#events).
 */
export async function prepareStart(scene: Scene, host: Host, id: string, occasion: Occasion): Promise<Write> {
  const assistant = scene.store.get('ai_assistants', occasion.what, scene.live);
  if (!assistant || assistant.value.enabled === false || usedUp(scene, assistant)) return undefined;
  const settings = (assistant.value.settings as Value).trigger_settings as Value;
  const event = objectUnder(settings, 'account_event');
  const isEvent = occasion.source === 'account_event';
  if (isEvent && !mayRunFor(scene, assistant, event, occasion)) return undefined;
  const filter = isEvent ? (event.filter_function as Value | string | undefined) : undefined;
  const filterId = typeof filter === 'object' ? String(filter.id) : '';
  const run = filterId ? await callFunction(scene, host, filterId, occasion, 'api_direct') : undefined;
  return () => {
    if (run) recordRun(scene, scene.newId(), run);
    // A filter function that is missing, fails or answers anything else blocks the run. reading: filter-verdict
    if (filterId && run?.result.result !== '"pass"') return;
    if (isEvent) countRun(scene, assistant, occasion);
    beginThread(scene, assistant, occasion, { id });
  };
}

function runsOf(scene: Scene, assistant: Stored, occasion: Occasion): { key: string; count: number; last: number } {
  const key = `${assistant.id}.runs.${occasion.itemId ?? ''}`;
  const { count = 0, last = 0 } = (scene.store.secret(key) ?? {}) as { count?: number; last?: number };
  return { key, count, last };
}

/**
 * `limits` caps the runs that one item causes; the interval counts only from the second run (service.md#assistants).
 */
function mayRunFor(scene: Scene, assistant: Stored, event: Value, occasion: Occasion): boolean {
  const limits = objectUnder(event, 'limits');
  const most = Number(limits.max_run_count ?? 1);
  const { count, last } = runsOf(scene, assistant, occasion);
  if (count >= most) return false;
  const apart = delaySeconds(limits.min_time_value ?? 30, limits.min_time_unit ?? 'days');
  return count === 0 || most === 1 || scene.now - last >= apart;
}

function countRun(scene: Scene, assistant: Stored, occasion: Occasion): void {
  const { key, count } = runsOf(scene, assistant, occasion);
  scene.store.keepSecret(key, { count: count + 1, last: scene.now });
}

/** Whether an assistant has used the tokens of its day (service.md#assistants: in 24 hours, here a day in UTC). */
export function usedUp(scene: Scene, assistant: Stored): boolean {
  const most = limitOf(assistant, 'token_max_per_day');
  return most > 0 && tokensToday(scene, assistant) >= most;
}

function limitOf(assistant: Stored, name: string): number {
  return Number(objectUnder(objectUnder(assistant.value, 'settings'), 'assistant_limits')[name] ?? 0);
}

function tokensToday(scene: Scene, assistant: Stored): number {
  const { day, tokens } = (scene.store.secret(`${assistant.id}.tokens`) ?? {}) as { day?: number; tokens?: number };
  return day === Math.floor(scene.now / 86_400) ? (tokens ?? 0) : 0;
}

/** A thread that is running. */
interface Standing {
  readonly thread: Stored;
  readonly assistant: Stored;
  readonly state: ThreadState;
}

/**
 * The next action of a thread. `pause`: seconds until the thread continues; absent where a prompt is answered or the
 * thread ends.
 */
type Turn = ReturnType<typeof walk>;

/** One step of a thread, up to the next prompt, delay or end of its flow. */
export async function prepareStep(scene: Scene, host: Host, id: string): Promise<Write> {
  const thread = scene.store.get('ai_threads', id, scene.live);
  const state = threadState(scene, id);
  if (!thread || !state || !['Running', 'Timer'].includes(String(thread.value.status))) return undefined;
  const assistant = scene.store.get('ai_assistants', String(thread.value.ai_assistant_id), scene.live);
  if (!assistant) return () => endThread(scene, thread, 'Error', { error: 'The assistant was deleted.' });
  const standing = { thread, assistant, state };
  const turn = walk(scene, standing);
  const deeds: ((scene: Scene) => void)[] = [];
  let refused: string | undefined;
  try {
    for (const deed of turn.prompt?.answer?.actions ?? [])
      deeds.push(await host.prepare(filled(scene, deed, standing)));
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof UnfilledError)) throw error;
    refused = error.message;
  }
  return () => take(scene, standing, { turn, deeds, refused });
}

function filled(scene: Scene, deed: Deed, { thread, assistant, state }: Standing): Deed {
  const { occasion } = state;
  const data = {
    ...mailData(scene, occasion),
    thread_id: thread.id,
    assistant_id: assistant.id,
    item_id: occasion.itemId,
    item_type: occasion.itemType,
  };
  return fillAll({ path: deed.path, body: deed.body ?? {} }, data) as unknown as Deed;
}

/**
 * Follows the flow from a node to the next one that takes time; each node runs at most once (service.md#assistants,
 * rule 5).
 */
function walk(scene: Scene, { assistant, state }: Standing) {
  const nodes = new Map(listUnder(assistant.value, 'flow').map((node) => [String(node.id), node]));
  const visited = [...state.visited];
  const steps: Value[] = [];
  let at = state.node;
  for (;;) {
    const node = at === undefined || visited.includes(at) ? undefined : nodes.get(at);
    if (!node) return { steps, visited };
    visited.push(String(node.id));
    const step: Value = { node: node.id, type: node.type, created_date_unix: scene.now };
    steps.push(step);
    const settings = objectUnder(node, 'node_settings');
    if (node.type === 'action_end_thread') return { steps, visited };
    if (node.type === 'action_time_delay') {
      const pause = delaySeconds(settings.time_value, settings.time_unit);
      return { steps, visited, pause, next: target(node, 1) };
    }
    if (node.type !== 'start_thread') {
      const message = promptOf(node.type, settings);
      const answer = answerFor(scene.store.database, { assistant: assistant.value, node: String(node.id), message });
      const output = node.type === 'action_branch' ? branchOf(settings, answer) : 1;
      step.output = `output_${output}`;
      return { steps, visited, prompt: { message, answer }, next: target(node, output) };
    }
    at = target(node, 1);
  }
}

function promptOf(type: unknown, settings: Value): string {
  if (type === 'action_step') return String(settings.step_message ?? '');
  return [1, 2, 3]
    .map((number) => settings[`output_${number}_message`])
    .filter((text) => typeof text === 'string' && text !== '')
    .join('\n');
}

/**
 * The scripted branch, if its message is not empty. Without an answer no branch is picked, which is output 4
 * (service.md#assistants).
 */
function branchOf(settings: Value, answer: ScriptedAnswer | undefined): number {
  const output = answer?.output ?? 4;
  const message = settings[`output_${output}_message`];
  return output < 4 && typeof message === 'string' && message !== '' ? output : 4;
}

function target(node: Value, output: number): string | undefined {
  const port = (objectUnder(node, 'outputs')[`output_${output}`] ?? {}) as Value;
  const [first] = listUnder(port, 'connections');
  return first ? String(first.node) : undefined;
}

function take(
  scene: Scene,
  { thread: begun, assistant, state }: Standing,
  { turn, deeds, refused }: { turn: Turn; deeds: readonly ((scene: Scene) => void)[]; refused: string | undefined },
): void {
  const thread = scene.store.get('ai_threads', begun.id, scene.live);
  // The thread may have been cancelled while its step was being prepared.
  if (!thread || !['Running', 'Timer'].includes(String(thread.value.status))) return;
  const said = turn.prompt ? spoken(turn.prompt) : [];
  const tokens = said.reduce((sum, { content }) => sum + Math.ceil(String(content).length / TOKEN_CHARACTERS), 0);
  const used = Number(thread.value.tokens ?? 0) + tokens;
  scene.store.keepSecret(`${assistant.id}.tokens`, {
    day: Math.floor(scene.now / 86_400),
    tokens: tokensToday(scene, assistant) + tokens,
  });
  const changes: Value = {
    steps: [...listUnder(thread.value, 'steps'), ...turn.steps],
    messages: [...listUnder(thread.value, 'messages'), ...said],
    tokens: used,
  };
  const most = limitOf(assistant, 'thread_max_tokens');
  const fault =
    most > 0 && used > most
      ? `The thread used ${used} tokens; thread_max_tokens is ${most}.`
      : (refused ?? act(scene, assistant, state, deeds));
  if (fault !== undefined) endThread(scene, thread, 'Error', { ...changes, error: fault });
  else if (turn.next === undefined && turn.pause === undefined) endThread(scene, thread, 'Complete', changes);
  else {
    scene.store.update(thread, { ...changes, status: turn.pause === undefined ? 'Running' : 'Timer' }, scene.now);
    keepState(scene, thread.id, { ...state, node: turn.next, visited: turn.visited });
    stepLater(scene, thread.id, turn.pause);
  }
}

function spoken({ message, answer }: NonNullable<Turn['prompt']>): Value[] {
  return [
    { role: 'user', content: message },
    { role: 'assistant', content: answer?.answer ?? 'Done.' },
  ];
}

/** Does what the answer says, by the rules of the service. The first refusal ends it and is logged. */
function act(
  scene: Scene,
  assistant: Stored,
  { occasion }: ThreadState,
  deeds: readonly ((scene: Scene) => void)[],
): string | undefined {
  const acting = { ...scene, cause: [...(occasion.cause ?? []), assistant.id] };
  for (const deed of deeds) {
    try {
      scene.store.step(() => deed(acting));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return error.message;
    }
  }
  return undefined;
}

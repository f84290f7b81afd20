import { EVENTS } from '../../catalogue/event-types.js';
import { runItemTypes } from '../../catalogue/fields.js';
import { usedUp } from '../automation/assistant-replies.js';
import { memoEnd } from '../automation/due-tasks.js';
import { appoint } from '../automation/occasions.js';
import { checkSchedule } from '../automation/schedules.js';
import { beginThread } from '../automation/threads.js';
import type { Stored } from '../store/item-store.js';
import { idsUnder, listUnder, objectUnder, type Value } from '../store/item-values.js';
import { familyOfItem } from '../store/kinds.js';
import { type Call, newItemHead, type OperationAnswer, type Rules } from './call.js';
import { change, checking, create, done, edit, given, ready, required, requireItem } from './generic.js';
import { invalid } from './refusals.js';
import { FUNCTION } from './shapes.js';

/** Rules for runs of assistants, threads, memos, voice agents and functions. */
export const AUTOMATION_RULES: Rules = {
  'POST /ai_assistants/{}/trigger': (call) => {
    const item = required(call);
    const settings = objectUnder(item.value, 'settings').trigger_settings as Value | undefined;
    if (settings?.trigger !== 'on_demand')
      throw invalid('Only an assistant whose trigger is on_demand can be triggered.');
    if (item.value.enabled === false) throw invalid('A disabled assistant cannot be triggered.');
    if (call.body.previous_ai_thread !== undefined && call.body.messages !== undefined)
      throw invalid('previous_ai_thread and messages exclude each other.');
    if (usedUp(call, item)) throw invalid('The assistant has used up its tokens of the day.');
    const occasion = { what: item.id, live: call.live, source: 'api_direct', ...occasionItem(call) } as const;
    const id = beginThread(call, item, occasion, {
      messages: listUnder(call.body, 'messages'),
      sourceType: String(call.body.source_type ?? ''),
    });
    return { ai_thread_id: id, ai_assistant_id: item.id, result: 'success' };
  },

  'POST /ai_threads/{}/cancel': (call) => {
    const item = ready(call);
    call.store.update(item, { status: 'Cancelled' }, call.now);
    call.store.schedule('step_thread', item.id, undefined);
  },

  'POST /ai_memos': (call) => {
    const thread = requireItem(call, 'ai_threads', String(call.body.ai_thread_id));
    const memo = create(call, {
      live_mode: call.live,
      status: 'unread',
      ai_assistant_id: thread.value.ai_assistant_id,
      ai_assistant: thread.value.ai_assistant,
    });
    call.store.schedule('forget_memo', memo.id, memoEnd(call.now));
    return done(call, memo.id);
  },
  'POST /ai_memos/{}/mark_as_read': (call) => change(call, { status: 'read' }),

  'POST /ai_voice_agents/{}/trigger': (call) => {
    const item = required(call);
    if (item.value.call_method === 'inbound') throw invalid('Only an outbound agent can be triggered.');
    if (item.value.enabled === false) throw invalid('A disabled agent cannot be triggered.');
    const value: Value = {
      ...newItemHead(call),
      live_mode: call.live,
      status: 'Complete',
      ai_model: 'example-realtime',
      ai_source: 'example',
      ai_source_session_id: call.newId(),
      call_duration_ms: 60_000,
      call_method: 'outbound',
      ai_voice_agent: { id: item.id, name: item.value.name },
      ...namedItem(call),
    };
    call.store.insert('ai_voice_calls', value, { live: call.live });
    return { ai_voice_call_id: value.id, ai_voice_agent_id: item.id, result: 'success' };
  },
  ...checking('ai_voice_snippets', (call) => {
    if (call.ids.length === 0 || call.body.name !== undefined) checkSnippet(call.body.name);
  }),

  'POST /functions': (call) => done(call, create(call, FUNCTION).id),
  'POST /functions/{}': (call) => {
    const item = required(call);
    const { environment_variables: variables, ...body } = call.body;
    const after = { ...item.value, ...body };
    checkFunction(after);
    return done(
      call,
      edit({ ...call, body }, item, {
        ...given({
          environment_variables: variables === undefined ? undefined : upsert(call, item, variables as Value[]),
        }),
        // service.md#other-items: present only for this source. reading: function-sources
        function_url: after.event_source === 'function_url' ? `https://functions.example.com/${item.id}` : undefined,
      }).id,
    );
  },
  'POST /functions/{}/trigger': triggerFunction,
};

/** The item of a run or a mail: either both halves of its name or neither, and it must exist. */
export function itemAbout(call: Call): Stored | undefined {
  const { item_type: type, item_id: id } = call.body;
  if (type === undefined && id === undefined) return undefined;
  if (typeof type !== 'string' || typeof id !== 'string') throw invalid('item_type and item_id belong together.');
  if (!(runItemTypes as readonly string[]).includes(type))
    throw invalid(`item_type must be one of ${runItemTypes.join(', ')}.`);
  return requireItem(call, familyOfItem(type) as string, id);
}

/** The arguments in a body, by name. @throws Refusal 400 when one is missing that the function or template declares. */
export function argumentsFor(call: Call, { value }: Stored): Value {
  const given = listUnder(call.body, 'custom_arguments');
  for (const declared of (value.custom_arguments ?? []) as (Value | string)[]) {
    const name = typeof declared === 'string' ? declared : declared.name;
    if (!given.some((one) => one.name === name)) throw invalid(`The custom argument ${String(name)} is missing.`);
  }
  return Object.fromEntries(given.map(({ name, value: content }) => [String(name), content]));
}

/** The item of a run, in the form its occasion uses. */
function occasionItem(call: Call): { itemType?: string; itemId?: string; cause?: readonly string[] | undefined } {
  const item = itemAbout(call);
  return { ...(item ? { itemType: String(call.body.item_type), itemId: item.id } : {}), cause: call.cause };
}

function namedItem(call: Call): Value {
  const item = itemAbout(call);
  return item ? { item_type: call.body.item_type, item_id: item.id } : {};
}

function checkSnippet(name: unknown): void {
  if (typeof name !== 'string' || !/^[A-Za-z][A-Za-z0-9_]{0,99}$/.test(name))
    throw invalid('The name of a snippet is letters, digits and underscores, beginning with a letter.');
}

function checkFunction(value: Value): void {
  const timing = value.timing_options as Value | undefined;
  if (timing?.timing === 'delay' && (timing.time_unit === undefined || timing.time_value === undefined))
    throw invalid('timing delay needs time_unit and time_value.');
  if (timing?.timing === 'delay' && !(Number(timing.time_value) >= 1))
    throw invalid('timing_options.time_value must be 1 or more.');
  if (value.event_source === 'schedule' || value.cron_expression !== undefined)
    checkSchedule(value.cron_expression, false);
  const strange = idsUnder(value, 'account_event_notations').find((one) => !EVENTS.includes(one));
  if (strange !== undefined) throw invalid(`account_event_notations: there is no event ${JSON.stringify(strange)}.`);
}

/** Adds or replaces variables one by one; reads hide the values of encrypted ones (service.md#other-items). */
function upsert(call: Call, item: Stored, variables: readonly Value[]): Value[] {
  const kept = listUnder(item.value, 'environment_variables').filter(
    (one) => !variables.some(({ name }) => name === one.name),
  );
  const shown = variables.map((one) => {
    if (one.encrypted !== true) return one;
    call.store.keepSecret(`${item.id}.env.${String(one.name)}`, { value: one.value });
    return { name: one.name, value: '', encrypted: true };
  });
  return [...kept, ...shown];
}

function triggerFunction(call: Call): OperationAnswer {
  const item = required(call);
  if (item.value.event_source !== 'api_direct')
    throw invalid('Only a function with event source api_direct can be triggered.');
  if (item.value.enabled === false) throw invalid('A disabled function cannot be triggered.');
  const given = argumentsFor(call, item);
  const id = call.newId();
  const value: Value = {
    id,
    created_date_unix: call.now,
    live_mode: call.live,
    function_id: item.id,
    ...namedItem(call),
    custom_arguments: listUnder(call.body, 'custom_arguments'),
    status: 'pending',
  };
  call.store.insert('function_runs', value, { live: call.live });
  appoint(call, 'run_function', id, call.now, {
    what: item.id,
    live: call.live,
    source: 'api_direct',
    ...occasionItem(call),
    arguments: given,
  });
  return { function_id: item.id, function_run_id: id, result: 'success' };
}

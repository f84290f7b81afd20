import { filtersOf, notationFault } from '../../items/checks/automation-checks.js';
import { flowFindings } from '../../items/checks/flow.js';
import type { Tree } from '../../items/json/tree.js';
import { checkSchedule } from '../automation/schedules.js';
import { objectUnder, type Value } from '../store/item-values.js';
import type { Call, Rules } from './call.js';
import { checkIntegration, create, done, edit, given, merge, required, requireItem } from './generic.js';
import { invalid, nodeRefused } from './refusals.js';

/** The longest delay after an event, by unit: 7 days (service.md#assistants). */
const LONGEST_DELAY: ReadonlyMap<unknown, number> = new Map([
  ['minutes', 10_080],
  ['hours', 168],
  ['days', 7],
]);

/** AI assistants: how they are written and read (service.md#assistants). */
export const ASSISTANT_RULES: Rules = {
  'POST /ai_assistants': (call) => {
    checkFlow(call.body.flow);
    checkIntegration(call, 'ai');
    return done(call, create(call, { settings: settingsOf(call, {}), flow: placed(call.body.flow) }).id);
  },
  'POST /ai_assistants/{}': (call) => {
    const item = required(call);
    const { flow, settings } = call.body;
    if (flow !== undefined) checkFlow(flow);
    checkIntegration(call, 'ai');
    const changes = given({
      flow: flow === undefined ? undefined : placed(flow),
      settings: settings === undefined ? undefined : settingsOf(call, item.value.settings as Value),
    });
    return done(call, edit(call, item, changes).id);
  },
};

/**
 * Checks an assistant's flow by the rules of service.md#assistants, as the client does; one violation rejects the whole
 * flow.
 * @throws Refusal 400 with `node_id`, `invalid_setting` and `explanation`.
 */
function checkFlow(flow: unknown): void {
  const fault = [...flowFindings(flow as Tree)].find(({ note }) => !note);
  if (!fault) return;
  const nodes = flow as Value[];
  const [, index, place] = /^flow\[(\d+)\]\.(?:node_settings\.)?(.*)$/.exec(fault.path) ?? [];
  const second = nodes.filter(({ type }) => type === 'start_thread')[1];
  throw nodeRefused((index === undefined ? second : nodes[Number(index)])?.id, place ?? 'type', fault.message);
}

/** Gives a node without a position one. */
function placed(flow: unknown): Value[] {
  return (flow as Value[]).map((node, index) => ({ position: { x_axis: index * 300, y_axis: 0 }, ...node }));
}

/** The settings as reads show them: the body's over the existing ones over the defaults (service.md#assistants). */
function settingsOf(call: Call, before: Value): Value {
  const written = call.body.settings as Value;
  const settings = { ...before, ...merge(before, written) };
  const trigger = objectUnder(settings, 'trigger_settings');
  const event = trigger.account_event as Value | undefined;
  const schedule = trigger.schedule as Value | undefined;
  if (trigger.trigger === 'schedule' || schedule?.cron_expression !== undefined)
    checkSchedule(schedule?.cron_expression, true);
  if (event) checkFilters(event, objectUnder(objectUnder(written, 'trigger_settings'), 'account_event'));
  return {
    assistant_instructions: '',
    ...settings,
    assistant_limits: { thread_max_tokens: 0, token_max_per_day: 0, ...objectUnder(settings, 'assistant_limits') },
    trigger_settings: {
      trigger: '',
      ...trigger,
      ...(event ? { account_event: eventOf(call, event) } : {}),
      ...(schedule ? { schedule: { cron_timezone: 'UTC', ...schedule } } : {}),
    },
  };
}

/** service.md#events: only listed events, and only filters that the event's type supports. */
function checkFilters(event: Value, written: Value): void {
  const notation = String(event.notation ?? '');
  const fault = notation === '' ? undefined : notationFault(notation, false);
  if (fault !== undefined) throw invalid(`notation ${fault}.`);
  const supported = filtersOf(notation);
  for (const [name, values] of Object.entries((written.filters ?? {}) as Record<string, unknown[]>)) {
    if (notation !== '' && values.length > 0 && !supported.includes(name))
      throw invalid(`filters.${name} is not supported by ${notation}; it takes ${supported.join(', ')}.`);
    if (name === 'metadata_filter' && (values as Value[]).some(({ value }) => String(value).trim() === ''))
      throw invalid('filters.metadata_filter: a value must not be blank.');
  }
}

function eventOf(call: Call, event: Value): Value {
  const delay = { time_value: 1, time_unit: 'minutes', ...objectUnder(event, 'delay') };
  if (Number(delay.time_value) > (LONGEST_DELAY.get(delay.time_unit) ?? 0))
    throw invalid('delay must be at most 7 days, 168 hours or 10080 minutes.');
  const given = Object.entries((event.filters ?? {}) as Record<string, unknown[]>).filter(([, one]) => one.length > 0);
  return {
    notation: '',
    ...event,
    // service.md#assistants: these three are empty arrays when unset; the others are left out.
    filters: { campaign_filter: [], metadata_filter: [], status_filter: [], ...Object.fromEntries(given) },
    ...('filter_function' in event ? { filter_function: filterFunction(call, event.filter_function) } : {}),
    delay,
    limits: { max_run_count: 1, min_time_value: 30, min_time_unit: 'days', ...objectUnder(event, 'limits') },
  };
}

/** An id on write, `{id, name}` on read; an empty string removes the reference. */
function filterFunction(call: Call, written: unknown): unknown {
  if (typeof written !== 'string' || written === '') return written;
  const { value } = requireItem(call, 'functions', written);
  if (value.event_source !== 'api_direct') throw invalid('filter_function must have event source api_direct.');
  return { id: value.id, name: value.name };
}

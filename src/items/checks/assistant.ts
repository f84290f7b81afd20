import type { Tree, TreeObject } from '../json/tree.js';
import { filtersOf, notationFault, scheduleFindings } from './automation-checks.js';
import { fault, isBlank, isSet, needs, note, numberAt, objectBelow, textBelow, valueBelow } from './body-values.js';
import { flowFindings } from './flow.js';
import type { BodyFindings, Check, CheckContext } from './types.js';

const TRIGGER = ['settings', 'trigger_settings'] as const;
const EVENT = [...TRIGGER, 'account_event'] as const;
const CRON = [...TRIGGER, 'schedule', 'cron_expression'] as const;
const EVENT_PATH = EVENT.join('.');

/** Longest delay after an event, per unit (service.md#assistants). */
const DELAYS: Readonly<Record<string, number>> = { minutes: 10_080, hours: 168, days: 7 };
const MAX_METADATA_FILTERS = 50;

/**
 * service.md#assistants, service.md#events: an assistant's trigger, event, filters, delay, limits, schedule and flow.
 */
export const assistant: Check = async function* (body, context) {
  yield* triggerFindings(body, context);
  yield* eventFindings(body, context);
  yield* delayFindings(objectBelow(body, ...EVENT, 'delay'));
  yield* limitFindings(objectBelow(body, ...EVENT, 'limits'));
  yield* scheduleFindings(body, CRON, true);
  yield* flowFindings(valueBelow(body, 'flow'));
};

function* triggerFindings(body: TreeObject, context: CheckContext): BodyFindings {
  const trigger = textBelow(body, ...TRIGGER, 'trigger');
  if (trigger === undefined) return;
  if (trigger === 'schedule') yield* needs(body, context, CRON, 'trigger schedule needs a cron expression');
  const isConfigured = [body, context.current].some((item) => isSet(valueBelow(item, ...EVENT, 'notation')));
  if (trigger === 'account_event' && !isConfigured)
    yield note(`${EVENT_PATH}.notation`, 'no event is configured, so nothing will start this assistant');
  const unused = `is not used with trigger ${trigger === '' ? 'none' : trigger}`;
  if (trigger !== 'account_event' && isSet(valueBelow(body, ...EVENT, 'notation'))) yield note(EVENT_PATH, unused);
  if (trigger !== 'schedule' && isSet(valueBelow(body, ...CRON))) yield note(`${TRIGGER.join('.')}.schedule`, unused);
}

function* eventFindings(body: TreeObject, context: CheckContext): BodyFindings {
  const given = textBelow(body, ...EVENT, 'notation');
  const wrong = given === undefined || given === '' ? undefined : notationFault(given, false);
  if (wrong) yield fault(`${EVENT_PATH}.notation`, wrong);
  const filters = objectBelow(body, ...EVENT, 'filters');
  if (!filters) return;
  const used = Object.keys(filters).filter((name) => isSet(filters[name]));
  const notation = given ?? textBelow(context.current, ...EVENT, 'notation');
  if (notation === '') {
    if (used.length > 0) yield note(`${EVENT_PATH}.filters`, 'are not used while no event is configured');
  } else if (notation !== undefined && !wrong) {
    const supported = filtersOf(notation);
    for (const name of used) {
      if (supported.includes(name)) continue;
      const message = `the event ${notation} does not support it; it takes ${supported.join(', ')}`;
      yield fault(`${EVENT_PATH}.filters.${name}`, message);
    }
  }
  yield* metadataFilter(valueBelow(filters, 'metadata_filter'));
}

function* metadataFilter(value: Tree | undefined): BodyFindings {
  if (!Array.isArray(value)) return;
  const path = `${EVENT_PATH}.filters.metadata_filter`;
  if (value.length > MAX_METADATA_FILTERS)
    yield fault(path, `has at most ${MAX_METADATA_FILTERS} entries, there are ${value.length}`);
  for (const [index, entry] of value.entries()) {
    const text = textBelow(entry, 'value');
    if (text === undefined) continue;
    const place = `${path}[${index}].value`;
    if (isBlank(text)) yield fault(place, 'must not be blank');
    else if (text.length > 255) yield fault(place, `must have at most 255 characters, these are ${text.length}`);
  }
}

function* delayFindings(delay: TreeObject | undefined): BodyFindings {
  if (delay === undefined) return;
  const path = `${EVENT_PATH}.delay`;
  if (valueBelow(delay, 'time_value') === undefined) yield fault(`${path}.time_value`, 'needs time_unit: give both');
  if (valueBelow(delay, 'time_unit') === undefined) yield fault(`${path}.time_unit`, 'needs time_value: give both');
  const [value, unit] = [numberAt(delay, 'time_value'), textBelow(delay, 'time_unit')];
  const max = unit !== undefined && Object.hasOwn(DELAYS, unit) ? DELAYS[unit] : undefined;
  if (value !== undefined && max !== undefined && value > max)
    yield fault(`${path}.time_value`, `is at most ${max} ${unit} (7 days)`);
}

function* limitFindings(limits: TreeObject | undefined): BodyFindings {
  const once = numberAt(limits, 'max_run_count') === 1;
  const interval = ['min_time_value', 'min_time_unit'].some((name) => isSet(valueBelow(limits, name)));
  if (once && interval) yield note(`${EVENT_PATH}.limits`, 'the interval applies only when max_run_count is above 1');
}

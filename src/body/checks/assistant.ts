import type { Tree, TreeObject } from '../../json/tree.js';
import { filtersOf, notationFault } from './event.js';
import { flowFindings } from './flow.js';
import { at, fault, isBlank, isSet, needs, note, numberAt, objectAt, textAt } from './read.js';
import { scheduleFault } from './schedule.js';
import type { Check, CheckContext, Finding } from './types.js';

const TRIGGER = ['settings', 'trigger_settings'] as const;
const EVENT = [...TRIGGER, 'account_event'] as const;
const EVENT_PATH = EVENT.join('.');
const SCHEDULE_PATH = 'settings.trigger_settings.schedule';

/** Longest delay after an event, by unit (spec 2.10). */
const DELAYS: Readonly<Record<string, number>> = { minutes: 10_080, hours: 168, days: 7 };
const MAX_METADATA_FILTERS = 50;

/** Spec 2.10 and 6: trigger, event, filters, delay, limits, schedule and flow of an assistant. */
export const assistant: Check = async (body, context) => [
  ...triggerFindings(body, context),
  ...eventFindings(body, context),
  ...delayFindings(objectAt(body, ...EVENT, 'delay')),
  ...limitFindings(objectAt(body, ...EVENT, 'limits')),
  ...(await scheduleFindings(body)),
  ...flowFindings(at(body, 'flow')),
];

function triggerFindings(body: TreeObject, context: CheckContext): Finding[] {
  const trigger = textAt(body, ...TRIGGER, 'trigger');
  const found: Finding[] = [];
  if (trigger === 'schedule') {
    const path = `${SCHEDULE_PATH}.cron_expression`;
    found.push(
      ...needs(
        body,
        context,
        [...TRIGGER, 'schedule', 'cron_expression'],
        path,
        'trigger schedule needs a cron expression',
      ),
    );
  }
  if (
    trigger === 'account_event' &&
    !isSet(at(body, ...EVENT, 'notation')) &&
    !isSet(at(context.current, ...EVENT, 'notation'))
  ) {
    found.push(note(`${EVENT_PATH}.notation`, 'no event is configured: nothing will start this assistant'));
  }
  const event = objectAt(body, ...EVENT);
  if (trigger !== undefined && trigger !== 'account_event' && isSet(at(event, 'notation'))) {
    found.push(note(EVENT_PATH, `is not used with trigger ${trigger === '' ? 'none' : trigger}`));
  }
  if (trigger !== undefined && trigger !== 'schedule' && isSet(at(body, ...TRIGGER, 'schedule', 'cron_expression'))) {
    found.push(note(SCHEDULE_PATH, `is not used with trigger ${trigger === '' ? 'none' : trigger}`));
  }
  return found;
}

function eventFindings(body: TreeObject, context: CheckContext): Finding[] {
  const found: Finding[] = [];
  const given = textAt(body, ...EVENT, 'notation');
  const wrong = given === undefined || given === '' ? undefined : notationFault(given, false);
  if (wrong) found.push(fault(`${EVENT_PATH}.notation`, wrong));
  const filters = objectAt(body, ...EVENT, 'filters');
  if (!filters) return found;
  const notation = given ?? textAt(context.current, ...EVENT, 'notation');
  if (notation === '') {
    const used = Object.keys(filters).filter((name) => isSet(filters[name]));
    if (used.length > 0) found.push(note(`${EVENT_PATH}.filters`, 'are not used while no event is configured'));
  } else if (notation !== undefined && !wrong) {
    found.push(...unsupported(notation, filters));
  }
  return [...found, ...metadataFilter(at(filters, 'metadata_filter'))];
}

function unsupported(notation: string, filters: TreeObject): Finding[] {
  const supported = filtersOf(notation);
  return Object.keys(filters)
    .filter((name) => isSet(filters[name]) && !supported.includes(name))
    .map((name) =>
      fault(
        `${EVENT_PATH}.filters.${name}`,
        `the event ${notation} does not support it; it takes ${supported.join(', ')}`,
      ),
    );
}

function metadataFilter(value: Tree | undefined): Finding[] {
  if (!Array.isArray(value)) return [];
  const path = `${EVENT_PATH}.filters.metadata_filter`;
  const found: Finding[] = [];
  if (value.length > MAX_METADATA_FILTERS) {
    found.push(fault(path, `has at most ${MAX_METADATA_FILTERS} entries, there are ${value.length}`));
  }
  for (const [index, entry] of value.entries()) {
    const text = textAt(entry, 'value');
    if (text === undefined) continue;
    if (isBlank(text)) found.push(fault(`${path}[${index}].value`, 'must not be blank'));
    else if (text.length > 255)
      found.push(fault(`${path}[${index}].value`, `must have at most 255 characters, these are ${text.length}`));
  }
  return found;
}

function delayFindings(delay: TreeObject | undefined): Finding[] {
  const [value, unit] = [numberAt(delay, 'time_value'), textAt(delay, 'time_unit')];
  if (delay === undefined) return [];
  const path = `${EVENT_PATH}.delay`;
  const found: Finding[] = [];
  if (at(delay, 'time_value') === undefined) found.push(fault(`${path}.time_value`, 'goes with time_unit: give both'));
  if (at(delay, 'time_unit') === undefined) found.push(fault(`${path}.time_unit`, 'goes with time_value: give both'));
  const max = unit !== undefined && Object.hasOwn(DELAYS, unit) ? DELAYS[unit] : undefined;
  if (value !== undefined && max !== undefined && value > max) {
    found.push(fault(`${path}.time_value`, `is at most ${max} ${unit} (7 days)`));
  }
  return found;
}

function limitFindings(limits: TreeObject | undefined): Finding[] {
  const once = numberAt(limits, 'max_run_count') === 1;
  const interval = ['min_time_value', 'min_time_unit'].some((name) => isSet(at(limits, name)));
  return once && interval
    ? [note(`${EVENT_PATH}.limits`, 'the interval applies only when max_run_count is above 1')]
    : [];
}

async function scheduleFindings(body: TreeObject): Promise<Finding[]> {
  const expression = textAt(body, ...TRIGGER, 'schedule', 'cron_expression');
  if (expression === undefined || expression === '') return [];
  const wrong = await scheduleFault(expression, true);
  return wrong ? [fault(`${SCHEDULE_PATH}.cron_expression`, wrong)] : [];
}

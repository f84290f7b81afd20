import { FUNCTION_EVENT_FILTERS } from '../../catalogue/event-types.js';
import type { TreeObject } from '../json/tree.js';
import { notationFault, scheduleFindings } from './automation-checks.js';
import {
  fault,
  isBlank,
  isSet,
  listBelow,
  needs,
  note,
  numberAt,
  objectBelow,
  textBelow,
  valueBelow,
} from './body-values.js';
import type { BodyFindings, Check, CheckContext } from './types.js';

/** Settings that belong to a single event source (service.md#other-items). */
const SOURCE_OF: Readonly<Record<string, string>> = {
  account_event_notations: 'account_event',
  account_event_filters: 'account_event',
  timing_options: 'account_event',
  ip_restricted: 'function_url',
  ip_whitelist: 'function_url',
  cron_expression: 'schedule',
  cron_timezone: 'schedule',
  custom_arguments: 'api_direct',
};

/** service.md#other-items: the settings for each event source, events, timing, schedule, addresses, names. */
export const functionSettings: Check = async function* (body, context) {
  yield* misplaced(body, textBelow(body, 'event_source') ?? textBelow(context.current, 'event_source'));
  yield* missing(body, context);
  yield* events(body);
  yield* timing(body);
  yield* scheduleFindings(body, ['cron_expression'], false);
  const isClosed = valueBelow(body, 'ip_restricted') === true && Array.isArray(valueBelow(body, 'ip_whitelist'));
  if (isClosed && !isSet(valueBelow(body, 'ip_whitelist')))
    yield note('ip_whitelist', 'is empty while ip_restricted is true: no address may call the function');
  for (const list of ['dependencies', 'environment_variables', 'custom_arguments']) yield* names(body, list);
};

function* misplaced(body: TreeObject, source: string | undefined): BodyFindings {
  if (source === undefined) return;
  for (const [name, owner] of Object.entries(SOURCE_OF))
    if (owner !== source && isUsed(body, name))
      yield fault(name, `belongs to event source ${owner}; this function's source is ${source}`);
}

/** A default copied from a read means nothing: every function has the timing `immediate`. */
function isUsed(body: TreeObject, name: string): boolean {
  const value = valueBelow(body, name);
  if (name === 'timing_options') return textBelow(value, 'timing') === 'delay';
  if (name === 'account_event_filters') return isSet(valueBelow(value, 'campaign_filter'));
  return isSet(value);
}

function* missing(body: TreeObject, context: CheckContext): BodyFindings {
  const source = textBelow(body, 'event_source');
  if (source === 'schedule')
    yield* needs(body, context, ['cron_expression'], 'event source schedule needs a cron expression');
  const hasEvents = [body, context.current].some((item) => isSet(valueBelow(item, 'account_event_notations')));
  if (source === 'account_event' && !hasEvents)
    yield note('account_event_notations', 'no event is given, so nothing will start this function');
}

function* events(body: TreeObject): BodyFindings {
  for (const [index, notation] of listBelow(body, 'account_event_notations').entries()) {
    const wrong = typeof notation === 'string' ? notationFault(notation, true) : undefined;
    if (wrong) yield fault(`account_event_notations[${index}]`, wrong);
  }
  const known = FUNCTION_EVENT_FILTERS.map((name) => `${name}_filter`);
  for (const name of Object.keys(objectBelow(body, 'account_event_filters') ?? {}))
    if (!known.includes(name)) yield fault(`account_event_filters.${name}`, `functions take ${known.join(', ')} only`);
}

function* timing(body: TreeObject): BodyFindings {
  const options = objectBelow(body, 'timing_options');
  if (!options) return;
  const isDelay = textBelow(options, 'timing') === 'delay';
  for (const name of ['time_unit', 'time_value']) {
    const isGiven = isSet(valueBelow(options, name));
    if (isGiven && !isDelay) yield note(`timing_options.${name}`, 'is used only with timing=delay');
    if (!isGiven && isDelay) yield fault(`timing_options.${name}`, 'timing delay needs it');
  }
  const value = numberAt(options, 'time_value');
  if (isDelay && value !== undefined && value < 1) yield fault('timing_options.time_value', 'must be at least 1');
}

function* names(body: TreeObject, list: string): BodyFindings {
  const seen = new Map<string, number>();
  for (const [index, entry] of listBelow(body, list).entries()) {
    const name = textBelow(entry, 'name');
    if (name === undefined) continue;
    const first = seen.get(name);
    if (isBlank(name)) yield fault(`${list}[${index}].name`, 'must not be blank');
    else if (first !== undefined) yield fault(`${list}[${index}].name`, `is given at ${list}[${first}] already`);
    seen.set(name, first ?? index);
  }
}

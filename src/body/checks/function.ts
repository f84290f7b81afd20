import { FUNCTION_EVENT_FILTERS } from '../../catalogue/events.js';
import type { TreeObject } from '../../json/tree.js';
import { notationFault } from './event.js';
import { at, fault, isBlank, isSet, listAt, needs, note, numberAt, objectAt, textAt } from './read.js';
import { scheduleFault } from './schedule.js';
import type { Check, CheckContext, Finding } from './types.js';

/** Settings that belong to one event source each (spec 2.8). */
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

/** Spec 2.8: what goes with each event source, events, timing, schedule, addresses, names. */
export const functionSettings: Check = async (body, context) => {
  const source = textAt(body, 'event_source') ?? textAt(context.current, 'event_source');
  return [
    ...misplaced(body, source),
    ...missing(body, context),
    ...events(body),
    ...timing(body),
    ...(await schedule(body)),
    ...addresses(body),
    ...['dependencies', 'environment_variables', 'custom_arguments'].flatMap((name) => names(body, name)),
  ];
};

function misplaced(body: TreeObject, source: string | undefined): Finding[] {
  if (source === undefined) return [];
  return Object.entries(SOURCE_OF)
    .filter(([name, owner]) => owner !== source && isUsed(body, name))
    .map(([name, owner]) => fault(name, `belongs to event source ${owner}; this function's source is ${source}`));
}

/** Defaults that a reader sends back mean nothing: `immediate` is the timing of every function. */
function isUsed(body: TreeObject, name: string): boolean {
  const value = at(body, name);
  if (name === 'timing_options') return textAt(value, 'timing') === 'delay';
  if (name === 'account_event_filters') return isSet(at(value, 'campaign_filter'));
  return isSet(value);
}

function missing(body: TreeObject, context: CheckContext): Finding[] {
  const source = textAt(body, 'event_source');
  if (source === 'schedule') {
    return needs(
      body,
      context,
      ['cron_expression'],
      'cron_expression',
      'event source schedule needs a cron expression',
    );
  }
  if (
    source === 'account_event' &&
    !isSet(at(body, 'account_event_notations')) &&
    !isSet(at(context.current, 'account_event_notations'))
  ) {
    return [note('account_event_notations', 'no event is given: nothing will start this function')];
  }
  return [];
}

function events(body: TreeObject): Finding[] {
  const found: Finding[] = [];
  for (const [index, notation] of listAt(body, 'account_event_notations').entries()) {
    if (typeof notation !== 'string') continue;
    const wrong = notationFault(notation, true);
    if (wrong) found.push(fault(`account_event_notations[${index}]`, wrong));
  }
  const known = FUNCTION_EVENT_FILTERS.map((name) => `${name}_filter`);
  for (const name of Object.keys(objectAt(body, 'account_event_filters') ?? {})) {
    if (!known.includes(name))
      found.push(fault(`account_event_filters.${name}`, `functions take ${known.join(', ')} only`));
  }
  return found;
}

function timing(body: TreeObject): Finding[] {
  const options = objectAt(body, 'timing_options');
  if (!options) return [];
  const given = ['time_unit', 'time_value'].filter((name) => isSet(at(options, name)));
  if (textAt(options, 'timing') !== 'delay') {
    return given.map((name) => note(`timing_options.${name}`, 'is used only with timing=delay'));
  }
  const found = ['time_unit', 'time_value']
    .filter((name) => !given.includes(name))
    .map((name) => fault(`timing_options.${name}`, 'timing delay needs it'));
  const value = numberAt(options, 'time_value');
  if (value !== undefined && value < 1) found.push(fault('timing_options.time_value', 'must be at least 1'));
  return found;
}

async function schedule(body: TreeObject): Promise<Finding[]> {
  const expression = textAt(body, 'cron_expression');
  if (expression === undefined || expression === '') return [];
  const wrong = await scheduleFault(expression, false);
  return wrong ? [fault('cron_expression', wrong)] : [];
}

function addresses(body: TreeObject): Finding[] {
  const open =
    at(body, 'ip_restricted') === true && Array.isArray(at(body, 'ip_whitelist')) && !isSet(at(body, 'ip_whitelist'));
  return open ? [note('ip_whitelist', 'is empty while ip_restricted is true: no address may call the function')] : [];
}

function names(body: TreeObject, list: string): Finding[] {
  const seen = new Map<string, number>();
  const found: Finding[] = [];
  for (const [index, entry] of listAt(body, list).entries()) {
    const name = textAt(entry, 'name');
    if (name === undefined) continue;
    const first = seen.get(name);
    if (isBlank(name)) found.push(fault(`${list}[${index}].name`, 'must not be blank'));
    else if (first !== undefined) found.push(fault(`${list}[${index}].name`, `is given at ${list}[${first}] already`));
    seen.set(name, first ?? index);
  }
  return found;
}

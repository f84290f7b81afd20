import type { Cron } from 'croner';
import { orRather } from '../../base/errors/nearest.js';
import { EVENT_FILTERS, EVENTS, eventType, FUNCTION_ONLY_EVENTS } from '../../catalogue/event-types.js';
import { isCronForm } from '../../catalogue/value-formats.js';
import type { TreeObject } from '../json/tree.js';
import { fault, textBelow } from './body-values.js';
import type { BodyFinding } from './types.js';

/** What is wrong with an event notation (service.md#events); undefined for a valid one. */
export function notationFault(notation: string, forFunction: boolean): string | undefined {
  const functionOnly = FUNCTION_ONLY_EVENTS.includes(notation);
  if (functionOnly && !forFunction) return `${notation} is an event for functions only`;
  if (functionOnly || EVENTS.includes(notation)) return undefined;
  const below = EVENTS.filter((event) => event.startsWith(`${notation}.`));
  if (below.length > 0) return `is not an event itself: use one of ${below.slice(0, 6).join(', ')}`;
  return `is not an account event${orRather(notation, EVENTS)} (cops reference events)`;
}

/** Filters that an event's type supports, as fields (`campaign_filter`); empty for an unknown type. */
export function filtersOf(notation: string): string[] {
  const type = eventType(notation);
  const filters = Object.hasOwn(EVENT_FILTERS, type) ? (EVENT_FILTERS[type] ?? []) : [];
  return filters.map((name) => `${name}_filter`);
}

const HOUR = 3_600_000;
/** Number of runs to sample: two runs in one hour show up within the first hour that runs at all. */
const SAMPLE = 500;
/** A single minute value: no two runs can fall in one hour, so none need sampling. */
const ONE_MINUTE = /^\s*\d+\s/;
/** Where the sample begins: a fixed day, since the form of a schedule does not depend on today. */
const BEGIN = new Date(Date.UTC(2024, 0, 1));

/**
 * What is wrong with a schedule: it needs five valid parts and, with `hourApart` (assistants, service.md#assistants),
 * at least an hour between runs. Runs are sampled in UTC, so that a clock change in the zone, which moves single runs,
 * does not cause a refusal.
 */
export const scheduleFault = async (expression: string, hourApart: boolean): Promise<string | undefined> =>
  faultBy((await import('croner')).Cron, expression, hourApart);

/** The same, for callers that have already loaded the library. */
export function faultBy(library: typeof Cron, expression: string, hourApart: boolean): string | undefined {
  if (!isCronForm(expression)) return 'must be a cron expression of five parts, such as "0 6 * * 1"';
  const asks = hourApart && !ONE_MINUTE.test(expression);
  let runs: readonly Date[];
  try {
    const cron = new library(expression, { mode: '5-part', timezone: 'UTC', paused: true });
    runs = cron.nextRuns(asks ? SAMPLE : 1, BEGIN);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    return 'is not a valid cron expression';
  }
  if (runs.length === 0) return 'never runs: there is no such day';
  if (!asks) return undefined;
  for (const [index, run] of runs.entries()) {
    const next = runs[index + 1];
    if (next && next.getTime() - run.getTime() < HOUR) {
      const minutes = Math.round((next.getTime() - run.getTime()) / 60_000);
      return `runs ${minutes} minute${minutes === 1 ? '' : 's'} apart; runs must be at least one hour apart (one value for the minute)`;
    }
  }
  return undefined;
}

/** What is wrong with the schedule at a place in a body, if there is one. */
export async function* scheduleFindings(
  body: TreeObject,
  names: readonly string[],
  hourApart: boolean,
): AsyncGenerator<BodyFinding> {
  const expression = textBelow(body, ...names);
  const wrong = expression ? await scheduleFault(expression, hourApart) : undefined;
  if (wrong) yield fault(names.join('.'), wrong);
}

import { orRather } from '../../base/errors/nearest.js';
import { EVENT_FILTERS, EVENTS, eventType, FUNCTION_ONLY_EVENTS } from '../../catalogue/event-types.js';

/** What is wrong with an event notation (service.md#events); undefined when it is one. */
export function notationFault(notation: string, forFunction: boolean): string | undefined {
  const functionOnly = FUNCTION_ONLY_EVENTS.includes(notation);
  if (functionOnly && !forFunction) return `${notation} is an event for functions only`;
  if (functionOnly || EVENTS.includes(notation)) return undefined;
  const below = EVENTS.filter((event) => event.startsWith(`${notation}.`));
  if (below.length > 0) return `is no event by itself: take one of ${below.slice(0, 6).join(', ')}`;
  return `is not an account event${orRather(notation, EVENTS)} (cops reference events)`;
}

/** Filters that an event's type supports, as fields (`campaign_filter`); empty for an unknown type. */
export function filtersOf(notation: string): string[] {
  const type = eventType(notation);
  const filters = Object.hasOwn(EVENT_FILTERS, type) ? (EVENT_FILTERS[type] ?? []) : [];
  return filters.map((name) => `${name}_filter`);
}

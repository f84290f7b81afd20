import type { List, Operation } from '../catalogue/types.js';
import { type PulledFacts, plainPath } from './types.js';

/** Longest window where only the description says that a list takes dates, days (spec section 8). */
const SPAN_DAYS = 90;

/**
 * The operation with its way of listing as the pulled description settles it: with dates or without (command line,
 * section 4). Anything that the description does not say stays as it is.
 */
export function settleDates(operation: Operation, facts: PulledFacts): Operation {
  const { list } = operation;
  if (!list || list.style === 'search') return operation;
  const path = plainPath(operation.path);
  const dated = Object.hasOwn(facts.dates, path) ? facts.dates[path] : undefined;
  if (dated === undefined || dated === (list.style === 'windowed')) {
    return list.datesUnproven && dated === true ? { ...operation, list: proven(list) } : operation;
  }
  const { datesUnproven: _, spanDays, ...rest } = list;
  return {
    ...operation,
    list: dated ? { ...rest, style: 'windowed', spanDays: spanDays ?? SPAN_DAYS } : { ...rest, style: 'paged' },
  };
}

function proven(list: List): List {
  const { datesUnproven: _, ...rest } = list;
  return rest;
}

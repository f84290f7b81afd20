import type { Operation } from '../../catalogue/types.js';
import { type PulledFacts, pathWithoutNames } from './types.js';

/** Longest window where only the description says that a list takes dates, days (service.md#limits). */
const SPAN_DAYS = 90;

/**
 * The operation with its way of listing as the pulled description settles it: with dates or without (
 * command-line.md#lists). Anything that the description does not say stays as it is.
 */
export function settleDates(operation: Operation, facts: PulledFacts): Operation {
  const { list } = operation;
  if (!list || list.style === 'search') return operation;
  const path = pathWithoutNames(operation.path);
  const dated = Object.hasOwn(facts.dates, path) ? facts.dates[path] : undefined;
  if (dated === undefined) return operation;
  const { datesUnproven: isUnproven, ...proven } = list;
  if (dated === (list.style === 'windowed')) return isUnproven && dated ? { ...operation, list: proven } : operation;
  const { spanDays = SPAN_DAYS, ...rest } = proven;
  return { ...operation, list: dated ? { ...rest, style: 'windowed', spanDays } : { ...rest, style: 'paged' } };
}

import { usage } from '../../base/errors/errors.js';
import { isoTime } from '../../base/time/units.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { isKnown, vocabularyOf } from '../../items/select/names.js';
import type { FetchPage } from '../../service/lists/growing-lists.js';
import type { FilterValues } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import type { KeptList } from '../joins/kept-rows.js';

/** A line's context at the moment that a mirror shows: relative times count from it. */
export function contextThen(context: Context, { moment }: KeptList): Context {
  context.notes.note(
    `From the mirror, as of ${isoTime(Math.floor(moment / 1000))}: words such as "today" refer to that time.`,
  );
  return Object.create(context, { now: { value: async () => moment } });
}

/** Answers a list's one request from a mirror. */
export function fetchKept(list: KeptList, { oldestFirst }: { readonly oldestFirst?: boolean | undefined }): FetchPage {
  return async ({ range }) => {
    const rows = list.items(range);
    const items = (oldestFirst ? rows.toReversed() : rows).map((raw) => ({ raw, id: undefined, liveMode: undefined }));
    return { items, totalCount: items.length, totalPages: 1, envelope: () => '' };
  };
}

/**
 * Filters that the service applies, as conditions on what the items show.
 * @throws CopsError usage for one that nothing of the items tells
 */
export function filtersAsConditions(family: Family, operation: Operation, filters: FilterValues): string[] {
  const vocabulary = vocabularyOf(family, operation);
  return Object.entries(filters).flatMap(([name, given]) => {
    if (given === undefined) return [];
    const parameter = name.replaceAll('-', '_');
    const field = operation.query?.[parameter] ?? operation.query?.[name];
    const stem = parameter.replace(/_id$/, '');
    const path = [parameter, `${stem}.id`].find((one) => isKnown(vocabulary, one));
    const values = [given].flat().map(String);
    const isName = field?.format === 'id' && values.some((value) => !looksLikeId(value));
    if (path === undefined || values.length !== 1 || isName)
      throw usage(
        `--${name.replaceAll('_', '-')} ${isName ? 'takes an id if a mirror answers, because only the service can look up names' : 'only works at the service, but a mirror answers here'}.`,
        'Use --where instead.',
      );
    const [value = ''] = values;
    return [`${path}=${value.includes(',') ? `"${value}"` : value}`];
  });
}

/** Options that ask for pages of the service as they come. @throws CopsError usage */
export function refusePages(context: Context, options: { readonly page?: unknown; readonly pageSize?: unknown }): void {
  const word = context.options.raw
    ? '--raw'
    : (['page', 'pageSize'] as const).find((one) => options[one] !== undefined);
  if (word !== undefined)
    throw usage(
      `${word === 'page' ? '--page' : word === 'pageSize' ? '--page-size' : word} only works with the service's answers, but a mirror answers here.`,
    );
}

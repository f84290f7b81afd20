import { DAY } from '../../base/time/units.js';
import { LARGEST_PAGE } from '../../catalogue/terms.js';
import type { FieldFormat, List, Operation } from '../../catalogue/types.js';
import { formatFault } from '../../catalogue/value-formats.js';
import { invalid } from '../rules/refusals.js';
import type { CountWindow } from './counts.js';

export type QueryFields = readonly (readonly [name: string, value: string])[];

/** service.md#lists: the widest range of a date-ranged list, and of the AI memo list, in days. */
const WIDEST_DAYS = 90;
const WIDEST_DAYS_MEMOS = 7;

/** The first value of a query parameter. */
export function first(query: QueryFields, name: string): string | undefined {
  return query.find(([other]) => other === name)?.[1];
}

/** Every value of a query parameter, in order; `name[]` is read as `name`. */
export function every(query: QueryFields, name: string): string[] {
  return query.filter(([other]) => other === name || other === `${name}[]`).map(([, value]) => value);
}

/**
 * Reads and checks the parameters of every list (service.md#lists): a missing required parameter is an error, and so is
 * a page size outside 1 to 25 or a range that is too wide.
 */
export function readListRequest(family: string, list: List, query: QueryFields) {
  if (list.style === 'single' || list.style === 'search') return { window: undefined, limit: 0, page: 1 };
  const window = list.style === 'windowed' ? readWindow(family, query) : undefined;
  const limit = whole(query, 'limit');
  if (limit < 1 || limit > LARGEST_PAGE) throw invalid(`limit must be from 1 to ${LARGEST_PAGE}.`);
  const page = whole(query, 'page');
  const lowest = family === 'ai_assistants' ? 0 : 1;
  if (page < lowest) throw invalid(`page must be ${lowest} or more.`);
  if (list.lastPage !== undefined && page > list.lastPage) throw invalid(`page must not be above ${list.lastPage}.`);
  return { window, limit, page: Math.max(page, 1) };
}

function readWindow(family: string, query: QueryFields): CountWindow {
  const start = whole(query, 'date_start');
  const end = whole(query, 'date_end');
  if (end < start) throw invalid('date_end must not be before date_start.');
  const days = family === 'ai_memos' ? WIDEST_DAYS_MEMOS : WIDEST_DAYS;
  if (end - start > days * DAY) throw invalid(`The date range must not exceed ${days} days.`);
  return { start, end };
}

function whole(query: QueryFields, name: string): number {
  const text = first(query, name);
  if (text === undefined || text === '') throw invalid(`The parameter ${name} is required.`);
  if (!/^-?\d{1,15}$/.test(text)) throw invalid(`The parameter ${name} must be an integer.`);
  return Number(text);
}

/** Describes a value of each form, for refusals. */
export const FORMS: Readonly<Record<FieldFormat, string>> = {
  id: 'an identifier of 20 characters',
  email: 'an e-mail address',
  'date-time': 'a date and time',
  unix: 'a time in unix seconds',
  country: 'a country code of three letters',
  currency: 'a currency code of three letters',
  url: 'a web address',
  ipv4: 'an IPv4 address',
  timezone: 'an IANA time zone',
  cron: 'a cron expression of five parts',
  digits: 'digits only',
  code: 'letters and digits',
};

/** Checks the query fields that the catalogue knows: required fields, allowed values. */
export function checkQueryFields(operation: Operation, query: QueryFields): void {
  for (const [name, field] of Object.entries(operation.query ?? {})) {
    const values = every(query, name);
    if (field.required && !values.some((value) => value !== '') && !field.metadata)
      throw invalid(`The parameter ${name} is required.`);
    const allowed = field.enum;
    const wrong = allowed && values.find((value) => !allowed.includes(value));
    if (wrong !== undefined) throw invalid(`${name} does not know the value ${JSON.stringify(wrong)}.`);
    const { format } = field;
    if (format && values.some((value) => value !== '' && formatFault(format, value) !== undefined))
      throw invalid(`${name} must be ${FORMS[format]}.`);
  }
}

/** One entry of a metadata filter (service.md#lists). */
export type MetadataEntry = ReturnType<typeof parseEntry>;

/** Reads a metadata filter in either of its two forms; both together are refused (service.md#lists). */
export function readMetadataFilter(query: QueryFields): MetadataEntry[] {
  const stringified = every(query, 'metadata_filter');
  const indexed = query.filter(([name]) => /^metadata_filter\[[^\]]+\]\[/.test(name));
  if (stringified.length > 0 && indexed.length > 0)
    throw invalid('metadata_filter must keep to one form: stringified objects or indexed parameters.');
  const entries = stringified.length > 0 ? stringified.map(parseEntry) : readIndexed(indexed);
  for (const { name, value } of entries) {
    if (name.length < 1 || name.length > 100) throw invalid('metadata_filter: name must have 1 to 100 characters.');
    if (value.length < 1 || value.length > 255) throw invalid('metadata_filter: value must have 1 to 255 characters.');
  }
  return entries;
}

function parseEntry(text: string) {
  try {
    const { name, value } = (JSON.parse(text) ?? {}) as Record<string, unknown>;
    if (typeof name === 'string' && typeof value === 'string') return { name, value };
  } catch {}
  throw invalid('metadata_filter must be a stringified object with name and value.');
}

function readIndexed(parameters: QueryFields): MetadataEntry[] {
  const entries = new Map<string, { name?: string; value?: string }>();
  for (const [parameter, text] of parameters) {
    const match = /^metadata_filter\[(\d+)\]\[(name|value)\]$/.exec(parameter);
    if (!match) throw invalid(`${parameter} is not of the form metadata_filter[i][name] or metadata_filter[i][value].`);
    const entry = entries.get(match[1] as string) ?? {};
    entry[match[2] as 'name' | 'value'] = text;
    entries.set(match[1] as string, entry);
  }
  return [...entries.values()].map(({ name, value }) => {
    if (name === undefined || value === undefined) throw invalid('metadata_filter needs a name and a value each.');
    return { name, value };
  });
}

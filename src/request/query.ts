import { METADATA_NAME_EXISTS } from '../catalogue/metadata.js';
import type { Operation, QueryField } from '../catalogue/types.js';
import { formatFault } from '../catalogue/value-formats.js';
import { type Fault, faultsError } from '../errors/field-faults.js';
import { nearest } from '../errors/nearest.js';
import { JsonFault, parseJson } from '../json/parse-json.js';
import { get, isObject } from '../json/tree.js';

/** What a filter of the command line looks like: `--campaign <id>`, repeated for several values. */
export interface FilterOption {
  /** Without dashes in front: `campaign`. */
  readonly option: string;
  /** The query parameter: `campaign_filter`. */
  readonly name: string;
  readonly field: QueryField;
}

/** The option of a query parameter: without `_filter` (or `_id`), with dashes. */
export function optionName(parameter: string): string {
  return parameter.replace(/_(?:filter|id)$/, '').replaceAll('_', '-');
}

/** Typed options of an operation's query parameters (command line, section 4). */
export function filterOptions(operation: Operation): FilterOption[] {
  return Object.entries(operation.query ?? {})
    .filter(([, field]) => !field.positional)
    .map(([name, field]) => ({ option: optionName(name), name, field }));
}

/** Given values by option (`campaign`) or by parameter (`campaign_filter`). */
export type FilterValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/**
 * The query parameters of filters, in the order of the catalogue; a parameter with several values repeats
 * (spec 4.1). Throws one usage error (exit code 2) that names every wrong value.
 */
export function buildQuery(operation: Operation, values: FilterValues): [name: string, value: string][] {
  const query: [string, string][] = [];
  const faults: Fault[] = [];
  const used = new Set<string>();
  for (const [name, field] of Object.entries(operation.query ?? {})) {
    const option = optionName(name);
    const key = [name, option].find((candidate) => Object.hasOwn(values, candidate) && values[candidate] !== undefined);
    const path = field.positional ? name : `--${option}`;
    if (key === undefined) {
      if (field.required) faults.push({ path, message: 'is required' });
      continue;
    }
    used.add(key);
    const given = [values[key]].flat().map(String);
    if (!field.many && !field.metadata && given.length > 1) {
      faults.push({ path, message: 'takes one value only' });
      continue;
    }
    for (const value of given) {
      const result = field.metadata ? metadataEntry(value) : checked(field, value);
      if (typeof result === 'string') query.push([name, result]);
      else faults.push({ path, message: result.fault });
    }
  }
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && !used.has(name)) {
      faults.push({ path: `--${optionName(name)}`, message: `is no filter of ${operation.path}` });
    }
  }
  if (faults.length > 0) throw faultsError('The filters are not right', faults);
  return query;
}

type Checked = string | { readonly fault: string };

function checked(field: QueryField, value: string): Checked {
  if (value === '') return { fault: 'is empty' };
  if (field.enum && !field.enum.includes(value)) {
    const [near] = nearest(value, field.enum);
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    return { fault: `${quoted(value)} is none of ${field.enum.join(', ')}${hint}` };
  }
  if (field.type === 'integer' && !/^-?\d{1,15}$/.test(value))
    return { fault: `${quoted(value)} is not a whole number` };
  if (field.type === 'boolean' && value !== 'true' && value !== 'false') return { fault: 'true or false is expected' };
  const fault = field.format ? formatFault(field.format, value) : undefined;
  return fault ? { fault: `${quoted(value)} ${fault}` } : value;
}

/** `name=value`, or a name alone for items that carry it, or a JSON object where a name holds "=". */
function metadataEntry(text: string): Checked {
  const pair = text.startsWith('{') ? metadataObject(text) : metadataPair(text);
  if ('fault' in pair) return pair;
  if (pair.name.length < 1 || pair.name.length > 100) return { fault: 'a metadata name has 1 to 100 characters' };
  if (pair.value.length < 1 || pair.value.length > 255) return { fault: 'a metadata value has 1 to 255 characters' };
  return JSON.stringify({ name: pair.name, value: pair.value });
}

function metadataPair(text: string): { name: string; value: string } {
  const equals = text.indexOf('=');
  if (equals < 0) return { name: text, value: METADATA_NAME_EXISTS };
  return { name: text.slice(0, equals), value: text.slice(equals + 1) };
}

function metadataObject(text: string): { name: string; value: string } | { fault: string } {
  try {
    const { value: object } = parseJson(text);
    if (isObject(object)) {
      const [name, value] = [get(object, 'name'), get(object, 'value') ?? METADATA_NAME_EXISTS];
      if (typeof name === 'string' && typeof value === 'string') return { name, value };
    }
  } catch (fault) {
    if (!(fault instanceof JsonFault)) throw fault;
  }
  return { fault: 'name=value, name, or {"name":"...","value":"..."} is expected' };
}

/** Outside text on one line of a message. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}

import type { ZodType } from 'zod';
import * as z from 'zod';
import type { Field, Operation } from '../catalogue/types.js';
import { didYouMean, nearest } from '../errors/nearest.js';
import type { Fault, Findings } from './faults.js';
import { bodyFields, fieldAt, isOpenBody, isOpenObject, rootField, typeName } from './fields.js';
import { formatFault } from './formats.js';
import { isSecretPath } from './secret-names.js';
import { get, isObject, NumberText, pathText, type Tree, type TreeObject } from './tree.js';

type Parts = readonly (string | number)[];

/**
 * Checks a body against the schema of its operation, made with zod from the one entry in use. Faults are all named
 * at once, each with its path; a field that is not known is a fault where the schema is closed and a note where more
 * fields may exist. `idempotency_key` is always allowed (spec 4.14). Numbers may be `NumberText`.
 */
export async function checkBody(operation: Operation, body: TreeObject): Promise<Findings> {
  const result = bodySchema(operation).safeParse(plain(body));
  const faults = result.success ? [] : result.error.issues.flatMap((issue) => faultsOf(operation, issue));
  if (isEmptyEdit(operation, body)) faults.push({ path: '', message: 'there is nothing to change: no field is given' });
  return { faults, notes: unknownNotes(operation, body) };
}

/** The zod schema of an operation's body. */
export function bodySchema(operation: Operation): ZodType {
  const root = rootField(operation);
  const key: Field = { type: 'string' };
  return fieldSchema({ ...root, fields: { idempotency_key: key, ...root.fields } });
}

function fieldSchema(field: Field): ZodType {
  const schema = typeSchema(field);
  return field.nullable ? schema.nullable() : schema;
}

function typeSchema(field: Field): ZodType {
  switch (field.type) {
    case 'any':
      return z.any();
    case 'boolean':
      return z.boolean();
    case 'string':
      return z.string().superRefine((value, context) => refuse(context, textFault(field, value)));
    case 'integer':
    case 'number':
      return z.number().superRefine((value, context) => refuse(context, numberFault(field, value)));
    case 'array':
      return z
        .array(field.items ? fieldSchema(field.items) : z.any())
        .superRefine((value, context) => refuse(context, sizeFault(field, value.length)));
    case 'object': {
      const members = Object.entries(field.fields ?? {}).map(([name, member]): [string, ZodType] => {
        const schema = fieldSchema(member);
        return [name, member.required ? schema : schema.optional()];
      });
      const shape = Object.fromEntries(members);
      return isOpenObject(field) ? z.looseObject(shape) : z.strictObject(shape);
    }
  }
}

interface Refusal {
  addIssue(issue: { code: 'custom'; message: string }): void;
}

function refuse(context: Refusal, message: string | undefined): void {
  if (message !== undefined) context.addIssue({ code: 'custom', message });
}

function textFault(field: Field, value: string): string | undefined {
  const clears = value === '' && (field.emptyOk || field.nullable || field.minLength === 0);
  if (clears || (field.enum?.includes(value) ?? false)) return undefined;
  if (field.enum) {
    const [close] = nearest(value, field.enum);
    const hint = close === undefined ? '' : `; did you mean ${close}?`;
    return `must be one of ${field.enum.map((allowed) => (allowed === '' ? '""' : allowed)).join(', ')}${hint}`;
  }
  const { minLength: min = 0, maxLength: max = Number.POSITIVE_INFINITY } = field;
  // An id's own message is better than one about its length.
  if (field.format) {
    const fault = formatFault(field.format, value);
    if (fault) return fault;
  }
  if (value.length >= min && value.length <= max) return undefined;
  if (min === max) return `must have exactly ${min} characters, these are ${value.length}`;
  if (value.length < min)
    return value === '' ? 'must not be empty' : `must have at least ${min} characters, these are ${value.length}`;
  return `must have at most ${max} characters, these are ${value.length}`;
}

/** Beyond this a time in seconds would lie after the year 5000, so it is milliseconds. */
const LATEST_UNIX = 99_999_999_999;

function numberFault(field: Field, value: number): string | undefined {
  if (field.type === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
  if (field.format === 'unix' && (value < 0 || value > LATEST_UNIX))
    return 'must be a time in unix seconds, not milliseconds';
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
  if (value >= min && value <= max) return undefined;
  if (Number.isFinite(min) && Number.isFinite(max)) return `must be ${min} to ${max}`;
  return value < min ? `must be at least ${min}` : `must be at most ${max}`;
}

function sizeFault(field: Field, length: number): string | undefined {
  const { minItems: min = 0, maxItems: max = Number.POSITIVE_INFINITY } = field;
  if (length < min) return `must have at least ${min} element${min === 1 ? '' : 's'}, there are ${length}`;
  return length > max ? `must have at most ${max} elements, there are ${length}` : undefined;
}

function faultsOf(operation: Operation, issue: z.core.$ZodIssue): Fault[] {
  const parts = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  const path = pathText(parts);
  if (issue.code === 'custom') return [{ path, message: issue.message }];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => unknownFault(operation, parts, name));
  if (issue.code === 'invalid_type') return [{ path, message: typeFault(operation, parts, issue) }];
  return [{ path, message: issue.message }];
}

function unknownFault(operation: Operation, parts: Parts, name: string): Fault {
  const { field } = fieldAt(operation, parts);
  const known = parts.length === 0 ? Object.keys(bodyFields(operation)) : Object.keys(field?.fields ?? {});
  const path = pathText([...parts, name]);
  if (known.length === 0) return { path, message: 'is not a field: nothing is taken here' };
  const close = nearest(name, known, 2);
  if (close.length > 0) return { path, message: `is not a field; did you mean ${close.join(' or ')}?` };
  const listed = known.length <= 12 ? `; the fields are ${known.join(', ')}` : '';
  return { path, message: `is not a field${listed}` };
}

function typeFault(operation: Operation, parts: Parts, issue: z.core.$ZodIssueInvalidType): string {
  const { field } = fieldAt(operation, parts);
  const received = (issue as { input?: unknown }).input;
  if (received === undefined && /undefined/.test(issue.message)) return 'is required';
  const expected = field ? typeName(field.type) : issue.expected;
  const secret = isSecretPath(operation, parts);
  const hint = !secret && field?.type === 'string' && / number/.test(issue.message) ? ' (in quotes)' : '';
  return `must be ${expected}${hint}${receivedText(issue.message)}`;
}

/** `, not null` from zod's own words, which never hold the value. */
function receivedText(message: string): string {
  const received = /received (\w+)/.exec(message)?.[1];
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    null: 'null',
    Infinity: 'a number without end',
  };
  const word = received === undefined ? undefined : words[received];
  return word === undefined ? '' : `, not ${word}`;
}

function isEmptyEdit(operation: Operation, body: TreeObject): boolean {
  const edits = operation.action === 'edit' || operation.action.endsWith(' edit');
  return edits && Object.keys(body).every((name) => name === 'idempotency_key');
}

/** One note for each field that is sent though nothing is known of it. */
function unknownNotes(operation: Operation, body: TreeObject): string[] {
  if (!isOpenBody(operation) && !hasOpenObject(rootField(operation))) return [];
  const given = Object.keys(body).filter((name) => name !== 'idempotency_key');
  if (given.length > 0 && Object.keys(bodyFields(operation)).length === 0) {
    return [`The fields of ${operation.path} are not documented: the body is sent as it is.`];
  }
  const notes: string[] = [];
  const step = (value: Tree, field: Field | undefined, parts: Parts): void => {
    if (!field || field.type === 'any') return;
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) step(element, field.items, [...parts, index]);
    } else if (isObject(value) && field.type === 'object') {
      // An object of which nothing is known is meant to be filled freely.
      if (field.fields === undefined || Object.keys(field.fields).length === 0) return;
      for (const name of Object.keys(value)) {
        const known = Object.hasOwn(field.fields, name) ? field.fields[name] : undefined;
        const member = get(value, name);
        if (known && member !== undefined) step(member, known, [...parts, name]);
        else if (isOpenObject(field) && !(parts.length === 0 && name === 'idempotency_key')) {
          notes.push(unknownNote([...parts, name], Object.keys(field.fields)));
        }
      }
    }
  };
  step(body, rootField(operation), []);
  return notes;
}

function unknownNote(parts: Parts, known: readonly string[]): string {
  return `${pathText(parts)} is not a known field; it is sent as it is.${didYouMean(String(parts.at(-1)), known)}`;
}

function hasOpenObject(field: Field): boolean {
  if (field.type === 'object' && isOpenObject(field)) return true;
  return [...Object.values(field.fields ?? {}), ...(field.items ? [field.items] : [])].some(hasOpenObject);
}

/** The tree as plain JavaScript: for checking only, since long numbers lose digits. */
function plain(value: Tree): unknown {
  if (value instanceof NumberText) return value.value;
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

import type { ZodType } from 'zod';
import * as z from 'zod';
import { isOpenObject } from '../../catalogue/body-fields.js';
import type { Body, Field, FieldFormat, FieldType } from '../../catalogue/types.js';
import { formatFault } from '../../catalogue/value-formats.js';

/** Names and indices from the root of a body to a value. */
export type BodyPath = readonly (string | number)[];

/** The type found where another is expected. */
export type Received = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null' | 'infinite' | 'other';

/** A fault in one value of a body, without words: the caller that shows it chooses them. */
export type BodyFault = { readonly place: BodyPath } & (
  | { readonly kind: 'missing' }
  /** Not a field here; `known` lists the valid ones. */
  | { readonly kind: 'unknown'; readonly known: readonly string[] }
  | { readonly kind: 'type'; readonly expected: FieldType; readonly received: Received }
  | { readonly kind: 'fraction' }
  /** Unix milliseconds, or a negative number, where seconds are expected. */
  | { readonly kind: 'unix' }
  | { readonly kind: 'value'; readonly allowed: readonly string[]; readonly given: string }
  | { readonly kind: 'format'; readonly format: FieldFormat; readonly given: string }
  /** Counts characters, the number itself, or elements; the bounds are the field's. */
  | {
      readonly kind: 'length' | 'range' | 'count';
      readonly min: number;
      readonly max: number;
      readonly actual: number;
    }
);

type Detail = BodyFault extends infer One ? (One extends BodyFault ? Omit<One, 'place'> : never) : never;

const schemas = new WeakMap<Body, ZodType>();
const NOTHING: Body = { closed: false, complete: false, fields: {} };

/**
 * The body as one object field, including `idempotency_key` (service.md#idempotency), so that the root is not a special
 * case.
 */
function rootOf(body: Body): Field {
  const fields = { idempotency_key: { type: 'string' }, ...body.fields } as const;
  return { type: 'object', fields, open: body.closed && body.complete ? undefined : true };
}

/**
 * All differences between a body and its description in the catalogue: types, required fields, enums, formats, bounds,
 * and unknown fields where all are known. Client and sandbox use the same engine. Numbers are JavaScript numbers; a
 * body that was never described accepts anything.
 */
export function faultsOfBody(body: Body | undefined, value: unknown): BodyFault[] {
  const described = body ?? NOTHING;
  const root = rootOf(described);
  const schema = schemas.get(described) ?? schemaOf(root);
  schemas.set(described, schema);
  const result = schema.safeParse(value, { reportInput: true });
  return result.success ? [] : result.error.issues.flatMap((issue) => faultsOfIssue(root, issue));
}

function schemaOf(field: Field): ZodType {
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
    case 'array': {
      const list = z
        .array(field.items ? schemaOf(field.items) : z.any())
        .superRefine(({ length }, context) =>
          refuse(context, boundsFault('count', field.minItems, field.maxItems, length)),
        );
      return field.oneOk ? z.preprocess((value) => (Array.isArray(value) ? value : [value]), list) : list;
    }
    case 'object': {
      const members = Object.entries(field.fields ?? {}).map(([name, member]): [string, ZodType] => {
        const schema = schemaOf(member);
        return [name, member.required ? schema : schema.optional()];
      });
      const shape = Object.fromEntries(members);
      return isOpenObject(field) ? z.looseObject(shape) : z.strictObject(shape);
    }
  }
}

interface Refusing {
  addIssue(issue: { code: 'custom'; params: { detail: Detail } }): void;
}

function refuse(context: Refusing, detail: Detail | undefined): void {
  if (detail !== undefined) context.addIssue({ code: 'custom', params: { detail } });
}

function textFault(field: Field, given: string): Detail | undefined {
  const clears = given === '' && (field.emptyOk || field.nullable || field.minLength === 0);
  if (clears || (field.enum?.includes(given) ?? false)) return undefined;
  if (field.enum) return { kind: 'value', allowed: field.enum, given };
  // An id's format fault says more than its length.
  if (field.format && formatFault(field.format, given)) return { kind: 'format', format: field.format, given };
  return boundsFault('length', field.minLength, field.maxLength, given.length);
}

/** As seconds, a larger number would lie after the year 5000, so it must be milliseconds. */
const LATEST_UNIX = 99_999_999_999;

function numberFault(field: Field, value: number): Detail | undefined {
  if (field.type === 'integer' && !Number.isInteger(value)) return { kind: 'fraction' };
  if (field.format === 'unix' && (value < 0 || value > LATEST_UNIX)) return { kind: 'unix' };
  return boundsFault('range', field.min ?? Number.NEGATIVE_INFINITY, field.max, value);
}

const boundsFault = (
  kind: 'length' | 'range' | 'count',
  min = 0,
  max = Number.POSITIVE_INFINITY,
  actual: number,
): Detail | undefined => (actual >= min && actual <= max ? undefined : { kind, min, max, actual });

function faultsOfIssue(root: Field, issue: z.core.$ZodIssue): BodyFault[] {
  const place = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  if (issue.code === 'custom') return [{ place, ...(issue.params as { detail: Detail }).detail }];
  const field = fieldIn(root, place);
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(field?.fields ?? {}).filter((name) => place.length > 0 || name !== 'idempotency_key');
    return issue.keys.map((name) => ({ place: [...place, name], kind: 'unknown', known }));
  }
  if (issue.input === undefined) return [{ place, kind: 'missing' }];
  return [{ place, kind: 'type', expected: field?.type ?? 'any', received: receivedOf(issue.input) }];
}

const fieldIn = (root: Field, place: BodyPath): Field | undefined =>
  place.reduce<Field | undefined>((field, part) => {
    if (typeof part === 'number') return field?.items;
    return field?.fields !== undefined && Object.hasOwn(field.fields, part) ? field.fields[part] : undefined;
  }, root);

function receivedOf(value: unknown): Received {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isFinite(value) ? 'number' : 'infinite';
  const type = typeof value;
  return type === 'string' || type === 'boolean' || type === 'object' ? type : 'other';
}
